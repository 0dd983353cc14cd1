"""Numbers with their units and bounds, and whether two of them can mean the same."""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import groupby, pairwise

from voirdire.evidence.amounts import has_span, numbers_of
from voirdire.evidence.lexicon import Qualifier, lexicon, stem_of
from voirdire.evidence.tokens import ParsedSentence
from voirdire.text.numbers import MONTHS, ORDINALS, Number, agree, with_sign
from voirdire.text.numbers import comparable as alike
from voirdire.text.units import (
    MONEY,
    UnitMatch,
    Units,
    alike_but_for_period,
    converted,
    currency_before,
    family,
    find_unit,
    is_count,
    rated_anywhere,
    units_of_spelling,
    with_rate,
)

_BEFORE = 64  # characters; enough for "may not be used by children younger than"
_SCARCE_BEFORE = 24  # enough for "nothing longer than"
_GIVEN_FOR = re.compile(r" (?:for|to|on)\b")  # "nothing for orders over 60 euros" bounds no price
_AFTER = 16  # enough for " at the earliest"
_CLAUSE_END = re.compile(r"\s*(?:[.,;:)]|$)|\s(?:and|or|but|while|for|on|in)\b")
_AGE_GROUP = re.compile(r"['’]?s\b")
_PART_OF = re.compile(r" of (?:the|its|their|our|all) ")
_OF_WHAT_IS_LEFT = re.compile(r"(?i)\bthe (?:other|remaining) $")
_LIMITING = re.compile(r"(?i)\b(?:under|over)[ -]$")
_DIGIT = re.compile(r"[\d¼-¾⅐-⅞]")
_NUMERALS = frozenset(
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
    "nineteen twenty thirty forty fifty sixty seventy eighty ninety zero one first second third fourth fifth sixth "
    "seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth "
    "nineteenth twentieth half quarter quarters thirds dozen million noon midnight".split()
)
_RANGE = re.compile(r"(?:\s?[-–—]\s?|\s(?:to|or|and)\s)\+?$")
_DATING = re.compile(r"(?i)\b(?:in|since|during|until|till|by)\s$")
"""Before a year: "6 million euros in 2021 and 9 million euros in 2022" has no 2021 euros."""
_DATING_REACH = 8  # characters
_RANGE_MARK = re.compile(r"\s?[-–—−]\s?|\sto\s")
_SINGLE = re.compile(r"(?i)\ban?(?=[ -][a-z])")
_DIFFERENCE = re.compile(r"(?i)[^,;:.]{0,24}?\b(?:more|less|[a-z]{2,12}er)\b[^,;:.]{0,24}\bthan\b")
_DIFFERS = re.compile(r"(?i)\bdiffer(?:ence|s)?\b[^;:.]*$")
_CLAUSE = re.compile(r"\b(?:unless|if|when|because|since)\b")
_DIFFERS_BEFORE = 60  # characters
_AGE_LIMIT = re.compile(
    r"\b(?:adults?|anyone|applicants|children|drivers?|guests?|members|people|persons?|pupils|visitors|those|customers)"
    r" (?:aged |who are )?(?:under|over|below|above|younger than|older than|from|up to) $"
)
_DEADLINE = re.compile(r"\s(?:before|prior|ahead|in advance)\b")
_OTHER_CELL = re.compile(r"[|\"\n\t]")
_GOES_ON = re.compile(r"\s(?:and\s)?")
_COUNTED_FOR_A = re.compile(r"(?i)\san?\s\w+$")
_SIGN_OF_NEXT = re.compile(r"\s[$£€]$")
_CAPITAL_BEFORE = re.compile(r"\b[A-Z][a-z]+ $")
_CAPITAL_AFTER = re.compile(r" [A-Z][a-z]+\b")
_UNIT_AND_A_HALF = re.compile(r"(?i)\w+ ([a-z]+) and (?:a half|(?:an?|one|three) quarters?)")
# A figure belongs to a word with a capital inside ("iPhone 15"), or before it within a sentence ("the Falcon 2").
# The first word of a sentence has one anyway: a verb and another figure must follow ("Falcon 2 weighs 9 g").
_NAME = re.compile(r"((?:(?:(?<=[\w,;)] )|(?<=[A-Z]\. ))[A-Z][a-z]|[A-Za-z][a-z]{0,12}[A-Z])[A-Za-z]{0,20}) $")
_FIRST_NAME = re.compile(r"\b([A-Za-z]?[a-z]{0,12}[A-Z][A-Za-z]{1,20}) $")
_VERB_AND_FIGURE = re.compile(r" [a-z]{1,20}s [$€£]?\d")
# What is counted ends its clause: "Falcon 2 needs diesel, Hawk 3 needs petrol" counts no needs.
_PLURAL = r"([a-z]{2,24}s)(?=[,;.)]|$| and\b)"
_COUNTED = re.compile(rf" {_PLURAL}")
_NAMED_COUNT = re.compile(rf"\b([A-Z][A-Za-z]{{1,20}}) \d[\d,.]{{0,12}} {_PLURAL}")
_WORD = re.compile(r"\b([A-Za-z]{2,33}) $")
_LONGEST_NAME = 40  # characters that are looked at
# What makes a bound the limit of a condition: "free for orders over 60 euros"; "it cost over 60 euros" is one value.
_CONDITION = re.compile(
    r"\b(?:free|if|when|where|only|any|all|every|each|must|may|can|allowed|required|requires?|appl(?:y|ies)|valid|entitled"
    r"|orders?|purchases?|bookings?|amounts?|sums?|values?|temperatures?|loads?|persons?|adults?|children|customers?|groups?"
    r"|discounts?|delays?|aged?|cancel|cancell?ing|cancellations?|postpone|rebook|withdraw)\b[^,;:.()]*$"
    r"|(?:^|[;:.*]\s?|\b(?:be|is|are)\s)(?:stored?|keep|kept)\b[^,;:.()]*$"
)
_LEADS = re.compile(r"(?:^|[;:,.*])\s*$")  # "beyond 5 miles it costs"
_MANY = re.compile(
    r"(?:^|[;:,.*]|\b(?:for|of|to|any|all|with|the|by)\b)\s*(?:[a-z]+ )?[a-z]{3,}s $"
)  # After a limit: "vans taller than 2 m have to", "dogs up to 15 kg are".
_RULED = re.compile(r"\s(?:must|have|has|may|can|cannot|need|pay|are|is|cost|go|get|will|should|shall|do|require)\b")
_WITH = re.compile(r"\bwith $")
_COUNT_RULED = re.compile(rf"\s[a-z-]+{_RULED.pattern}")
"""After a limit of a count: "accounts with more than five units must"."""
# What the rest is told by: "up to 15 kg, larger ones …".
_BEYOND = re.compile(
    r"\b(?:larger|bigger|longer|heavier|taller|higher|older|younger|smaller|shorter|later|earlier|others?|otherwise)\b"
    r"(?! than)"
)
_PAST = re.compile(
    r"\b(?:was|were|had|(?<!\bbe )(?<!\bis )(?<!\bare )[a-z]{3,}ed)\b(?! for\b| if\b| when\b)[^,;:.()]*$"
)
_FROM = re.compile(r"(?<![\w-])from\s[$£€]?\s?$")
_ONWARDS = re.compile(r"\s(?:to|until|till|through)\b|\s?[-–—]\s?\d")
# What makes a date an end of a season, or a time one of opening hours, and none in it: "open until 30 October", "it
# closes on 30 October".
_SPAN_END = re.compile(
    r"\b(?:from|until|till|to|through|since|by|before|after|(?:opens|closes|begins|starts|ends)(?: \w+)?(?: on| at)?)"
    r"(?: the)? $"
)
_PART_OF_SENTENCE = re.compile(r"[^,;:.()]*$")
_BOUNDS: dict[Qualifier, int] = {"at_least": 1, "at_most": -1, "nearly": -1}
ROUNDING = 0.06  # relative difference that "about" forgives
_EXACT = 0.002  # relative difference of what was converted: a year is 365 days
_COARSE = 0.05  # the same, at most, where a value was rounded after it was converted
_COARSEST = 0.02  # the same, to one place
_UNENDING = 12  # places that are looked at; a third has them all


