"""The parts of a sentence with the days and months that each is about: "Mon–Fri 8–20" and "Sat 9–17".

A sentence is cut at commas, "and" and the like, but not within "Monday to Friday and Sunday". What is not clear ("until
May", "12 March", "except Mondays") has no days.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from voirdire.evidence.tokens import ParsedSentence, parse
from voirdire.text.numbers import MONTHS

WEEKDAY_NAMES = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTH_NAMES = tuple(next(name for name, number in MONTHS.items() if number == each) for each in range(1, 13))
_SETS: Mapping[str, Sequence[str]] = {
    **dict.fromkeys(("weekday", "weekdays"), WEEKDAY_NAMES[:5]),
    **dict.fromkeys(("weekend", "weekends"), WEEKDAY_NAMES[5:]),
    **dict.fromkeys(("daily", "every day", "seven days a week"), WEEKDAY_NAMES),
}
_FULL: Mapping[str, str] = {
    **{day[:length]: day for day in WEEKDAY_NAMES for length in (3, 4, 5)},
    **{day: day for day in WEEKDAY_NAMES},
    **{name: MONTH_NAMES[number - 1] for name, number in MONTHS.items()},
}
# Short names and months are capitalised: "may", "sat" and "march" are verbs.
_SHORT = "|".join(sorted((name.title() for name in _FULL if name not in WEEKDAY_NAMES), key=len, reverse=True))
_NAME = rf"(?:\b(?i:{'|'.join(WEEKDAY_NAMES)})s?\b|\b(?i:{'|'.join(_SETS)})\b|\b(?:{_SHORT})\b(?:\.(?=\s?\S))?)"
_TO = r"(?:\s?[-–—]\s?|\s(?:to|through|until|till)\s)"
_JOINED = r"(?:,?\s(?:and|or|&)(?:\son)?\s|,\s|\s?/\s?)"
_CALENDAR = re.compile(rf"{_NAME}(?:(?:{_TO}|{_JOINED}){_NAME})*")
_EACH = re.compile(_NAME)
_RANGE = re.compile(_TO)
_UNCLEAR_BEFORE = re.compile(
    r"(?i)(?:\b(?:until|till|before|after|since|by|except|excluding|outside|first|second|third|fourth|last|next|other"
    r"|some|most|end of|start of)(?: on| in)?\s|\d(?:st|nd|rd|th)?(?: of)?\s|\d/)$"
)
_BETWEEN = re.compile(r"(?i)\bbetween $")
_FROM = re.compile(r"(?i)\b(?:from|starting) $")
_DATE_AFTER = re.compile(r"\.?,?\s(?:\d{1,2}(?:st|nd|rd|th)?\b(?!:|\s?[-–—ap])|\d{4}\b)")
_CUT = re.compile(r"[,;\n](?!\d)|[()]|\s(?:and|while|whereas|but)\s")
_UNSURE = re.compile(r"(?i)\b(?:not|never|no|except|unless|without|than|instead|unlike)\b|n['’]t\b")
CLOSED = re.compile(r"(?i)\bclosed\b")
_ABOUT_HOURS = parse("open opens opened opening hours closed closes close closing times day only am pm").stems


Span = tuple[int, int]


class When(NamedTuple):
    """Days and months; each empty where it is not known."""

    days: frozenset[str] = frozenset()
    months: frozenset[str] = frozenset()

    def is_apart(self, other: When) -> bool:
        """Whether the two have no day, or no month, in common."""
        return any(one and two and one.isdisjoint(two) for one, two in zip(self, other, strict=True))

    def includes(self, other: When) -> bool:
        """Whether it has all that the other one knows."""
        return any(other) and all(two <= one for one, two in zip(self, other, strict=True))


UNKNOWN = When()


class Part(NamedTuple):
    """Some of a sentence."""

    when: When
    written: slice
    """Where it names its days or months."""
    start: int
    end: int
    subject: frozenset[str]
    """The stems of what it is about: all but days, months, figures and words on hours."""


class _Segment(NamedTuple):
    start: int
    end: int
    spans: tuple[re.Match[str], ...]
    has_value: bool
    """Whether it has a figure, or "closed"."""


@lru_cache(maxsize=4096)
def has_calendar(text: str) -> bool:
    """Whether a text names a day or a month."""
    return _CALENDAR.search(text) is not None


def parts_of(sentence: ParsedSentence, values: Sequence[Span]) -> Iterator[Part]:
    """The parts of a sentence that have a day, a month or a value.

    Args:
        sentence: any.
        values: where its figures begin and end.
    """
    segments = _segments(sentence.text, values)
    before: Part | None = None
    for lone, some in groupby(segments, key=lambda each: not (each.spans and each.has_value)):
        run = list(some)
        for segment, spans in _paired(run) if lone else ((each, each.spans) for each in run):
            part = _part(sentence, segment, spans, values)
            if not spans and before is not None and not part.subject:  # "and closes at 17:00"
                part = part._replace(when=before.when, written=before.written)
            before = part
            yield part


def _segments(text: str, values: Sequence[Span]) -> list[_Segment]:
    """The text between its cuts; what has neither days nor a value belongs to what is before it."""
    spans = list(_CALENDAR.finditer(text))
    cuts = [
        cut
        for cut in _CUT.finditer(text)
        if not any(each.start() < cut.end() and cut.start() < each.end() for each in spans)
    ]
    segments: list[_Segment] = []
    for start, end in zip(
        [0, *(each.end() for each in cuts)], [*(each.start() for each in cuts), len(text)], strict=True
    ):
        inside = tuple(each for each in spans if start <= each.start() < end)
        valued = any(start <= each[0] < end for each in values) or CLOSED.search(text, start, end) is not None
        segments.append(_Segment(start, end, inside, valued))
    return [each for each in segments if each.spans or each.has_value]


def _paired(run: Sequence[_Segment]) -> Iterator[tuple[_Segment, tuple[re.Match[str], ...]]]:
    """Segments of which each has days only or values only, those with values with the days that go with them."""
    kinds = "".join("V" if each.has_value else "D" for each in run)
    if re.fullmatch(r"(?:DV+)+", kinds):
        days: tuple[re.Match[str], ...] = ()
        for each in run:
            days = each.spans or days
            if each.has_value:
                yield each, days
    elif re.fullmatch(r"(?:VD)+", kinds):
        yield from ((value, each.spans) for value, each in zip(run[::2], run[1::2], strict=True))
    else:
        yield from ((each, each.spans) for each in run)


def _part(sentence: ParsedSentence, segment: _Segment, spans: Sequence[re.Match[str]], values: Sequence[Span]) -> Part:
    text = sentence.text
    whens = [_when(each, text) for each in spans]
    unclear = not all(map(any, whens)) or any(sum(map(bool, kind)) > 1 for kind in zip(*whens, strict=True))
    unclear = unclear or _UNSURE.search(text, segment.start, segment.end) is not None
    when = UNKNOWN if unclear or not whens else When(*(frozenset().union(*kind) for kind in zip(*whens, strict=True)))
    written = slice(spans[0].start(), spans[-1].end()) if spans else slice(0, 0)
    subject = frozenset(
        token.stem
        for token in sentence.tokens
        if token.stem
        and segment.start <= token.start < segment.end
        and not any(start <= token.start < end for start, end in (*values, *(each.span() for each in spans)))
    )
    return Part(when, written, segment.start, segment.end, subject - _ABOUT_HOURS)


def _when(span: re.Match[str], text: str) -> When:
    names = list(_EACH.finditer(text, *span.span()))
    if _UNCLEAR_BEFORE.search(text, 0, span.start()) or (len(names) == 1 and _FROM.search(text, 0, span.start())):
        return UNKNOWN
    if _months(names[-1][0]) and _DATE_AFTER.match(text, span.end()):
        return UNKNOWN
    through = _BETWEEN.search(text, 0, span.start()) is not None
    days: set[str] = set()
    months: set[str] = set()
    for place, name in enumerate(names):
        between = text[names[place - 1].end() : name.start()] if place else ""
        for cycle, known, read in ((WEEKDAY_NAMES, days, _days), (MONTH_NAMES, months, _months)):
            current, previous = read(name[0]), read(names[place - 1][0]) if through or _RANGE.fullmatch(between) else ()
            known.update(_through(cycle, previous[-1], current[-1]) if previous and current else current)
    return When(frozenset(days), frozenset(months))


def _through(cycle: Sequence[str], first: str, last: str) -> Iterable[str]:
    """From one day or month to another, over the end of the week or year if need be."""
    start, end = cycle.index(first), cycle.index(last)
    return cycle[start : end + 1] if start <= end else (*cycle[start:], *cycle[: end + 1])


def _days(name: str) -> Sequence[str]:
    plain = name.lower().removesuffix(".")
    if plain in _SETS:
        return _SETS[plain]
    day = _FULL.get(plain) or _FULL.get(plain.removesuffix("s"), "")
    return (day,) if day in WEEKDAY_NAMES else ()


def _months(name: str) -> Sequence[str]:
    month = _FULL.get(name.lower().removesuffix("."), "")
    return (month,) if month in MONTH_NAMES else ()
