"""Figures that a context does not have and that follow from those it has: sums, differences, multiples, shares.

"Together the floors have 21 rooms" follows from "12 rooms on the ground floor and 9 upstairs". A figure of a dozen can
be made of two others by chance, so each way needs a word that says so ("together", "cheaper", "half of"), and figures
of one sort, in the sentences that speak of the same. Where a sentence names what they are of, they must be theirs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, combinations, groupby, pairwise, permutations
from math import isclose

from voirdire.evidence.comparisons import MONEY
from voirdire.evidence.figures import ROUNDING, Figure, is_difference, ranges_of, same_sort
from voirdire.evidence.lexicon import stem_of
from voirdire.evidence.matching import Match
from voirdire.evidence.owners import Owners, Spot
from voirdire.evidence.proportions import Placed, prices_beyond, proportions
from voirdire.evidence.row_sums import calculation_of
from voirdire.evidence.tokens import ParsedSentence
from voirdire.text.units import Units, converted, in_main_currency, is_count, is_money

_BEGINNING = 6
"""Sentences that are looked at where none shares a word with the sentence."""
_MOST = 24
"""Figures of the context that are put together, those of the nearest sentences."""
_SOUGHT = 30
"""Figures of a sentence of which it is asked whether they follow from others; more are a table, and no sums."""
_SUM = frozenset(
    "together altogether total totals totalling totaling combined sum sums both all overall adds consists consist "
    "comprises comprise numbers across whole make makes comes come".split()
)
_DIFFERENCE = frozenset(
    "more fewer less other others another further rest not no none without left leaves remaining remain remains "
    "difference differ differs gap apart save saves saving savings after before later earlier within since ahead "
    "behind increase increased rose grew fell dropped decrease decreased".split()
)
_COMPARATIVE = re.compile(r"(?i)\b[a-z]{2,12}er\b(?= (?:than|by|on|in|for|a|an|each|per)\b|[.,;]|$)|\bold\b")
_CALCULATED = frozenset("together altogether total totals combined sum save saves saved saving savings".split())
"""Words by which a sentence says that it calculates."""
_COMES = frozenset("come comes".split())
_BESIDE = frozenset("and with plus including".split())
"""Words by which a sentence names what it adds up."""
_EACH = frozenset("each every apiece per".split())
"""Where a figure is of each, it is not of all: "10 files of 40 MB each"."""
_ONE = frozenset("a an one single".split())
_TAKEN_OFF = re.compile(r"(?i)\b(?:less|off|discount|cheaper|reduced|reduction|fewer)\b")
_TIMES = re.compile(r"(?i) times\b")
_PERIODS = ("year", "month", "week", "day", "hour")
_PERIOD_WORDS = {
    **{word: period for period in _PERIODS for word in (period, f"{period}s")},
    **dict.fromkeys(("yearly", "annual", "annually"), "year"),
    "monthly": "month",
    "weekly": "week",
    "daily": "day",
    "hourly": "hour",
}
_SECOND_RATE = re.compile(
    rf"(?i)\s?(?:per|an?|each|every) [a-z]+,? (?:per|an?|each|every) (?P<period>{'|'.join(_PERIODS)})\b"
)
"""After a figure that is given for one thing and a period: "£44 per bay per day"."""
_ENDS = re.compile(r"(?i)\b(?:until|till|to|through|by|valid|ends?|ending|expir\w+|runs? out)\b")
_FOR_EACH = re.compile(r"(?i)\s(?:for (?:each|every)|per|each|every|an?)\b")
_LESS_OR_PLUS = re.compile(r"(?i)\b(?:minus|less|plus)\b")
_SUPPOSED = re.compile(r"(?i)\b(?:if|suppose|say|assuming)\b[^,;:]*$")
"""Before a figure that only the reader's own case has."""
_MONEY = frozenset(map(stem_of, MONEY)) | {""}
_IN_CODE = re.compile(r"(?i)[a-z]-?$")
_MINUTES = "minute"
_DAY = 24 * 60
_SHARE_ROUNDING = 0.6
"""Points: "a third" is 33.3 %, "two thirds" 67 %."""
_BOUND = 0.15
"""How far from "nearly nine hours", or "more than six", relatively, a value may lie that is meant."""
_MOST_TIMES = 100
"""What a count multiplies by at most: "two adults", "twelve payments"."""
_ADDED = 200
"""Figures of the context that are put together, before it is said that none give a figure."""
_UNTOLD_SUM = 3
"""Figures that are summed at most where they are not all of a sentence or list."""
_LONGEST_LIST = 100
"""Lines whose figures are summed; nobody checks more of them."""
_SINGLE = re.compile(r"(?i)\ban? [a-z]")
_MOST_SINGLES = 2
"""Things without a figure that count as one beside others: "two designers and a manager"."""