@dataclass(frozen=True)
class Figure:
    """A number of a sentence, with what stands around it."""

    text: str
    """With its unit, as it stands: "$5", "5 km"."""
    number: Number
    units: Units
    """What its unit can be; empty where none follows, and no currency comes before."""
    start: int
    end: int
    """Of the text."""
    before: str
    """What stands right before it, lower-case."""
    after: str
    """What stands right after it, lower-case."""
    plus: bool
    """Whether it is left open upwards: "20+"."""
    noun: str
    """Stem of the word counted: "districts" of "three main school districts"; empty where there is none."""
    falls: bool
    """Whether its sentence speaks of a fall or a loss: a share or a sum without a sign may then mean one below zero."""
    changes: bool
    """Whether its sentence speaks of a change: "from 3 to 6" is then no range."""

    @cached_property
    def bounded(self) -> str:
        """With the words that make it a bound, as they stand in lower case: "below 50 °C", "18 or older"."""
        qualified = self._qualified(*_BOUNDS)
        if qualified is None:
            return self.text
        text = qualified[1] if qualified[1].startswith(self.text) else self.text
        return (
            qualified[1]
            if self.negator_start < 0
            else f"{self.before[self.negator_start - self.start :].strip()} {text}"
        )

    @cached_property
    def bound(self) -> int:
        """1: at least, more than; -1: at most, less than, nearly; 0: neither."""
        qualified = self._qualified(*_BOUNDS)
        if qualified is None:
            return 0
        if qualified[0] == "at_most" and qualified[1].startswith(lexicon().reaching) and _DEADLINE.match(self.after):
            return 1  # "free of charge up to 24 hours before"
        return _BOUNDS[qualified[0]]

    @cached_property
    def negator_start(self) -> int:
        """Where the negator stands that makes an upper bound of a lower one: "not exceeding 5"; -1 for none."""
        words = lexicon()
        before = (words.qualifiers[name].search(self.before) for name in _BOUNDS)
        nearest = len(self.before) if self.bound else 0  # the bound follows the figure: "not at 5 °C or above"
        start = min((match.start() for match in before if match is not None), default=nearest)
        negator = words.negator.search(self.before, 0, start)
        if negator is None:
            return -1
        reaches = len(self.before) - negator.start() <= _SCARCE_BEFORE and not _GIVEN_FOR.match(
            self.before, negator.end()
        )
        if negator[0] in words.scarce and not reaches:
            return -1
        if negator[0] == "without" and self.before[negator.end() : start].strip():  # "without a booking within 30 days"
            return -1
        if _CLAUSE.search(self.before, negator.end(), start):  # "not refunded unless it is more than 30 days old"
            return -1
        return self.start - len(self.before) + negator.start()

    @property
    def is_limit(self) -> bool:
        """Whether values keep it: "at least 5", "5 or more", "must not exceed 5"; "more than 5" may be one value."""
        follows = self.bound != 0 and self.bounded.startswith(self.text)
        return self.negator_start >= 0 or follows or self.bounded.startswith(lexicon().limiting)

    @cached_property
    def condition(self) -> int:
        """1 or -1 where values above or below it meet a condition: "free for orders over 60 euros", "from 60 euros"."""
        words = lexicon()
        patterns = ((_BOUNDS[name], words.qualifiers[name]) for name in ("at_least", "at_most"))
        opens = _FROM.search(self.before) if not (self.changes or _ONWARDS.match(self.after)) else None
        conditions = (
            [(1, opens)] if opens else [(each, match) for each, it in patterns if (match := it.search(self.before))]
        )
        if not conditions or self.negator_start >= 0:
            return 0
        direction, match = min(conditions, key=lambda each: each[1].start())
        before = self.before[: match.start()]
        meant = _CONDITION.search(before) or _LEADS.search(before) or _RULED.match(self.after)
        meant = meant or (_WITH.search(before) and _COUNT_RULED.match(self.after))
        return direction if meant and not _PAST.search(before) else 0

    @cached_property
    def follows(self) -> str:
        """Stem of the word before it, and before the words of its bound: "version" of "version 10", "groups of 10"."""
        bounds = (lexicon().qualifiers[name].search(self.before) for name in _BOUNDS)
        end = min((match.start() for match in bounds if match), default=len(self.before))
        part = _PART_OF_SENTENCE.search(self.before[:end])
        return next((stem for word in reversed(part[0].split() if part else []) if (stem := stem_of(word))), "")

    @property
    def reaches(self) -> bool:
        """Whether it says how far something goes, without being all there is: "works up to 30 °C"."""
        return self.negator_start < 0 and self.bounded.startswith(lexicon().reaching)

    @cached_property
    def qualifier(self) -> Qualifier | None:
        """What the words beside it make of it, or the plus after it; `None` where it is given as exact."""
        qualified = self._qualified("at_least", "at_most", "nearly", "about")
        return qualified[0] if qualified else "at_least" if self.plus else None

    @property
    def about(self) -> bool:
        """Whether it is given as rough."""
        return self.qualifier is not None

    def _qualified(self, *names: Qualifier) -> tuple[Qualifier, str] | None:
        """(qualifier, figure with its words); "no more than" ends in "more than": the longer one is meant."""
        words = lexicon()
        before = ((name, words.qualifiers[name].search(self.before)) for name in names)
        matches = [(name, match) for name, match in before if match is not None]
        if matches:
            name, match = min(matches, key=lambda each: each[1].start())
            return name, f"{match[0].strip()} {self.text}"
        after = ((name, pattern.match(self.after)) for name, pattern in words.bounds_after.items() if name in names)
        return next(((name, self.text + match[0]) for name, match in after if match is not None), None)


