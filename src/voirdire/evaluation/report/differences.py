"""Which models differ: the order to believe, neighbours in it, and all pairs for those who ask."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from voirdire.documents.cells import UNDEFINED, count, number, text
from voirdire.documents.document import Block, Cell, Column, Document, Section, Table, Text
from voirdire.evaluation.comparison import Comparison
from voirdire.evaluation.report.ranks import table_of_ranks
from voirdire.evaluation.report.verdict import order

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


def comparison_line(comparison: Comparison) -> str:
    """The conclusion, in one line."""
    return f"{order(comparison)}."


def comparison_document(comparisons: Sequence[Comparison]) -> Document:
    """A section for each evaluation; all pairs are details."""
    sections = []
    for place, each in enumerate(comparisons, start=1):
        title = each.evaluation if len(comparisons) > 1 else ""
        sections.append(Section(f"compared-{place}", title, tuple(_first(each, place))))
        if len(each.placed) > 2:
            pairs = [(a, b) for a in range(len(each.placed)) for b in range(a + 1, len(each.placed))]
            all_pairs = _table(each, f"pairs-{place}", pairs, "")
            sections.append(Section(f"pairs-of-{place}", f"All pairs of {each.evaluation}", (all_pairs,), detail=True))
    return Document("Which models differ", "", tuple(sections))


def _first(comparison: Comparison, place: int) -> Iterator[Block]:
    yield Text(comparison_line(comparison), "strong")
    yield table_of_ranks(comparison, place)
    neighbours = [(a, a + 1) for a in range(len(comparison.placed) - 1)]
    yield _table(comparison, f"neighbours-{place}", neighbours, "Neighbours")


def _table(comparison: Comparison, id: str, pairs: Sequence[tuple[int, int]], title: str) -> Table:
    level = f"{100 * (1 - comparison.alpha):g} %"
    caption = f"Intervals: {level}, of each pair by itself. p is corrected over all pairs."
    return Table(id, _COLUMNS, tuple(_row(comparison, a, b) for a, b in pairs), title, caption)


def _row(comparison: Comparison, a: int, b: int) -> dict[str, Cell]:
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
