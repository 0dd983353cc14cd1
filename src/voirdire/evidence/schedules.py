"""Times and prices that the context gives of other days, months or time zones: Friday's closing time for Saturday's.

A figure speaks against a sentence where the context gives it of other days only, and another one, or "closed", of those
of the sentence. What the context gives of no days that are known speaks for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, groupby
from typing import NamedTuple

from voirdire.evidence.calendar_parts import CLOSED, Part, Span, When, has_calendar, parts_of
from voirdire.evidence.context import ContextIndex, evidence_pieces, plain
from voirdire.evidence.figures import Figure, figures_of, is_within, range_text, ranges_of, same_sort, same_value
from voirdire.evidence.matching import Match
from voirdire.evidence.names import PRONOUNS
from voirdire.evidence.record_sentences import paragraphs_without_records
from voirdire.evidence.records import Contradiction, ContradictionKind
from voirdire.evidence.times_of_day import as_times, end_of_zone, may_be_times, time_zone
from voirdire.evidence.tokens import ParsedSentence, parse

_CERTAINTY = 0.95
_REMEMBERED = 32
_UNSURE = frozenset("than unlike instead except unless without before after not".split())
_OPEN = re.compile(r"(?i)\bopen(?:s|ed|ing)?\b")
_HOURS = re.compile(r"(?i)\b(?:open|close|start|begin|end)(?:s|ed|ing)?\b|\bhours\b")
_END_BEFORE = re.compile(
    r"(?:\b(?:from|until|till|to)|[-–—]|\b(?:opens|closes|begins|starts|ends)\b(?: \w+){0,3}? at)(?: only)?\s?$"
)
"""Before a time at which something begins or ends."""


class _Entry(NamedTuple):
    """What a part of the context says of some days or months, or of none that are known."""

    part: Part
    figures: tuple[Figure, ...]
    is_closed: bool
    sentence: ParsedSentence
    subject: frozenset[str]
    """The stems of what it is about; empty where only its heading, or a pronoun, says that."""

    @property
    def written(self) -> str:
        return self.sentence.text[self.part.written]

    def gives(self, figure: Figure) -> bool:
        return any(_is_alike(figure, each) and same_value(figure, each) for each in self.figures)

    def has_rival(self, figure: Figure) -> bool:
        return any(_is_alike(figure, each) for each in self.figures)


@lru_cache(maxsize=64)
def schedule_figures(match: Match) -> Mapping[int, Contradiction | None]:
    """The figures of a sentence on which the context has its say, by where each begins; `None` where it has them so."""
    by_start: dict[int, Contradiction | None] = dict(_in_other_zone(match))
    for part, figures, entries in _asked(match):
        for figure in figures:
            by_start.update((figure.start, each) for each in _judged(match, part.when, figure, entries))
    return by_start


def opening_contradictions(match: Match) -> Iterator[Contradiction]:
    """Open on days that the context says something is closed on, or closed on days that it gives hours of."""
    text = match.claim.text
    for part, figures, entries in _asked(match):
        closed, opened = (pattern.search(text, part.start, part.end) for pattern in (CLOSED, _OPEN))
        word = closed or opened
        if figures or word is None or (closed and opened):
            continue
        own = [each for each in entries if any(each.part.when) and not each.part.when.is_apart(part.when)]
        own = [each for each in own if each.is_closed or any(one.number.kind == "clock" for one in each.figures)]
        if own and all(each.is_closed is not bool(closed) and each.part.when.includes(part.when) for each in own):
            yield _contradiction(match, word[0], _entry_text(own[0]), own[0], "comparison")


def as_scheduled(match: Match) -> dict[Span, str]:
    """Where a sentence has days and times that its context writes otherwise, or within others, and how: "Tue–Fri"."""
    replacements = {}
    for part, figures, entries in _asked(match):
        wider = [each for each in entries if each.part.when.includes(part.when)]
        if not wider:
            continue
        nearest = max(
            wider, key=lambda each: (len(each.sentence.stems & match.claim.stems), -sum(map(len, each.part.when)))
        )
        if match.claim.text[part.written].lower() not in match.index.text.lower():
            replacements[part.written.start, part.written.stop] = nearest.written
        replacements |= {
            (figure.start, figure.end): other.text
            for figure in figures
            for each in wider
            for other in each.figures
            if _is_alike(figure, other) and same_value(figure, other)
        }
    return replacements


def _asked(match: Match) -> Iterator[tuple[Part, list[Figure], list[_Entry]]]:
    """The parts of a sentence with days, each with its figures and what the context says that may be of the same thing.

    Where the context speaks of several things and the sentence names one, that is what says so, or leaves it open.
    """
    claim = match.claim
    if not has_calendar(claim.text) or claim.text.endswith("?") or not _UNSURE.isdisjoint(claim.words):
        return
    entries = _entries(match.index)
    figures = _times(match.index, claim)
    parts = list(parts_of(claim, _spans(claim, figures)))
    subjects = [each.subject for each in entries if each.subject]
    named = frozenset().union(*(part.subject for part in parts)) & frozenset().union(*subjects)
    telling = frozenset(stem for stem in named if not all(stem in each for each in subjects))
    about = [each for each in entries if not each.subject or telling <= each.subject]
    for part in parts:
        if any(part.when):
            yield part, [each for each in figures if part.start <= each.start < part.end], about


def _judged(match: Match, when: When, figure: Figure, entries: Sequence[_Entry]) -> Iterator[Contradiction | None]:
    own = [each for each in entries if any(each.part.when) and not each.part.when.is_apart(when)]
    same = [each for each in entries if each.gives(figure)]
    if any(each.part.when.includes(when) for each in same) or _is_within_hours(match, figure, own):
        yield None
        return
    if not all(each.part.when.is_apart(when) for each in same):
        return
    beside = [each.sentence for each in same]
    rivals = [
        each
        for each in own
        if each.is_closed or each.has_rival(figure) or (not each.figures and each.sentence in beside)
    ]
    if not rivals or len({each.is_closed for each in rivals}) > 1:
        return
    if not all(each.part.when.includes(when) for each in rivals):
        return
    about = {stem for each in same[:1] for stem in each.sentence.stems if not stem[0].isdigit()}
    nearest = max(rivals, key=lambda each: len(each.sentence.stems & about))
    if same or (nearest.is_closed and figure.number.kind == "clock"):
        yield _contradiction(match, _in_range(match.claim, figure), _entry_text(nearest, figure), nearest)


def _is_within_hours(match: Match, figure: Figure, own: Sequence[_Entry]) -> bool:
    """Whether a time is between the hours that the context gives of these days, and no end of hours itself."""
    text = match.claim.text
    if figure.number.kind != "clock" or (_HOURS.search(text) and _END_BEFORE.search(text, 0, figure.start)):
        return False
    of_sentences = groupby(own, key=lambda each: each.sentence.text)
    hours = ([one for each in some for one in each.figures if one.number.kind == "clock"] for _, some in of_sentences)
    return any(
        is_within(figure, one, other) for times in hours for one, other in zip(times[::2], times[1::2], strict=False)
    )


def _is_alike(figure: Figure, other: Figure) -> bool:
    kinds = {figure.number.kind, other.number.kind}
    return kinds == {"clock"} or (bool(figure.units and other.units) and same_sort(figure, other))


def _in_range(sentence: ParsedSentence, figure: Figure) -> str:
    """A figure of a sentence, or the range that it is an end of."""
    ranges = ranges_of(figures_of(sentence), sentence.text)
    return next(
        (range_text(ends, sentence.text) for ends in ranges if figure.start in (each.start for each in ends)),
        figure.text,
    )


def _entry_text(entry: _Entry, figure: Figure | None = None) -> str:
    closed = CLOSED.search(entry.sentence.text, entry.part.start, entry.part.end)
    if entry.is_closed and closed:
        return closed[0]
    alike = next((each for each in entry.figures if figure is None or _is_alike(figure, each)), None)
    return (
        entry.sentence.text[entry.part.start : entry.part.end].strip(" .")
        if alike is None
        else _in_range(entry.sentence, alike)
    )


def _contradiction(
    match: Match, claim: str, evidence: str, entry: _Entry, kind: ContradictionKind = "number"
) -> Contradiction:
    text = entry.sentence.text
    if text not in match.index.texts:  # it is made of a record
        text = match.index.sentences[match.index.closest(text, 1)[0]].text
    return Contradiction(kind, claim, evidence, text, _CERTAINTY, about=entry.written, sure=True)


def _in_other_zone(match: Match) -> Iterator[tuple[int, Contradiction]]:
    """Times that a sentence of the context gives in another zone, and another time in this one."""
    for figure, zone in _zoned(match.claim, [each for each, _ in match.figures]):
        index = match.index
        zoned = (
            [
                (place, each, its)
                for place, figures in enumerate(index.figures)
                for each, its in _zoned(index.sentences[place], figures)
            ]
            if zone
            else []
        )
        same = [(place, its) for place, each, its in zoned if same_value(figure, each)]
        if not same or any(its in ("", zone) for _, its in same):
            continue
        own = next(((place, each) for place, each, its in zoned if its == zone and place in dict(same)), None)
        if own is not None:
            text = index.sentences[own[0]].text
            yield (
                figure.start,
                Contradiction("number", figure.text, own[1].text, text, _CERTAINTY, about=zone, sure=True),
            )


def _zoned(sentence: ParsedSentence, figures: Sequence[Figure]) -> Iterator[tuple[Figure, str]]:
    """The times of a sentence, each with its zone; the first of a range has that of the second."""
    last = {one.start: other for one, other in ranges_of(figures, sentence.text)}
    for each in figures:
        if each.number.kind == "clock":
            end = last.get(each.start, each).end
            yield each, time_zone(sentence.text, each.end) or time_zone(sentence.text, end)


@lru_cache(maxsize=_REMEMBERED)
def _entries(index: ContextIndex) -> tuple[_Entry, ...]:
    pieces = (evidence_pieces(each) for each in paragraphs_without_records(plain(index.text)))
    return tuple(each for piece in chain.from_iterable(pieces) for each in _entries_of(index, parse(piece)))


def _entries_of(index: ContextIndex, sentence: ParsedSentence) -> Iterator[_Entry]:
    figures = _times(index, sentence)
    subject: frozenset[str] = frozenset()
    refers = not PRONOUNS.isdisjoint(sentence.words)
    for part in parts_of(sentence, _spans(sentence, figures)):
        subject = part.subject or subject
        own = tuple(each for each in figures if part.start <= each.start < part.end)
        closed = CLOSED.search(sentence.text, part.start, part.end) is not None
        unclear = closed and any(each.number.kind == "clock" for each in own)  # "closed Monday, Tuesday 9–17"
        part = part._replace(when=When()) if unclear else part
        yield _Entry(part, own, closed, sentence, frozenset() if refers else subject)


def _spans(sentence: ParsedSentence, figures: Iterable[Figure]) -> list[Span]:
    """Where figures begin and end, with their time zones."""
    return [(each.start, end_of_zone(sentence.text, each.end)) for each in figures]


def _times(index: ContextIndex, sentence: ParsedSentence) -> tuple[Figure, ...]:
    """The figures of a sentence; where it speaks of hours or days, whole hours are times: "Sat 9–17"."""
    figures = figures_of(sentence)
    if has_calendar(sentence.text) or _HOURS.search(sentence.text):
        ranges = [ends for ends in ranges_of(figures, sentence.text) if may_be_times(*ends)]
        times = {each.start: each for ends in ranges for each in as_times(*ends)}
        figures = tuple(times.get(each.start, each) for each in figures)
    return index.with_times(figures)