@lru_cache(maxsize=4096)
def figures_of(sentence: ParsedSentence) -> tuple[Figure, ...]:
    """The numbers of a sentence."""
    if not _may_count(sentence):
        return ()
    figures: list[Figure] = []
    for number in reversed(numbers_of(sentence)):
        figure = _figure(sentence, number, figures[-1] if figures else None)
        whole = _sum(sentence.text, figure, figures[-1]) if figures else None
        if whole is not None:
            figures[-1] = whole
        else:
            figures.append(figure)
    return tuple(reversed(figures))


def name_of(text: str, figure: Figure, known: Container[str] = ()) -> str:
    """The word that a figure belongs to, as the 2 of "the Falcon 2" does; empty for a quantity.

    Args:
        text: that has the figure.
        figure: any.
        known: words, in lower case, that have a figure in other sentences: they need no capital. Neither does what
            is numbered ("error 404").
    """
    number = figure.number
    if number.kind != "number" or figure.units or not number.text.replace(".", "").isdigit():
        return ""
    return _name_before(text, number, known)


def is_word_of_name(text: str, figure: Figure) -> bool:
    """Whether a number in words stands amid words with capitals, as that of "Hotel Seven Stars" does."""
    number = figure.number
    is_capital = number.text.isalpha() and number.text[0].isupper() and not figure.units
    return is_capital and bool(_CAPITAL_BEFORE.search(text, 0, number.start) and _CAPITAL_AFTER.match(text, number.end))


