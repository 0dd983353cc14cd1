"""CPU time per call of ours, beside the bare loop and others: a server without latency, one core's time of the client.

    python -m benchmarks.speed.overhead --dialogues 200 --repeat 3

The same calls as `efficiency` makes. CPU time counts all threads of the client's process from the first call to the
last result, so that journal, tables and profiles are part of voirdire's.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from benchmarks._machine import machine, versions
from benchmarks._table import table
from benchmarks.speed.efficiency import PACKAGES, Latency, Row, chosen, measure

REFERENCE = "bare openai loop"


def shown(rows: Sequence[Row]) -> str:
    """CPU per call, and its ratio to the bare loop's."""
    bare = next(row.cpu_ms for row in rows if row.contender == REFERENCE)
    head = ("", "CPU ms/call", "ratio", "wall ms/call", "server's CPU ms/call", "peak MB", "runs")
    body = [
        (
            row.contender,
            f"{row.cpu_ms:.2f}",
            f"{row.cpu_ms / bare:.2f}",
            f"{1000 * row.wall / row.calls:.2f}",
            f"{row.server_ms:.3f}",
            f"{row.rss_mb:.0f}",
            row.repeats,
        )
        for row in rows
    ]
    return table(head, body)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--contenders", help=f"comma-separated beginnings of their names, with {REFERENCE!r}")
    options.add_argument("--dialogues", type=int, default=200)
    options.add_argument("--connections", type=int, default=50)
    options.add_argument("--repeat", type=int, default=3)
    options.add_argument("--small", action="store_true", help="a quick look: 40 dialogues, once")
    options.add_argument("--json", type=Path, help="write the rows there")
    given = options.parse_args()
    dialogues, repeat = (40, 1) if given.small else (given.dialogues, given.repeat)
    print(f"{machine()}\n{versions(*PACKAGES)}\n{dialogues} dialogues, no latency\n")
    rows = measure(chosen(given.contenders), [Latency(0.0)], [dialogues], given.connections, repeat, quiet=True)
    print(shown(rows))
    if given.json:
        given.json.write_text(json.dumps([asdict(row) for row in rows], indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
