"""Figures as facts and responses state them: with their range, what they count, and how exactly."""

from __future__ import annotations

import math
import re
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from voirdire.evidence.figures import Figure, is_difference, is_range, name_of, range_text
from voirdire.integrity.rules.lexicon import family
from voirdire.text.numbers import Number, agree
from voirdire.text.overlap import content_words
from voirdire.text.units import Units, comparable, converted, in_main_currency, is_money
from voirdire.text.units import family as units_family

_TIMES = {"double": 2.0, "doubled": 2.0, "twice": 2.0, "triple": 3.0, "tripled": 3.0, "quadrupled": 4.0}
_TIME = re.compile(rf"(?i)\b(?:{'|'.join(_TIMES)})\b")
_IDENTIFIER = re.compile(
    r"(?i)(?:[a-z][-–]|[#§]\s?|\b(?:phase|step|option|section|sec\.|article|art\.|chapter|title|table|figure|fig\.|page|"
    r"(?<!in\s)fact|facts|point|part|type|version|clause|rule|policy|no\.|appendix|question|scenario|case|bill|form)\s)$"
)
_SUBSECTION = re.compile(r"\([a-z0-9]{1,2}\)")
_SIGNED = re.compile(r"(?:^|[\s(])[+−-]$")  # the marks of a scoring that the response makes itself
_LIST_NUMBER = re.compile(r"(?:^|\n)[ \t]*\(?$")
_AFTER_LIST_NUMBER = re.compile(r"[.)](?:\s|$)")
_TIMES_UNIT = re.compile(r"(?i)\s?×|x\b|\s?-?fold\b|\stimes\b")
_POINTS = re.compile(r"(?i)[\s-]points?\b")
_TAIL = re.compile(r"[\s-]?((?:[^\s\d,;:.()%]{1,24}[\s/-]?){0,3})")
_SMALL = 31  # counts up to this recur by chance, so that their unit must agree
_HOURS = 24
_HALF_A_DAY = 12  # hours
_FIRST_YEAR = 1000  # a bare number below is no year: "18 to 26" is an age
_EXACT = 1e-9  # what a conversion between units may lose
_ROUNDED = 0.05  # how far a round number may be from the one it stands for
_ABOUT_ROUNDED = 0.12  # the same, with "about"
_ABOUT = {"at_least": "least", "at_most": "most", "nearly": "about", "about": "about", None: ""}
_OPPOSITE = {"least": "most", "most": "least"}
_BOUND = 0.3  # how far a bound ("over 40,000") may be from the value


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number as a text states it: what it counts, and how exactly."""

    number: Number
    unit: str
    """"percent", "money", "times", "time", "clock", "" (unknown), else "count"."""
    things: frozenset[str]
    """Stems of up to three words that follow a count."""
    about: str
    """"" exact, "about", "least" or "most"."""
    words: bool
    """Whether it is written in words, as small incidental numbers are."""
    measure: Units = ()
    """What it is measured in, as pint names it: kilograms, euros a month; empty for what is counted in things."""
    whole: str = ""
    """As it stands, with its unit."""
    differs: bool = False
    """Whether it says by how much two things differ: "20 Nm more than the D12"."""
    reaches: bool = False
    """Whether it says how far something goes: "works up to 30 °C"."""
    limits: bool = False
    """Whether it is a limit that values keep, or how far something goes: "at most 90 kg"; "less than 90 kg" is none."""
    measured_to: int = 0
    """Where its unit ends."""

    @property
    def counts(self) -> bool:
        """Whether it counts or measures something: it is no date."""
        return self.unit != "time"

    @property
    def start(self) -> int:
        """Where the number begins."""
        return self.number.start

    @property
    def end(self) -> int:
        """Where the number ends."""
        return self.number.end

    @property
    def text(self) -> str:
        """As it stands, without a unit."""
        return self.number.text


def find_quantities(text: str, figures: Iterable[Figure], known: Container[str] = ()) -> list[Quantity]:
    """The figures of a text in order: ranges as one, multiples in words too.

    Ordinals, identifiers, list numbers and the figures of names ("Falcon 2") are none.

    Args:
        text: any.
        figures: as `voirdire.evidence.figures.figures_of` gives them.
        known: words, in lower case, that have a figure in other sentences.
    """
    figures = [each for each in figures if not _incidental(text, each) and not name_of(text, each, known)]
    return sorted([*_joined(text, figures), *_multiples(text)], key=lambda quantity: quantity.start)


def states(figure: Quantity, fact_figure: Quantity, beside: frozenset[str] = frozenset()) -> bool:
    """Whether `figure` can state the value of `fact_figure`: equal, rounded, within its range, or bounding it closely.

    A small count must count the same things, by its own words or by those `beside` it in its sentence.
    """
    if not same_sort(figure, fact_figure):
        return False
    if figure.about == fact_figure.about == "most" and figure.limits and fact_figure.limits:
        figure = replace(figure, about="")  # "up to 120 kg" is not what "up to 90 kg" says
    if fact_figure.unit == "clock" and figure.unit == "":  # "opens at 8"
        return (
            figure.number.value <= _HOURS
            and (60 * figure.number.value - fact_figure.number.value) % (60 * _HALF_A_DAY) == 0
        )
    if figure.unit in ("time", "clock") or figure.number.kind == "version":
        return agree(figure.number, fact_figure.number)
    if figure.measure and fact_figure.measure and units_family(figure.measure) & units_family(fact_figure.measure):
        return any(near(figure, min(ends), max(ends)) for ends in _in_units_of(figure, fact_figure))
    small = min(fact_figure.number.high, figure.number.high) <= _SMALL
    if small and figure.unit == "count" and not (_same_things(figure, fact_figure) or fact_figure.things & beside):
        return False
    return near(figure, fact_figure.number.low, fact_figure.number.high)


def spanned_figures(figure: Quantity, known: Iterable[Quantity]) -> list[Quantity]:
    """The figures that a range spans as a whole: "27 to 92" of "29 to 92" and "27 to 73"; else none."""
    inner = [one for one in known if spans(figure, one)]
    if not inner:
        return []
    ends = (min(one.number.low for one in inner), max(one.number.high for one in inner))
    return inner if ends == (figure.number.low, figure.number.high) else []


def spans(figure: Quantity, other: Quantity) -> bool:
    """Whether a figure is a range that another lies in."""
    low, high = figure.number.low, figure.number.high
    return low < high and low <= other.number.low and other.number.high <= high and same_sort(figure, other)


def lies_within(figure: Quantity, whole: Quantity) -> bool:
    """Whether a range has a narrower one or an "up to" within; with the same end, a range is the other one changed.

    So has an upper limit an "up to" below it.
    """
    number = whole.number
    if not same_sort(figure, whole):
        return False
    if number.low >= number.high:
        tops = [max(each) for each in _in_units_of(figure, whole)] or [number.high]
        return figure.reaches and whole.about == "most" and whole.limits and figure.number.high < min(tops)
    ends = list(_in_units_of(figure, whole)) or [(number.low, number.high)]
    low, high = figure.number.low, figure.number.high
    if low < high:
        return not figure.about and any(min(each) < low and high < max(each) for each in ends)
    return figure.reaches and any(min(each) <= low <= max(each) for each in ends)


def is_within_bound(figure: Quantity, bound: Quantity) -> bool:
    """Whether `figure` lies within `bound`: 12 minutes for "at least 10 minutes"."""
    if bound.about not in _OPPOSITE or figure.about in _OPPOSITE or not same_sort(figure, bound):
        return False
    ends = list(_in_units_of(figure, bound)) or [(bound.number.low, bound.number.high)]
    if bound.about == "least":
        return all(figure.number.low >= max(each) for each in ends)
    return all(figure.number.high <= min(each) for each in ends)


def same_sort(one: Quantity, other: Quantity) -> bool:
    """Whether two figures are of one sort of unit, so that they can agree or contradict."""
    if one.measure and other.measure:
        return comparable(one.measure, other.measure)
    if (is_physical(one) and other.things) or (is_physical(other) and one.things):  # 5 °C, five burners
        return False
    if one.unit == other.unit:
        return True
    bare = one if one.unit == "" else other
    return bare.unit == "" and ("time" not in (one.unit, other.unit) or bare.number.high >= _FIRST_YEAR)


def is_physical(figure: Quantity) -> bool:
    """Whether a figure is a weight, a temperature, a length …: measured, and no mere time or money."""
    return bool(figure.measure) and figure.unit != "money" and not comparable(figure.measure, ("year",))


def _in_units_of(figure: Quantity, fact_figure: Quantity) -> Iterator[tuple[float, float]]:
    """The ends of `fact_figure` in each unit that `figure` can have."""
    ends = (
        converted(end, fact_figure.measure, figure.measure) for end in (fact_figure.number.low, fact_figure.number.high)
    )
    return zip(*ends, strict=True)


def near(figure: Quantity, low: float, high: float) -> bool:
    """Whether a figure can stand for a value in [low, high], as exactly as it is stated.

    A range stands for a range with the same ends, a bound for the end that it bounds.
    """
    if low < high and figure.number.low < figure.number.high:
        ends = ((figure.number.low, low), (figure.number.high, high))
        return all(math.isclose(one, other, rel_tol=_ROUNDED) for one, other in ends)
    if low < high and figure.reaches:
        return math.isclose(figure.number.value, high, rel_tol=_EXACT)
    if low < high and figure.about in _OPPOSITE:
        low = high = low if figure.about == "least" else high
    if figure.number.low <= high + _EXACT and low <= figure.number.high + _EXACT:
        return True
    value = figure.number.value
    target = high if value > high else low
    gap, size = abs(value - target), max(abs(target), 1e-12)
    if value * target < 0:
        return False
    if figure.about == "least":
        return value < target and gap <= _BOUND * size
    if figure.about == "most":
        return value > target and gap <= _BOUND * max(abs(value), 1e-12)
    if figure.about == "about":
        return gap <= _ABOUT_ROUNDED * size
    return gap <= _ROUNDED * size and _is_rounding(value, target)


def _is_rounding(value: float, target: float) -> bool:
    """Whether `value` is `target` with fewer digits, as 43,500 is 43,548 and 97.6 is 97.58."""
    return any(abs(round(target, places) - value) < 1e-9 for places in range(-9, 4))


def _same_things(one: Quantity, other: Quantity) -> bool:
    return not one.things or not other.things or bool(one.things & other.things)


def _incidental(text: str, figure: Figure) -> bool:
    """Whether a number counts and measures nothing: an ordinal, "one", an identifier, a mark, a list's number."""
    number = figure.number
    before = text[max(0, number.start - 12) : number.start]
    if number.kind == "ordinal" or (number.text.lower() == "one" and not figure.units):
        return True
    if number.kind != "year" and (_IDENTIFIER.search(before) or _SUBSECTION.match(text, number.end)):
        return True
    if number.kind == "number" and not figure.units and (number.low < 0 or _SIGNED.search(before)):
        return True
    opens = _LIST_NUMBER.search(before) if number.start > 12 else _LIST_NUMBER.search("\n" + before)
    return opens is not None and _AFTER_LIST_NUMBER.match(text, number.end) is not None