@dataclass(frozen=True, slots=True)
class Derivation:
    """How a figure of a sentence follows from figures of the context."""

    figure: Figure
    terms: tuple[Figure, ...]
    """Of the context, in the order in which they are put together."""
    sign: str
    """"+", "-", "x", "/", ":" or "%"; "~" of one that grows with another; "if" of one that the sentence supposes."""

    @property
    def words(self) -> str:
        """As a sentence that a reader, or a model, can take for evidence."""
        first, *others = (term.text for term in self.terms)
        if self.sign == "if":
            return f"Suppose that there are {self.figure.text}."
        if self.sign == "/":
            return f"That makes {self.figure.text} each."
        if self.sign in ("x", "~") or not others:
            return f"That makes {self.figure.text}."
        joined = {"+": "and", "-": "less", ":": "of", "%": "of"}[self.sign]
        return f"{first} {joined} {f' {joined} '.join(others)} make {self.figure.text}."


@dataclass(frozen=True, slots=True)
class _Term:
    """A figure of the context in the units of the sentence's figure."""

    value: float
    figure: Figure
    place: int

    @property
    def spot(self) -> Spot:
        return self.place, self.figure.start


@lru_cache(maxsize=64)
def derivations(match: Match) -> Mapping[int, Derivation]:
    """The figures of a sentence that the context lacks and that follow from those it has, by where each begins."""
    compared = _compared(match)
    ranges = ranges_of([each for each, _ in match.figures], match.claim.text)
    ends = {end.start for pair in ranges for end in pair}
    lacking = [
        figure
        for figure, same in match.figures
        if figure.start not in ends
        and figure.start not in compared
        and not any(_as_counted(figure, other) for _, other in same)
    ]
    right = {start: each for start, each in compared.items() if each is not None}
    if not lacking:
        return right
    shares = match.shares([token.stem for token in match.claim.tokens if token.stem and token.word[0].isdigit()])
    beside = {place for figure, same in match.figures if figure not in lacking for place, _ in same}
    places = [*(match.closest_places(shares) or range(min(_BEGINNING, len(match.index.sentences)))), *sorted(beside)]
    tried = {figure.start: derivation_of(match, figure, places) for figure in lacking[:_SOUGHT]}
    derived = {start: derivation for start, derivation in tried.items() if derivation is not None}
    used = {term.start for derivation in derived.values() for term in derivation.terms if term in lacking}
    grown = [derivation for derivation in derived.values() if derivation.sign == "~"]
    bases = {term.start for derivation in grown for term in derivation.terms if term in lacking} - derived.keys()
    for figure in lacking:  # "if your ticket cost 80 euros, you get 20 back"
        is_supposed = figure.start in used and _SUPPOSED.search(match.claim.text[: figure.start])
        if is_supposed or figure.start in bases:
            derived[figure.start] = Derivation(figure, (figure,), "if")
    counted = {len(each.terms): each for each in derived.values() if each.sign == "+"}
    for figure in lacking:  # "the two floors together"
        if figure.start not in derived and not figure.units and figure.number.value in counted:
            derived[figure.start] = replace(counted[int(figure.number.value)], figure=figure)
    return derived | right


def _compared(match: Match) -> dict[int, Derivation | None]:
    """The figures of a comparison, `None` where it is wrong."""
    calculation = calculation_of(match)
    if calculation is None:
        return {}
    return {
        figure.start: Derivation(figure, calculation.terms, calculation.sign) if calculation.is_right else None
        for figure, _ in match.figures
        if figure.start in calculation.own
    }