def _name_before(text: str, number: Number, known: Container[str] = ()) -> str:
    """The word of a name that a number follows; empty where none does."""
    start = max(0, number.start - _LONGEST_NAME)
    word = _WORD.search(text, start, number.start)
    if word and (word[1].lower() in known or word[1].lower() in lexicon().numbered):
        return word[1]
    pattern = _FIRST_NAME if _VERB_AND_FIGURE.match(text, number.end) else _NAME
    match = pattern.search(text, start, number.start)
    if match is None or not stem_of(match[1].lower()) or match[1].lower() in MONTHS:
        return ""
    return "" if _counts_of_others(text, number, match[1]) else match[1]


def _counts_of_others(text: str, number: Number, name: str) -> bool:
    """Whether a figure counts what its sentence counts of another name too: "France 28 athletes, Italy 31 athletes"."""
    counted = _COUNTED.match(text, number.end)
    return counted is not None and not _counted_names(text).get(counted[1], frozenset((name,))) <= {name}


@lru_cache(maxsize=64)
def _counted_names(text: str) -> dict[str, frozenset[str]]:
    """Of each word that a text may count, the names before the counts; each of its figures asks again."""
    names: dict[str, set[str]] = {}
    for name, counted in _NAMED_COUNT.findall(text):
        names.setdefault(counted, set()).add(name)
    return {counted: frozenset(some) for counted, some in names.items()}