def _joined(text: str, figures: Sequence[Figure]) -> Iterator[Quantity]:
    """Figures; "85" and "90%" in "85-90%" as one percentage from 85 to 90."""
    place = 0
    while place < len(figures):
        one = figures[place]
        other = figures[place + 1] if place + 1 < len(figures) else None
        ends = _ends(text, one, other) if other is not None else None
        if other is not None and ends is not None:
            start, end = one.number.start, other.number.end
            number = Number(text[start:end], start, end, other.number.kind, *ends)
            whole = range_text((one, other), text)
            yield _quantity(text, replace(other, number=number, text=whole, start=one.start, before=one.before))
            place += 2
        else:
            yield _quantity(text, one)
            place += 1


def _ends(text: str, one: Figure, other: Figure) -> tuple[float, float] | None:
    """The ends of a range in the unit of its second figure; `None` where two figures are no range."""
    kinds = one.number.kind, other.number.kind
    if not {"date", "clock"}.isdisjoint(kinds) or not is_range(text, one, other):
        return None
    if kinds[0] != kinds[1] and kinds != ("number", "percent"):
        return None
    low, high = _bounds(one.number, other.number)
    if one.units and other.units and one.units != other.units:
        low = next(iter(converted(low, one.units, other.units)), math.inf)
    return (low, high) if low <= high else None