def is_calculated(match: Match, figure: Figure) -> bool:
    """Whether a sentence calculates a figure: a total, a difference, or a price times a count or time of its own.

    Not of one that two figures make that stand together, if of other things: what is said of it must be true.
    """
    if figure.number.kind != "number" or is_count(figure.units) or _is_of_two(match, figure):
        return False
    words = match.claim.words
    if not _CALCULATED.isdisjoint(words) or is_difference(match.claim.text, figure):
        return True
    if _is_over_period(match, figure):
        return True
    if not _COMES.isdisjoint(words) and not _BESIDE.isdisjoint(words):  # "the course and the book come to £37"
        return True
    return any(
        not any(bool(each.units) == bool(other.units) for _, other in same)
        and each.number.kind == "number"
        and each.number.value > 1
        and (each.noun or each.units)
        for each, same in match.figures
        if each.start < figure.start and not same_sort(each, figure)
    )


def _is_over_period(match: Match, figure: Figure) -> bool:
    """Whether a sentence names the period of an amount that the context gives for another one: "a year", of a month."""
    if any("/" in unit for unit in figure.units):
        return False
    periods = {_PERIOD_WORDS[word] for word in match.claim.words if word in _PERIOD_WORDS}
    shares = match.shares()
    near = [(place, each) for place in match.closest_places(shares)[:1] for each in match.index.figures[place]]
    rates = {each.period for each in _per_period(match, figure, near)}
    return bool(rates) and bool(periods) and rates.isdisjoint(periods)


def _is_of_two(match: Match, figure: Figure) -> bool:
    """Whether two figures of one sentence, or of one column, add up to it, or differ by it."""
    places = [(place, each) for place, some in enumerate(match.index.figures) for each in some]
    near = _in_currency(match, figure, places[:_ADDED])
    of_sentences = [list(group) for _, group in groupby(_terms(figure, near), key=lambda term: term.place)]
    return any(
        _is(figure, one.value + other.value) or _is(figure, abs(one.value - other.value))
        for some in [*of_sentences, *_columns(match, figure, near)]
        for one, other in combinations(some, 2)
    )


def _as_counted(one: Figure, other: Figure) -> bool:
    """Whether both are measures, or both counts: "90 minutes" are no "90 seats"."""
    return is_count(one.units) == is_count(other.units)


def derivation_of(match: Match, figure: Figure, places: Iterable[int]) -> Derivation | None:
    """How a figure follows from those of some sentences of the context; `None` where it does not.

    Args:
        match: of the sentence against the context.
        figure: of the sentence.
        places: of the sentences of the context that are nearest to it.
    """
    if figure.number.kind not in ("number", "percent", "points", "year", "date", "clock"):
        return None
    near = _in_currency(match, figure, _near(match, places))
    for sign, candidates in (
        ("-", _durations(match, figure, near)),
        (":", _shares(figure, near)),
        ("x", _products(match, figure, near)),
        ("x", _tapered(match, figure, near)),
        ("x", _bills(match, figure, near)),
        ("~", _grown(figure, chain(proportions(match, figure, near), prices_beyond(match, figure, near)))),
        ("/", _quotients(match, figure, near)),
        ("-", _points(figure, near)),
        ("%", _parts(match, figure, near)),
        ("-", _rests(match, figure, near)),
        ("+", _sums(match, figure, near)),
        ("-", _differences(match, figure, near)),
    ):
        terms = next((terms for value, terms in candidates if _is(figure, value)), None)
        if terms is not None:
            return Derivation(figure, tuple(term.figure for term in terms), sign)
    return None


_Candidates = Iterator[tuple[float, Sequence[_Term]]]


def _near(match: Match, places: Iterable[int]) -> list[tuple[int, Figure]]:
    """Figures of these sentences and their neighbours, with their sentence, in the order of the context."""
    all_places = sorted(
        {place + step for place in places for step in (-1, 0, 1)} & set(range(len(match.index.sentences)))
    )
    return [(place, each) for place in all_places for each in match.index.figures[place]][:_MOST]


def _in_currency(match: Match, figure: Figure, near: list[tuple[int, Figure]]) -> list[tuple[int, Figure]]:
    """The same, bare numbers of a table or record in the currency of a sum of money that a sentence gives."""
    if not is_money(figure.units) or any("/" in unit for unit in figure.units):
        return near
    return [
        (place, replace(each, units=figure.units, number=replace(each.number, kind="number")))
        if not each.units
        and each.number.kind in ("number", "year")
        and match.index.in_cells(place)
        and not _counts_or_names(each)
        else (place, each)
        for place, each in near
    ]


