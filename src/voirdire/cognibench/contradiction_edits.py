"""One thing changed in a faithful statement, checked to differ from all that its context knows."""

from __future__ import annotations

import calendar
import random
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, NamedTuple, get_args

from voirdire.data import packaged_files
from voirdire.evidence import ContextIndex
from voirdire.evidence.matching import match_of
from voirdire.text.entities import find_names
from voirdire.text.numbers import Number, agree, find_numbers
from voirdire.text.overlap import content_words
from voirdire.text.sentences import split_sentences

Kind = Literal["number", "date", "unit", "name", "negation", "quantifier", "comparison"]

KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True, slots=True)
class PerturbedStatement:
    """A faithful statement with one thing changed, so that it contradicts its context."""

    answer: str
    """Id of the answer that it stands in."""
    statement: int
    """Its place among the statements of that answer."""
    kind: Kind
    original: str
    text: str


class Count(NamedTuple):
    """How many of how many."""

    flagged: int
    n: int
    missing: int = 0
    """Of `n`, those that the detector gave no score; they count as not flagged."""

    @property
    def rate(self) -> float | None:
        """Share flagged; `None` of none."""
        return self.flagged / self.n if self.n else None


@dataclass(frozen=True, slots=True)
class ContradictionRates:
    """What a detector flags of a suite of contradictions."""

    rates: Mapping[Kind, Count]
    """Of every kind, the perturbed statements that were flagged; higher is better."""
    controls: Count
    """The same statements untouched; lower is better."""


_LEAST = 4  # letters of a name; shorter ones are often words too
_LAST_WORD = re.compile(r"([\w'’-]+)\s$")
_NEXT_WORD = re.compile(r"\s([\w'’-]+)")
_POSSESSIVE = re.compile(r"['’]s?$")
_PREPOSITIONS = {
    word: sort
    for sort, words in {
        "place": "in at near from to into across through outside inside around",
        "agent": "by with under against between for",
        "of": "of",
        "article": "the a an",
    }.items()
    for word in words.split()
}


class NamedPlace(NamedTuple):
    """A name of the context, and how it stands there."""

    text: str
    before: str
    """Sort of the word before it: place, agent, of, article, or empty."""
    attributive: bool
    """Whether a content word follows it: "English barons"."""

    @property
    def words(self) -> int:
        """Length in words."""
        return self.text.count(" ") + 1


class ContextTerms(NamedTuple):
    """A context, with its numbers and names."""

    numbers: tuple[Number, ...]
    names: tuple[NamedPlace, ...]
    """Those whose words never stand in lower case."""
    name_words: frozenset[str]
    context: ContextIndex
    """Its sentences."""

    @classmethod
    def of(cls, context: str) -> ContextTerms:
        """Read a context."""
        names = tuple(dict.fromkeys(_names(context)))
        return cls(
            tuple(find_numbers(context)),
            names,
            frozenset(word.lower() for name in names for word in name.text.split()),
            ContextIndex.from_sentences(dict.fromkeys(each.text for each in split_sentences(context, layout=True))),
        )

    def has_number(self, number: Number) -> bool:
        """Whether a number of the context can mean the same."""
        return any(agree(number, other) for other in self.numbers)

    def near(self, statement: str) -> frozenset[str]:
        """The content words of the sentence that carries a statement best, and of its two neighbours."""
        best = match_of(statement, self.context).closest
        if best is None:
            return frozenset()
        return frozenset().union(*(each.stems for each in self.context.sentences[max(0, best - 1) : best + 2]))


def place_of(text: str, start: int, end: int) -> tuple[str, bool]:
    """(sort of the word before, whether a content word follows) of a name within a text."""
    before = _LAST_WORD.search(text[:start])
    after = _NEXT_WORD.match(text[end:])
    sort = _PREPOSITIONS.get(before[1].lower(), "") if before is not None else ""
    return sort, after is not None and bool(content_words(after[1]))


def _names(context: str) -> Iterator[NamedPlace]:
    titles = {line.strip(" =#*") for line in context.split("\n")}
    lower = set(re.findall(r"(?<![\w'’-])[a-z][\w-]*", context))
    for name in find_names(context):
        text = _POSSESSIVE.sub("", name.text)
        words = [word for word in text.split() if content_words(word)]
        common = any(_POSSESSIVE.sub("", word.lower()) in lower for word in words)
        if words and not (common or name.quoted or text in titles or "\n" in text) and len(text) >= _LEAST:
            yield NamedPlace(text, *place_of(context, name.start, name.start + len(text)))