def _bounds(one: Number, other: Number) -> tuple[float, float]:
    """The range; "2-5 million" is from two million."""
    low, high = one.low, other.high
    scale = next((s for s in (1e9, 1e6, 1e3) if high >= s and low < 1000 <= high and low * s <= high), 1.0)
    return (low * scale, high) if scale > 1 and not one.text.rstrip().endswith("0") else (low, high)


def _quantity(text: str, figure: Figure) -> Quantity:
    number, units = figure.number, figure.units
    unit, things = _unit(text, figure)
    about = _ABOUT[figure.qualifier]
    about = _OPPOSITE.get(about, about) if figure.negator_start >= 0 else about  # "must not exceed 20 kg"
    words = number.text[:1].isalpha() and number.kind == "number"
    if number.kind == "percent" and number.text[:1].isalpha() and "cent" not in number.text:
        about, words = "about", True  # "half of", "two thirds of"
    if unit == "money":
        low, main = in_main_currency(number.low, units)
        high, _ = in_main_currency(number.high, units)
        number, units = replace(number, low=low, high=high), main
    return Quantity(
        number,
        unit,
        things,
        about,
        words,
        units,
        figure.text,
        differs=is_difference(text, figure),
        reaches=figure.reaches,
        limits=figure.is_limit or figure.reaches,
        measured_to=figure.end,
    )


def _unit(text: str, figure: Figure) -> tuple[str, frozenset[str]]:
    nothing: frozenset[str] = frozenset()
    number = figure.number
    if number.kind in ("year", "date"):
        return "time", nothing
    if number.kind == "clock":
        return "clock", nothing
    if number.kind == "percent" or _POINTS.match(text, number.end):
        return "percent", nothing
    if is_money(figure.units):
        return "money", nothing
    if _TIMES_UNIT.match(text, number.end):
        return "times", nothing
    tail = _TAIL.match(text, number.end)
    things = frozenset(family(word) for word in content_words(tail[1] if tail else "") if not word[0].isdigit())
    return "count" if things or figure.units else "", things


def _multiples(text: str) -> Iterator[Quantity]:
    """Read "doubled", "twice"."""
    for match in _TIME.finditer(text):
        value = _TIMES[match[0].lower()]
        number = Number(match[0], match.start(), match.end(), "number", value, value)
        yield Quantity(number, "times", frozenset(), "about", True, (), match[0])
