"""What reports of several instruments' runs say alike: which run, what it cost, what it was made with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

import pandas as pd

from voirdire.documents.cells import count, number, plain_table, text
from voirdire.documents.document import Block, Cell, Column, Section, Table, Text
from voirdire.runs import RunFolder
from voirdire.runs.rows import FROM_CACHE
from voirdire.text.counting import counted
from voirdire.text.money import dollars

READ_AT_MOST = 2_000
"""Texts to read in one report: more would make a page that no browser likes to open."""

T = TypeVar("T")


class ExpectedCalls(Protocol):
    """What one model, or one stage, is expected to be asked."""

    @property
    def calls(self) -> int:
        """How often."""

    @property
    def input_tokens(self) -> int:
        """Of all calls."""

    @property
    def output_tokens(self) -> int:
        """Of all calls."""

    @property
    def usd(self) -> float | None:
        """`None`: the price is unknown."""


class ExpectedCost(Protocol):
    """What a plan is expected to take."""

    @property
    def usd(self) -> float | None:
        """`None`: the price is unknown."""

    @property
    def assumptions(self) -> Sequence[str]:
        """What the estimate rests on."""


_COLUMNS = (
    Column("model", "model"),
    Column("role", "asked to"),
    Column("calls", "calls", numeric=True),
    Column("failed", "failed", numeric=True, help="attempts that were tried again or given up"),
    Column("input_tokens", "tokens in", numeric=True),
    Column("output_tokens", "tokens out", numeric=True),
    Column("usd", "USD", numeric=True, help="of answered calls, at the price when they were made"),
    Column("seconds", "seconds", numeric=True, help="summed over calls, some of which ran at the same time"),
)


def run_names(runs: Sequence[Path]) -> list[str]:
    """The shortest end of each path that tells it from the others."""
    whole = [run.resolve() for run in runs]
    depth = 1
    while len({path.parts[-depth:] for path in whole}) < len(whole):
        depth += 1
    return ["/".join(path.parts[-depth:]) for path in whole]


def with_run(table: Table, rows: Mapping[str, Sequence[Mapping[str, Cell]]]) -> Table:
    """A table of one run's rows, or of several runs' with the run in front."""
    if len(rows) == 1:
        ((_, own),) = rows.items()
        return Table(table.id, table.columns, tuple(own), table.title, table.caption)
    named = tuple({"run": text(name), **row} for name, own in rows.items() for row in own)
    return Table(table.id, (Column("run", "run"), *table.columns), named, table.title, table.caption)


def estimate_blocks(
    first: str, requests: Mapping[str, ExpectedCalls], line: str, assumptions: Sequence[str]
) -> tuple[Block, ...]:
    """What a plan would take."""
    rows = (
        (name, count(each.calls), count(each.input_tokens), count(each.output_tokens), _usd(each.usd))
        for name, each in requests.items()
    )
    return (
        Text(line, "strong"),
        plain_table("estimate", (first, "calls", "tokens in", "tokens out", "USD"), rows),
        Text(f"Assumed: {'; '.join(assumptions)}."),
    )


def estimate_line(counts: Sequence[str], expected: ExpectedCost, time: str, more: str = "") -> str:
    """What a plan would take, and what more there is to say of it, in one sentence."""
    takes = f"{time}, price unknown" if expected.usd is None else f"about {dollars(expected.usd)} and {time}"
    return f"{', '.join(counts)}, {takes}{more and f'; {more}'}."


def duration(minutes: float) -> str:
    """How long a plan would take."""
    return f"{minutes:.0f} min" if minutes >= 1 else "less than a minute"


def cost_section(runs: Mapping[str, Path]) -> Section:
    """What the runs have asked of models, by model and purpose."""
    rows = {name: _call_rows(path) for name, path in runs.items()}
    if not any(rows.values()):
        return Section("cost", "What it cost", (Text("No model was asked: nothing was spent."),))
    known = [cell.value for own in rows.values() for row in own if isinstance((cell := row["usd"]).value, float)]
    calls = sum(int(row["calls"].value or 0) for own in rows.values() for row in own)
    unknown = any(row["usd"].value is None for own in rows.values() for row in own)
    money = f"{dollars(sum(known))}{' and what calls of unknown price cost' if unknown else ''}"
    summary: Block = Text(f"{counted(calls, 'call')} (attempts included), {money}.")
    return Section("cost", "What it cost", (summary, with_run(Table("cost", _COLUMNS, ()), rows)))


def provenance(runs: Mapping[str, Mapping[str, Any]], own: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Where the runs come from: what an instrument says of its own, then time, versions, machine, command.

    Args:
        runs: manifests by name.
        own: label and manifest key of what the instrument wants told.
    """
    listed = list(own)
    several = len(runs) > 1
    rows = []
    for name, manifest in runs.items():
        front = f"{name}: " if several else ""
        rows += [
            (f"{front}{label}", _as_text(manifest.get(key))) for label, key in listed if manifest.get(key) is not None
        ]
        rows += [(f"{front}{label}", value) for label, value in _info(manifest.get("info") or {})]
    return tuple(rows)


def gravest_first(items: Sequence[T], gravity: Sequence[float]) -> tuple[list[T], bool]:
    """All of the items, or where there are too many to read the gravest ones, in their own order.

    Returns:
        The items, and whether any were left out.
    """
    if len(items) <= READ_AT_MOST:
        return list(items), False
    gravest = sorted(range(len(items)), key=lambda place: (-gravity[place], place))[:READ_AT_MOST]
    return [items[place] for place in sorted(gravest)], True


def _call_rows(path: Path) -> list[dict[str, Cell]]:
    with RunFolder.open(path, read_only=True) as folder:
        calls = folder.journal.calls_frame()
    calls = calls[calls["attempt"] != FROM_CACHE]
    return [_row(str(model), str(role), own) for (model, role), own in calls.groupby(["spec", "role"], sort=True)]


def _row(model: str, role: str, calls: pd.DataFrame) -> dict[str, Cell]:
    answered = calls[calls["status"] == "ok"]
    price = answered["price_usd"]
    usd = None if price.isna().any() else float(price.sum())
    return {
        "model": text(model),
        "role": text(role),
        "calls": count(len(calls)),
        "failed": count(len(calls) - len(answered), "warn" if len(answered) < len(calls) else ""),
        "input_tokens": count(int(answered["input_tokens"].fillna(0).sum())),
        "output_tokens": count(int(answered["output_tokens"].fillna(0).sum())),
        "usd": _usd(usd),
        "seconds": number(float(calls["seconds"].sum()), 1),
    }


def _usd(usd: float | None) -> Cell:
    return Cell(usd, dollars(usd))


def _info(info: Mapping[str, Any]) -> list[tuple[str, str]]:
    versions = info.get("versions") or {}
    git = info.get("git")
    values = {
        "made": info.get("time"),
        "command": " ".join(info.get("command") or ()),
        "versions": ", ".join(f"{name} {version}" for name, version in versions.items()),
        "python": info.get("python"),
        "machine": info.get("platform"),
        "git": None if not git else f"{git['commit']}{' with changes beside it' if git['dirty'] else ''}",
    }
    return [(label, str(value)) for label, value in values.items() if value]


def _as_text(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_as_text(part)}" for name, part in value.items() if part is not None)
    if isinstance(value, list):
        return ", ".join(map(_as_text, value))
    return "yes" if value is True else "no" if value is False else str(value)
