"""Does any random sequence of faults break a run? Draws new ones until the time is over (docs/faults.md).

Sequences of sessions over one run folder, with faults of providers, of the disk and of the user, kills between any two
writes among them, as `tests/faults/stateful` draws and checks them: there CI plays the same 500 every time, here they
are new ones, in a process per core. The first one that breaks an invariant is shrunk and written down, and ends it
with status 1.

    python -m benchmarks.soak --minutes 30
    python -m benchmarks.soak --replay soak-failed.json
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import sys
import time
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

from tests.faults.stateful.machine import Count, play
from tests.faults.stateful.running import Failed, play_drawn
from tests.faults.stateful.sequence import dumps, loads

from benchmarks._machine import machine, versions

NEEDS = "half an hour"

_AT_ONCE = 25
"""Sequences that a process is given at a time."""
_TASKS = 20
"""After so many a process is replaced, so that nothing grows for half an hour."""
_TOLD_EVERY = 20.0
"""Seconds between two lines of progress."""

Played = tuple[Count, tuple[str, str] | None]
"""What was done, and of a failure the sequence and what broke."""


def play_some(seed: int) -> Played:
    """Play the sequences of one seed; in a process of its own."""
    count = Count()
    try:
        play_drawn(seed, _AT_ONCE, count)
    except Failed as failed:
        return count, (dumps(failed.sequence), str(failed))
    return count, None


def soak(seconds: float, processes: int, seed: int, failed: Path) -> int:
    """Play until the time is over, or something breaks.

    Args:
        seconds: how long.
        processes: side by side.
        seed: of the first sequences; those after them have the next ones.
        failed: where the sequence that breaks something is written.

    Returns:
        0, or 1 when an invariant did not hold.
    """
    total, begun = Count(), time.monotonic()
    told, number = begun, seed
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, context, max_tasks_per_child=_TASKS) as pool:
        under_way: dict[Future[Played], int] = {}
        while under_way or time.monotonic() - begun < seconds:
            while len(under_way) < processes and time.monotonic() - begun < seconds:
                under_way[pool.submit(play_some, number)] = number
                number += 1
            done, _ = wait(under_way, timeout=_TOLD_EVERY, return_when=FIRST_COMPLETED)
            for future in done:
                played = under_way.pop(future)
                try:
                    count, broken = future.result()
                except BrokenProcessPool:
                    print(f"A process died while it played the sequences of seed {played}.", flush=True)
                    return 1
                _add(total, count)
                if broken is not None:
                    pool.shutdown(cancel_futures=True)
                    return _failed(played, *broken, failed)
            if time.monotonic() - told >= _TOLD_EVERY:
                told = time.monotonic()
                print(_line(total, told - begun), flush=True)
    print(_line(total, time.monotonic() - begun))
    print("\n".join(f"  {times:>7,}  {kind}" for kind, times in sorted(total.faults.items())))
    print(f"No invariant was broken (seeds {seed} to {number - 1}, {_AT_ONCE} sequences each).")
    return 0


def replay(path: Path) -> int:
    """Play a sequence that was written down."""
    try:
        play(loads(path.read_text(encoding="utf-8")))
    except AssertionError as error:
        print(f"It breaks: {error}")
        return 1
    print("It holds.")
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--small", action="store_true", help="a quarter of a minute")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, help="of the first sequences; another one every time if left out")
    parser.add_argument("--failed", type=Path, default=Path("soak-failed.json"), help="where a failure is written")
    parser.add_argument("--replay", type=Path, metavar="PATH", help="play a sequence that was written down")
    options = parser.parse_args()
    if options.replay:
        return replay(options.replay)
    seed = random.SystemRandom().randrange(10**9) if options.seed is None else options.seed
    minutes = 0.25 if options.small else options.minutes
    print(f"{machine()}\n{versions('voirdire', 'hypothesis')}")
    print(f"{minutes:g} minutes in {options.processes} processes, from seed {seed}", flush=True)
    return soak(60.0 * minutes, options.processes, seed, options.failed)


def _add(total: Count, count: Count) -> None:
    total.sequences += count.sequences
    total.steps += count.steps
    total.sessions += count.sessions
    total.calls += count.calls
    total.checks += count.checks
    total.faults += count.faults


def _line(total: Count, seconds: float) -> str:
    kills = sum(total.faults[kind] for kind in ("kill", "write_kill", "write_torn"))
    return (
        f"{seconds:6,.0f} s: {total.sequences:,} sequences ({total.sequences / max(seconds, 1.0):.1f} a second), "
        f"{total.steps:,} steps, {total.sessions:,} sessions, {total.calls:,} calls, {total.faults.total():,} faults, "
        f"{kills:,} kills, {total.checks:,} checks"
    )


def _failed(seed: int, sequence: str, said: str, path: Path) -> int:
    path.write_text(sequence + "\n", encoding="utf-8")
    print(f"Broken by a sequence of seed {seed}: {said}\nplay it again: python -m benchmarks.soak --replay {path}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
