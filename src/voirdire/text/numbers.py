"""Find numbers, percentages, years, dates and centuries in English text, and compare them by value.

A value is an interval: "1872" is [1872, 1872], "the 1870s" [1870, 1879], "the nineteenth century" [1800, 1900].
Two mentions agree when they can mean the same thing.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

NumberKind = Literal["number", "percent", "points", "year", "date", "ordinal", "clock", "version"]


@dataclass(frozen=True, slots=True)
class Number:
    """A number as it stands in a text, and what it means."""

    text: str
    start: int
    end: int
    kind: NumberKind
    low: float
    high: float
    """The value lies in [low, high]; of a date without a year that is everything; of a clock, minutes of the day; of a
    version what `version_value` gives."""
    month: int | None = None
    day: int | None = None
    rough: bool = False
    """Whether it is a share put as a ratio ("one in eight"), which stands for values around it."""
    others: tuple[Number, ...] = ()
    """What it may mean as well: "1.200" is 1,200 where points part thousands, "3:00" may be in the afternoon."""

    @property
    def yearless(self) -> bool:
        """Whether it is a date of which only the month and the day are known."""
        return self.month is not None and not math.isfinite(self.low)

    @property
    def value(self) -> float:
        """The number, or the middle of its interval."""
        return (self.low + self.high) / 2


_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_MAGNITUDES = {"hundred": 100, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_SCALES = _MAGNITUDES | dict.fromkeys(("millions", "millionen", "millones", "mio"), 1e6)
_SCALES |= dict.fromkeys(("milliard", "milliards", "milliarde", "milliarden", "mrd"), 1e9)  # French, German
_SHORT_SCALES = {"k": 1e3, "m": 1e6, "mn": 1e6, "b": 1e9, "bn": 1e9, "t": 1e12, "tn": 1e12}
NUMBER_WORDS: Mapping[str, int] = {word: value for value, word in enumerate(_UNITS)} | {
    word: 10 * i for i, word in enumerate(_TENS, start=2)
}
ORDINALS: Mapping[str, int] = {
    word: value
    for value, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
        "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth".split(),
        start=1,
    )
} | {"twenty-first": 21}
MONTHS: Mapping[str, int] = {
    name: value
    for value, names in enumerate(
        "january jan|february feb|march mar|april apr|may|june jun|july jul|august aug|september sept sep|october oct|"
        "november nov|december dec".split("|"),
        start=1,
    )
    for name in names.split()
}
_MAGNITUDE = "|".join(_MAGNITUDES)
_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_SMALL = "|".join(sorted(NUMBER_WORDS, key=len, reverse=True))
_ORDINAL = "|".join(sorted(ORDINALS, key=len, reverse=True))

# "1,5", "1.500,50" and "1.500.000", as most of Europe writes; "1,2,3" and "1,2-dichloroethane" are none.
_COMMA_DECIMAL = r"(?<!\d,)\d{1,3}(?:(?:\.\d{3}){1,6},\d{1,2}|(?:\.\d{3}){2,6}|\d{0,12},\d{1,2})(?![.,]?\d|,|-[a-z])"
_COMMA = re.compile(_COMMA_DECIMAL)
_SWAPPED = str.maketrans(",.", ".,")
_POINTED_THOUSANDS = re.compile(r"[1-9]\d{0,2}\.\d{3}")

_VERB = r"(?-i:may|march)\b(?!,?\s\d{4})"  # "children under 12 may": the months are capitalised, or have a year

# Every quantifier is bounded, so that no text, however made, takes more than linear time.
_FINDER = re.compile(
    rf"""(?ix)
    (?<![\w.]) (?=[\dadefjmnostz]) (?:  # what a digit, a month or a numeral begins with
      (?P<dmy_day>\d{{1,2}}) (?:st|nd|rd|th)? \s (?:of\s)? (?!{_VERB}) (?P<dmy_month>{_MONTH}) \b \.?
      (?:,?\s(?P<dmy_year>\d{{4}})\b)?
    | (?P<mdy_month>{_MONTH}) \b \.? \s (?P<mdy_day>\d{{1,2}}) (?:st|nd|rd|th)? \b (?!\s?%)
      (?:,?\s{{1,2}}(?P<mdy_year>\d{{4}})\b)?
    | (?P<my_month>{_MONTH}) \b \.? ,? \s (?P<my_year>\d{{4}}) \b
    | (?P<iso>\d{{4}}-\d{{2}}-\d{{2}}) \b
    | (?P<century>\d{{1,2}}(?=st|nd|rd|th)|{_ORDINAL}) (?:st|nd|rd|th)? [\s-]{{1,2}} centur (?:y|ies) \b
    | (?P<decade>\d{{3}}0) ['’]? s \b
    | (?P<ordinal>\d{{1,6}}) (?:st|nd|rd|th) \b
    | (?P<digits>\d{{1,3}}(?:,\d{{3}}){{1,6}}(?:\.\d{{1,20}})?(?!\d)
      | {_COMMA_DECIMAL}
      | \d{{1,3}}(?:[\u00a0\u202f]\d{{3}}){{1,6}}(?!\d) | \d{{1,3}}(?:[ ]\d{{3}}){{1,6}}(?=\s[a-z]{{3}})
      | \d{{1,30}}(?:\.\d{{1,20}})?)
      (?: \s?[×x·⋅*]\s?10 (?P<power> (?:\^|\*\*)[-−]?\d{{1,2}} | ⁻?[⁰¹²³⁴-⁹]{{1,2}} )
        | [\s-]? (?P<scale>{"|".join(_SCALES)}) \b (?:(?<=mio|mrd)\.)?
        | (?P<short>k \b | (?-i:T) \b | \s?(?:m|b|mn|bn|tn) \b) )?
      (?P<percent> \s? (?:%|per\s?cent\b|percent\b) )?
    | (?P<words>(?:{_SMALL})(?:-(?:{_SMALL}))? (?:\s(?:and\s)?(?:{_SMALL}|{_MAGNITUDE})(?:-(?:{_SMALL}))?\b){{0,8}}) \b
      (?P<words_percent> \s?% | \s (?:per\s?cent\b|percent\b) )?
    )"""
)
_COUNT = f"few|{'|'.join(sorted(NUMBER_WORDS.keys() - {'one'}, key=len, reverse=True))}"
_ORDINAL_WORD = re.compile(rf"(?i)(?<=\bthe |.['’]s )(?:{_ORDINAL})\b(?=[ -](?!(?:{_COUNT})\b)[a-z])")
_YEARS = range(1000, 2101)
_ALSO_UNITS = frozenset("mbt")  # "5 m" is a length, "3T" a magnetic field, "7B" seven billion
_ONLY_THEIR_LIKE = frozenset({"percent", "points", "ordinal", "clock", "version"})
_SEPARATORS = re.compile(r"[,\s]")
_CURRENCY = re.compile(r"(?:[$£€¥₹]|\b[A-Z]{3})\s?$")


# A minus sign, and what may stand before it: "10 -20" is a range, "A-20" a code, "+/-5" a spread.
_MINUS = re.compile(r"(?i)(?:^|(?<=[\s(\[“\"≈~<>=≤≥:|]))(?:[-–−]|(?:minus|moins|menos)\s)$")
_AFTER_A_FIGURE = re.compile(r"\d\s?$")
_BELOW_ZERO = re.compile(r"(?i)\s(?:below|under)\s(?:zero|freezing)\b")
_GOES_NEGATIVE = re.compile(r"\s?(?:[°º$£€¥₹]|degrees?\b)", re.IGNORECASE)


def with_sign(text: str, number: Number, start: int, end: int) -> Number:
    """A number with the minus that stands before it, if one does; its `start` is then that of the sign.

    At the start of a line a hyphen may be a list's mark: there it is a minus only with a temperature, a share or a sum
    of money.

    Args:
        text: that the number is of.
        number: as `find_numbers` gives it, without a sign.
        start: where the number or the currency before it begins.
        end: where the number or the unit after it ends.
    """
    if number.kind not in ("number", "percent", "points", "year") or number.low < 0:
        return number
    sign = _MINUS.search(text, max(0, start - 7), start)
    if sign is None:
        if not _BELOW_ZERO.match(text, end):
            return number
        begins = number.start
    else:
        begins = sign.start()
        line = text[text.rfind("\n", 0, begins) + 1 : begins]
        if _AFTER_A_FIGURE.search(line[-2:]):
            return number
        if not line.strip() and sign[0] != "−" and not _may_be_negative(text, number, start):
            return number
    return replace(number, text=text[begins : number.end], start=begins, low=-number.high, high=-number.low)


def _may_be_negative(text: str, number: Number, start: int) -> bool:
    """Whether it is a temperature, a share or a sum of money."""
    return (
        number.kind in ("percent", "points")
        or start < number.start
        or _GOES_NEGATIVE.match(text, number.end) is not None
    )


def find_numbers(text: str) -> list[Number]:
    """All numbers of `text`, in order of appearance.

    Written-out numbers count ("twenty-one", "two hundred and fifty"), but not a lone "one", which is mostly no
    number; ordinal words count after "the" or a possessive ("the second law"), but not before a count ("the first two
    weeks"). A bare four-digit integer from 1000 to 2100 is taken for a year.
    """
    numbers = [number for match in _FINDER.finditer(text) if (number := _read(match)) is not None]
    starts = {number.start for number in numbers}
    for match in _ORDINAL_WORD.finditer(text):
        if match.start() not in starts:
            value = ORDINALS[match[0].lower()]
            numbers.append(Number(match[0], match.start(), match.end(), "ordinal", value, value))
    return sorted(numbers, key=lambda number: number.start)


def version_value(text: str) -> float:
    """A version as a number that is in order and equal where versions are: 3.10 is above 3.9, and no 3.1."""
    return sum(int(part) / 1e3**place for place, part in enumerate(text.split(".")))


def agree(one: Number, other: Number) -> bool:
    """Whether two mentions can mean the same value.

    Percentages, points of them, ordinals, times of day and versions agree only with their like; dates must name a day,
    month or year in common and not differ in one; everything else agrees when the intervals overlap. Two that only
    touch do not: the eighteenth century ends where the nineteenth begins.
    """
    if _agree(one, other):
        return True
    if not (one.others or other.others):
        return False
    return any(_agree(one, each) for each in other.others) or any(_agree(each, other) for each in one.others)


def _agree(one: Number, other: Number) -> bool:
    if one.kind != other.kind and not {one.kind, other.kind}.isdisjoint(_ONLY_THEIR_LIKE):
        return False
    if one.month and other.month and one.month != other.month:
        return False
    if one.day and other.day and one.day != other.day:
        return False
    if not _share_a_part(one, other):
        return False
    low, high = max(one.low, other.low), min(one.high, other.high)
    return low < high or (low == high and (one.low == one.high or other.low == other.high))


def comparable(one: Number, other: Number) -> bool:
    """Whether two mentions are of a sort that could contradict: two times, two shares, two counts, two ranks."""
    return _sort(one) == _sort(other) and _share_a_part(one, other)


def _share_a_part(one: Number, other: Number) -> bool:
    """Whether dates can be held against each other: "1 April" is of every year, and says nothing of one."""
    return not (one.yearless or other.yearless) or bool(one.month and other.month)


def _sort(number: Number) -> str:
    return {"year": "time", "date": "time", "points": "percent"}.get(number.kind, number.kind)


def _read(match: re.Match[str]) -> Number | None:
    """Turn a match into a number; `None` for a lone "one" and for impossible dates."""
    text = match[0].rstrip()
    start, end = match.start(), match.start() + len(text)
    part = match.groupdict()
    if part["dmy_day"] or part["mdy_day"] or part["my_month"] or part["iso"]:
        return _date(text, start, end, part)
    if part["century"]:
        century = int(part["century"]) if part["century"].isdigit() else ORDINALS[part["century"].lower()]
        return Number(text, start, end, "year", 100 * (century - 1), 100 * century)
    if part["decade"]:
        decade = int(part["decade"])
        return Number(text, start, end, "year", decade, decade + (99 if decade % 100 == 0 else 9))
    if part["ordinal"]:
        return Number(text, start, end, "ordinal", int(part["ordinal"]), int(part["ordinal"]))
    if part["words"]:
        return _number_in_words(text, start, end, part["words"], bool(part["words_percent"]))
    return _digits(text, start, end, part, match.string[max(0, start - 5) : start])


def _date(text: str, start: int, end: int, part: dict[str, str | None]) -> Number | None:
    if part["iso"]:
        year, month, day = (int(piece) for piece in part["iso"].split("-"))
        if not (1 <= month <= 12 and 1 <= day <= 31):
            return None
        return Number(text, start, end, "date", year, year, month, day)
    name = part["dmy_month"] or part["mdy_month"] or part["my_month"] or ""
    if name in ("may", "march"):  # the verbs; the months are capitalised
        return None
    day_text = part["dmy_day"] or part["mdy_day"]
    year_text = part["dmy_year"] or part["mdy_year"] or part["my_year"]
    low, high = (int(year_text), int(year_text)) if year_text else (float("-inf"), float("inf"))
    return Number(text, start, end, "date", low, high, MONTHS[name.lower()], int(day_text) if day_text else None)


def _digits(text: str, start: int, end: int, part: dict[str, str | None], before: str) -> Number:
    digits, short = part["digits"] or "", part["short"] or ""
    if short.strip().lower() in _ALSO_UNITS and short not in ("M", "B") and not _CURRENCY.search(before):
        text = text[: text.rindex(short.strip())].rstrip()
        end, short = start + len(text), ""
    scale = _SCALES.get((part["scale"] or "").lower(), 1) * _SHORT_SCALES.get(short.strip().lower(), 1)
    if part["power"]:
        scale = 10.0 ** int(unicodedata.normalize("NFKC", part["power"]).lstrip("^*").replace("−", "-"))
    value = _value(digits)
    value = value if scale == 1 else float(f"{value * scale:.12g}")  # 48.2 times a million is whole
    if part["percent"]:
        return Number(text, start, end, "percent", value, value)
    if _POINTED_THOUSANDS.fullmatch(digits):
        grouped = Number(text, start, end, "number", 1000 * value, 1000 * value)
        return Number(text, start, end, "number", value, value, others=(grouped,))
    plain = digits.isdigit() and len(digits) == 4 and scale == 1
    return Number(text, start, end, "year" if plain and int(digits) in _YEARS else "number", value, value)


def _value(digits: str) -> float:
    if _COMMA.fullmatch(digits):
        digits = digits.translate(_SWAPPED)
    return float(_SEPARATORS.sub("", digits))


def _number_in_words(text: str, start: int, end: int, words: str, percent: bool) -> Number | None:
    pieces = list(_pieces(words))
    if pieces == ["one"] and not percent:
        return None
    total: float = 0
    group: float = 0
    for piece in pieces:
        if piece == "hundred":
            group = max(group, 1) * 100
        elif piece in _MAGNITUDES:
            total, group = total + max(group, 1) * _MAGNITUDES[piece], 0
        else:
            group += NUMBER_WORDS[piece]
    return Number(text, start, end, "percent" if percent else "number", total + group, total + group)


def _pieces(words: str) -> Iterator[str]:
    return (piece for piece in re.split(r"[\s-]+", words.lower()) if piece != "and")