def swap_name(statement: str, grounds: ContextTerms, chance: random.Random) -> str | None:
    """Put another name of the context where a name of the context stands, upper or lower case as the original.

    The other name is one that neither the statement has, nor the context sentence that carries it best, nor that one's
    neighbours. Where there is one, it stands in the context as the name stands in the statement: after the same sort
    of word, before a noun or not, with as many words.
    """
    mentions = _mentions(statement, grounds)
    near = grounds.near(statement) | set(content_words(statement))
    for name, start, end in chance.sample(mentions, len(mentions)):
        others = [each for each in grounds.names if not near.intersection(content_words(each.text))]
        before, attributive = place_of(statement, start, end)
        same_use = [each for each in others if each.attributive == attributive]
        closest = [each for each in same_use if each.before == before and each.words == name.words]
        options = closest or [each for each in same_use if each.before == before] or same_use
        if options:
            instead = chance.choice(sorted({each.text for each in options}))
            written = instead if any(c.isupper() for c in statement[start:end]) else instead.lower()
            return statement[:start] + written + statement[end:]
    return None


def _mentions(statement: str, grounds: ContextTerms) -> list[tuple[NamedPlace, int, int]]:
    """Names of the context in a statement, longest first; none within another, none that is part of a longer one."""
    mentions: list[tuple[NamedPlace, int, int]] = []
    for name in sorted(grounds.names, key=lambda each: (-len(each.text), each.text)):
        for match in re.finditer(rf"(?i)(?<![\w'’-]){re.escape(name.text)}(?![\w-])", statement):
            free = all(match.end() <= start or match.start() >= end for _, start, end in mentions)
            if free and not _is_part_of_longer_name(statement, match.start(), match.end(), grounds):
                mentions.append((name, match.start(), match.end()))
    return mentions


def _is_part_of_longer_name(statement: str, start: int, end: int, grounds: ContextTerms) -> bool:
    """Whether the word right before or after belongs to a name too, so that only a part of a name was found."""
    beside = (re.search(r"([\w'’-]+)\s$", statement[:start]), re.match(r"\s([\w'’-]+)", statement[end:]))
    words = (_POSSESSIVE.sub("", word[1].lower()) for word in beside if word is not None)
    return any(word in grounds.name_words for word in words)


_AUXILIARY = re.compile(
    r"(?i)\b(?:is|are|was|were|can|could|will|would|may|must|should|has|have|had|does|do|did)\b"
    r"(?=\s(?!not\b|never\b|no\b|nor\b|neither\b|hardly\b|n't)[a-z\d])"
)
_BE = frozenset({"is", "are", "was", "were", "can", "could", "will", "would", "may", "must", "should"})
_OBJECT = r"(?=\s(?:the|a|an|his|her|its|their|over|about|more|many|several|\d))"
_NEGATED = re.compile(
    r"(?i)\b(?:(is|are|was|were|can|could|will|would|may|must|should|has|have|had) not|(do|does|did) not|never)\b "
)
_CANNOT = re.compile(r"(?i)\bcannot\b")


def negate(statement: str, grounds: ContextTerms, chance: random.Random) -> str | None:
    """Say that it was not so: "is not", "had never", "never won"; of a sentence that is negated, say that it was so."""
    taken_out = _without_negation(statement)
    if taken_out is not None:
        return taken_out
    auxiliary = _AUXILIARY.search(statement)
    if auxiliary is not None and _is_auxiliary(statement, auxiliary):
        negator = chance.choice(("not", "never")) if auxiliary[0].lower() in ("was", "were", "had") else "not"
        return f"{statement[: auxiliary.end()]} {negator}{statement[auxiliary.end() :]}"
    verb = _verbs().search(statement)
    return None if verb is None else f"{statement[: verb.start(1)]}never {statement[verb.start(1) :]}"


def _without_negation(statement: str) -> str | None:
    cannot = _CANNOT.search(statement)
    if cannot is not None:
        return f"{statement[: cannot.start()]}can{statement[cannot.end() :]}"
    negated = _NEGATED.search(statement)
    if negated is None or negated[2]:  # "did not win" without "not" is no plain sentence
        return None
    auxiliary = f"{negated[1]} " if negated[1] else ""
    return statement[: negated.start()] + auxiliary + statement[negated.end() :]


def _is_auxiliary(statement: str, match: re.Match[str]) -> bool:
    """Whether "has", "have", "had" and "do" help another verb here ("has won"), and are not verbs themselves."""
    following = statement[match.end() :].split()[0].strip(",.")
    return match[0].lower() in _BE or following in _participles() or following.endswith("ed") or following == "been"


@cache
def _verbs() -> re.Pattern[str]:
    """A past tense before its object, of a verb that no auxiliary or preposition comes before."""
    past = "|".join(_words("past"))
    return re.compile(rf"(?<=[a-z]{{2}} )(?<!ing )(?<!ed )(?<!\bthe )(?<!\band )(?<!\bof )({past}){_OBJECT}")


@cache
def _participles() -> frozenset[str]:
    return frozenset(_words("participles"))


def _words(list_name: str) -> list[str]:
    words: list[str] = packaged_files.read_yaml("lexicons/contradiction_edits.yaml")[list_name].split()
    return words


