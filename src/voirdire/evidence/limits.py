"""Whether a value is rightly called too much or too little: "10 degrees is too warm" of "store below 8 degrees"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from voirdire.evidence.figures import Figure, ranges_of, same_sort
from voirdire.evidence.tokens import ParsedSentence
from voirdire.text.units import converted

_TOO_MUCH = "warm hot high heavy long wide tall large big deep old many much thick strong loud fast"
_TOO_LITTLE = "cold cool low light short narrow small shallow young few little thin weak slow"
_THE = "(?:the|its|your|our|this) (?:[a-z]+ ){0,2}"
_JUDGEMENT = re.compile(
    rf"(?i)\b(?:(?P<much>too (?:{'|'.join(_TOO_MUCH.split())})|exceeds? {_THE}(?:limit|maximum)|"
    rf"(?:above|over|more than) {_THE}(?:limit|maximum)|more than (?:is )?allowed)|"
    rf"(?P<little>too (?:{'|'.join(_TOO_LITTLE.split())})|(?:below|under|less than) {_THE}minimum|"
    r"less than (?:is )?(?:required|needed)))\b"
)
# "The daily limit in the app is £10,000", "a minimum of £5".
_STATED = re.compile(r"\b(?:(?P<upper>limit|maximum)|minimum)\b(?: (?!is\b|of\b)[a-z]+){0,6} (?:is|of) $")
_NOT_BEFORE = re.compile(r"(?i)(?:\bnot|n['’]t|\bnever|\bhardly)(?: \w+)? $")
_CLAUSE_END = re.compile(r"[,;:](?!\d)|\b(?:but|while|because|since)\b")

_OPEN = ("less than", "fewer than", "under", "below", "more than", "over", "above")


class Limit(NamedTuple):
    """An end of what a text allows: what is above an upper one, or below a lower one, is not."""

    figure: Figure
    side: int
    """1 for an upper one, -1 for a lower one."""

    def is_passed_by(self, figure: Figure) -> bool:
        """Whether a figure of its sort is beyond it; what is "below 8 degrees" is not 8 degrees."""
        values = converted(figure.number.value, figure.units, self.figure.units) or [figure.number.value]
        is_open = self.figure.bounded.startswith(_OPEN) and self.figure.negator_start < 0
        beyond = [self.side * (value - self.figure.number.value) for value in values]
        return min(beyond) > 0 or (is_open and min(beyond) == 0)


def limits_of(figure: Figure, others: Sequence[Figure], text: str) -> list[Limit]:
    """The limits, and the ends of ranges, of a text that a figure may be held against."""
    bounds = [
        Limit(each, -each.bound if each.negator_start < 0 else each.bound)
        for each in others
        if each.bound and _is_alike(figure, each)
    ]
    stated = (
        Limit(each, 1 if match["upper"] else -1)
        for each in others
        if not each.bound and _is_alike(figure, each) and (match := _STATED.search(each.before))
    )
    ranges = (pair for pair in ranges_of(others, text) if _is_alike(figure, pair[1]))
    return [*bounds, *stated, *(limit for low, high in ranges for limit in (Limit(low, -1), Limit(high, 1)))]


def says_too_much_or_little(sentence: ParsedSentence) -> bool:
    """Whether it says so of anything, or denies it."""
    return _JUDGEMENT.search(sentence.text) is not None


def side_of_judgement(sentence: ParsedSentence, figure: Figure) -> int:
    """1 where a sentence calls a figure too much, -1 where too little, in the clause of the figure; else 0."""
    for judgement in _JUDGEMENT.finditer(sentence.text):
        first, last = sorted((judgement.span(), (figure.start, figure.end)))
        apart = _CLAUSE_END.search(sentence.text, first[1], last[0])
        if not apart and not _NOT_BEFORE.search(sentence.text, 0, judgement.start()):
            return 1 if judgement["much"] else -1
    return 0


def _is_alike(figure: Figure, limit: Figure) -> bool:
    kinds = {figure.number.kind, limit.number.kind}
    return same_sort(figure, limit) or (kinds == {"number"} and not figure.units and not limit.units)


def passed(figure: Figure, limits: Iterable[Limit]) -> int:
    """1 where a figure is above an upper limit, -1 where below a lower one, 0 where it keeps all."""
    return next((limit.side for limit in limits if limit.is_passed_by(figure)), 0)
