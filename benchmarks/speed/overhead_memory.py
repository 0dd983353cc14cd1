"""Peak memory and wall time of large studies, and how soon a finished or killed one goes on.

    python -m benchmarks.speed.overhead_memory --dialogues 100 --dialogues 1000 --dialogues 10000

Five subject calls and fifteen judge calls a dialogue, answered at once by models within the process. Each study is
held in a process of its own; the largest is then asked for again, and another like it killed half-way and gone on with.
Peak memory is resident memory, with Python and all that it has imported.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks._machine import machine, versions
from benchmarks._table import table
from benchmarks.speed._contending import ROOT
from benchmarks.speed.contenders._workload import CALLS


class Held(NamedTuple):
    """One process."""

    title: str
    dialogues: int
    wall: float
    """Seconds from opening to profiles, imports excluded."""
    first_call: float | None
    """Seconds until the first call of this session was on record; none where there was nothing to ask."""
    last_dialogue: float
    """Seconds until the last dialogue was held and judged; the rest is tables and figures."""
    calls: int
    cpu: float
    rss: int
    journal: int
    """Bytes of the run's folder."""
    process: float
    """Seconds of the whole process, imports included."""


def hold(title: str, run: Path, dialogues: int, kill_after: int | None = None) -> Held:
    """Hold a study, or go on with it.

    Raises:
        RuntimeError: it failed.
    """
    command = [sys.executable, "-m", "benchmarks.speed.contenders.resuming", str(run), "--dialogues", str(dialogues)]
    command += ["--kill-after", str(kill_after)] if kill_after else []
    begun = time.perf_counter()
    done = subprocess.run(command, cwd=ROOT, env=os.environ | {"OMP_NUM_THREADS": "1"}, capture_output=True, text=True)
    seconds = time.perf_counter() - begun
    if done.returncode != (-9 if kill_after else 0):
        raise RuntimeError(f"{title} failed:\n{done.stderr[-3000:]}")
    size = sum(file.stat().st_size for file in run.rglob("*") if file.is_file())
    held = Held(title, dialogues, **json.loads(done.stdout.splitlines()[-1]), journal=size, process=seconds)
    print(f"{title}: {dialogues:,} dialogues, {held.wall:.0f} s, {held.rss / 1e6:.0f} MB", file=sys.stderr)
    return held


def measure(dialogues: Sequence[int]) -> list[Held]:
    """Every size; the largest also again, and killed half-way."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for number in dialogues:
            rows.append(hold("held", Path(folder) / str(number), number))
        largest = dialogues[-1]
        rows.append(hold("asked for again", Path(folder) / str(largest), largest))
        rows.append(hold("killed half-way", Path(folder) / "killed", largest, largest // 2))
        rows.append(hold("gone on with", Path(folder) / "killed", largest))
    return rows


def shown(rows: Sequence[Held]) -> str:
    """A table."""
    head = (
        "",
        "dialogues",
        "wall s",
        "with imports s",
        "first call s",
        "last dialogue s",
        "calls",
        "ms/call",
        "peak MB",
        "folder MB",
    )
    body = [
        (
            row.title,
            f"{row.dialogues:,}",
            f"{row.wall:.1f}",
            f"{row.process:.1f}",
            "none" if row.first_call is None else f"{row.first_call:.1f}",
            f"{row.last_dialogue:.1f}",
            f"{row.calls:,}",
            f"{1000 * row.wall / row.calls:.2f}" if row.calls else "-",
            f"{row.rss / 1e6:.0f}",
            f"{row.journal / 1e6:.0f}",
        )
        for row in rows
    ]
    return table(head, body)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--dialogues", type=int, action="append", help="a multiple of 5; repeatable, the largest last")
    options.add_argument("--small", action="store_true", help="a quick look: 20 and 40 dialogues")
    options.add_argument("--json", type=Path, help="write the rows there")
    given = options.parse_args()
    rows = measure(given.dialogues or ([20, 40] if given.small else [100, 1000, 10_000]))
    print(f"{machine()}\n{versions('pandas', 'duckdb')}; {CALLS} calls a dialogue\n\n{shown(rows)}")
    if given.json:
        given.json.write_text(json.dumps([row._asdict() for row in rows], indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
