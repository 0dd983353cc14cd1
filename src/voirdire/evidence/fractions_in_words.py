"""Shares in words and in percent that are the same: "one towel in five" and "20 %", "a third" and "33 %"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from voirdire.evidence.comparisons import FigureComparison, is_whole
from voirdire.evidence.context import ContextIndex
from voirdire.evidence.figures import Figure
from voirdire.evidence.matching import Match
from voirdire.evidence.negation import negations
from voirdire.text.numbers import NUMBER_WORDS

_PARTS = {"half": 2, "third": 3, "quarter": 4, "fifth": 5, "sixth": 6, "eighth": 8, "tenth": 10}
_COUNT = rf"\d{{1,3}}|{'|'.join(NUMBER_WORDS)}"
_FRACTION = re.compile(
    rf"(?i)\b(?:(?P<count>{_COUNT})(?: [a-z]+){{0,2}} (?:in|out of)(?: every)? (?P<of>{_COUNT})"
    rf"|(?:(?P<parts>an?|one|two|three|four) )?(?P<part>{'|'.join(_PARTS)})s?)\b(?!\s?%)"
)
_ROUNDING = 0.6
"""Points: "a third" is 33 %."""
_SAYS = frozenset("percent cent out every".split()) | frozenset(NUMBER_WORDS) | frozenset(_PARTS)


class _Share(NamedTuple):
    percent: float
    text: str
    start: int
    end: int


def share_of(match: Match) -> FigureComparison | None:
    """The one share of a sentence, where the context gives it otherwise; `None` where it does not."""
    claim = match.claim
    if "?" in claim.text:
        return None
    in_words = list(_fractions(claim.text))
    percents = [
        (each, same)
        for each, same in match.figures
        if each.number.kind == "percent" and not any(one.start <= each.start < one.end for one in in_words)
    ]
    mine = [*in_words, *(_of_percent(each) for each, _ in percents)]
    if len(mine) != 1 or any(same for _, same in percents):
        return None
    (share,) = mine
    for place in match.ranked:
        for other in _shares_in(match.index)[place]:
            if other.text.lower() != share.text.lower() and abs(other.percent - share.percent) <= _ROUNDING:
                return _comparison(match, share, other, place)
    return None


def _of_percent(figure: Figure) -> _Share:
    return _Share(figure.number.value, figure.text, figure.start, figure.end)


def _fractions(text: str) -> Iterator[_Share]:
    for each in _FRACTION.finditer(text):
        if each["part"]:
            is_ordinal = each["parts"] is None and each["part"].lower() != "half"
            count = _value(each["parts"]) if each["parts"] and each["parts"].lower() not in ("a", "an") else 1.0
            of = float(_PARTS[each["part"].lower()])
        else:
            count, of, is_ordinal = _value(each["count"]), _value(each["of"]), False
        if not is_ordinal and 0 < count < of:
            yield _Share(100 * count / of, each[0], *each.span())


def _value(word: str) -> float:
    return float(word) if word.isdigit() else float(NUMBER_WORDS[word.lower()])


@lru_cache(maxsize=32)
def _shares_in(index: ContextIndex) -> tuple[tuple[_Share, ...], ...]:
    """The shares of each sentence of a context."""
    return tuple(
        (*(_of_percent(each) for each in figures if each.number.kind == "percent"), *_fractions(sentence.text))
        for sentence, figures in zip(index.sentences, index.figures, strict=True)
    )


def _comparison(match: Match, share: _Share, other: _Share, place: int) -> FigureComparison | None:
    """The right share, as the context writes it."""
    own = [each for each, _ in match.figures if share.start <= each.start < share.end]
    if not own:
        return None
    sentence = match.index.sentences[place]
    is_all = not any(negations(match.claim)) and is_whole(match, share.start, share.end, sentence.stems, _SAYS)
    return FigureComparison(
        share.start,
        share.end,
        share.text,
        (replace(own[0], text=other.text),),
        "%",
        frozenset(each.start for each in own),
        True,
        sentence.text,
        match.claim.text if is_all else "",
    )
