"""Figures: numbers with their range, unit and approximation, as facts and responses state them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from voirdire.integrity.rules.lexicon import family
from voirdire.text import Number, agree, content_words, find_numbers, with_sign
from voirdire.text.units import Units, comparable, converted, find_unit

_FRACTIONS = {
    "half": 50.0,
    "a third": 100 / 3,
    "one third": 100 / 3,
    "two thirds": 200 / 3,
    "a quarter": 25.0,
    "one quarter": 25.0,
    "three quarters": 75.0,
    "a fifth": 20.0,
    "one fifth": 20.0,
    "a tenth": 10.0,
}
_TIMES = {"double": 2.0, "doubled": 2.0, "twice": 2.0, "triple": 3.0, "tripled": 3.0, "quadrupled": 4.0}
_BEFORE_HALF = "".join(f"(?<={word} )|" for word in ("nearly", "almost", "about", "roughly", "by", "than", "over"))
_SCALES = {"k": 1e3, "m": 1e6, "mn": 1e6, "b": 1e9, "bn": 1e9, "t": 1e12, "tn": 1e12, "trillion": 1e12}
_SCALE = re.compile(r"(?:[KMBT]|mn|bn|tn)\b|\s?trillion\b")
_FRACTION = re.compile(
    rf"(?i)\b(?:(?:{_BEFORE_HALF[:-1]})half\b|half(?= of\b| the\b| a\b| an\b)"
    r"|(?:an? |one |two |three )(?:thirds?|quarters?|fifth|tenth)(?= of\b| the\b))"
)
_TIME = re.compile(rf"(?i)\b(?:{'|'.join(_TIMES)})\b")
_IDENTIFIER = re.compile(
    r"(?i)(?:[a-z][-–]|[#§]\s?|\b(?:phase|step|option|section|sec\.|article|art\.|chapter|title|table|figure|fig\.|page|"
    r"(?<!in\s)fact|facts|point|part|type|version|clause|rule|policy|no\.|appendix|question|scenario|case|bill|form)\s)$"
)
_SUBSECTION = re.compile(r"\([a-z0-9]{1,2}\)")
_SIGNED = re.compile(r"(?:^|[\s(])[+−-]$")  # the marks of a scoring that the response makes itself
_LIST_NUMBER = re.compile(r"(?:^|\n)[ \t]*\(?$")
_AFTER_LIST_NUMBER = re.compile(r"[.)](?:\s|$)")
_JOIN = re.compile(r"\s?[-–—−]\s?[$€£]?|\sto\s[$€£]?")
_BETWEEN = re.compile(r"(?i)\bbetween\s[$€£]?$")
_MONEY = re.compile(r"(?:[$€£]|\b(?:USD|EUR|GBP)\s)$")
_TIMES_UNIT = re.compile(r"(?i)\s?×|x\b|\s?-?fold\b|\stimes\b")
_POINTS = re.compile(r"(?i)\s?-?(?:percentage|percent|per cent)?[\s-]points?\b")
_TAIL = re.compile(r"[\s-]?((?:[^\s,;:.()%]{1,24}[\s/-]?){0,3})")
_CENTS = re.compile(r"(?i)\s?-?(?:(?:euro[\s-]?)?cents?|pence|penny|pennies|¢)(?!\w)")
_MONEY_WORD = re.compile(r"(?i)\s?-?(?:dollars?|euros?|pounds)\b")
_ABOUT = re.compile(
    r"(?i)\b(?:about|around|roughly|approximately|approx\.|nearly|almost|some|close to|just under|just over|circa|"
    r"an estimated|estimated|~)\s?(?:an?\s)?[$€£]?$|~[$€£]?$"
)
_AT_LEAST = re.compile(
    r"(?i)\b(?:over|more than|at least|exceed(?:s|ed|ing)?|above|upwards of|no less than)\s[$€£]?$|>[$€£]?$"
)
_AT_MOST = re.compile(r"(?i)\b(?:under|less than|fewer than|up to|at most|below|no more than|within)\s[$€£]?$|<[$€£]?$")
_GOES_ON = re.compile(r",?\s(?:and\s)?")
_SMALL = 31  # counts up to this recur by chance, so that their unit must agree
_FIRST_YEAR = 1000  # a bare number below is no year: "18 to 26" is an age
_EXACT = 1e-9  # what a conversion between units may lose
_ROUNDED = 0.05  # how far a round number may be from the one it stands for
_ABOUT_ROUNDED = 0.12  # the same, with "about"
_BOUND = 0.3  # how far a bound ("over 40,000") may be from the value


@dataclass(frozen=True, slots=True)
class Figure:
    """A number as a text states it: what it counts, and how exactly."""

    number: Number
    unit: str
    """"percent", "money", "times", "time", "" (unknown), else "count"."""
    things: frozenset[str]
    """Stems of up to three words that follow a count."""
    about: str
    """"" exact, "about", "least" or "most"."""
    words: bool
    """Whether it is written in words, as small incidental numbers are."""
    measure: Units = ()
    """What a count is measured in, as pint names it: kilograms, years; empty for what is counted in things."""
    unit_text: str = ""
    """That unit as it stands."""

    @property
    def start(self) -> int:
        """Where it begins."""
        return self.number.start

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.number.end

    @property
    def text(self) -> str:
        """As it stands, without a unit."""
        return self.number.text

    @property
    def whole(self) -> str:
        """As it stands, with the unit that it is measured in."""
        return self.number.text + self.unit_text


def find_figures(text: str) -> list[Figure]:
    """The figures of `text` in order: ranges as one, fractions in words too; no ordinals, identifiers, list numbers."""
    numbers = [_scaled(text, number) for number in find_numbers(text) if not _incidental(text, number)]
    figures = list(_summed(text, [_figure(text, number) for number in _joined(text, numbers)]))
    starts = [figure.start for figure in figures]
    figures += [one for one in _in_words(text) if not _overlaps(one, figures, starts)]
    return sorted(figures, key=lambda figure: figure.start)


def states(said: Figure, given: Figure, beside: frozenset[str] = frozenset()) -> bool:
    """Whether `said` can state the value of `given`: equal, rounded, within its range, or bounding it closely.

    A small count must count the same things, by its own words or by those `beside` it in its sentence.
    """
    if not same_sort(said, given):
        return False
    if said.unit == "time":
        return agree(said.number, given.number)
    if said.measure and given.measure:
        return any(near(said, min(ends), max(ends)) for ends in _in_units_of(said, given))
    small = min(given.number.high, said.number.high) <= _SMALL
    if small and said.unit == "count" and not (_same_things(said, given) or given.things & beside):
        return False
    return near(said, given.number.low, given.number.high)


def same_sort(one: Figure, other: Figure) -> bool:
    """Whether two figures are of one sort of unit, so that they can agree or contradict."""
    if one.measure and other.measure:
        return comparable(one.measure, other.measure)
    if one.unit == other.unit:
        return True
    bare = one if one.unit == "" else other
    return bare.unit == "" and ("time" not in (one.unit, other.unit) or bare.number.high >= _FIRST_YEAR)


def is_physical(figure: Figure) -> bool:
    """Whether a figure is a weight, a temperature, a length …: measured, and no mere time."""
    return bool(figure.measure) and not comparable(figure.measure, ("year",))


def _in_units_of(said: Figure, given: Figure) -> Iterator[tuple[float, float]]:
    """The ends of `given` in each unit that `said` can have."""
    ends = (converted(end, given.measure, said.measure) for end in (given.number.low, given.number.high))
    return zip(*ends, strict=True)


def near(said: Figure, low: float, high: float) -> bool:
    """Whether a figure can stand for a value in [low, high], as exactly as it is stated."""
    if said.number.low <= high + _EXACT and low <= said.number.high + _EXACT:
        return True
    value = said.number.value
    target = high if value > high else low
    gap, size = abs(value - target), max(abs(target), 1e-12)
    if value * target < 0:
        return False
    if said.about == "least":
        return value < target and gap <= _BOUND * size
    if said.about == "most":
        return value > target and gap <= _BOUND * max(abs(value), 1e-12)
    if said.about == "about":
        return gap <= _ABOUT_ROUNDED * size
    return gap <= _ROUNDED * size and _is_rounding(value, target)


def _is_rounding(value: float, target: float) -> bool:
    """Whether `value` is `target` with fewer digits, as 43,500 is 43,548 and 97.6 is 97.58."""
    return any(abs(round(target, places) - value) < 1e-9 for places in range(-9, 4))


def _same_things(one: Figure, other: Figure) -> bool:
    return not one.things or not other.things or bool(one.things & other.things)


def _incidental(text: str, number: Number) -> bool:
    before = text[max(0, number.start - 12) : number.start]
    if number.kind == "ordinal":
        return True
    if number.kind != "year" and (_IDENTIFIER.search(before) or _SUBSECTION.match(text, number.end)):
        return True
    if number.kind == "number" and _SIGNED.search(before) and find_unit(text, number.end) is None:
        return True
    opens = _LIST_NUMBER.search(before) if number.start > 12 else _LIST_NUMBER.search("\n" + before)
    return opens is not None and _AFTER_LIST_NUMBER.match(text, number.end) is not None


def _summed(text: str, figures: Sequence[Figure]) -> Iterator[Figure]:
    """Merge "3 minutes" and "30 seconds" in "3 minutes 30 seconds"."""
    place = 0
    while place < len(figures):
        one = figures[place]
        whole = _sum(text, one, figures[place + 1]) if place + 1 < len(figures) else None
        yield whole or one
        place += 2 if whole else 1


def _sum(text: str, one: Figure, other: Figure) -> Figure | None:
    between = text[one.end + len(one.unit_text) : other.start]
    if not (one.measure and other.measure) or not _GOES_ON.fullmatch(between):
        return None
    smaller = converted(1, other.measure, one.measure)
    if not smaller or smaller[0] >= 1 or other.number.value * smaller[0] >= 1:
        return None
    value = one.number.value + other.number.value * smaller[0]
    number = replace(one.number, text=text[one.start : other.end], end=other.end, low=value, high=value)
    return replace(one, number=number, unit_text=other.unit_text)


def _overlaps(one: Figure, figures: Sequence[Figure], starts: Sequence[int]) -> bool:
    """Whether a figure in words lies over one of `figures`, which are in order."""
    before = bisect_left(starts, one.end) - 1
    return before >= 0 and figures[before].end > one.start


def _joined(text: str, numbers: Sequence[Number]) -> Iterator[Number]:
    """Merge "85" and "90%" in "85-90%" to one percentage from 85 to 90."""
    place = 0
    while place < len(numbers):
        one = numbers[place]
        other = numbers[place + 1] if place + 1 < len(numbers) else None
        if other is not None and _is_range(text, one, other):
            yield Number(text[one.start : other.end], one.start, other.end, other.kind, *_bounds(one, other))
            place += 2
        else:
            yield one
            place += 1


def _is_range(text: str, one: Number, other: Number) -> bool:
    between = text[one.end : other.start]
    if other.start - one.end > 6 or one.low > other.high or "date" in (one.kind, other.kind):
        return False
    if one.kind != other.kind and not (one.kind == "number" and other.kind == "percent"):
        return False
    if _JOIN.fullmatch(between):
        return "to" not in between or not re.search(r"(?i)\bfrom\s[$€£]?$", text[max(0, one.start - 7) : one.start])
    return between.strip(" $€£") == "and" and _BETWEEN.search(text, max(0, one.start - 10), one.start) is not None


def _bounds(one: Number, other: Number) -> tuple[float, float]:
    """The range; "2-5 million" is from two million."""
    low, high = one.low, other.high
    scale = next((s for s in (1e9, 1e6, 1e3) if high >= s and low < 1000 <= high and low * s <= high), 1.0)
    return (low * scale, high) if scale > 1 and not one.text.rstrip().endswith("0") else (low, high)


def _scaled(text: str, number: Number) -> Number:
    """Take in a scale that follows: "$260B", "3.1 trillion"."""
    found = _SCALE.match(text, number.end) if number.kind in ("number", "year") and number.text[:1].isdigit() else None
    if found is None:
        return number
    by = _SCALES[found[0].strip().lower()]
    end, low, high = found.end(), number.low * by, number.high * by
    return replace(number, text=text[number.start : end], end=end, kind="number", low=low, high=high)


def _figure(text: str, number: Number) -> Figure:
    before = text[max(0, number.start - 24) : number.start]
    unit, things = _unit(text, number, before)
    words = number.text[:1].isalpha() and number.kind == "number"
    cents = _CENTS.match(text, number.end)
    if cents is not None:
        number = replace(number, low=number.low / 100, high=number.high / 100)
        return Figure(number, "money", frozenset(), _bounded(text, number, before), words, (), cents[0])
    measured = find_unit(text, number.end) if unit in ("count", "") else None
    number = with_sign(text, number, number.start, number.end if measured is None else measured.end)
    about = _bounded(text, number, before)
    if measured is None:
        return Figure(number, unit, things, about, words)
    return Figure(number, "count", things, about, words, measured.units, text[number.end : measured.end])


def _bounded(text: str, number: Number, before: str) -> str:
    if _AT_MOST.search(before):
        return "most"
    if _AT_LEAST.search(before) or text[number.end : number.end + 1] == "+":
        return "least"
    return "about" if _ABOUT.search(before) else ""


def _unit(text: str, number: Number, before: str) -> tuple[str, frozenset[str]]:
    nothing: frozenset[str] = frozenset()
    if number.kind in ("year", "date"):
        return "time", nothing
    if number.kind == "percent" or _POINTS.match(text, number.end):
        return "percent", nothing
    if _MONEY.search(before) or _MONEY_WORD.match(text, number.end):
        return "money", nothing
    if _TIMES_UNIT.match(text, number.end):
        return "times", nothing
    tail = _TAIL.match(text, number.end)
    things = frozenset(family(word) for word in content_words(tail[1] if tail else "") if not word[0].isdigit())
    return "count" if things else "", things


def _in_words(text: str) -> Iterator[Figure]:
    """Read "nearly half of", "two thirds of the", "doubled"."""
    for found in _FRACTION.finditer(text):
        said = found[0].lower()
        said = {"two third": "two thirds", "three quarter": "three quarters"}.get(said.rstrip("s"), said)
        if said in _FRACTIONS:
            value = _FRACTIONS[said]
            number = Number(found[0], found.start(), found.end(), "percent", value, value)
            yield Figure(number, "percent", frozenset(), "about", True)
    for found in _TIME.finditer(text):
        value = _TIMES[found[0].lower()]
        yield Figure(
            Number(found[0], found.start(), found.end(), "number", value, value), "times", frozenset(), "about", True
        )