def _counts_or_names(figure: Figure) -> bool:
    """Whether a bare number of a record is no money: "photos": 6, "CL-0907"."""
    return figure.noun not in _MONEY or _IN_CODE.search(figure.before) is not None


def _is(figure: Figure, value: float) -> bool:
    """Whether a value is what a figure says, with what the words beside it allow."""
    stated = figure.number.value
    if isclose(value, stated, rel_tol=1e-6, abs_tol=1e-9) or value in (each.value for each in figure.number.others):
        return True
    if figure.qualifier == "about":
        return isclose(value, stated, rel_tol=ROUNDING)
    if figure.bound > 0:
        return stated <= value <= stated * (1 + _BOUND)
    return figure.bound < 0 and stated * (1 - _BOUND) <= value <= stated


def _terms(figure: Figure, near: Sequence[tuple[int, Figure]]) -> list[_Term]:
    """Figures of the same sort: in units that can be converted, or counts as it is one."""
    terms = []
    for place, each in near:
        if each.number.kind != "number" or not _as_counted(each, figure):
            continue
        if is_count(figure.units):
            values = [each.number.value]
        else:  # "25 euros a month" and "a fee of 40 euros" are sums of money, too
            values = converted(each.number.value, each.units, figure.units)
            values = values or _amount(each, figure.units)
        if values:
            terms.append(_Term(values[0], each, place))
    return terms


def _may_be_put_together(one: _Term, other: _Term) -> bool:
    """Whether two may be of the same things: measures, counts of one sentence, or none that names another thing."""
    nouns = {one.figure.noun, other.figure.noun} - {""}
    return not is_count(one.figure.units) or one.place == other.place or len(nouns) < 2


def _sums(match: Match, figure: Figure, near: Sequence[tuple[int, Figure]]) -> _Candidates:
    """Sums of two or three figures of one sort, and of all of a sentence or list: "four engineers, two designers"."""
    says_sum = not _SUM.isdisjoint(match.claim.words)
    counts = {each.number.value for each, _ in match.figures if each is not figure}
    names_each = not _BESIDE.isdisjoint(match.claim.words)
    sizes = [size for size in range(2, _UNTOLD_SUM + 1) if says_sum or names_each or size in counts]
    if not sizes:
        return
    terms = _addends(figure, near)
    own = [each for each, same in match.figures if each.start < figure.start and same and _as_counted(each, figure)]
    if says_sum and len(own) > 1:
        yield sum(each.number.value for each in own), [_Term(each.number.value, each, -1) for each in own]
    named = _owners(match, terms).named_in(match.claim, figure)
    of_sentences = [list(group) for _, group in groupby(terms, key=lambda term: term.place)]
    wholes = [*of_sentences, *_columns(match, figure, near)]
    longer = [{term.spot for term in whole} for whole in wholes if len(whole) > _UNTOLD_SUM]
    for size in sizes:
        totals = map(sum, combinations([term.value for term in terms], size))
        for some, total in zip(combinations(terms, size), totals, strict=True):
            if not _is(figure, total):
                continue
            if size not in counts and not _are_of_named(some, named):
                continue
            if not all(_may_be_put_together(*pair) for pair in combinations(some, 2)):
                continue
            meant = size in counts or (names_each and _are_named(match, some))  # "over the two days"
            if meant or (says_sum and not any(spots.issuperset(term.spot for term in some) for spots in longer)):
                yield total, some
    for whole in wholes if says_sum else ():
        singles = len(_SINGLE.findall(match.index.sentences[whole[0].place].text)) if whole in of_sentences else 0
        for more in range(min(singles, _MOST_SINGLES) + 1 if is_count(figure.units) else 1):
            if len(whole) + more > 1 and (len(whole) in counts or _are_of_named(whole, named)):
                yield sum(term.value for term in whole) + more, whole


