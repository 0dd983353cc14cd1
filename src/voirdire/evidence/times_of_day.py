"""Which half of the day a time without "am" or "pm" is in ("9:00" beside "19:00" is in the morning), and its zone."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from voirdire.evidence.figures import Figure

_IN_FIGURES = re.compile(r"(?P<hour>\d{1,2})[:.]\d\d$")
_NOON_HOUR = 12
_DAY_HOURS = 24
_HALF_NAMED = re.compile(r"(?i)\d\s?[ap]\.?m\b|\b(?:afternoon|evening|night|noon|tonight)s?\b")
_ZONE = re.compile(
    r"\s?\(?(?:(?P<short>CES?T|GMT|UTC|BST|WES?T|EES?T|JST|IST|AES?T|[ECMP][SD]?T)\b"
    r"|(?P<named>[A-Z][a-z]+(?: [A-Z][a-z]+)??) (?:Standard |Daylight |Summer )?[Tt]ime\b)"
)
_AMERICAN_NAMES = ("Eastern", "Central", "Mountain", "Pacific")
_AMERICAN = re.compile(r"[ECMP][SD]?T")
_EUROPEAN = re.compile(r"(?:C|W|E)ES?T")


def time_zone(text: str, end: int) -> str:
    """The zone named behind a time that ends at a place; "" for none. Of ET, EST and Eastern Time it is one."""
    match = _ZONE.match(text, end)
    if match is None:
        return ""
    if match["named"]:
        return f"{match['named'][0]}T" if match["named"] in _AMERICAN_NAMES else match["named"]
    short = match["short"]
    if _AMERICAN.fullmatch(short):
        return f"{short[0]}T"
    return short.replace("EST", "ET") if _EUROPEAN.fullmatch(short) else short


def end_of_zone(text: str, end: int) -> int:
    """Where the zone ends that is named behind a time; where that ends, if none is."""
    match = _ZONE.match(text, end)
    return end if match is None else match.end()


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


def as_times(one: Figure, other: Figure) -> tuple[Figure, Figure]:
    """The ends of a range of whole hours as times: "9–17", "9 to 5"."""
    first, last = one.number.value, other.number.value
    is_known = last > _NOON_HOUR or last <= first  # "8–10" may be in the morning or in the evening
    shift = _NOON_HOUR if last <= first and last < _NOON_HOUR else 0
    return _at(one, first, is_known), _at(other, last + shift, is_known)


def may_be_times(one: Figure, other: Figure) -> bool:
    """Whether both are whole hours of a day, without a unit."""
    return all(
        each.number.kind == "number"
        and each.number.text.isdigit()
        and not each.units
        and each.number.value <= _DAY_HOURS
        for each in (one, other)
    )


def _at(figure: Figure, hour: float, is_known: bool) -> Figure:
    time = replace(figure.number, kind="clock", low=60 * hour, high=60 * hour, others=())
    later = replace(time, low=time.low + 60 * _NOON_HOUR, high=time.low + 60 * _NOON_HOUR)
    return replace(figure, number=replace(time, others=() if is_known else (later,)))


def _hour(figure: Figure) -> int | None:
    match = _IN_FIGURES.match(figure.number.text) if figure.number.kind == "clock" else None
    return int(match["hour"]) if match else None
