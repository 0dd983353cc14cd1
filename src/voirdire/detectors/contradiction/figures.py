"""Numbers with their units and bounds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from voirdire.detectors.contradiction.lexicon import lexicon
from voirdire.detectors.contradiction.reading import Reading, numbers_of
from voirdire.text import Number

_BEFORE = 24  # characters; enough for "no fewer than the"
_DIGIT = re.compile(r"\d")
_NUMERALS = frozenset(
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
    "nineteen twenty thirty forty fifty sixty seventy eighty ninety zero one first second third fourth fifth sixth "
    "seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth "
    "nineteenth twentieth".split()
)


@dataclass(frozen=True, slots=True)
class Figure:
    """A number of a sentence, with what stands around it."""

    text: str
    number: Number
    unit: int | None
    """`None` where no unit follows, and no currency comes before."""
    family: int | None
    before: str
    """What stands right before it, lower-case."""
    plus: bool
    """Whether it is left open upwards: "20+", "20 or more"."""
    noun: str
    """Stem of the word counted: "districts" of "three main school districts"; empty where there is none."""

    @property
    def bound(self) -> int:
        """1: at least, more than; -1: at most, less than; 0: neither."""
        least, most = lexicon().at_least.search(self.before), lexicon().at_most.search(self.before)
        if least and most:  # "no more than" ends in "more than": the longer one is meant
            return 1 if least.start() < most.start() else -1
        return 1 if least else -1 if most else 0

    @property
    def about(self) -> bool:
        """Whether it is given as rough."""
        return self.plus or lexicon().about.search(self.before) is not None


def figures_of(reading: Reading) -> Iterator[Figure]:
    """The numbers of a sentence."""
    if not _may_count(reading):
        return
    for number in numbers_of(reading.text):
        before = reading.text[max(0, number.start - _BEFORE) : number.start].lower()
        family, measure = _unit(reading, number, before) or (None, None)
        plus = reading.text.startswith(("+", " or more", "s "), number.end)
        yield Figure(number.text, number, measure, family, before, plus, _noun(reading, number))


def _may_count(reading: Reading) -> bool:
    """Whether a look for numbers can find any: most sentences are spared the slower search."""
    return not _NUMERALS.isdisjoint(reading.words) or _DIGIT.search(reading.text) is not None


def _unit(reading: Reading, number: Number, before: str) -> tuple[int, int] | None:
    """(family, unit)."""
    units = lexicon().units
    symbol = before.rstrip()[-1:]
    if symbol in "$£€¥₹" and symbol:
        return units[symbol]
    if number.kind in ("year", "date", "ordinal"):
        return None
    if number.kind == "percent":
        return units["%"]
    after = reading.text[number.end : number.end + 20].lower().lstrip(" -–")
    word = after[: next((i for i, c in enumerate(after) if not (c.isalpha() or c in "/$€£")), len(after))]
    return units.get(word)


def _noun(reading: Reading, number: Number) -> str:
    following = (token for token in reading.tokens if token.start >= number.end)
    for token, _ in zip(following, range(4), strict=False):
        if not token.word[0].isalpha():
            return ""
        if token.stem:
            return token.stem
    return ""