_TRIES = 12
_LEAST_NUMBERS = 0.15  # relative change of a number; less could pass for rounding
_FIGURE = re.compile(r"\d[\d,]*(?:\.\d+)?")
_LIST_MARK = re.compile(r"(?:^|\n|[:;.]\s)\s*$")
_NAMED = re.compile(r"(?i)\b(?:no|number|bill|route|highway|us|chapter|section|article|version|volume|v)\.?\s?$")
_SMALL = "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_ORDINALS = "second third fourth fifth sixth seventh eighth ninth tenth".split()
_MONTHS = [name.lower() for name in calendar.month_name[1:]]
_MONTH = re.compile(rf"(?i)\b(?:{'|'.join(_MONTHS)})\b")


def change_number(statement: str, grounds: ContextTerms, chance: random.Random) -> str | None:
    """Change a count, a measure, a percentage or a rank by at least 15 %, and by 2 where it is a whole number."""
    numbers = [number for number in find_numbers(statement) if number.kind in ("number", "percent", "ordinal")]
    return _change(
        statement, [each for each in numbers if not _is_label(statement, each)], grounds, chance, _other_value
    )


def change_date(statement: str, grounds: ContextTerms, chance: random.Random) -> str | None:
    """Change a year, a month, a day, a decade or a century."""
    dates = [number for number in find_numbers(statement) if number.kind in ("year", "date")]
    return _change(statement, dates, grounds, chance, _other_time)


def _change(
    statement: str,
    numbers: list[Number],
    grounds: ContextTerms,
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
    if abs(new - value) < max(_LEAST_NUMBERS * value, 0 if places else 2) or new <= 0:
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
        return number.text[: month.start()] + _match_case(instead, month[0]) + number.text[month.end() :]
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


def _match_case(word: str, like: str) -> str:
    return word.capitalize() if like[0].isupper() else word


def change_unit(statement: str, grounds: ContextTerms, chance: random.Random) -> str | None:
    """Change the unit that follows a figure for another of the same quantity: miles for kilometres, weeks for days."""
    pattern, families = _units()
    ends = [number.end for number in find_numbers(statement)]
    matches = [match for end in ends if (match := pattern.match(statement, end)) is not None]
    if not matches:
        return None
    match = chance.choice(matches)
    unit, form, family = families[match[1].lower()]
    instead = chance.choice([other for other in family if other is not unit])[form].partition("|")[0]
    return statement[: match.start(1)] + instead + statement[match.end(1) :]


def change_quantifier(statement: str, grounds: ContextTerms, chance: random.Random) -> str | None:
    """Say of none, of few or never what was said of all, of most or always, and the other way round."""
    return _replace(statement, "quantifiers", chance)


def reverse_comparison(statement: str, grounds: ContextTerms, chance: random.Random) -> str | None:
    """Change a comparison, a direction or an order for its reverse: less for more, before for after."""
    return _replace(statement, "comparisons", chance)


def _replace(statement: str, list_name: str, chance: random.Random) -> str | None:
    pattern, instead = _replacements(list_name)
    matches = list(pattern.finditer(statement))
    if not matches:
        return None
    match = chance.choice(matches)
    new = chance.choice(instead[match[0].lower()])
    written = new.capitalize() if match[0][0].isupper() else new
    return statement[: match.start()] + written + statement[match.end() :]


@cache
def _replacements(list_name: str) -> tuple[re.Pattern[str], dict[str, list[str]]]:
    table: dict[str, str] = _lists()[list_name]
    instead = {phrase: options.split(" | ") for phrase, options in table.items()}
    spelled = "|".join(sorted(map(re.escape, instead), key=len, reverse=True))
    guard = r"(?<!\bthe )" if list_name == "quantifiers" else ""  # "the most famous" quantifies nothing
    return re.compile(rf"(?i)(?<![\w-]){guard}(?:{spelled})(?![\w-])"), instead


_Unit = list[str]  # its forms: one, many, short; a form may have several spellings


@cache
def _units() -> tuple[re.Pattern[str], dict[str, tuple[_Unit, int, list[_Unit]]]]:
    """A pattern of units after a figure, and of each spelling its unit, its form, and the units that may replace it."""
    replacements: dict[str, tuple[_Unit, int, list[_Unit]]] = {}
    for listed in _lists()["units"]:
        family = [unit.split() for unit in listed]
        for unit in family:
            for form, spellings in enumerate(unit):
                replacements.update(dict.fromkeys(spellings.lower().split("|"), (unit, form, family)))
    spelled = "|".join(sorted(map(re.escape, replacements), key=len, reverse=True))
    return re.compile(rf"(?i)[\s-]?({spelled})(?![\w-])"), replacements


@cache
def _lists() -> dict[str, Any]:
    loaded: dict[str, Any] = packaged_files.read_yaml("lexicons/contradiction_edits.yaml")
    return loaded


Edit = Callable[[str, ContextTerms, random.Random], str | None]

EDITS: Mapping[Kind, Edit] = {
    "number": change_number,
    "date": change_date,
    "unit": change_unit,
    "name": swap_name,
    "negation": negate,
    "quantifier": change_quantifier,
    "comparison": reverse_comparison,
}
