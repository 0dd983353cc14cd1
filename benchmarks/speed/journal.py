"""How fast replies are committed, how long one waits, how fast a journal opens, and what one ask costs.

python -m benchmarks.speed.journal [--replies 100000] [--waiters 2000]
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.speed._instant import InstantModel
from voirdire.records import (
    Fenced,
    Message,
    Reply,
    Request,
    Settings,
    Slot,
    Usage,
)
from voirdire.runs import Journal, Runner

SMALL = ("--replies", "2000", "--waiters", "100")

RUBRIC = "\n\n".join(
    f"Rule {n}: weigh what the answer says against the reference, and nothing else at all. " * 3 for n in range(6)
)
ANSWER = "The answer speaks of recursion, of a base case and of a call stack, at some length. " * 12
REPLY = '{"far": 0.8, "sas": 0.9, "no_claims": false, "stance": null, "justification": "' + "word " * 40 + '"}'
SCHEMA = {"type": "object", "properties": {"far": {"type": "number"}, "sas": {"type": "number"}}}


MODEL = InstantModel("bench/instant", lambda *_: Reply(REPLY, "stop", Usage(900, 60), "instant"), price=0.001)


def request(number: int) -> Request:
    """A judge's call, about 3 kB; three judges read the same answer."""
    answer = f"Answer {number // 3}. {ANSWER}"
    messages = (
        Message.of("system", RUBRIC),
        Message.of("user", "The answer to judge:\n\n", Fenced("answer", answer), "\n\nGive your verdict."),
    )
    slot = Slot(f"dialogue-{number // 15}", number // 3 % 5 + 1, "judge", f"judge-{number % 3}")
    return Request(slot, messages, Settings(max_tokens=500, temperature=0.0), SCHEMA)


async def ask_all(path: Path, replies: int, waiters: int) -> tuple[float, list[float], float]:
    """Seconds in all, each ask's delay, and seconds to open the journal."""
    began = time.perf_counter()
    delays: list[float] = []
    with Journal.open(path) as journal:
        opened = time.perf_counter() - began
        async with Runner(journal, {"instant": MODEL}, connections=waiters) as runner:
            numbers = iter(range(replies))

            async def worker() -> None:
                for number in numbers:
                    asked = time.perf_counter()
                    await runner.ask("instant", request(number))
                    delays.append(time.perf_counter() - asked)

            began = time.perf_counter()
            await asyncio.gather(*(worker() for _ in range(waiters)))
            return time.perf_counter() - began, delays, opened


async def commit_all(path: Path, rows: list[Any], waiters: int) -> tuple[float, list[float]]:
    """Seconds in all, and each commit's delay, for the journal alone."""
    delays: list[float] = []
    with Journal.open(path) as journal:
        left = iter(rows)

        async def worker() -> None:
            for row in left:
                asked = time.perf_counter()
                await journal.commit(row)
                delays.append(time.perf_counter() - asked)

        began = time.perf_counter()
        await asyncio.gather(*(worker() for _ in range(waiters)))
        return time.perf_counter() - began, delays


def rows(replies: int) -> list[Any]:
    """Rows as the runner makes them."""
    from voirdire.runs import CallRow, apply_fences, call_key

    made = []
    for number in range(replies):
        asked = request(number)
        key = call_key(asked.slot, MODEL.identity, asked.settings, "json_schema", SCHEMA, asked.messages)
        sent = apply_fences(asked.messages, b"secret", asked.slot)
        reply = Reply(REPLY, "stop", Usage(900, 60), "instant")
        started = "2026-01-01T00:00:00+00:00"
        made.append(
            CallRow(
                key,
                1,
                asked.slot,
                MODEL.identity,
                sent,
                asked.settings,
                "json_schema",
                SCHEMA,
                1,
                started,
                1.0,
                reply,
                0.001,
            )
        )
    return made


def show(name: str, replies: int, cpu: float, seconds: float, delays: list[float]) -> None:
    """One line of the table."""
    delay = f"median delay {statistics.median(delays) * 1000:6.2f} ms" if delays else ""
    print(f"{name:<28}{replies / seconds:>10,.0f} replies/s   {cpu / replies * 1e6:7.1f} us of CPU each   {delay}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--replies", type=int, default=50_000)
    parser.add_argument("--waiters", type=int, default=400)
    options = parser.parse_args()
    replies, waiters = options.replies, options.waiters
    made = rows(replies)
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:  # not /tmp: that may be memory, and fsync free
        began = time.process_time()
        seconds, delays = asyncio.run(commit_all(Path(folder) / "alone.sqlite", made, waiters))
        show("journal alone", replies, time.process_time() - began, seconds, delays)
        path = Path(folder) / "journal.sqlite"
        began = time.process_time()
        seconds, delays, _ = asyncio.run(ask_all(path, replies, waiters))
        show("runner, instant model", replies, time.process_time() - began, seconds, delays)
        size = path.stat().st_size
        began = time.process_time()
        seconds, _, opened = asyncio.run(ask_all(path, replies, waiters))
        show("resume: all from the journal", replies, time.process_time() - began, seconds, [])
        print(f"opening with {replies:,} replies: {opened:.2f} s; file: {size / replies:,.0f} bytes a reply")
        print(f"Python {sys.version.split()[0]}, {waiters} waiters, {replies:,} replies of about 3 kB of messages")


if __name__ == "__main__":
    main()
