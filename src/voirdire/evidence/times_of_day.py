"""Which half of the day a time without "am" or "pm" is in: "9:00" beside "19:00" is in the morning."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from voirdire.evidence.figures import Figure

_IN_FIGURES = re.compile(r"(?P<hour>\d{1,2})[:.]\d\d$")
_NOON_HOUR = 12
_HALF_NAMED = re.compile(r"(?i)\d\s?[ap]\.?m\b|\b(?:afternoon|evening|night|noon|tonight)s?\b")


def has_24_hours(figures: Iterable[Figure]) -> bool:
    """Whether one of these times can only be meant by 24 hours: "19:00"."""
    return any((hour := _hour(figure)) is not None and hour > _NOON_HOUR for figure in figures)


def is_without_halves(text: str, figures: Iterable[Figure]) -> bool:
    """Whether a text has times in figures, and no word on the half of the day: then it tells them by 24 hours."""
    return any(_hour(figure) is not None for figure in figures) and not _HALF_NAMED.search(text)


def by_24_hours(figure: Figure) -> Figure:
    """The same figure, a time that might be in either half of the day as it stands."""
    hour = _hour(figure)
    if hour is None or figure.number.low // 60 != hour:  # "9:00 to 7:00 pm"
        return figure
    others = tuple(other for other in figure.number.others if other.kind != "clock")
    return replace(figure, number=replace(figure.number, others=others))


def _hour(figure: Figure) -> int | None:
    match = _IN_FIGURES.match(figure.number.text) if figure.number.kind == "clock" else None
    return int(match["hour"]) if match else None