def is_difference(text: str, figure: Figure) -> bool:
    """Whether a figure says by how much two things differ: "20 Nm more than the D12", "the difference is 20 Nm"."""
    before = text[max(0, figure.start - _DIFFERS_BEFORE) : figure.start]
    return _DIFFERENCE.match(text, figure.end) is not None or _DIFFERS.search(before) is not None


def single_units_of(sentence: ParsedSentence) -> list[Figure]:
    """The units of which a sentence has just one: "an hour"."""
    numbers = (Number(match[0], *match.span(), "number", 1, 1) for match in _SINGLE.finditer(sentence.text))
    return [figure for number in numbers if (figure := _figure(sentence, number, None)).units]


def _sum(text: str, figure: Figure, following: Figure) -> Figure | None:
    """Two figures as one, where the second goes on with a smaller unit: "1 hour 30 minutes"."""
    if not (figure.units and following.units and _GOES_ON.fullmatch(text, figure.end, following.start)):
        return None
    smaller = converted(1, following.units, figure.units)
    whole = converted(figure.number.value, figure.units, following.units)
    if not smaller or smaller[0] >= 1 or following.number.value * smaller[0] >= 1:
        return None
    value = whole[0] + following.number.value
    start, end = figure.number.start, following.number.end
    number = Number(text[start:end], start, end, "number", value, value)
    return replace(following, text=text[figure.start : following.end], number=number, start=figure.start)


def _may_count(sentence: ParsedSentence) -> bool:
    """Whether a look for numbers can find any: most sentences are spared the slower search."""
    text = sentence.text
    return not _NUMERALS.isdisjoint(sentence.words) or _DIGIT.search(text) is not None or has_span(text)


def _figure(sentence: ParsedSentence, number: Number, following: Figure | None) -> Figure:
    """A number with its unit; the first of a range ("3 to 5 km") has that of the second."""
    text = sentence.text
    units, start, end = _unit(text, number)
    noun = _noun(sentence, number)
    if not units and following is not None and number.kind in ("number", "year"):
        dates = number.kind == "year" and _DATING.search(text, max(0, number.start - _DATING_REACH), number.start)
        if following.units and not dates and _RANGE.fullmatch(text, number.end, following.start):
            units, noun = following.units, following.noun
    if units and number.kind == "year":  # "1200 watts"
        number = replace(number, kind="number")
    units += rated_anywhere(text, units)
    number = with_sign(text, number, start, end)
    start = min(start, number.start)
    before = text[max(0, start - _BEFORE) : start].lower()
    after = text[end : end + _AFTER].lower()
    plus = text.startswith(("+", "s "), number.end)
    falls = not lexicon().falls.isdisjoint(sentence.words)
    changes = falls or not lexicon().changes.isdisjoint(sentence.words)
    return Figure(text[start:end], number, units, start, end, before, after, plus, noun, falls, changes)


