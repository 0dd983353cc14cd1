"""Which share of a count a sentence gives: "half of the units are heated", where 24 of 60 are.

A sentence must give one share, and say no more than the context does beside one count, or in one column of a row.
Where it is not clear of what that is a part, nothing is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from voirdire.evidence.comparisons import FigureComparison, cell_figure, is_whole, known_stems
from voirdire.evidence.context import ContextIndex
from voirdire.evidence.figures import Figure
from voirdire.evidence.matching import Match
from voirdire.evidence.negation import half_negators, negations
from voirdire.evidence.row_records import named_rows, rows_of
from voirdire.evidence.tokens import parse
from voirdire.text.units import is_count

_ROUNDING = 0.6
"""Points: "a third" is 33 %."""
_NEARLY = 5
"""Points that a share may be off without being wrong: people round."""
_NEAR = 2
"""Sentences between a count and its part."""
_ROUGHLY = re.compile(r"(?i)\b(?:about|almost|nearly|roughly|around|over|under|than|least|most|some|every)\b")
_OF_WHOLE = re.compile(r"\s(?:out )?of (?:(?:the|its|our|their|all|these|them|which)\s)*")
_WHOLE_BEFORE = re.compile(r"(?i)\bof (?:(?:the|its|our|their|all|these) )*$")
_CLAUSE_END = re.compile(r"(?i);|\b(?:rest|others?|remaining|remainder|while|whereas)\b")
_UNSURE = frozenset("but except without more less fewer another additional further unless if".split())
"""Words of the context with which a count may be of something else than the words behind it."""
_SAYS = frozenset("out every percent".split())


class _Count(NamedTuple):
    figure: Figure
    place: int
    stems: frozenset[str]
    """Of what stands between it and the next count; of "24 of the 60" behind both."""
    is_part: bool
    """Whether it is said to be some of a count: "24 of the 60", "three of them"."""
    is_whole: bool
    """Whether it is said to be what others are some of."""


class _Part(NamedTuple):
    part: Figure
    whole: Figure
    known: frozenset[str]
    """The stems of all that is said of them."""
    evidence: str


def share_of_count(match: Match) -> FigureComparison | None:
    """The share of a count that a sentence gives, and whether it is right; `None` where it is unclear of what."""
    claim = match.claim
    shares = [(each, same) for each, same in match.figures if each.number.kind == "percent"]
    if "?" in claim.text or any(negations(claim)) or half_negators(claim) or len(shares) != 1:
        return None
    ((figure, same),) = shares
    if same or figure.qualifier or _ROUGHLY.search(claim.text[: figure.start]):
        return None
    counts = [each for each, _ in match.figures if each is not figure]  # "half of the 60 units"
    noun = next((each.noun for each in (figure, *counts) if each.noun), "")
    part = _of_row(match, noun) or _of_prose(match, figure, noun)
    if part is None or not is_whole(match, figure.start, figure.end, part.known, _SAYS):
        return None
    if any(not _counts(each) or each.number.value != part.whole.number.value for each in counts):
        return None
    gap = abs(100 * part.part.number.value / part.whole.number.value - figure.number.value)
    if _ROUNDING < gap <= _NEARLY:
        return None
    is_right = gap <= _ROUNDING
    own, text = frozenset(each.start for each, _ in match.figures), claim.text if is_right else ""
    terms = (part.part, part.whole)
    return FigureComparison(figure.start, figure.end, figure.text, terms, "%", own, is_right, part.evidence, text)


def _of_row(match: Match, noun: str) -> _Part | None:
    """Of the columns of the one row that a sentence names: booked of places."""
    rows = named_rows(match) if rows_of(match.index) else []
    if len(rows) != 1:
        return None
    cells = [(parse(key).stems, cell) for key, value, _ in rows[0].values if (cell := cell_figure(key, value))]
    named = [(stems, cell) for stems, cell in cells if stems and stems <= match.claim.stems and _counts(cell)]
    wholes = [cell for stems, cell in named if noun in stems]
    parts = [cell for stems, cell in named if noun not in stems]
    if len(wholes) != 1 or len(parts) != 1 or parts[0].number.value > wholes[0].number.value:
        return None
    return _Part(parts[0], wholes[0], known_stems(match, rows), rows[0].text)


def _of_prose(match: Match, figure: Figure, noun: str) -> _Part | None:
    """Of the only count beside which the context has the words that no other count has."""
    own = frozenset(each.stem for each in match.claim.tokens if each.start >= figure.end and each.stem) - {noun}
    counts = _counted(match.index)
    beside = [[each for each in counts if stem in each.stems] for stem in sorted(own)]
    telling = [some[0] for some in beside if len(some) == 1]
    if not telling or any(each != telling[0] for each in telling):
        return None
    part = telling[0]
    evidence = match.index.sentences[part.place]
    if any(negations(evidence)) or not _UNSURE.isdisjoint(evidence.words):
        return None
    greater = [each for each in counts if each.figure.number.value > part.figure.number.value]
    wholes = [each for each in greater if each.figure.noun == noun and not each.is_part]
    wholes = [each for each in wholes if each.is_whole] or wholes
    if len(wholes) != 1 or not 0 <= part.place - wholes[0].place <= _NEAR:
        return None
    sentences = match.index.sentences[wholes[0].place : part.place + 1]
    known = frozenset().union(*(each.stems for each in sentences))
    return _Part(part.figure, wholes[0].figure, known, evidence.text)


@lru_cache(maxsize=32)
def _counted(index: ContextIndex) -> tuple[_Count, ...]:
    """The counts of the prose of a context."""
    return tuple(
        count
        for place, figures in enumerate(index.figures)
        if not index.in_cells(place)
        for count in _of_sentence(index, place, [each for each in figures if _counts(each)])
    )


def _of_sentence(index: ContextIndex, place: int, figures: Sequence[Figure]) -> Iterator[_Count]:
    sentence = index.sentences[place]
    starts = [*(each.start for each in figures), len(sentence.text)][1:]
    ends = [
        clause_end.start() if (clause_end := _CLAUSE_END.search(sentence.text, figure.end, start)) else start
        for figure, start in zip(figures, starts, strict=True)
    ]
    behind = [
        frozenset(each.stem for each in sentence.tokens if figure.end <= each.start < end and each.stem)
        for figure, end in zip(figures, ends, strict=True)
    ]
    for number, (figure, start) in enumerate(zip(figures, starts, strict=True)):
        if number + 1 < len(figures) and _OF_WHOLE.fullmatch(sentence.text, figure.end, start):
            behind[number], behind[number + 1] = behind[number + 1], frozenset()
        is_part = _OF_WHOLE.match(sentence.text, figure.end) is not None
        is_whole = _WHOLE_BEFORE.search(sentence.text, 0, figure.start) is not None
        yield _Count(figure, place, behind[number] | {figure.noun} - {""}, is_part, is_whole)


def _counts(figure: Figure) -> bool:
    is_exact = figure.number.kind == "number" and not figure.qualifier and figure.number.value % 1 == 0
    return is_exact and figure.number.value > 0 and (not figure.units or is_count(figure.units))
