"""A figure of another column of the row that a sentence names: "a week costs 32", where a day does and a week 140."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from voirdire.evidence.comparisons import cell_figure
from voirdire.evidence.figures import Figure, figures_of, same_value
from voirdire.evidence.figures_of_other_names import Sibling
from voirdire.evidence.listings import in_column
from voirdire.evidence.matching import Match
from voirdire.evidence.row_records import Record, named_row, rows_of, words_of
from voirdire.evidence.tokens import parse
from voirdire.text.units import comparable

_UNSURE = frozenset(
    "than too unlike instead both either respectively not before until after except another including excluding"
    " plus".split()
)


_PARTITIVE = re.compile(r"\b[Oo]f (?:the|all|its|our|their) ([\w -]+?)(?=,|\s(?:is|are|was|were|have|has)\b)")
"""What a figure is a part of: "of the units, 371 are occupied"."""


class _Cell(NamedTuple):
    key: str
    value: str
    stems: frozenset[str]
    """Of its key."""
    figure: Figure


def figure_of_other_column(match: Match, figure: Figure) -> Sibling | None:
    """What a row has in the column that a sentence names, where it has the sentence's figure only in others.

    The sentence must have a word by which its column differs from each of those, and none by which they differ from it.
    """
    same = next((same for each, same in match.figures if each is figure), ())
    row = named_row(match) if same and rows_of(match.index) else None
    if row is None or "?" in match.claim.text or not _UNSURE.isdisjoint(match.claim.words):
        return None
    name = parse(row.name)
    others = [each for each, _ in match.figures if each is not figure and each.number.text.lower() not in name.words]
    if any(_is_alike(figure, each) for each in others) or not all(_is_of_row(match, place, row) for place, _ in same):
        return None
    wholes = frozenset().union(*(parse(each).stems for each in _PARTITIVE.findall(match.claim.text)))
    named = match.claim.stems - name.stems - wholes
    cells = list(_cells(row))
    theirs = [each for each in cells if same_value(figure, each.figure)]
    if not theirs:  # of another row, in a column that the sentence names
        keys = {each.key for other in rows_of(match.index) for each in _cells(other) if same_value(figure, each.figure)}
        cells = [each for each in cells if keys == {each.key} and each.stems <= named]
    for own in cells:
        if own not in theirs and _is_alike(figure, own.figure) and all(_is_named(named, own, each) for each in theirs):
            return Sibling("", figure.text, f"{own.key}: {own.value}", row.text)
    return None


def is_of_named_column(match: Match, figure: Figure) -> bool:
    """Whether the row that a sentence speaks of has the sentence's only figure in a column that the sentence names."""
    row = named_row(match) if len(match.figures) == 1 and rows_of(match.index) else None
    return row is not None and any(
        same_value(figure, each.figure)
        and _is_alike(figure, each.figure)
        and bool(each.stems)
        and each.stems <= match.claim.stems
        for each in _cells(row)
    )


def _is_named(named: frozenset[str], own: _Cell, other: _Cell) -> bool:
    """Whether a sentence has a word of a column that another one lacks, and none that only the other has."""
    return bool((own.stems - other.stems) & named) and (other.stems - own.stems).isdisjoint(named)


def _is_alike(one: Figure, other: Figure) -> bool:
    """Whether two figures may be of one sort; a bare cell may count or measure anything."""
    is_bare = not one.units or not other.units
    return one.number.kind == other.number.kind and (is_bare or comparable(one.units, other.units))


def _is_of_row(match: Match, place: int, row: Record) -> bool:
    """Whether a sentence of the context is part of a table or record, or lines of this one."""
    return match.index.in_cells(place) or words_of(match.index.sentences[place].text) <= row.all_words


def _cells(row: Record) -> Iterator[_Cell]:
    for key, value, _ in row.values:
        figures = figures_of(parse(value))
        figure = cell_figure(key, value) or (in_column(figures[0], key) if len(figures) == 1 else None)
        if figure is not None:
            yield _Cell(key, value, parse(key).stems, figure)