def _columns(match: Match, figure: Figure, near: Sequence[tuple[int, Figure]]) -> Iterator[list[_Term]]:
    """The figures of one sort of a whole column, or of all items of a list, where no line has two of them."""
    index = match.index
    listings = (listing for place, _ in near if (listing := index.listings.get(place)) is not None)
    for listing in dict.fromkeys(each for each in listings if len(each.places) <= _LONGEST_LIST):
        own = [(place, each) for place in listing.places for each in index.figures[place]]
        columns: dict[int, list[_Term]] = {}
        for term in _addends(figure, own):
            text = index.sentences[term.place].text
            columns.setdefault(listing.column(text, term.figure), []).append(term)
        for column in columns.values():
            if len({term.place for term in column}) == len(column) > 1:
                yield column


def _addends(figure: Figure, near: Sequence[tuple[int, Figure]]) -> list[_Term]:
    return _percents(near) if figure.number.kind == "percent" else _terms(figure, near)


def _percents(near: Sequence[tuple[int, Figure]]) -> list[_Term]:
    return [_Term(each.number.value, each, place) for place, each in near if each.number.kind == "percent"]


def _owners(match: Match, terms: Iterable[_Term]) -> Owners:
    return Owners.of(match.index.sentences, ((term.place, term.figure) for term in terms))


def _are_of_named(terms: Sequence[_Term], named: frozenset[Spot]) -> bool:
    """Whether terms are of the things that a sentence names, where it names two or more."""
    return len(named) < 2 or named.issuperset(term.spot for term in terms)


def _are_named(match: Match, terms: Sequence[_Term]) -> bool:
    """Whether a sentence names what stands beside each of these figures: "one adult and one child"."""
    stems = [_stems_beside(match, term) for term in terms]
    return all(own & match.claim.stems for own in stems) and len({frozenset(own) for own in stems}) == len(terms)


def _stems_beside(match: Match, term: _Term) -> set[str]:
    """Stems between the figures before and after a figure, in its sentence."""
    sentence, figures = match.index.sentences[term.place], match.index.figures[term.place]
    start = max((each.end for each in figures if each.end <= term.figure.start), default=0)
    end = min((each.start for each in figures if each.start >= term.figure.end), default=len(sentence.text))
    own = range(term.figure.start, term.figure.end)
    return {token.stem for token in sentence.tokens if start <= token.start < end and token.start not in own} - {""}


def _differences(match: Match, figure: Figure, near: Sequence[tuple[int, Figure]]) -> _Candidates:
    """Differences of two figures of one sort, or of what one of them makes over a period and the other one."""
    text = match.claim.text
    says_difference = (
        not _DIFFERENCE.isdisjoint(match.claim.words)
        or any(word.endswith("n't") for word in match.claim.words)
        or _COMPARATIVE.search(text) is not None
        or is_difference(text, figure)
    )
    terms = [*_terms(figure, near), *_over_periods(match, figure, near)]
    if not says_difference and not any(_is_taken_off(match, term) for term in terms):
        return
    owners = _owners(match, terms)
    named, comparison = owners.named_in(match.claim, figure), owners.comparison(match.claim, figure)
    for one, other in permutations(terms, 2):
        if not _is(figure, one.value - other.value):
            continue
        meant = comparison.allows(one.spot, other.spot) if comparison else _are_of_named((one, other), named)
        if meant and _may_be_put_together(one, other) and (says_difference or _is_taken_off(match, other)):
            yield one.value - other.value, (one, other)


def _is_taken_off(match: Match, term: _Term) -> bool:
    """Whether the context says of a figure that it is taken off: "pay 5 euros less", "a discount of 5 euros"."""
    return term.place >= 0 and _TAKEN_OFF.search(match.index.sentences[term.place].text) is not None


def _durations(match: Match, figure: Figure, near: Sequence[tuple[int, Figure]]) -> _Candidates:
    """The time between two times of day of one sentence or its neighbour, or between two years."""
    if figure.number.kind in ("year", "clock"):
        yield from _later(match, figure, near)
    if figure.number.kind in ("year", "date") and _ENDS.search(match.claim.text, 0, figure.start):
        yield from _ends(match, figure, near)
    units = _amounts(figure.units)  # "14 hours a day" is a time, too
    if not units or not converted(1, units, ("year",)):
        return
    own = [(place, each) for each, _ in match.figures for place in (near[0][0] if near else 0,)]
    for kind, unit in (("clock", (_MINUTES,)), ("year", ("year",))):
        some = [(place, each) for place, each in (*own, *near) if each.number.kind == kind]
        for (place, one), (other_place, other) in combinations(some, 2):
            if kind == "clock" and abs(place - other_place) > 1:
                continue
            gap = abs(other.number.low - one.number.low)
            for span in {gap, _DAY - gap} if kind == "clock" else {gap}:
                for value in converted(span, unit, units)[:1]:
                    yield value, (_Term(other.number.low, other, other_place), _Term(one.number.low, one, place))


