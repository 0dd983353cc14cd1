"""Which models differ: the order to believe, and all pairs for those who ask."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from voirdire.documents.cells import UNDEFINED, count, number, text
from voirdire.documents.document import Block, Cell, Column, Document, Section, Table, Text, detail, more
from voirdire.evaluation.checks import Check, Status
from voirdire.evaluation.comparison import EvaluationComparison
from voirdire.evaluation.doubts import believed_places
from voirdire.evaluation.report.checks import TONES
from voirdire.evaluation.report.ranks import first_of_ranks, rest_of_ranks
from voirdire.evaluation.report.verdict import believed
from voirdire.text.counting import counted, listed

_COLUMNS = (
    Column("a", "A"),
    Column("b", "B"),
    Column("difference", "A - B", numeric=True, with_ends=True),
    Column("interval", "Interval", numeric=True, says_ends=True),
    Column("p", "p (Holm)", numeric=True),
    Column("n", "Shared items", numeric=True),
    Column("verdict", "Verdict"),
)
_LEAST_P = 0.0001


@dataclass(frozen=True, slots=True)
class Compared:
    """Models that are compared, and the checks that fail or warn of them."""

    models: EvaluationComparison
    failing: tuple[Check, ...]
    warning: tuple[Check, ...] = ()
    but: str = ""
    """What must be said of the believed places: see `verdict.at_equal_length`."""

    def as_dict(self) -> dict[str, Any]:
        """Plain values that JSON can hold."""
        return self.models.as_dict() | {
            "believed": believed_places(self.models, self.failing),
            "failing_checks": [check.id for check in self.failing],
            "warning_checks": [check.id for check in self.warning],
        }


def checks_that(status: Status, checks: Sequence[Check], comparison: EvaluationComparison) -> tuple[Check, ...]:
    """Of all checks, those of this evaluation that fail, or warn."""
    own = (check for check in checks if check.evaluation == comparison.evaluation)
    return tuple(check for check in own if check.status == status)


def comparison_line(compared: Compared) -> str:
    """The conclusion, in one line, and which checks fail."""
    failed = [check.id for check in compared.failing]
    tally = f" {counted(len(failed), 'check fails', 'checks fail')}: {listed(failed)}." if failed else ""
    return f"{believed(compared.models, compared.failing, compared.but)}.{tally}"


def comparison_document(comparisons: Sequence[Compared]) -> Document:
    """A section for each evaluation; all pairs are details."""
    sections = []
    for place, compared in enumerate(comparisons, start=1):
        each = compared.models
        title = each.evaluation if len(comparisons) > 1 else ""
        sections.append(Section(f"compared-{place}", title, tuple(_first(compared, place))))
        sections.append(detail(f"errors-of-{place}", rest_of_ranks(each, place)))
        if len(each.placed) > 1:
            pairs = [(a, b) for a in range(len(each.placed)) for b in range(a + 1, len(each.placed))]
            all_pairs = _table(each, f"pairs-{place}", pairs, "")
            sections.append(detail(f"pairs-of-{place}", all_pairs, title=f"All pairs of {each.evaluation}"))
    sections.append(more("Every pair with its interval and p, standard errors, items"))
    return Document("Which models differ", "", tuple(sections))


def _first(compared: Compared, place: int) -> Iterator[Block]:
    comparison = compared.models
    yield Text(f"{believed(comparison, compared.failing, compared.but)}.", "strong")
    for check in compared.failing:
        yield Text(f"The check {check.id} fails: {check.finding}.", TONES["fail"])
    if compared.warning:
        warned = [check.id for check in compared.warning]
        yield Text(f"{counted(len(warned), 'check warns', 'checks warn')}: {listed(warned)}.", TONES["warn"])
    if compared.failing or compared.warning:
        yield Text("voirdire audit, given the same files, quotes the items and says what to do.", "quiet")
    yield first_of_ranks(comparison, place)


def _table(comparison: EvaluationComparison, id: str, pairs: Sequence[tuple[int, int]], title: str) -> Table:
    level = f"{100 * (1 - comparison.alpha):g} %"
    caption = f"Intervals: {level}, of each pair by itself. p is corrected over all pairs."
    return Table(id, _COLUMNS, tuple(_row(comparison, a, b) for a, b in pairs), title, caption)


def _row(comparison: EvaluationComparison, a: int, b: int) -> dict[str, Cell]:
    pair = comparison.pair(a, b)
    low, high, p = pair["low"], pair["high"], pair["p"]
    ends = None if low is None or high is None else (low, high)
    verdict = "can't be compared" if p is None else "differ" if p <= comparison.alpha else "undecided"
    return {
        "a": text(pair["a"]),
        "b": text(pair["b"]),
        "difference": Cell(pair["difference"], number(pair["difference"], 3).shown, ends=ends),
        "interval": text(UNDEFINED if ends is None else f"{ends[0]:z.3f} to {ends[1]:z.3f}"),
        "p": Cell(p, UNDEFINED if p is None else f"< {_LEAST_P}" if p < _LEAST_P else f"{p:.4f}"),
        "n": count(pair["n"]),
        "verdict": text(verdict, "quiet" if verdict != "differ" else ""),
    }
