"""Yes and no of rows and records: "V5 has a tail lift" where its column says no; "only V5 has one", "all have one".

A sentence must say no more than whether the rows that it names have what a column tells of. Then its cells decide,
however the words of the context lie. The only record that it can mean needs no name: "The pass is blocked".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from voirdire.evidence.lexicon import lexicon
from voirdire.evidence.matching import Match
from voirdire.evidence.negation import half_negators, is_negator, negations
from voirdire.evidence.records import Contradiction, ContradictionKind
from voirdire.evidence.row_records import (
    TITLES,
    Record,
    all_rows_of,
    labels_of,
    named_records,
    named_rows,
    prose_of,
    records_of,
    words_of,
)
from voirdire.evidence.tokens import parse

_CERTAINTY = 0.95
_YES = frozenset("yes true y ✓ ✔ included available".split())
_NO = frozenset(("no", "false", "n", "✗", "✘", "✕", "none", "not included", "not available", "unavailable"))
# With these and the name of a row and a column, a sentence says yes or no and nothing else.
_HAVING = frozenset(
    "include includes included available come comes offer offers offered have has provide provided possible allowed"
    " get gets permitted free charge there service services run runs operate operates go goes sail sails use used using"
    " enjoy accessible equipped fitted feature features supports works member members customer customers guest guests"
    " user users visitor visitors uses pay pays via receive receives".split()
)
_PARTS_OF_DAY = frozenset("morning afternoon evening night".split())
_UNSURE = frozenset(
    "than unlike instead either or before until after like compared but except besides almost nearly practically"
    " most".split()
)
_SAYS = frozenset("already currently longer still".split())
_OTHERWISE = frozenset(
    "if when once will would should could might may must had originally previously formerly free charge pay"
    " pays".split()
)
"""What says of a record that something may be so, was or will be, or what it costs."""
_NUMBERED = frozenset(("number", "part"))
"""Before a code they are no quantities."""
_LIMITING = frozenset("with where which that whose if of both".split())
_ONLY = re.compile(
    r"^Only |\b[Tt]he only (?:one\b|[\w-]+ )|\bonly (?:[\w-]+ )?(?:with|at|in|for|on|to|by) (?P<after>.*)| only[.!]?$"
)
_ALIKE = 5
"""Letters with which two words begin that mean one thing: "accessible" and "access"."""


class _Cell(NamedTuple):
    key: str
    value: str
    has: bool


def cell_contradictions(match: Match) -> list[Contradiction] | None:
    """What the cells of yes and no say against a sentence that speaks of nothing else; `None` where it does."""
    claim, records = match.claim, records_of(match.index)
    if "?" in claim.text or half_negators(claim):
        return None
    named = named_records(match, records) if len(records) > 1 else []
    levels = {lexicon().quantity.get(each.word) for each in claim.tokens}
    denies = any(negations(claim))
    if "only" in levels:
        return _of_only(match, named, records) if named and not denies else None
    if not named and "all" in levels and not denies and _LIMITING.isdisjoint(claim.words):
        return _of_all(match, records) if len(records) > 1 else None
    asked_cells = [(own, _asked(match, own)) for own in named or _only_record(match)]
    if (
        not asked_cells
        or not all(cells for _, cells in asked_cells)
        or (denies and (len(named) > 1 or len(asked_cells[0][1]) > 1))
    ):
        return None
    wrong = ((own, cell) for own, cells in asked_cells for cell in cells if cell.has == denies)
    return [_contradiction("negation", claim.text, *each) for each in wrong][:1]


def _only_record(match: Match) -> list[Record]:
    """The one record that a sentence can mean, where it says how that is now, without amounts and times."""
    claim, named = match.claim, named_rows(match) or all_rows_of(match.index)
    rows = [each for each in named if not any(set(each.values) < set(other.values) for other in named)]
    others = claim.words & (_OTHERWISE | lexicon().quantity.keys() - _NUMBERED)
    is_plain = len(rows) == 1 and others <= rows[0].all_words and not _has_amount(match, rows[0])
    return rows if is_plain else []


def _has_amount(match: Match, record: Record) -> bool:
    """Whether a sentence has an amount, a time or the like, and not only a code of a record: "88-K"."""
    words = [value for _, value, _ in record.values if " " not in value and any(map(str.isalpha, value))]
    codes = [each for each in words if each in match.claim.text]
    amounts = (figure for figure, _ in match.figures if figure.units or figure.number.kind != "number")
    return not all(any(figure.text in code for code in codes) for figure in amounts)


def _of_only(match: Match, named: Sequence[Record], records: Sequence[Record]) -> list[Contradiction] | None:
    """A column that a sentence grants to the rows that it names alone, and that another row has, or not all of them."""
    only = _ONLY.search(match.claim.text)
    if only is None or (only["after"] is not None and not all(each.words & words_of(only["after"]) for each in named)):
        return None
    granted = [_asked(match, own) for own in named]
    if any(len(cells) != 1 for cells in granted):
        return None
    denied = [(own, cell) for own, (cell,) in zip(named, granted, strict=True) if not cell.has]
    keys = {cell.key for (cell,) in granted}
    others = [
        (each, _Cell(key, value, True))
        for each in records
        if each.text not in [own.text for own in named]
        and each.key == named[0].key
        and not any(each.words <= own.words or own.words <= each.words for own in named)
        for key, value, _ in each.values
        if key in keys and _polarity(value)
    ]
    return [
        *(_contradiction("negation", match.claim.text, *each) for each in denied[:1]),
        *(_contradiction("quantifier", only[0].strip(), *each) for each in others[:1]),
    ][:1]


def _of_all(match: Match, records: Sequence[Record]) -> list[Contradiction] | None:
    """A column that a sentence grants to every row and one of them denies."""
    levels = lexicon().quantity
    universal = next(token.word for token in match.claim.tokens if levels.get(token.word) == "all")
    asked = [(own, cell) for own in records for cell in _asked(match, own)]
    wrong = [(own, cell) for own, cell in asked if not cell.has]
    return [_contradiction("quantifier", universal, *each) for each in wrong[:1]] if asked else None


def _asked(match: Match, own: Record) -> list[_Cell]:
    """The columns of yes or no that a sentence asks of a row, where it speaks of nothing else."""
    claim = match.claim
    cells = [
        (_Cell(key, value, has != _denies(key)), column)
        for key, value, _ in own.values
        if (has := _polarity(value)) is not None
        and (column := _content(key) or parse(key).stems)
        and all(_is_named(stem, claim.stems) for stem in column)
        and not any(column <= parse(other).stems for other in (own.name, *(each for _, each, _ in own.values)))
    ]
    cells = [(cell, column) for cell, column in cells if not any(column < other for _, other in cells)]
    cells = [each for each in cells if _content(each[0].key)] or cells
    columns = [words_of(cell.key) for cell, _ in cells]
    known = own.key.union(labels_of(match.index), *(parse(each).stems for each, _, _ in own.values))
    words = own.all_words.union(_HAVING, _PARTS_OF_DAY, _SAYS, TITLES, *columns)
    content_tokens = [each for each in claim.tokens if each.stem and each.word not in lexicon().quantity]
    if not claim.words & _UNSURE <= frozenset().union(*columns):
        return []
    if not all(
        words_of(each.word) <= words or _is_named(each.stem, known.union(*(column for _, column in cells)))
        for each in content_tokens
    ):
        return []
    near = prose_of(match.index)  # which may say more of it
    name = own.words or words_of(claim.text) & own.all_words
    if any(name | column <= each for each in near for column in columns):
        return []
    return [cell for cell, _ in cells]


def _denies(key: str) -> bool:
    """Whether a yes in a column says that something is not so: "no smoking", "failed"."""
    return any(is_negator(each) or each.stem in lexicon().negating for each in parse(key).tokens)


def _content(key: str) -> frozenset[str]:
    """The stems of a column that tell what it is of."""
    return frozenset(each.stem for each in parse(key).tokens if each.stem and each.word not in _HAVING)


def _is_named(stem: str, stems: frozenset[str]) -> bool:
    """Whether a stem, or a longer or shorter form of it, is among others: "access" and "accessible"."""
    return stem in stems or any(
        min(len(stem), len(each)) >= _ALIKE and (stem.startswith(each) or each.startswith(stem)) for each in stems
    )


def _polarity(value: str) -> bool | None:
    """Whether a cell says yes; `None` where it says something else."""
    answer = value.strip().lower()
    return True if answer in _YES else False if answer in _NO else None


def _contradiction(kind: ContradictionKind, claim: str, own: Record, cell: _Cell) -> Contradiction:
    cell_text = f"{cell.key}: {cell.value}"
    return Contradiction(kind, claim, cell_text, own.text, _CERTAINTY, about=own.name, sure=True)
