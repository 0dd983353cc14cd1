"""By how much, or how many times, one thing of the context has more than another: right or wrong by their figures.

"£10 cheaper than", "half the price of", "30 kg too heavy": a sentence names two rows of a table, or two things that one
sentence of the context gives a figure each. Where it is not clear which figures it compares, nothing is said.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import isclose

from voirdire.evidence.figures import Figure, figures_of
from voirdire.evidence.listings import in_column, in_units_of_name
from voirdire.evidence.matching import Match
from voirdire.evidence.negation import negations
from voirdire.evidence.owners import Owners
from voirdire.evidence.records import Contradiction
from voirdire.evidence.row_records import Record, labels_of, named_records, records_of, words_of
from voirdire.evidence.tokens import Token, parse, stems_of
from voirdire.text.numbers import NUMBER_WORDS
from voirdire.text.units import Units, converted, in_main_currency, is_count, is_money

_CERTAINTY = 0.95
_MORE = "more extra additional longer dearer pricier heavier larger bigger greater higher taller wider deeper older"
_LESS = "less fewer cheaper shorter lighter smaller lower narrower younger"
_DIRECTIONS = {**dict.fromkeys(_MORE.split(), 1), **dict.fromkeys(_LESS.split(), -1)}
_DIFFERENCE_AFTER = re.compile(rf"(?i)\s(?:[a-z-]+ )?(?P<word>{'|'.join(f'{_MORE} {_LESS}'.split())})\b(?! or\b)")
_DIFFERENCE_BEFORE = re.compile(
    r"(?i)\b(?:saving|savings|difference|gap) (?:between [^,;:.]{3,60} )?(?:of|is) $"
    r"|\b(?:save|saves|saving) (?:you )?$|\bdiffers? by $"
)
_TOO = re.compile(
    r"(?i)\s(?:[a-z-]+ )?(?:too (?P<word>heavy|long|wide|high|tall|large|big|deep|old|many|much)"
    r"|(?:over|above) (?:the|its|this) (?:limit|maximum|capacity))\b"
)
_RATIO = re.compile(
    r"(?i)\b(?:(?P<twice>twice|double)|(?P<half>half)|(?P<times>[a-z]+|\d+) times"
    r"|(?:a|one) (?P<part>third|quarter|fifth|tenth))(?= (?:as (?P<word>[a-z]+)|the|of|that|what)\b)"
)
_PARTS = {"third": 1 / 3, "quarter": 1 / 4, "fifth": 1 / 5, "tenth": 1 / 10}
_ROUGHLY = re.compile(
    r"(?i)\b(?:about|almost|nearly|roughly|around|approximately|over|least|most|up to|some|(?:more|less|fewer) than)"
    r" (?:an? |one )?$"
)
_THAN = re.compile(r"(?i)\bthan\b|\binstead of\b")
_OTHER_SUMS = frozenset("together total combined both average altogether if".split())
MONEY = frozenset("price cost fee rate charge rent fare tariff eur gbp usd euro dollar pound".split())
_TOTAL_KEY = frozenset("total subtotal sum amount".split())
_BOTH = frozenset("two both".split())
_ABOUT = {
    "money": frozenset("price prices cost costs costing fee fees pay pays rate charge charges expensive dear".split()),
    "kilogram": frozenset("heavy weigh weighs weight".split()),
    "hour": frozenset("long lasts last take takes taking duration time".split()),
    "metre": frozenset("long tall high wide deep length height width".split()),
    "meter**2": frozenset("area size large big space".split()),
}
_ROOM = frozenset("capacity seat seats places people persons guests maximum limit max".split())
COMPARES = frozenset(
    f"{_MORE} {_LESS} costs cost price priced pay pays charge charges charged expensive much many long heavy takes take"
    " lasts last weighs weigh holds hold has have keeps keep kept seats includes include people times month year day"
    " week hour choosing instead saving save saves area floor space difference differ gap two both".split()
)
_JOINED = {"-": " less ", ":": " beside ", "/": " for ", "+": " and ", "%": " of ", "=": ""}
_ROUNDED_SHARE = 0.02
"""How far, relatively, a ratio may be off that is right."""
_NEARLY = 0.15
"""How far it may be off without being wrong: people round such words."""
_EXPONENTS = str.maketrans("²³", "23")
_CELL = 4
"""Words of a cell that is a figure."""


@dataclass(frozen=True, slots=True)
class FigureComparison:
    """A difference or ratio that a sentence tells of two figures of the context."""

    start: int
    end: int
    """Of what the sentence says: "£10", "twice"."""
    text: str
    terms: tuple[Figure, ...]
    """In the order in which they are put together."""
    sign: str
    """"-", ":", "/", "+", "%"; "=" of a cell as it is."""
    own: frozenset[int]
    """Where the figures of the sentence begin that this accounts for."""
    is_right: bool
    evidence: str
    """The sentence, or the row, of the first term."""
    whole: str = ""
    """The sentence, where it says nothing besides; else empty."""
    expression: str = ""
    """How the terms are put together, where signs between them do not say it all."""

    @property
    def words(self) -> str:
        """What the context makes of the two, as a sentence that a model can take for evidence."""
        if self.whole:
            return self.whole
        if self.sign not in ("-", ":"):
            return f"That makes {self.text}."
        one, other = (term.text for term in self.terms)
        return f"{one} less {other} make {self.text}." if self.sign == "-" else f"{one} is {self.text} {other}."

    @property
    def contradiction(self) -> Contradiction:
        """What a wrong one contradicts."""
        expression = self.expression or _JOINED[self.sign].join(term.text for term in self.terms)
        return Contradiction("number", self.text, expression, self.evidence, _CERTAINTY, sure=True)


@dataclass(frozen=True, slots=True)
class StatedComparison:
    """What a sentence says of two things."""

    start: int
    end: int
    figure: Figure | None
    """Of a difference."""
    ratio: float
    direction: int
    """1 where the first has more, -1 where it has less, 0 where the words do not tell."""
    parted: int
    """Where the words about the first end and those about the second begin; -1 where this is unknown."""
    word: str = ""


@lru_cache(maxsize=64)
def comparison_of(match: Match) -> FigureComparison | None:
    """What a sentence tells of two figures, and whether it is right; `None` where it is unclear which."""
    one = stated_comparison(match)
    if one is None or any(negations(match.claim)):
        return None
    if one.word == "too":
        return _beyond(match, one)
    return _of_rows(match, one) or _of_prose(match, one)


def stated_comparison(match: Match) -> StatedComparison | None:
    """The only difference or ratio that a sentence tells, or denies; `None` where it has none, or several."""
    claim = match.claim
    if "?" in claim.text or not _OTHER_SUMS.isdisjoint(claim.words) or " plus " in claim.text:
        return None
    comparisons = list(_stated_comparisons(match))
    return comparisons[0] if len(comparisons) == 1 else None


def _stated_comparisons(match: Match) -> Iterator[StatedComparison]:
    text = match.claim.text
    than = _THAN.search(text)
    parted = than.start() if than else -1
    for figure, _ in match.figures:
        if figure.number.kind != "number" or figure.qualifier or _ROUGHLY.search(text[: figure.start]):
            continue
        after, too = _DIFFERENCE_AFTER.match(text, figure.end), _TOO.match(text, figure.end)
        if too:
            yield StatedComparison(figure.start, figure.end, figure, 0, 1, -1, "too")
        elif after and than:
            yield StatedComparison(
                figure.start, figure.end, figure, 0, _DIRECTIONS.get(after["word"].lower(), 0), parted
            )
        elif _DIFFERENCE_BEFORE.search(text[: figure.start]):
            yield StatedComparison(figure.start, figure.end, figure, 0, 0, parted)
    for match_ in _RATIO.finditer(text):
        ratio = _ratio(match_)
        if ratio and not _ROUGHLY.search(text[: match_.start()]):
            yield StatedComparison(match_.start(), match_.end(), None, ratio, 0, match_.start(), match_["word"] or "")


def _ratio(phrase: re.Match[str]) -> float:
    if phrase["times"]:
        times = phrase["times"].lower()
        return float(times) if times.isdigit() else float(NUMBER_WORDS.get(times, 0))
    return 2.0 if phrase["twice"] else 0.5 if phrase["half"] else _PARTS[phrase["part"].lower()]


def _of_rows(match: Match, stated: StatedComparison) -> FigureComparison | None:
    """Of two rows that a sentence names: right if any column that it may speak of says so, wrong if none does."""
    records = records_of(match.index)
    named = named_records(match, records)
    counts = [each for each, _ in match.figures if each.number.value == 2 and each.start < stated.start]
    if not (named or stated.parted >= 0 or _BOTH.isdisjoint(match.claim.words)):
        # "The difference between the two orders"
        named = list({each.text: each for each in records if each.key & match.claim.stems}.values())
    if len(named) != 2 or named[0].key != named[1].key:
        return None
    (start, first), (then, second) = sorted(zip(_places(match, *named), named, strict=True), key=lambda each: each[0])
    is_ordered = start < stated.parted <= then
    if stated.figure is None and not is_ordered:
        return None
    direction = stated.direction if is_ordered else 0
    cells = [
        (key, one, other)
        for key, value, _ in first.values
        if (one := cell_figure(key, value))
        for name, theirs, _ in second.values
        if name == key and (other := cell_figure(key, theirs))
    ]
    meant = [each for each in cells if _may_be_meant(match, stated, each[0], each[1])]
    totals = [each for each in meant if is_total(each[0])]
    if totals:  # which go first, where the sentence names no column
        is_code = {key: one.start > 0 and not one.units for key, one, _ in cells}  # the 14 of "R-14"
        named_keys = {key for key in is_code if not is_code[key] and parse(key).stems & match.claim.stems}
        meant = [each for each in meant if each[0] in named_keys] if named_keys else totals
    columns = [(one, other) for _, one, other in meant]
    if not columns and stated.figure is None and len(cells) == 1:  # "twice as much" can be of no other column
        columns = [(one, other) for _, one, other in cells]
    return _judged(match, stated, columns, direction, first.text, counts, known_stems(match, named))


def is_total(key: str) -> bool:
    """Whether a column or key is what several amounts come to."""
    return not _TOTAL_KEY.isdisjoint(key.lower().split())


def known_stems(match: Match, rows: Sequence[Record]) -> frozenset[str]:
    """The stems of what rows are named and have figures of."""
    keys = [key for row in rows for key, value, _ in row.values if cell_figure(key, value)]
    text = " ".join([*keys, *(row.name for row in rows)])
    return parse(text).stems.union(labels_of(match.index), *(row.key for row in rows))


def _of_prose(match: Match, stated: StatedComparison) -> FigureComparison | None:
    """Of two things that the nearest sentence with figures of that sort gives one each."""
    if stated.parted < 0:
        return None
    shares = match.shares([token.stem for token in match.claim.tokens if token.stem and token.word[0].isdigit()])
    for place in match.closest_places(shares):
        if match.index.in_cells(place):
            continue
        sentence = match.index.sentences[place]
        figures = [each for each in match.index.figures[place] if _may_be_of(match, stated, each)]
        owners = Owners.of(match.index.sentences, [(place, each) for each in figures])
        tokens = [each for each in match.claim.tokens if not stated.start <= each.start < stated.end]
        first = owners.most_named(stems_of([each for each in tokens if each.start < stated.parted]))
        second = owners.most_named(stems_of([each for each in tokens if each.start > stated.parted]))
        if len(first) == len(second) == 1 and first != second:
            spots = {each.start: each for each in figures}
            pair = tuple(spots[start] for each in (first, second) for _, start in each)
            return _judged(match, stated, [(pair[0], pair[1])], stated.direction, sentence.text, known=sentence.stems)
    return None


def _beyond(match: Match, stated: StatedComparison) -> FigureComparison | None:
    """By how much a figure of a sentence exceeds the only one of that sort of a row, or of the nearest sentence."""
    before = [
        each for each, _ in match.figures if stated.figure and each.start < stated.start and alike(stated.figure, each)
    ]
    if stated.figure is None or len(before) != 1:
        return None
    own = frozenset(stems_of([each for each in match.claim.tokens if each.start < stated.start]))
    named = named_records(match, records_of(match.index))
    if len(named) == 1:
        limits = [
            each
            for key, value, _ in named[0].values
            if (each := cell_figure(key, value))
            and (_may_be_meant(match, stated, key, each) or _is_room(stated.figure, key))
        ]
        known = known_stems(match, named) | own
        return _judged(match, stated, [(before[0], each) for each in limits], 1, named[0].text, before, known)
    shares = match.shares([token.stem for token in match.claim.tokens if token.stem and token.word[0].isdigit()])
    for place in match.closest_places(shares)[:1]:
        sentence = match.index.sentences[place]
        limits = [each for each in match.index.figures[place] if alike(stated.figure, each)]
        if len(limits) == 1:
            return _judged(match, stated, [(before[0], limits[0])], 1, sentence.text, before, sentence.stems | own)
    return None


def _judged(
    match: Match,
    stated: StatedComparison,
    columns: Sequence[tuple[Figure, Figure]],
    direction: int,
    evidence: str,
    more: Iterable[Figure] = (),
    known: frozenset[str] = frozenset(),
) -> FigureComparison | None:
    """The comparison of the first two figures that make it right, else of the first two.

    Args:
        match: of the sentence.
        stated: what it says.
        columns: the two figures that it may mean, of each column.
        direction: as of `stated`; 0 where it is not clear which comes first.
        evidence: what has the first.
        more: other figures of the sentence that this accounts for.
        known: stems of all that the sentence may speak of besides.
    """
    if not columns:
        return None
    says_no_more = is_whole(match, stated.start, stated.end, known, COMPARES)
    right = next((pair for pair in columns if _is_right(stated, *pair, direction)), None)
    if right is None and (not says_no_more or any(_is_nearly(stated, *pair) for pair in columns)):
        return None
    one, other = right or columns[0]
    if stated.figure and other.number.value > one.number.value:
        one, other = other, one
    own = frozenset(each.start for each, _ in match.figures if stated.start <= each.start < stated.end) | {
        each.start for each in more
    }
    return FigureComparison(
        stated.start,
        stated.end,
        match.claim.text[stated.start : stated.end],
        (one, other),
        "-" if stated.figure else ":",
        own,
        right is not None,
        evidence,
        match.claim.text if right and says_no_more else "",
    )


def is_whole(match: Match, start: int, end: int, known: frozenset[str], words: Container[str]) -> bool:
    """Whether a sentence has, but from start to end, no words but of these stems, and these that say how much it is.

    The last word before may be any verb: "Petrel carries 20 t more than Skua".
    """
    content = [each for each in match.claim.tokens if each.stem and not start <= each.start < end]
    others = [each for each in content if each.stem not in known and each.word not in words]
    before = [each for each in content if each.start < start][-1:]
    return bool(known) and (not others or (others == before and others[0].word == _written(match, others[0])))


def _written(match: Match, token: Token) -> str:
    return match.claim.text[token.start : token.end]


def _is_right(stated: StatedComparison, one: Figure, other: Figure, direction: int) -> bool:
    if stated.figure is None:
        return isclose(in_units_of(one, other), stated.ratio * other.number.value, rel_tol=_ROUNDED_SHARE)
    gap = in_units_of(one, stated.figure) - in_units_of(other, stated.figure)
    gap = gap * direction if direction else abs(gap)
    return isclose(gap, stated.figure.number.value, rel_tol=1e-6, abs_tol=1e-9)


def _is_nearly(stated: StatedComparison, one: Figure, other: Figure) -> bool:
    """Whether a ratio may be meant roughly: "three times" of 3.2."""
    return stated.figure is None and isclose(
        in_units_of(one, other), stated.ratio * other.number.value, rel_tol=_NEARLY
    )


def in_units_of(figure: Figure, target: Figure) -> float:
    """The value of a figure in the units of another one, whatever period either is for."""
    value, own = in_main_currency(figure.number.value, _amounts(figure.units))
    one, wanted = in_main_currency(1, _amounts(target.units))
    return next((each / one for each in converted(value, own, wanted)), figure.number.value)


def _places(match: Match, one: Record, other: Record) -> tuple[int, int]:
    """Where a sentence begins to name either of two rows."""

    def start(words: frozenset[str]) -> int:
        return next((each.start for each in match.claim.tokens if words_of(each.word) & words), -1)

    return start(one.words - other.words), start(other.words - one.words)


def cell_figure(key: str, value: str) -> Figure | None:
    """The figure that a cell is, in the units of its column; `None` where it is something else."""
    figures = figures_of(parse(value)) if len(value.split()) <= _CELL else []
    if len(figures) != 1 or figures[0].number.kind not in ("number", "year"):
        return None
    figure = in_units_of_name(key, in_column(figures[0], key))
    times = 1000 if key.endswith(" k") else 1  # "sales k"
    low, high = times * figure.number.low, times * figure.number.high
    return replace(figure, number=replace(figure.number, kind="number", low=low, high=high))


def _may_be_meant(match: Match, stated: StatedComparison, key: str, cell: Figure) -> bool:
    """Whether a sentence may speak of a column."""
    words = {each.word for each in parse(key).tokens}
    stems = parse(key).stems
    if stated.figure is None:
        about = {sort for sort, some in _ABOUT.items() if not some.isdisjoint(match.claim.words)}
        about.update(["money"] if stated.word == "much" and not stems & match.claim.stems else [])
        return _is_of(cell, words, about) or bool((stems - parse(stated.word).stems) & match.claim.stems)
    if is_money(stated.figure.units):
        return is_money(cell.units) or (not cell.units and (is_total(key) or not MONEY.isdisjoint(words | stems)))
    if is_count(stated.figure.units) or not stated.figure.units:
        return (not cell.units or is_count(cell.units)) and bool(stems & _counted(match, stated.figure))
    return alike(stated.figure, cell) or names_unit(key, stated.figure)


def names_unit(key: str, figure: Figure) -> bool:
    """Whether a column or key ends with the unit that a sentence writes: "load_t" for "20 t"."""
    unit = figure.text.removeprefix(figure.number.text).strip().lower().translate(_EXPONENTS)
    *_, last = ["", *key.lower().translate(_EXPONENTS).split()]
    return unit != "" and last.strip("()") == unit


def _may_be_of(match: Match, stated: StatedComparison, figure: Figure) -> bool:
    """Whether a figure of prose may be one of those that a sentence compares."""
    if figure.number.kind != "number":
        return False
    if stated.figure is not None:
        return alike(stated.figure, figure)
    return _is_of(figure, set(), {sort for sort, some in _ABOUT.items() if not some.isdisjoint(match.claim.words)})


def _is_of(figure: Figure, words: set[str], about: Iterable[str]) -> bool:
    return any(
        (is_money(figure.units) or (not figure.units and not MONEY.isdisjoint(words)))
        if sort == "money"
        else bool(converted(1, _amounts(figure.units), (sort,)))
        for sort in about
    )


def alike(one: Figure, other: Figure) -> bool:
    """Whether two figures measure or count the same."""
    if one.number.kind != "number" or other.number.kind != "number":
        return False
    if is_count(one.units) or not one.units:
        return not other.units or is_count(other.units)
    return bool(converted(1, _amounts(other.units), _amounts(one.units))) or (
        is_money(one.units) and is_money(other.units) and bool(_shared_currency(one.units, other.units))
    )


def _shared_currency(one: Units, other: Units) -> set[str]:
    return set(in_main_currency(1, _amounts(one))[1]) & set(in_main_currency(1, _amounts(other))[1])


def _counted(match: Match, figure: Figure) -> frozenset[str]:
    """The stems of what a sentence counts: "two more seats", "4 books more"."""
    after = [each.stem for each in match.claim.tokens if each.start >= figure.end and each.stem][:2]
    return frozenset(after) | ({figure.noun} - {""})


def _is_room(figure: Figure, key: str) -> bool:
    return not figure.units and not _ROOM.isdisjoint(each.word for each in parse(key).tokens)


def _amounts(units: Units) -> Units:
    return tuple(dict.fromkeys(unit.partition("/")[0] for unit in units))