def _unit(text: str, number: Number) -> tuple[Units, int, int]:
    """What the unit of a number can be, and where the two begin and end."""
    if number.kind in ("percent", "points", "date", "ordinal", "clock", "version"):
        return (), number.start, number.end
    inner = _UNIT_AND_A_HALF.fullmatch(number.text)
    if inner is not None:
        return units_of_spelling(inner[1]), number.start, number.end
    sign = currency_before(text, number.start)
    if sign is not None:
        money = with_rate(text, UnitMatch((sign[0],), number.end))
        return money.units, sign[1], money.end
    if _AGE_GROUP.match(text, number.end) and _LIMITING.search(text, 0, number.start):
        return (), number.start, number.end  # "under-18s" are no seconds
    unit = find_unit(text, number.end)
    if unit is None or (number.kind == "year" and not text[number.start : number.end].isdigit()):
        return (), number.start, number.end
    if _SIGN_OF_NEXT.search(text, number.end, unit.end) and text[unit.end : unit.end + 1].isdigit():
        return (), number.start, number.end  # "five cost £195 and ten £370"
    if _COUNTED_FOR_A.search(text, number.end, unit.end) and is_count(unit.units) and _name_before(text, number):
        return (), number.start, number.end  # "the Brenner 40 heats a cup"
    return unit.units, number.start, unit.end


def _noun(sentence: ParsedSentence, number: Number) -> str:
    first = bisect_left(sentence.tokens, number.end, key=lambda token: token.start)
    for token in sentence.tokens[first : first + 4]:
        if not token.word[0].isalpha() or _OTHER_CELL.search(sentence.text, number.end, token.start):
            return ""
        if token.stem:
            return token.stem
        if token.word == "to":  # "12 books to an adult and 8 to a child"
            return ""
    return ""


def names_rank(sentence: ParsedSentence, figure: Figure) -> bool:
    """Whether a sentence has this rank without an article, which makes it no figure there: "by second-class rail"."""
    return figure.number.kind == "ordinal" and any(
        ORDINALS.get(one.word) == figure.number.value and other.stem == figure.noun != ""
        for one, other in pairwise(sentence.tokens)
    )


def same_sort(one: Figure, other: Figure) -> bool:
    """Whether two figures measure the same in units of one family, are both shares, or count the same."""
    if one.number.kind == other.number.kind and one.number.kind in ("percent", "points"):
        return True
    return bool(family(one.units) & family(other.units)) or (
        not one.units and not other.units and one.noun == other.noun != ""
    )


def with_elided_units(figures: Iterable[Figure]) -> Iterator[Figure]:
    """The figures of a sentence, one without a noun of its own in the units before it.

    "Adults pay 9 euros, children 5", "12 km on Saturday and 9 on Sunday": the next noun is not what is counted. Right
    before another figure it counts what such a one counted before: "five lessons cost 195 euros and ten 370 euros". So
    does what is left, and a part counts what the whole does: "six of the eight bells are old, the other two are new".
    """
    before: Figure | None = None
    known = list(figures)
    for place, each in enumerate(known):
        if _repeats_pair(known, place):
            yield replace(each, units=known[place - 2].units, noun=known[place - 2].noun)
            continue
        whole = next(iter(known[place + 1 : place + 2]), None)
        if whole is not None and not each.units and _PART_OF.fullmatch(each.after[: whole.start - each.end]):
            each = replace(each, noun=whole.noun)
        is_bare = not each.units and each.number.kind == "number" and _CLAUSE_END.match(each.after)
        is_left = not each.units and each.number.kind == "number" and _OF_WHAT_IS_LEFT.search(each.before)
        if (is_bare or is_left) and before is not None:
            yield replace(each, units=before.units, noun=before.noun)
            continue
        before = each if each.number.kind == "number" and (each.units or each.noun) else None
        yield each


def _repeats_pair(figures: Sequence[Figure], place: int) -> bool:
    """Whether a bare number goes with the figure right after it as two figures before it do."""
    figure = figures[place]
    if not 2 <= place < len(figures) - 1 or figure.units or figure.noun or figure.number.kind != "number":
        return False
    pair = (figures[place - 1], figures[place + 1])
    return figures[place - 2].number.kind == "number" and same_sort(*pair) and pair[1].start - figure.end == 1


