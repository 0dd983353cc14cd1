"""A closing time given as an opening time, or the other way: "opens at 18:00" of "open from 10:00 to 18:00".

A sentence must say of one time that something begins or ends then. Where any sentence of the context has that time
otherwise, it is right or unclear.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

from voirdire.evidence.calendar_parts import has_calendar
from voirdire.evidence.context import ContextIndex
from voirdire.evidence.figures import Figure, ranges_of, same_value
from voirdire.evidence.matching import Match
from voirdire.evidence.negation import half_negators, negations
from voirdire.evidence.records import Contradiction

_CERTAINTY = 0.95
_BEGINS = r"opens|(?<!is )(?<!are )(?<!be )open|opening|begins?|beginning|starts?|starting|from"
_ENDS = r"closes?|closing|shuts?|shutting|ends?|ending|finish(?:es|ing)?|until|till"
_LAST_WORD = re.compile(rf"(?i).*\b(?:(?P<start>{_BEGINS})|(?P<end>{_ENDS}))\b[^,;.()|]{{0,24}}$")
_NAMED = re.compile(r"(?i)\b(?:opening|closing) time\b")
_NAMED_BEFORE = re.compile(r"(?i)\b(?:(?P<start>opening)|closing) time\b[^,;.()|]{0,40}(?: is |[,(] ?(?:at )?)$")
"""Before a time that says which it is: "at closing time on Saturdays, 13:00,"."""
_CLAUSE_END = re.compile(r"[;()|]|[,.](?!\d)|\b(?:and|but|while)\b")
_WORDS = re.compile(rf"(?i)\b(?:{_BEGINS}|{_ENDS}|open|close|start|end|time|times|hours)\b")
_UNSURE = frozenset(
    "before after by between than instead unlike last except if unless earlier later already still".split()
)

_End = Literal["start", "end"]


class OpeningTime(NamedTuple):
    """A time of day of a context."""

    place: int
    """Of its sentence."""
    figure: Figure
    end: _End | None
    """Whether something begins or ends then; `None` where that is not said."""


def opening_time_contradictions(match: Match) -> Iterator[Contradiction]:
    """That something begins when it ends, or ends when it begins."""
    claim = match.claim
    clocks = [each for each, _ in match.figures if each.number.kind == "clock"]
    if len(clocks) != 1 or "?" in claim.text or any(negations(claim)) or half_negators(claim):
        return
    (figure,) = clocks
    end = _end_before(claim.text, figure)
    is_named = _NAMED.search(claim.text) is not None
    if end is None or (has_calendar(claim.text) and not is_named) or not _UNSURE.isdisjoint(claim.words):
        return
    times = opening_times(match.index)
    same = [each for each in times if same_value(figure, each.figure)]
    if not same or any(each.end in (None, end) for each in same):
        return
    for each in same:
        others = [other.figure for other in times if other.place == each.place and other.end == end]
        others.sort(key=lambda other: abs(other.start - each.figure.start))
        if (len(others) == 1 or (others and is_named)) and _may_be_of(match, each.place):
            text = match.index.sentences[each.place].text
            yield Contradiction("number", figure.text, others[0].text, text, _CERTAINTY, sure=True)
            return


def is_end_of_hours(match: Match) -> bool:
    """Whether a sentence of the context has the time of a sentence as the same end: "closes at 18:00" of "10 to 18"."""
    stated = [(each, _end_before(match.claim.text, each)) for each, _ in match.figures if each.number.kind == "clock"]
    return any(
        end is not None and end == each.end and same_value(figure, each.figure)
        for figure, end in stated
        for each in opening_times(match.index)
    )


def _may_be_of(match: Match, place: int) -> bool:
    """Whether a sentence of the context may speak of what a claim does: no other one with times has its words."""
    index = match.index
    words = {each.stem for each in match.claim.tokens if each.stem and not _WORDS.fullmatch(each.word)}
    subject = {stem for stem in words if not stem[0].isdigit()}
    others = {each.place for each in opening_times(index) if each.end} - {place}
    missing = subject - index.sentences[place].stems
    return not any(missing & index.sentences[other].stems for other in others) and (
        bool(subject & index.sentences[place].stems) or not others
    )


@lru_cache(maxsize=32)
def opening_times(index: ContextIndex) -> tuple[OpeningTime, ...]:
    """The times of day of a context."""
    times = []
    for place, (sentence, figures) in enumerate(zip(index.sentences, index.figures, strict=True)):
        clocks = [each for each in figures if each.number.kind == "clock"]
        ranges = ranges_of(clocks, sentence.text) if len(clocks) > 1 else []
        ends: dict[int, _End] = {}
        for first, last in ranges:
            ends |= {first.start: "start", last.start: "end"}
        times += [OpeningTime(place, each, ends.get(each.start) or _end_before(sentence.text, each)) for each in clocks]
    return tuple(times)


def _end_before(text: str, figure: Figure) -> _End | None:
    """Which end of hours the words of its clause before a time say that it is."""
    before = text[: figure.start]
    clause = before[max((each.end() for each in _CLAUSE_END.finditer(before)), default=0) :]
    word = _LAST_WORD.match(clause) or _NAMED_BEFORE.search(before)
    if word is None:
        return None
    return "start" if word["start"] else "end"
