"""How near does a study come to the ideal wall time, beside other ways of making the same calls?

    python -m benchmarks.speed.efficiency --contenders voirdire,bare --dialogues 400 --latency 1 --latency 0.5

A dialogue is five calls of a subject, one after the other, and three judges' calls on each answer. A fake server in a
process of its own answers each call after the latency ("0.5~0.5": log-normal, median and sigma). The ideal is what
the longest chain of calls takes, or one call and all the others through the connections, whichever is longer. Wall
time is of the whole command without its imports: for voirdire with journal, tables, profiles and validity checks.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchmarks._machine import machine, versions
from benchmarks._table import table
from benchmarks.speed._contending import Contender, Run, contend, serving
from benchmarks.speed.contenders._workload import TURNS

CONTENDERS = (
    Contender("voirdire", "ours"),
    Contender("bare openai loop", "bare"),
    Contender("inspect-ai (its defaults)", "inspecting", ("--defaults",), needs="inspect_ai"),
    Contender("inspect-ai (50 at once)", "inspecting", needs="inspect_ai"),
    Contender("deepeval (its defaults)", "deepevaluating", ("--defaults",), needs="deepeval"),
)
PACKAGES = ("openai", "httpx2", "aiohttp", "pydantic-ai-slim", "inspect-ai", "deepeval")


@dataclass(frozen=True, slots=True)
class Latency:
    """How long the server takes: seconds, the median where sigma makes it log-normal."""

    seconds: float
    sigma: float = 0.0

    @property
    def mean(self) -> float:
        """Seconds that a call takes in the mean."""
        return self.seconds * math.exp(self.sigma**2 / 2)

    def __str__(self) -> str:
        return f"{self.seconds:g} s" + (f" log-normal, sigma {self.sigma:g}" if self.sigma else "")


def ideal(latency: Latency, dialogues: int, connections: int) -> float:
    """Seconds that no way of making the calls can beat, but by luck where latency is random.

    The longest chain is a dialogue's five subject calls and the verdict on the last answer. For many dialogues the
    busiest model counts: each has five calls a dialogue to make through its connections, and the judges can't begin
    before a first answer is there: one latency, then 5 x dialogues x latency / connections.
    """
    chain = (TURNS + 1) * latency.mean
    work = latency.mean + TURNS * dialogues * latency.mean / connections
    return max(chain, work)


@dataclass(frozen=True, slots=True)
class Row:
    """A contender's medians under one condition."""

    contender: str
    dialogues: int
    calls: int
    latency: str
    ideal: float
    wall: float
    judged: float
    efficiency: float
    cpu_ms: float
    """Of the client, per call."""
    server_ms: float
    """CPU of the server, per call."""
    rss_mb: float
    connections: int
    """TCP connections that were opened."""
    at_once: int
    """The most calls of one model that the server saw at a time."""
    repeats: int


def summed(contender: Contender, runs: Sequence[Run], latency: Latency, dialogues: int, connections: int) -> Row:
    """Medians of several runs."""

    def middle(values: list[float]) -> float:
        return statistics.median(values)

    best = ideal(latency, dialogues, connections)
    wall = middle([run.outcome.wall for run in runs])
    return Row(
        contender=contender.title,
        dialogues=dialogues,
        calls=runs[0].outcome.calls,
        latency=str(latency),
        ideal=best,
        wall=wall,
        judged=middle([run.outcome.judged for run in runs]),
        efficiency=best / wall,
        cpu_ms=middle([1000 * run.outcome.cpu / run.outcome.calls for run in runs]),
        server_ms=middle([1000 * run.server["cpu"] / run.outcome.calls for run in runs]),
        rss_mb=middle([run.outcome.rss / 1e6 for run in runs]),
        connections=round(middle([run.server["connections"] for run in runs])),
        at_once=round(
            middle([max(model["max_concurrent"] for model in run.server["models"].values()) for run in runs])
        ),
        repeats=len(runs),
    )


def measure(
    contenders: Sequence[Contender],
    latencies: Sequence[Latency],
    dialogues: Sequence[int],
    connections: int,
    repeat: int,
    *,
    quiet: bool = False,
) -> list[Row]:
    """All conditions; contenders take turns, so that whatever else runs on the machine meets all of them."""
    rows = []
    with serving() as base_url:
        for latency in latencies:
            for number in dialogues:
                runs: dict[str, list[Run]] = {each.title: [] for each in contenders}
                for _ in range(repeat):
                    for each in contenders:
                        runs[each.title].append(
                            contend(each, base_url, number, connections, latency.seconds, latency.sigma)
                        )
                rows += [summed(each, runs[each.title], latency, number, connections) for each in contenders]
                if not quiet:
                    print(shown(rows[-len(contenders) :]), flush=True)
    return rows


def shown(rows: Sequence[Row]) -> str:
    """One condition's table: ratios are to the first contender's wall time."""
    first = rows[0]
    title = f"\n{first.dialogues} dialogues ({first.calls:,} calls), {first.latency}; ideal {first.ideal:.1f} s"
    head = (
        "",
        "wall s",
        "judged s",
        "of ideal",
        "wall, ratio",
        "CPU ms/call",
        "peak MB",
        "connections",
        "at once",
        "runs",
    )
    body = [
        (
            row.contender,
            f"{row.wall:.2f}",
            f"{row.judged:.2f}",
            f"{row.efficiency:.3f}",
            f"{row.wall / first.wall:.2f}",
            f"{row.cpu_ms:.2f}",
            f"{row.rss_mb:.0f}",
            row.connections,
            row.at_once,
            row.repeats,
        )
        for row in rows
    ]
    return f"{title}\n\n{table(head, body)}"


def parse_latency(text: str) -> Latency:
    """Seconds, and after "~" sigma: "1", "0.5~0.5"."""
    seconds, _, sigma = text.partition("~")
    return Latency(float(seconds), float(sigma or 0))


def chosen(names: str | None) -> list[Contender]:
    """The contenders by the beginnings of their titles; without names, all that are installed."""
    wanted = None if names is None else names.split(",")
    known = [each for each in CONTENDERS if wanted is None or any(each.title.startswith(name) for name in wanted)]
    return [each for each in known if not each.needs or find_spec(each.needs)]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--contenders", help="comma-separated beginnings of their names; all without it")
    options.add_argument("--dialogues", type=int, action="append", help="1, or a multiple of 5; repeatable")
    options.add_argument("--latency", type=parse_latency, action="append", help="SECONDS or MEDIAN~SIGMA; repeatable")
    options.add_argument("--connections", type=int, default=50, help="of each model")
    options.add_argument("--repeat", type=int, default=3)
    options.add_argument("--small", action="store_true", help="a quick look: 40 dialogues, 0.2 s, once")
    options.add_argument("--json", type=Path, help="write the rows there")
    given = options.parse_args()
    small = given.small
    latencies = given.latency or ([Latency(0.2)] if small else [Latency(1.0), Latency(0.5), Latency(0.5, 0.5)])
    dialogues = given.dialogues or ([40] if small else [1, 40, 400])
    print(f"{machine()}\n{versions(*PACKAGES)}\n{given.connections} connections of each model")
    rows = measure(chosen(given.contenders), latencies, dialogues, given.connections, 1 if small else given.repeat)
    if given.json:
        written: list[dict[str, Any]] = [asdict(row) for row in rows]
        given.json.write_text(json.dumps(written, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
