"""The checks of one evaluation: what fails or warns with quotes and advice, then all of them as a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from voirdire.documents.cells import count, number, text
from voirdire.documents.document import Block, Bullets, Column, Table, Text, Tone
from voirdire.evaluation.checks import STATUSES, Check, Quote, Status, wording
from voirdire.text.counting import listed

TONES: Mapping[Status, Tone] = {"fail": "bad", "warn": "warn", "not_measured": "quiet", "pass": "good"}
RESULTS: Mapping[Status, str] = {
    "fail": "fails",
    "warn": "warns",
    "not_measured": "not measured",
    "pass": "passes",
}
_MOST_MODELS = 6
_COLUMNS = (
    Column("id", "Check"),
    Column("status", "Result"),
    Column("value", "Figure", numeric=True),
    Column("n", "n", numeric=True),
    Column("finding", "Found"),
)


def by_gravity(checks: Sequence[Check]) -> list[Check]:
    """The gravest first."""
    return sorted(checks, key=lambda check: STATUSES.index(check.status))


def evidence(checks: Sequence[Check]) -> Iterator[Block]:
    """What fails and what warns, each with its figure, quotes and what to do about it."""
    for check in by_gravity(checks):
        if check.status in ("fail", "warn"):
            yield from _evidence(check)


def _evidence(check: Check) -> Iterator[Block]:
    yield Text(f"{check.id} {RESULTS[check.status]}: {check.finding}.", TONES[check.status])
    if check.models:
        yield Text(f"{'Model' if len(check.models) == 1 else 'Models'}: {listed(check.models, _MOST_MODELS)}.")
    if check.quotes:
        yield Bullets(tuple(map(_quoted, check.quotes)))
    yield Text(f"What to do: {wording.ADVICE[check.id]}")


def _quoted(quote: Quote) -> str:
    where = ", ".join(part for part in (quote.model, f"item {quote.item}" if quote.item else "") if part)
    return f"{where}: {quote.text}" if where else quote.text


def table(checks: Sequence[Check], place: int) -> Table:
    """All checks of one evaluation."""
    rows = tuple(
        {
            "id": text(check.id),
            "status": text(RESULTS[check.status], TONES[check.status]),
            "value": number(check.value, 4),
            "n": count(check.n),
            "finding": text(str(check.finding)),
        }
        for check in by_gravity(checks)
    )
    return Table(f"checks-{place}", _COLUMNS, rows, "All checks")