def keeps_limits(figure: Figure, others: Sequence[Figure], text: str) -> bool:
    """Whether a plain figure is within the ranges ("5 to 40 °C") and limits that a text gives with these figures.

    So is "about 30 °C", or "up to 30 °C", within such a range, but not within a limit.
    """
    limits = [other for other in others if _limits(other) and _limited_alike(figure, other)]
    outcomes = []
    for _, steps in groupby(limits, key=lambda each: (each.condition, None if each.condition else each.start)):
        outcomes.append(  # of the steps "over 60 minutes: 25 %; over 120 minutes: 50 %" it may keep the first
            any(
                _keeps_limit(figure, step)
                or (not agree(figure.number, step.number) and _tells_of_the_rest(step, limits, text))
                for step in steps
            )
        )
    if outcomes and figure.about:
        return False
    ranges = ranges_of(others, text)
    spans = [is_within(figure, one, other) for one, other in ranges if _is_span(figure, other)]
    if spans:
        outcomes.append(any(spans) and not _SPAN_END.search(figure.before))
    for one, other in ranges:
        if same_sort(figure, other):
            low, high = min(_in_units_of(one, other), default=math.inf), other.number.high
            outcomes.append(all(low <= value <= high for value in _in_units_of(figure, other)))
    return bool(outcomes) and all(outcomes) and (figure.reaches or figure.qualifier in (None, "about"))


def _limits(figure: Figure) -> bool:
    return figure.is_limit or figure.reaches or figure.condition != 0


def _limited_alike(figure: Figure, limit: Figure) -> bool:
    """Whether a limit may be one of a figure: "version 10 or later" is one of "version 12"."""
    kinds = {figure.number.kind, limit.number.kind}
    bare = not (figure.units or limit.units) and kinds in ({"number"}, {"version"})
    aged = figure.after.startswith("-old") and not limit.units and _AGE_LIMIT.search(limit.before) is not None
    return same_sort(figure, limit) or aged or (bare and figure.follows == limit.follows != "")


def _tells_of_the_rest(limit: Figure, limits: Sequence[Figure], text: str) -> bool:
    """Whether a text also says what is beyond a limit: "within 5 miles … beyond 5 miles", "up to 15 kg, others"."""
    opposite = any(agree(limit.number, each.number) and _side(each) == -_side(limit) for each in limits)
    after = limit.bounded.removeprefix(limit.text) if limit.bounded.startswith(limit.text) else ""
    return opposite or _BEYOND.search(text, limit.end + len(after)) is not None


def _is_span(figure: Figure, end: Figure) -> bool:
    """Whether a figure and the end of a range are days of any year, or times of any day."""
    is_season = end.number.yearless and figure.number.month is not None
    return is_season or figure.number.kind == end.number.kind == "clock"


def is_within(figure: Figure, first: Figure, last: Figure) -> bool:
    """Whether it is between two days of the year, or two times of day: 23:00 is, from 22:00 to 6:00."""
    begin, end = _moment(first.number), _moment(last.number)
    has_am_or_pm = last.number.text.rstrip(".")[-1].isalpha()  # "4:30" may be one in the afternoon, "from 9 am to 5 pm"
    moments = map(
        _moment, (figure.number, *(each for each in figure.number.others if has_am_or_pm and each.kind == "clock"))
    )
    return any(begin <= each <= end if begin <= end else each >= begin or each <= end for each in moments)


def _moment(number: Number) -> tuple[float, float]:
    return (0, number.low) if number.kind == "clock" else (number.month or 0, number.day or 0)


def _keeps_limit(figure: Figure, limit: Figure) -> bool:
    direction = _side(limit)
    return all(direction * value >= direction * limit.number.value for value in _in_units_of(figure, limit))


def _side(limit: Figure) -> int:
    """1 where what is above a limit keeps it, -1 where what is below does."""
    return (limit.bound or limit.condition) if limit.negator_start < 0 else -limit.bound


def ranges_of(figures: Sequence[Figure], text: str) -> list[tuple[Figure, Figure]]:
    """The ends of each range of a text."""
    return [(one, other) for one, other in pairwise(figures) if is_range(text, one, other)]


def range_text(ends: tuple[Figure, Figure], text: str) -> str:
    """A range as its text writes it: "between 2 and 4 bar", "2 to 4 bar"."""
    one, other = ends
    return ("between " if one.before.endswith("between ") else "") + text[one.start : other.end]