def _ends(match: Match, figure: Figure, near: Sequence[tuple[int, Figure]]) -> _Candidates:
    """The year of a date that is as many years after another one as a sentence says that something lasts."""
    for place, each in near:
        is_day = each.number.month is not None and figure.number.month in (None, each.number.month)
        if each.number.kind != "date" or not is_day or figure.number.day not in (None, each.number.day):
            continue
        for at, span in near:
            if at == place and span.number.kind == "number" and span.units:
                for years in converted(span.number.value, span.units, ("year",))[:1]:
                    yield each.number.low + years, (_Term(each.number.low, each, place), _Term(years, span, at))


def _later(match: Match, figure: Figure, near: Sequence[tuple[int, Figure]]) -> _Candidates:
    """A year, or a time of day, as long after another one as the sentence, or the context beside it, says."""
    kind, unit = figure.number.kind, ("year" if figure.number.kind == "year" else _MINUTES,)
    spans = [*((-1, each) for each, _ in match.figures), *near]
    for place, each in near:
        if each.number.kind != kind:
            continue
        for at, span in spans:
            if at in (-1, place - 1, place, place + 1) and span.number.kind == "number" and span.units:
                for value in converted(span.number.value, span.units, unit)[:1]:
                    terms = (_Term(each.number.low, each, place), _Term(value, span, at))
                    yield each.number.low + value, terms
                    if at >= 0 and "earlier" in match.index.sentences[at].words:
                        yield each.number.low - value, terms


def _products(match: Match, figure: Figure, near: Sequence[tuple[int, Figure]]) -> _Candidates:
    """A figure times a count of the sentence ("two adults"), or over a period that it names ("a year")."""
    each_alone = _is_of_each(match.claim, figure)
    counts = [
        each.number.value
        for each, _ in match.figures
        if not each_alone and each is not figure and not each.units and each.number.kind == "number"
    ]
    for term in _terms(figure, near):
        if not is_count(figure.units) or term.figure.noun == figure.noun:
            for count in counts:
                if 1 < count <= _MOST_TIMES and count % 1 == 0:
                    yield count * term.value, (term,)
    for term in _over_periods(match, figure, near):
        yield term.value, (term,)
    own = [(-1, each) for each, _ in match.figures if each is not figure]
    lasting = [(place, each) for place, each in (*own, *near) if each.units and converted(1, each.units, ("year",))]
    for rate in _per_period(match, figure, near):
        for place, each in lasting:
            for times in converted(each.number.value, each.units, (rate.period,))[:1]:
                yield times * rate.value, (_Term(times, each, place), _Term(rate.value, rate.figure, rate.place))
    periods = {period for unit in figure.units for _, rated, period in (unit.partition("/"),) if rated}
    for term in _terms(figure, near) if periods else ():  # "60,000 dollars over 15 years": 4,000 a year
        for place, each in lasting:
            for times in converted(each.number.value, each.units, tuple(periods))[:1]:
                if times:
                    yield term.value / times, (term, _Term(times, each, place))


def _tapered(match: Match, figure: Figure, near: Sequence[tuple[int, Figure]]) -> _Candidates:
    """An amount, less or plus another for each of what a sentence counts: "£90, minus £15 for each year"."""
    counts = [each for each, _ in match.figures if each is not figure and each.number.kind == "number"]
    for one, other in pairwise(_terms(figure, near)):
        text = match.index.sentences[one.place].text
        if one.place != other.place or not _FOR_EACH.match(text, other.figure.end):
            continue
        if word := _LESS_OR_PLUS.search(text, one.figure.end, other.figure.end):
            direction = 1 if word[0].lower() == "plus" else -1
            for each in counts:
                step = direction * abs(other.value) * each.number.value
                yield one.value + step, (one, other, _Term(each.number.value, each, -1))


