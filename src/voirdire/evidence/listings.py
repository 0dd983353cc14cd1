"""Tables and lists of a context: neighbouring lines of one shape, and the header that says what a column is in."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple

from voirdire.evidence.figures import Figure
from voirdire.evidence.lexicon import stem_of
from voirdire.text.units import Units, find_unit, rated_by, units_of_spelling

_ITEM = re.compile(r"\s*(?:([-*+•–])|\d{1,3}[.)])\s")
_PAIR = re.compile(r"\**[^\W\d][^:;|\n]{0,40}:\**\s")
_LONGEST_KEY = 64  # characters, with its quotes
_SEPARATORS = "|;\t,"
_STOPS = (".", "!", "?")
_MARKDOWN_HEADER = re.compile(r"(?m)^(.*\|.*)\n\s*\|?\s*:?-{2,}[-:| ]*$")
_UNIT = re.compile(r"[(\[]([^()\[\]]{1,24})[)\]]\s*$|(?i:\sin|,)\s(\S.{0,23}?)\s*$")
# "storage gb", "duration minutes"; not "price per hour", nor the "Opening day".
_LAST_WORD = re.compile(
    r"(?i)(?<! per)(?<! each)\s(?!(?:day|night|hour|week|month|year|minute|second|time)$)(\w{2,12})$"
)
# Of JSON, right before its value.
_KEY = re.compile(r"[\"']([\w -]{1,60})[\"']\s?:\s?$")
_KEY_OF_VALUE = re.compile(r"(?:[\"']([\w -]{1,60})[\"']\s?|(?:^|\n)\s*(?:[-*•]\s+)?([A-Za-z][\w -]{0,40})):\s*$")
"""Of JSON, or of a list of keys and values."""
_VALUE_END = re.compile(r"\s*(?:[,}\]\n]|$)")
_PLURAL = re.compile(r"(?:^|[_ -])(\w{2,}s|children|people|men|women)$")
_JOINED = re.compile(r"[_-]")
_PERCENT = re.compile(r"(?i)(?:%|[_ (-](?:percent|pct))\)?\s*$")
"""Of a column or key whose figures are percents."""
# The plural of a time alone ("hour" may be one of the day) or a currency, else a unit after what is measured.
_UNIT_OF_KEY = re.compile(
    r"(?i)(?:^|[_ -])(seconds|minutes|hours|days|weeks|months|years|eur|usd|gbp|euros?|dollars?|pence)$"
    r"|[_ -](mm|cm|km|kg|mg|ml|kw|kwh|mb|gb|tb|mins?|secs?|hrs?)$"
    r"|(?:length|height|width|depth|weight|distance|mass|volume|capacity)[_ -]([mglt])$"
)


class Listing(NamedTuple):
    """The rows of a table or the items of a list."""

    places: range
    """Of its lines in the context; the header is none of them."""
    separator: str
    """Of its cells; empty for a list."""
    header: tuple[str, ...]
    """The cells of its header; empty where there is none."""

    def column(self, text: str, figure: Figure) -> int:
        """In which column of a line a figure stands."""
        return text.count(self.separator, 0, figure.number.start) if self.separator else 0

    def with_units(self, text: str, figures: Sequence[Figure]) -> tuple[Figure, ...]:
        """The figures of a line in the units that the header gives them."""
        if not self.header:
            return tuple(figures)
        headed = ((figure, self.header[self.column(text, figure)].strip()) for figure in figures)
        return tuple(in_units_of_name(header, in_column(figure, header)) for figure, header in headed)


def markdown_headers(text: str) -> frozenset[str]:
    """The lines of a text that Markdown marks as headers of tables: dashes stand below them."""
    return frozenset(match[1].strip() for match in _MARKDOWN_HEADER.finditer(text))


def listings(lines: Sequence[str], headers: Container[str] = ()) -> Iterator[Listing]:
    """The tables and lists among the lines of a context.

    Args:
        lines: its sentences.
        headers: lines that are known to be headers; others are if they have no digit.
    """
    for (mark, separator, _), group in groupby(range(len(lines)), key=lambda place: _shape(lines[place])):
        places = list(group)
        first = lines[places[0]]
        is_headed = separator != "" and (first in headers or not any(sign.isdigit() for sign in first))
        rows = places[1:] if is_headed else places
        if rows and len(places) > 1 and (mark or separator):
            header = tuple(first.split(separator)) if is_headed else ()
            yield Listing(range(rows[0], rows[-1] + 1), separator, header)


def in_column(figure: Figure, header: str) -> Figure:
    """A figure in the unit of its column ("Weight (kg)"), or for each of what it names ("Price per kWh")."""
    if figure.number.kind not in ("number", "year"):
        return figure
    if not figure.units and _PERCENT.search(header):
        return replace(figure, number=replace(figure.number, kind="percent"))
    units = figure.units or _unit_of(header)
    kind = replace(figure.number, kind="number") if units else figure.number
    return replace(figure, number=kind, units=units + rated_by(header, units))


def in_units_of_key(text: str, figure: Figure) -> Figure:
    """A figure of JSON in the unit that its key names: "minutes": 22, "length_m": 4.6."""
    key = _KEY.search(text, 0, figure.start)
    return figure if key is None else in_units_of_name(key[1], figure)


def counted_by_key(text: str, figure: Figure) -> Figure:
    """A figure that is the value of a key, which says what it counts: "children": 24, "guides: 2"."""
    key = _KEY_OF_VALUE.search(text, max(0, figure.start - _LONGEST_KEY), figure.start)
    if key is None or figure.units or figure.number.kind != "number" or not _VALUE_END.match(text, figure.end):
        return figure
    counted = _PLURAL.search(key[1] or key[2])
    return replace(figure, noun=stem_of(counted[1].lower())) if counted else figure


def in_units_of_name(key: str, figure: Figure) -> Figure:
    """A figure in the unit that the name of its column or key ends with: "weight_g", "duration minutes"."""
    if figure.units or figure.number.kind not in ("number", "year"):
        return figure
    if _PERCENT.search(key):
        return replace(figure, number=replace(figure.number, kind="percent"))
    unit = _UNIT_OF_KEY.search(key)
    if unit is None:
        return figure
    units = units_of_spelling(unit[unit.lastindex or 0].lower())
    if not units:
        return figure
    number = replace(figure.number, kind="number")
    return replace(figure, number=number, units=units + rated_by(_JOINED.sub(" ", key), units))


def with_key(text: str, figure: Figure) -> str:
    """A figure of JSON with its key, as it stands; any other one alone."""
    key = _KEY.search(text, 0, figure.start)
    return text[key.start() : figure.end] if key else figure.text


def _unit_of(header: str) -> Units:
    match = _UNIT.search(header) or _LAST_WORD.search(header)
    if match is None:
        return ()
    start, end = match.span(match.lastindex or 0)
    unit = find_unit(header[:end], start)
    return unit.units if unit is not None and unit.end == end else ()


def _shape(line: str) -> tuple[str, str, int]:
    """(mark of a list item, separator of cells, how many there are of it); empty for prose."""
    item = _ITEM.match(line)
    if item is not None:
        return item[1] or "1", "", 0
    if not line.endswith(_STOPS) and "\n" not in line:
        separator = next((each for each in _SEPARATORS if each in line), "")
        if separator:
            return "", separator, line.count(separator)
    return (":", "", 0) if _PAIR.match(line) else ("", "", 0)
