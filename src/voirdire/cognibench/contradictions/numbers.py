"""Numbers and dates changed by more than rounding, into values that the context does not have."""

from __future__ import annotations

import calendar
import random
import re
from collections.abc import Callable, Iterator

from voirdire.cognibench.contradictions.grounds import Grounds
from voirdire.text import Number, find_numbers

_TRIES = 12
_LEAST = 0.15  # relative change of a number; less could pass for rounding
_FIGURE = re.compile(r"\d[\d,]*(?:\.\d+)?")
_LIST_MARK = re.compile(r"(?:^|\n|[:;.]\s)\s*$")
_NAMED = re.compile(r"(?i)\b(?:no|number|bill|route|highway|us|chapter|section|article|version|volume|v)\.?\s?$")
_SMALL = "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_ORDINALS = "second third fourth fifth sixth seventh eighth ninth tenth".split()
_MONTHS = [name.lower() for name in calendar.month_name[1:]]
_MONTH = re.compile(rf"(?i)\b(?:{'|'.join(_MONTHS)})\b")


def change_number(statement: str, grounds: Grounds, chance: random.Random) -> str | None:
    """Change a count, a measure, a percentage or a rank by at least 15 %, and by 2 where it is a whole number."""
    found = [number for number in find_numbers(statement) if number.kind in ("number", "percent", "ordinal")]
    return _change(statement, [each for each in found if not _is_label(statement, each)], grounds, chance, _other_value)


def change_date(statement: str, grounds: Grounds, chance: random.Random) -> str | None:
    """Change a year, a month, a day, a decade or a century."""
    found = [number for number in find_numbers(statement) if number.kind in ("year", "date")]
    return _change(statement, found, grounds, chance, _other_time)


def _change(
    statement: str,
    numbers: list[Number],
    grounds: Grounds,
    chance: random.Random,
    other: Callable[[Number, random.Random], str | None],
) -> str | None:
    for number in chance.sample(numbers, len(numbers)):
        for _ in range(_TRIES):
            instead = other(number, chance)
            if instead is None:
                break
            changed = statement[: number.start] + instead + statement[number.end :]
            if all(not grounds.has_number(new) for new in _new_numbers(statement, changed)):
                return changed
    return None


def _new_numbers(statement: str, changed: str) -> Iterator[Number]:
    """What the changed statement has and the original lacks; itself when nothing, so that no change never passes."""
    before = {(number.kind, number.low, number.month, number.day) for number in find_numbers(statement)}
    after = find_numbers(changed)
    new = [each for each in after if (each.kind, each.low, each.month, each.day) not in before]
    yield from new or after


def _is_label(statement: str, number: Number) -> bool:
    """Whether a number only numbers something: a list item, a route, a bill."""
    before = statement[: number.start]
    is_item = _LIST_MARK.search(before) and statement[number.end : number.end + 1] in ".)"
    return bool(is_item or _NAMED.search(before))


def _other_value(number: Number, chance: random.Random) -> str | None:
    figure = _FIGURE.search(number.text)
    if figure is None:
        return _other_words(number, chance)
    digits = figure[0].replace(",", "")
    places = len(digits.partition(".")[2])
    value = float(digits)
    new = round(chance.choice((value * chance.uniform(0.3, 0.8), value * chance.uniform(1.25, 3), value + 3)), places)
    if abs(new - value) < max(_LEAST * value, 0 if places else 2) or new <= 0:
        return None if value <= 2 and not places else number.text
    written = f"{new:,.{places}f}" if "," in figure[0] or new >= 10_000 else f"{new:.{places}f}"
    text = number.text[: figure.start()] + written + number.text[figure.end() :]
    return _with_suffix(text) if number.kind == "ordinal" else text


def _with_suffix(text: str) -> str:
    """An ordinal with the ending that its figure takes."""
    figure = text.rstrip("stndrhSTNDRH")
    tens, ones = divmod(int(figure.replace(",", "")) % 100, 10)
    return figure + ("th" if tens == 1 else {1: "st", 2: "nd", 3: "rd"}.get(ones, "th"))


def _other_words(number: Number, chance: random.Random) -> str | None:
    """Another word for one of a written-out number's words."""
    if " " in number.text.strip() and number.kind == "ordinal":
        return None
    for series in (_SMALL, _TENS, _ORDINALS):
        for match in re.finditer(r"[a-z]+", number.text.lower()):
            if match[0] in series:
                at = series.index(match[0])
                instead = chance.choice([word for place, word in enumerate(series) if abs(place - at) > 1])
                return number.text[: match.start()] + instead + number.text[match.end() :]
    return None


def _other_time(number: Number, chance: random.Random) -> str | None:
    month = _MONTH.search(number.text)
    year = re.search(r"\d{4}", number.text)
    if month and (year is None or chance.random() < 0.4):
        instead = chance.choice([name for name in _MONTHS if name != month[0].lower()])
        return number.text[: month.start()] + _cased(instead, month[0]) + number.text[month.end() :]
    if "centur" in number.text.lower():
        return _other_century(number, chance)
    if year is None:
        return None
    is_decade = number.text.rstrip().endswith("s")
    shift = chance.choice((-1, 1)) * (10 * chance.randint(1, 4) if is_decade else chance.randint(3, 30))
    new = int(year[0]) + shift
    return number.text[: year.start()] + str(new) + number.text[year.end() :] if 1000 <= new <= 2100 else number.text


def _other_century(number: Number, chance: random.Random) -> str | None:
    figure = re.match(r"\d+(?:st|nd|rd|th)", number.text)
    if figure is None:
        return None
    century = int(figure[0][:-2])
    new = chance.choice([each for each in range(max(1, century - 4), min(21, century + 4) + 1) if each != century])
    return _with_suffix(f"{new}th") + number.text[figure.end() :]


def _cased(word: str, like: str) -> str:
    return word.capitalize() if like[0].isupper() else word