def _grown(figure: Figure, candidates: Iterable[tuple[float, Sequence[Placed]]]) -> _Candidates:
    """What grows with another figure, exactly: "over 300 km" is a way, no bound."""
    for value, terms in candidates:
        if not figure.bound or isclose(value, figure.number.value):
            yield value, [_Term(each, term, place) for each, term, place in terms]


def _bills(match: Match, figure: Figure, near: Sequence[tuple[int, Figure]]) -> _Candidates:
    """What several of several things cost, and what that differs by from another price: "two adults and a child"."""
    before = [each for each, _ in match.figures if each.start < figure.start and is_count(each.units)]
    counts = [(each.noun, each.number.value) for each in before if each.noun] + [(noun, 1) for noun in _singles(match)]
    terms = _terms(figure, near)
    if len(counts) < 2 or is_count(figure.units):
        return
    stems = _owners(match, terms).stems
    priced = [[term for term in terms if noun in stems.get(term.spot, ())] for noun, _ in counts]
    if not all(len(some) == 1 for some in priced):
        return
    items = [some[0] for some in priced]
    total = sum(count * term.value for (_, count), term in zip(counts, items, strict=True))
    yield total, items
    if not _DIFFERENCE.isdisjoint(match.claim.words):
        yield from ((abs(total - other.value), (*items, other)) for other in terms if other not in items)


def _singles(match: Match) -> Iterator[str]:
    """The stems of what a sentence has one of beside others: "two adults and a child", "one adult and two children"."""
    tokens = match.claim.tokens
    for before, one, noun, after in zip((None, *tokens), tokens, tokens[1:], tokens[2:], strict=False):
        beside = {each.word for each in (before, after) if each}
        if one.word in _ONE and noun.stem and not beside.isdisjoint(_BESIDE):
            yield noun.stem


def _quotients(match: Match, figure: Figure, near: Sequence[tuple[int, Figure]]) -> _Candidates:
    """What one of several costs or weighs, where the sentence says "each" or "a lesson" of "12 lessons cost £96"."""
    own = {each.number.value for each, _ in match.figures if each is not figure and each.number.value > 1}
    for term in _terms(figure, near):
        if is_count(figure.units) or any("/" in unit for unit in term.figure.units):
            continue
        beside = [each for place, each in near if place == term.place and not same_sort(each, figure)]
        counts = [each for each in beside if _is_parted(match.claim, figure, each)]
        before = [each for each in counts if each.end <= term.figure.start]
        for count in [each for each in counts if each.number.value in own] or before[-1:] or counts[:1]:
            yield term.value / count.number.value, (term, _Term(count.number.value, count, term.place))


def _is_parted(sentence: ParsedSentence, figure: Figure, count: Figure) -> bool:
    """Whether a figure of a sentence is of one of what is counted: "£8 a lesson", "one lesson costs", "each"."""
    if count.number.kind != "number" or not 1 < count.number.value <= _MOST_TIMES or count.number.value % 1:
        return False
    if not (is_count(count.units) or converted(1, count.units, ("hour",))):
        return False
    if any(one.word in _ONE and other.stem == count.noun != "" for one, other in pairwise(sentence.tokens)):
        return True
    nouns = {other.stem for one, other in pairwise(sentence.tokens) if one.word in _EACH} - {""}
    return _is_of_each(sentence, figure) and (not nouns or count.noun in nouns)


def _parts(match: Match, figure: Figure, near: Sequence[tuple[int, Figure]]) -> _Candidates:
    """What the context's percents make of another figure of the sentence: "25 percent" of "a ticket of 80 euros"."""
    for share, whole in _shares_of_own(match, figure, near):
        yield share.value / 100 * whole.value, (share, whole)


def _rests(match: Match, figure: Figure, near: Sequence[tuple[int, Figure]]) -> _Candidates:
    """What they leave of it."""
    for share, whole in _shares_of_own(match, figure, near):
        yield (1 - share.value / 100) * whole.value, (whole, share)


