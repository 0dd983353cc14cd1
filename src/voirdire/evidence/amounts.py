"""Numbers as sentences put them: those of `find_numbers`, and fractions, dozens, times of day, dates in figures."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import replace

from voirdire.evidence.tokens import ParsedSentence
from voirdire.text.markdown import CITATION
from voirdire.text.numbers import NUMBER_WORDS, Number, NumberKind, find_numbers, version_value
from voirdire.text.units import find_unit, units_of_spelling

# Months that are also verbs are months before a year, or beside a day, in lower case too.
_LOWER_MONTH = re.compile(
    r"\b(?:may|march)\b(?=,? \d{4}\b| \d{1,2}(?:st|nd|rd|th)?,? \d{4}\b| \d{1,2}(?:st|nd|rd|th)\b)"
    r"|(?:(?<=\d )|(?<=\d(?:st|nd|rd|th) )|(?<= of ))(?:may|march)\b(?=[.,;)]|$| \d{4}\b)"
)

_COUNTS = {
    word: value for value, word in enumerate("one two three four five six seven eight nine ten".split(), start=1)
}
_COUNT = rf"an?|{'|'.join(_COUNTS)}|\d{{1,3}}"
_HOURS = {**_COUNTS, "eleven": 11, "twelve": 12}
_SCALES = {"dozen": 12, "hundred": 100, "thousand": 1e3, "million": 1e6, "billion": 1e9}
_DIVISORS = {"half": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fifth": 5, "fifths": 5, "tenth": 10}
_BEFORE_HALF = "|".join(rf"(?<=\b{word} )" for word in ("nearly", "almost", "about", "roughly", "by", "than", "over"))
_PART = rf"half|(?<=[ -])(?:{'|'.join(_DIVISORS)})"
# "Fell by a third in May", not "by a third party".
_NO_NOUN = r"(?=[.,;:)]|$| (?:in|to|from|since|over|between|during|this|last|compared|and|or|within|on|at)\b)"
_SHARE = re.compile(
    rf"(?i)(?<!first )(?<!second )(?<!other )(?<!latter )\b"
    rf"(?:(?:(?P<times>{_COUNT})[ -])?(?P<share>{_PART})\b"
    r"(?:(?= (?:of|the|full|empty|majority)\b)(?P<of_one> of an?\b)?|(?<=[ -]thirds)|(?<=[ -]fifths))"
    rf"|(?:{_BEFORE_HALF})(?:half\b(?! an?\b)|(?P<amount>{_COUNT})[ -](?P<part>{_PART}){_NO_NOUN}))"
)
# Of digits only "1 in 8": "they opened 5 in 12 countries". No year is a denominator.
_IN = rf"an?|{'|'.join(sorted(NUMBER_WORDS, reverse=True))}|\d{{1,3}}(?:,\d{{3}}){{0,3}}(?![\d.,]*\d)"
_RATIO = re.compile(
    rf"(?i)(?<![\w.,])(?:(?P<few>1|{'|'.join(_COUNTS)}) in|(?P<times>{_COUNT}) (?:in|out of) every)"
    rf" (?:every )?(?P<whole>{_IN})(?: (?P<scale>{'|'.join(_SCALES)}))?\b"
)
_HALF = re.compile(
    rf"(?i)\b(?:(?P<whole>{_COUNT})(?: (?P<unit>[a-z]{{3,12}}))?"
    r" and (?:a half|(?P<quarters>an?|one|three) quarters?\b(?! of\b))"
    rf"(?: (?P<scale>{'|'.join(_SCALES)}))?\b"
    rf"|half an?(?: (?P<half_scale>{'|'.join(_SCALES)}))?\b)"
)
_BEFORE_SPAN = "for within after last lasts lasted lasting take takes took taking about roughly only exactly".split()
_AFTER_WORD = "|".join(rf"(?<=\b{word} )" for word in (*_BEFORE_SPAN, "up to"))
# "Lasts a year", "is a year", "have a year to return it", "a year's warranty".
_A_SPAN = (
    rf"\b(?=an? (?!second\b)[a-z])(?:(?:{_AFTER_WORD})an?"
    r"|(?:(?<=\bis )|(?<=\bwas ))an?(?= [a-z]{3,12}(?:[.,;)]|$| long\b))"
    r"|(?:(?<=\bhave )|(?<=\bhas ))an?(?= [a-z]{3,12} to\b)"
    r"|an?(?= [a-z]{3,12}['’]s [a-z]))"
)
_SPAN = re.compile(f"(?i){_A_SPAN}")
_ONE = re.compile(rf"(?i)(?<![\w-])one(?=[ -][a-z])|{_A_SPAN}")
_PRICED = re.compile(r"\d(?: \w+)? for $")
_PRICE = 24  # characters
_PAST = re.compile(
    rf"(?i)\b(?P<part>half|(?:a )?quarter) (?P<to>past|to) (?P<hour>1[0-2]|\d|{'|'.join(_HOURS)})\b"
    r"(?! ?(?:[%:.]\d|percent))"
)
_DOZEN = re.compile(rf"(?i)\b(?P<times>{_COUNT}) dozen\b")
_NOON = re.compile(r"(?i)\b(?:12 )?(?:noon|(?P<midnight>midnight))\b")
_SIGNS = "¼-¾⅐-⅞"
_FRACTION = re.compile(
    rf"(?<![\w/.,])(?:(?P<whole>\d{{1,3}})[ -]?(?=[{_SIGNS}]|(?<=[ -])\d))?"
    rf"(?:(?P<sign>[{_SIGNS}])|(?P<part>[1-9])/(?P<parts>[2-9]|1[0-6])(?!/?\d))(?P<of> of\b)?"
)
_POINTS = re.compile(r"(?i)[ -](?:(?P<basis>basis[ -]points?)|percentage[ -]points?|pp)\b")
_CLOCK = re.compile(
    r"""(?xi) (?: (?<![\w:.,/-]) | (?<=:\d\d-) | (?<=[ap]m-) ) (?P<hour>[01]?\d|2[0-4]) (?:[:.](?P<minute>[0-5]\d))? (?:
      \s? (?P<half>[ap])(?:m\b|\.m\b\.?)
    | (?= \s? (?:[-–—]|to|and|until) \s? \d{1,2} (?:[:.][0-5]\d)? \s? (?P<later>[ap])\.?m\b)
    | \s (?:(?P<round>o['’]clock)|uhr)\b
    | (?<=:\d\d) (?![:.]?\d)
    )"""
)
_DATE = re.compile(r"(?<![\d/.])(?P<first>\d{1,2})(?P<mark>[/.])(?P<second>\d{1,2})(?P=mark)(?P<year>\d{4})(?![\d/])")
# After "version", or of three parts; "1.200.000" is a number.
_VERSION = re.compile(
    r"""(?xi) (?=\d) (?:
      (?<=\bversion[ ]) | (?<=\bversions[ ]) | (?<=\bv) (?=\d+\.\d)
    | (?<![\w.,:/-]) (?!\d+(?:\.\d{3}){2}) (?=\d+\.\d+\.\d)
    ) \d{1,4} (?:\.\d{1,3}){0,3} (?![\w.]*\w)"""
)
_HALF_A_DAY = 720  # minutes
Readers = dict[re.Pattern[str], Callable[[re.Match[str]], Number | None]]


def numbers_of(sentence: ParsedSentence) -> list[Number]:
    """The numbers of a text; "march 2014" is a date in lower case too, "a quarter of" a share, "a dozen" a number."""
    text = sentence.text
    if "may" in text or "march" in text:
        text = _LOWER_MONTH.sub(lambda month: month[0].title(), text)
    taken = bytearray(len(text))  # characters that a part has, or a mark of a source
    for mark in CITATION.finditer(text):
        taken[mark.start() : mark.end()] = b"\1" * (mark.end() - mark.start())
    parts: list[Number] = []
    for part in _other_numbers(text, sentence.words):
        if not any(taken[part.start : part.end]):
            taken[part.start : part.end] = b"\1" * (part.end - part.start)
            parts.append(part)
    whole = [number for number in find_numbers(text) if not any(taken[number.start : number.end])]
    return sorted((_in_points(text, number) for number in (*whole, *parts)), key=lambda number: number.start)


def has_span(text: str) -> bool:
    """Whether a text may have a single unit that is as good as a figure: "lasts a year"."""
    return _SPAN.search(text) is not None


def _other_numbers(text: str, words: frozenset[str]) -> Iterator[Number]:
    """What is a number by the words and marks around it; where two overlap, the first counts."""
    readers = _IN_FIGURES if words.isdisjoint(_WORDED) and not has_span(text) else _IN_WORDS | _IN_FIGURES
    for pattern, read in readers.items():
        for match in pattern.finditer(text):
            if (number := read(match)) is not None:
                yield number


def _share(match: re.Match[str]) -> Number | None:
    """A share ("two thirds of"), or a part of a unit ("three quarters of an hour")."""
    share, times = (match["share"] or match["part"] or "half").lower(), match["times"] or match["amount"]
    if times is None and share != "half":  # "the third of May"
        return None
    value = _count(times) / _DIVISORS[share]
    if match["of_one"] and find_unit(match.string, match.end()):
        return _number(match, value)
    return Number(match[0], *match.span(), "percent", 100 * value, 100 * value)


def _ratio(match: re.Match[str]) -> Number | None:
    """A share put as a ratio: "one in eight", "2 in every 100"; "one in eight hours" is none."""
    times = _count(match["few"] or match["times"])
    whole = match["whole"].replace(",", "").lower()
    if find_unit(match.string, match.end()):
        return None
    total = NUMBER_WORDS.get(whole, _count(whole)) * _SCALES.get((match["scale"] or "").lower(), 1)
    return replace(_number(match, 100 * times / total, "percent"), rough=True) if times < total else None


def _half(match: re.Match[str]) -> Number | None:
    """A part beside wholes ("one and a half million", "an hour and a quarter"), or a half alone ("half an hour")."""
    if match["unit"] and not units_of_spelling(match["unit"]):
        return None
    part = _count(match["quarters"]) / 4 if match["quarters"] else 0.5
    value = _count(match["whole"]) + part if match["whole"] else part
    return _number(match, value * _SCALES.get((match["scale"] or match["half_scale"] or "").lower(), 1))


def _past(match: re.Match[str]) -> Number:
    """A time in words, in either half of the day: "half past six", "a quarter to nine"."""
    hour = match["hour"].lower()
    away = 30 if match["part"].lower() == "half" else 15
    minutes = 60 * (_HOURS.get(hour) or int(hour)) + (away if match["to"].lower() == "past" else -away)
    return replace(_clock(match, minutes), others=(_clock(match, minutes + _HALF_A_DAY),))


def _dozen(match: re.Match[str]) -> Number:
    return _number(match, 12 * _count(match["times"]))


def _one(match: re.Match[str]) -> Number | None:
    """One, where it counts a unit or points: "one year", "lasts a year", not "one of them"."""
    if _PRICED.search(match.string, max(0, match.start() - _PRICE), match.start()):  # "240 euros for a year"
        return None
    counts = find_unit(match.string, match.end()) or _POINTS.match(match.string, match.end())
    return _number(match, 1) if counts else None


def _noon(match: re.Match[str]) -> Number:
    return _clock(match, 0 if match["midnight"] else _HALF_A_DAY)


def _fraction(match: re.Match[str]) -> Number | None:
    """One in figures: "1/2", "1½", "3/4 of"; "9/4" is none."""
    part = unicodedata.numeric(match["sign"]) if match["sign"] else int(match["part"]) / int(match["parts"])
    if part >= 1:
        return None
    value = int(match["whole"] or 0) + part
    return _number(match, 100 * value, "percent") if match["of"] else _number(match, value)


def _in_points(text: str, number: Number) -> Number:
    """A number as points of a percentage, where it is some; basis points may be loosely called a percentage."""
    points = _POINTS.match(text, number.end) if number.kind == "number" else None
    if points is None:
        return number
    low, high = ((each / 100 if points["basis"] else each) for each in (number.low, number.high))
    in_points = Number(text[number.start : points.end()], number.start, points.end(), "points", low, high)
    return replace(in_points, others=(replace(in_points, kind="percent"),)) if points["basis"] else in_points


def _time(match: re.Match[str]) -> Number | None:
    """A time of day. Without "am" or "pm" it may be in either half of the day; "3 pm" may be just "3" elsewhere."""
    hour, minute = int(match["hour"]), int(match["minute"] or 0)
    half = (match["half"] or match["later"] or "").lower()
    if half and not 1 <= hour <= 12:
        return None
    minutes = 60 * (hour % 12 if half else hour) + minute + (_HALF_A_DAY if half == "p" else 0)
    others = [] if match["minute"] else [_number(match, hour)]
    if not match["half"] and 1 <= hour <= 12:
        others.append(_clock(match, minutes + _HALF_A_DAY))
    return replace(_clock(match, minutes), others=tuple(others))


def _clock(match: re.Match[str], minutes: int) -> Number:
    """Minutes since midnight; "9 o'clock" may be any of that hour."""
    low = minutes % (2 * _HALF_A_DAY)
    return Number(match[0], *match.span(), "clock", low, low + (59 if match.groupdict().get("round") else 0))


def _date(match: re.Match[str]) -> Number | None:
    """A date in figures: the day first where points part it, else either first."""
    first, second = int(match["first"]), int(match["second"])
    orders = [(first, second)] if match["mark"] == "." else [(second, first), (first, second)]
    year = int(match["year"])
    dates = [
        replace(_number(match, year, "date"), day=day, month=month)
        for day, month in orders
        if 1 <= day <= 31 and 1 <= month <= 12
    ]
    return replace(dates[0], others=tuple(dates[1:])) if dates else None


def _version(match: re.Match[str]) -> Number:
    """A version; where the word is not beside it ("versions 3.8 and 3.9"), it is a number."""
    version = _number(match, version_value(match[0]), "version")
    return version if match[0].count(".") > 1 else replace(version, others=(_number(match, float(match[0])),))


def _number(match: re.Match[str], value: float, kind: NumberKind = "number") -> Number:
    return Number(match[0], *match.span(), kind, value, value)


def _count(word: str | None) -> float:
    return float(word) if word and word.isdigit() else _COUNTS.get((word or "one").lower(), 1)


_WORDED = frozenset((*_DIVISORS, "dozen", "one", "noon", "midnight"))
_IN_WORDS: Readers = {_PAST: _past, _SHARE: _share, _HALF: _half, _DOZEN: _dozen, _ONE: _one, _NOON: _noon}
_IN_FIGURES: Readers = {_RATIO: _ratio, _FRACTION: _fraction, _DATE: _date, _VERSION: _version, _CLOCK: _time}