def is_range(text: str, one: Figure, other: Figure) -> bool:
    """Whether two figures are the ends of a range."""
    between = text[one.end : other.start]
    if between == " and ":
        return one.before.endswith("between ")
    return _RANGE_MARK.fullmatch(between) is not None and not (one.changes and one.before.endswith("from "))


def _in_units_of(figure: Figure, other: Figure) -> list[float]:
    """The values that a figure may have in the units of another of its sort."""
    return converted(figure.number.value, figure.units, other.units) if figure.units else [figure.number.value]


def same_value(figure: Figure, other: Figure) -> bool:
    """Whether two figures can mean the same, rounding forgiven: of what is given to fewer places, or as rough."""
    for one, two in ((figure, other), (other, figure)):
        if one.number.high < 0 <= two.number.low and two.falls and _may_fall(two):
            return same_value(replace(one, number=_absolute(one.number)), two)
    if not (figure.units and other.units):
        return _same_number(figure, other)
    if family(figure.units) & family(other.units):
        return _same_quantity(figure, other)
    return alike_but_for_period(figure.units, other.units) and _same_number(figure, other)


def _may_fall(figure: Figure) -> bool:
    """Whether it is a share or a sum of money: "fell by 5 %" is "-5 %", but "-5 °C" is not "5 °C"."""
    money = any((MONEY, 1) in each for each in family(figure.units))
    return figure.number.kind in ("percent", "points") or money


def _absolute(number: Number) -> Number:
    """The same above zero."""
    return replace(number, low=-number.high, high=-number.low)


def _same_quantity(figure: Figure, other: Figure) -> bool:
    """Whether two figures with units of the same family can mean the same."""
    if set(figure.units) & set(other.units):
        return _same_number(figure, other)
    rough = ROUNDING if figure.about or other.about else 0.0
    return any(
        _equals_converted(stated, value, rough)
        for one, two in ((figure, other), (other, figure))
        for stated in _values(one.number)
        for from_value in _values(two.number)
        for value in converted(from_value, two.units, one.units)
    )


def _values(number: Number) -> list[float]:
    """The values that a number may have."""
    return [number.value, *(each.value for each in number.others)]


def _equals_converted(stated: float, value: float, rough: float) -> bool:
    """Whether a value that was converted is the one given, to as many places as are given: 62 mph for 100 km/h."""
    difference = abs(stated - value)
    if difference <= max(rough, _EXACT) * abs(value):
        return True
    places = _places(stated)
    near = difference <= (_COARSE if places > 1 else _COARSEST) * abs(value)
    return near and math.isclose(_rounded(value, places), stated)


def _same_number(figure: Figure, other: Figure) -> bool:
    one, two = figure.number, other.number
    if agree(one, two):
        return True
    if one.kind != two.kind or one.kind not in ("number", "percent", "points") or not two.value:
        return False
    if abs(one.value - two.value) > ROUNDING * abs(two.value):  # more than any rounding to two places does
        return False
    if one.rough != two.rough:
        return True
    places = _places(one.value)
    if places >= _places(two.value):  # of what is given to more places only a third is "33 %"
        return places == _UNENDING and _rounded(one.value, _places(two.value)) == two.value
    return figure.about or other.about or (_rounded(two.value, places) == one.value and places > 1)


def _places(value: float) -> int:
    """How many significant digits a value has: 2 of 1,200."""
    return len(f"{value:.{_UNENDING}g}".partition("e")[0].replace(".", "").strip("0-"))


def _rounded(value: float, places: int) -> float:
    return round(value, places - 1 - math.floor(math.log10(abs(value))))


def other_figures(claim: Sequence[Figure], evidence: Sequence[Figure]) -> Iterator[tuple[Figure, Figure]]:
    """Of sentences that say the same, (figure, figure of its sort) where each is lacking in the other sentence."""
    only_claim = [figure for figure in claim if not any(same_value(figure, other) for other in evidence)]
    only_evidence = [other for other in evidence if not any(same_value(figure, other) for figure in claim)]
    for figure in only_claim:
        rival = next((other for other in only_evidence if alike(figure.number, other.number)), None)
        if rival is not None:
            yield figure, rival