def _shares_of_own(match: Match, figure: Figure, near: Sequence[tuple[int, Figure]]) -> Iterator[tuple[_Term, _Term]]:
    own = [each for each, _ in match.figures if each is not figure and each.number.kind == "number"]
    for whole in _terms(figure, [(-1, each) for each in own]):
        for place, each in near:
            if each.number.kind == "percent":
                yield _Term(each.number.value, each, place), whole


def _is_of_each(sentence: ParsedSentence, figure: Figure) -> bool:
    """Whether a figure is of each of what is counted: "each" stands in its clause."""
    text = sentence.text
    start, end = text.rfind(", ", 0, figure.start), text.find(", ", figure.end)
    clause = range(start, len(text) if end < 0 else end)
    return any(token.word in _EACH and token.start in clause for token in sentence.tokens)


def _over_periods(match: Match, figure: Figure, near: Sequence[tuple[int, Figure]]) -> Iterator[_Term]:
    """What rates ("$10 a month") make over the figure's period ("$120 a year"), else those that the sentence names."""
    own = {period for unit in figure.units for period in _PERIODS if unit.endswith(f"/{period}")}
    periods = own or {_PERIOD_WORDS[word] for word in match.claim.words if word in _PERIOD_WORDS}
    for rate in _per_period(match, figure, near):
        for period in periods:
            for times in converted(1, (period,), (rate.period,))[:1]:
                yield _Term(times * rate.value, rate.figure, rate.place)


@dataclass(frozen=True, slots=True)
class _Rate:
    """What the context gives for each of some period, in the units of the sentence's figure."""

    value: float
    period: str
    figure: Figure
    place: int


def _per_period(match: Match, figure: Figure, near: Sequence[tuple[int, Figure]]) -> Iterator[_Rate]:
    wanted = _amounts(figure.units)
    for place, each in near:
        second = _SECOND_RATE.match(match.index.sentences[place].text, each.end)
        for unit in (*each.units, *(f"{unit}/{second['period']}" for unit in each.units if second)):
            amount, rated, period = unit.partition("/")
            if rated and period in _PERIODS:
                for value in converted(each.number.value, (amount,), wanted)[:1]:
                    yield _Rate(value, period, each, place)


def _amount(each: Figure, units: Units) -> list[float]:
    """What it is in other units, whatever period either is given for; cents as parts of their currency."""
    value, own = in_main_currency(each.number.value, _amounts(each.units))
    one, wanted = in_main_currency(1, _amounts(units))
    return [converted_value / one for converted_value in converted(value, own, wanted)]


def _amounts(units: Units) -> Units:
    """Of what units are rates: the dollars of dollars a month."""
    return tuple(dict.fromkeys(unit.partition("/")[0] for unit in units))


def _shares(figure: Figure, near: Sequence[tuple[int, Figure]]) -> _Candidates:
    """The share of one figure in another of its sort, or how many times as much it is."""
    is_share, is_times = figure.number.kind == "percent", _TIMES.match(figure.after) is not None
    if not (is_share or is_times):
        return
    shown = [(place, each) for place, each in near if each.number.kind == "number" and each.number.value > 0]
    sums = []
    pairs = sorted(permutations(shown, 2), key=lambda pair: pair[0][0] != pair[1][0])  # of one sentence first
    for (place, one), (other_place, other) in pairs:
        if not _as_counted(one, other) or abs(place - other_place) > 1:
            continue
        measured = not is_count(one.units)
        for value in converted(one.number.value, one.units, other.units)[:1] if measured else [one.number.value]:
            terms = (_Term(value, one, place), _Term(other.number.value, other, other_place))
            if is_times:
                yield value / other.number.value, terms
            if is_share and _is_share(figure, value / other.number.value):
                yield figure.number.value, terms
            if place == other_place and _is_share(figure, value / (value + other.number.value)):
                sums.append(terms)
    yield from ((figure.number.value, terms) for terms in sums if is_share)


def _points(figure: Figure, near: Sequence[tuple[int, Figure]]) -> _Candidates:
    """The points between two percents of one sentence: 2 of "from 4 % to 6 %"."""
    if figure.number.kind != "points":
        return
    for one, other in combinations(_percents(near), 2):
        if one.place == other.place:
            yield abs(one.value - other.value), (other, one)


def _is_share(figure: Figure, share: float) -> bool:
    return share < 1 and abs(100 * share - figure.number.value) <= _SHARE_ROUNDING
