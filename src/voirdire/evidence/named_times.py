"""Times that are named by opening hours: "at closing time", "an hour before closing time", beside the time itself.

The context must have one such time only. Of sentence and context one names it, the other has a time of day, and the
context must say all else that the sentence says.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from voirdire.evidence.calendar_parts import Span, has_calendar
from voirdire.evidence.context import ContextIndex
from voirdire.evidence.figures import Figure
from voirdire.evidence.matching import Match
from voirdire.evidence.negation import half_negators, negations
from voirdire.evidence.opening_times import opening_times
from voirdire.evidence.records import Contradiction
from voirdire.evidence.tokens import ParsedSentence
from voirdire.text.units import converted

_CERTAINTY = 0.95
_NAMED = re.compile(r"(?i)\b(?:(?P<opening>opening)|closing) time\b")
_BESIDE = re.compile(r"(?i)(?P<hour>\ban hour)? (?:(?P<before>before)|after) (?:the )?$")
_HOUR = 60
"""Minutes."""
_UNSURE = frozenset("or either instead if unless except than between until before after".split())


class _Time(NamedTuple):
    start: int
    end: int
    """In its sentence."""
    text: str
    minutes: frozenset[float]
    """Since midnight; of a time that may be in either half of the day both."""


class _Pair(NamedTuple):
    claim: _Time
    context: _Time
    evidence: str

    @property
    def is_same(self) -> bool:
        return not self.claim.minutes.isdisjoint(self.context.minutes)


def named_time_contradictions(match: Match) -> list[Contradiction] | None:
    """That a time is not the one that the opening hours give; `None` where no such time is named."""
    pair = _paired(match)
    if pair is None:
        return None
    if pair.is_same:
        return []
    return [Contradiction("number", pair.claim.text, pair.context.text, pair.evidence, _CERTAINTY, sure=True)]


def as_named_times(match: Match) -> dict[Span, str]:
    """Where a sentence has a time that its context names, or names one that it gives, and how the context has it."""
    pair = _paired(match)
    return {(pair.claim.start, pair.claim.end): pair.context.text} if pair is not None and pair.is_same else {}


@lru_cache(maxsize=64)
def _paired(match: Match) -> _Pair | None:
    claim, index = match.claim, match.index
    if not _names_a_time(index) and not _NAMED.search(claim.text):
        return None
    if "?" in claim.text or any(negations(claim)) or half_negators(claim) or has_calendar(claim.text):
        return None
    figures = [each for each, _ in match.figures]
    named = _named_time(claim, figures, index)
    own = named or _time_of_day(figures)
    if own is None or not _UNSURE.isdisjoint(_words_outside(claim, own)):
        return None
    stems = {each.stem for each in claim.tokens if each.stem and not own.start <= each.start < own.end}
    about = [place for place, sentence in enumerate(index.sentences) if stems and stems <= sentence.stems]
    if len(about) != 1 or any(negations(index.sentences[about[0]])):
        return None
    sentence, others = index.sentences[about[0]], index.figures[about[0]]
    theirs = _time_of_day(others) if named else _named_time(sentence, others, index)
    return _Pair(own, theirs, sentence.text) if theirs is not None else None


@lru_cache(maxsize=32)
def _names_a_time(index: ContextIndex) -> bool:
    return _NAMED.search(index.text) is not None


def _words_outside(claim: ParsedSentence, time: _Time) -> frozenset[str]:
    """The words of a sentence, but those of a time and "until" before one."""
    return frozenset(each.word for each in claim.tokens if not time.start <= each.start < time.end) - {"until"}


def _time_of_day(figures: Sequence[Figure]) -> _Time | None:
    """The only figure, where that is a time of day."""
    if len(figures) != 1 or figures[0].number.kind != "clock":
        return None
    (figure,) = figures
    clocks = [each for each in figure.number.others if each.kind == "clock"]
    return _Time(figure.start, figure.end, figure.text, frozenset((figure.number.low, *(each.low for each in clocks))))


def _named_time(sentence: ParsedSentence, figures: Sequence[Figure], index: ContextIndex) -> _Time | None:
    """The only time that a sentence names, and how long before or after it, by the only such time of a context."""
    names = list(_NAMED.finditer(sentence.text))
    if len(names) != 1 or any(each.number.kind == "clock" for each in figures):
        return None
    (name,) = names
    end = "start" if name["opening"] else "end"
    times = {each.figure.number.low for each in opening_times(index) if each.end == end}
    if len(times) != 1:
        return None
    (minutes,) = times
    beside = _BESIDE.search(sentence.text, 0, name.start())
    if beside is None:
        return _Time(*name.span(), name[0], frozenset((minutes,)))
    spans = [(each.start, converted(each.number.value, each.units, ("minute",))) for each in figures]
    if beside["hour"] and not spans:
        spans = [(beside.start(), [_HOUR])]
    if len(spans) != 1 or not spans[0][1]:
        return None
    ((start, (span, *_)),) = spans
    minutes += -span if beside["before"] else span
    return _Time(start, name.end(), sentence.text[start : name.end()], frozenset((minutes,)))
