"""Numbers, dates and units that differ from those of the context."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

from voirdire.evidence.bands import banded_figures
from voirdire.evidence.context import code_spots
from voirdire.evidence.derivations import derivations, is_calculated
from voirdire.evidence.figures import (
    Figure,
    is_difference,
    keeps_limits,
    names_rank,
    range_text,
    ranges_of,
    same_sort,
    same_value,
)
from voirdire.evidence.figures_of_clauses import figure_of_other_clause
from voirdire.evidence.figures_of_other_columns import figure_of_other_column, is_of_named_column
from voirdire.evidence.figures_of_other_names import Sibling, sibling_finder
from voirdire.evidence.limits import limits_of, passed, says_too_much_or_little, side_of_judgement
from voirdire.evidence.listings import with_key
from voirdire.evidence.matching import Match
from voirdire.evidence.named_times import as_named_times
from voirdire.evidence.names import PRONOUNS
from voirdire.evidence.negation import negations
from voirdire.evidence.plain_calculations import is_plainly_wrong
from voirdire.evidence.records import SURE, Contradiction, ContradictionKind, confidence
from voirdire.evidence.row_sums import calculation_of
from voirdire.evidence.schedules import as_scheduled, schedule_figures
from voirdire.evidence.tokens import ParsedSentence, parse
from voirdire.text.numbers import Number, agree, comparable
from voirdire.text.units import MONEY, family, is_count, is_money, is_rate_of
from voirdire.text.units import alike as units_alike

_Words = tuple[tuple[str, str], ...]
"""Stems of words around a figure, each with its side: "before" or "after"."""

_ABOUT = 0.2  # share of the sentence's other words that a context sentence with another number must have
_COUNTED_ABOUT = 0.3  # that one with another count, or another ordinal, must have
_ADDS = 0.05  # what a sentence that has the number may have of the words that the best one lacks
_WORDS = 5  # content words of a sentence that can be placed at all
_COMMON = 100  # whole numbers up to here count all sorts of things in a text; greater ones don't recur by chance
_FEW = 20  # a count up to here may be the reader's own: of the things that the context lists
_BESIDE = 3  # content words to each side of a figure that say what it is of
_SWAPPED_ABOUT = 0.35
_MARGIN = 0.25  # how much more it must have than any sentence that has the number, and its neighbours
_NAMESAKE = 0.75  # share of the sentence's words that one about another thing of that name must have
_OF_OTHER_NAME = 0.95  # confidence, of a figure that the context has of other names only
_OTHER_UNIT = 0.8  # confidence
_NEAREST = 0.5  # of the best share; a sentence that has less sets no limits to what another one does
_FORERUNNERS = 3  # sentences before one with a pronoun that may name what it stands for
_COMPARED = 30  # figures whose differences, ranges and limits are looked at
_PART_BEFORE = re.compile(r"(?i)\b(?:of|among) (?:which|them|these|those) (?:only |just |about |some )?$|\bincluding $")
_PART_AFTER = re.compile(r"(?i) of (?:which|them|these|those)\b")
_PARTS = re.compile(r"(?i)\bof (?:which|them|these|those)\b[^.]* and (?:only |just |about |some )?$")
_CLAUSE_END = re.compile(r"[,;:](?!\d)")
_EVENT_END = re.compile(r"[,;:](?!\d)|\band\b")
_LIST_MARK = re.compile(r"(?:^|\n|[:;.]\s)\s*$")
_SUBJECT = 4  # words of a sentence within which a pronoun is its subject: "on Sundays it"
_JOINED = re.compile(r"[a-z]+-[a-z]+")
"""A "check-in" is no "check-out"."""
_FREE = re.compile(r"(?i)\bfree of charge\b|\bfor free\b|(?<=\bis )free\b(?! (?:of|from|to)\b)")
# A context sentence that gives its time by that of another says nothing against a year.
_RELATIVE = re.compile(
    r"(?i)\b(?:that|same|following|next|previous|preceding|prior) (?:year|month|season|summer|winter|spring|day)\b"
    r"|\b(?:year|month|decade|day|week)s? (?:later|earlier|before|after)\b"
)


def figure_contradictions(match: Match) -> Iterator[Contradiction]:
    """Numbers that the context does not have while it has others there, or has of something else; other units."""
    comparison = calculation_of(match)
    compared = comparison.own if comparison else frozenset()
    counting = [
        each
        for each in match.figures
        if each[0].start not in compared
        and not _counts_nothing(match.claim.text, each[0])
        and match.index.bare_code(each[0]) is None
    ]
    if not counting:
        return
    figures = [figure for figure, _ in match.figures]
    shares = match.shares(_figure_stems(match))
    ranked = [place for place in match.closest_places(shares) if not match.index.is_header(place)]
    near = [place for place in ranked if shares[place] >= _ABOUT]
    nearest = [place for place in near if shares[place] >= _NEAREST * shares[near[0]]]
    stated = {figure.start for figure, same in counting if same}
    # With one end of a range of the context and another one, it is that range changed.
    changed = {
        end.start
        for ends in ranges_of(figures, match.claim.text)
        if not stated.isdisjoint(end.start for end in ends)
        for end in ends
    }
    asserts = not any(negations(match.claim))
    sibling_of = sibling_finder(match)
    scheduled = schedule_figures(match) if asserts else {}
    contradictions: list[Contradiction] = []
    for figure, same in counting:
        column = figure_of_other_column(match, figure) if asserts else None
        if figure.start in scheduled:
            of_schedule = _contradiction_of_sibling(figure, column) if column else scheduled[figure.start]
            contradictions += [of_schedule] if of_schedule is not None and of_schedule not in contradictions else []
            continue
        if figure.start in derivations(match) or _is_context_rank(match, figure) or _is_short_answer(match, figure):
            continue
        if is_rightly_excluded(match, figure, nearest):
            continue
        if near and side_of_judgement(match.claim, figure):
            contradictions += _misjudged(match, figure, shares, near)
            continue
        sibling = (sibling_of(figure) or figure_of_other_clause(match, figure) or column) if asserts else None
        if sibling is not None:
            contradictions.append(_contradiction_of_sibling(figure, sibling))
            continue
        if asserts and is_of_named_column(match, figure):
            continue
        if (
            figure.start not in changed
            and not _is_negated(match.claim, figure)
            and _keeps_limits(match, figure, nearest)
        ):
            continue
        known = {place for place, _ in same} - match.about_namesakes
        if not known and figure.units and match.index.single_units.same(figure):
            continue
        namesake = _figure_of_namesake(match, figure, same, ranked) if asserts else None
        if namesake is not None:
            contradiction: Contradiction | None = namesake
        elif not known:
            contradiction = (
                _price_of_what_is_free(match, figure, shares, ranked)
                or _other_unit(match, figure, same, near)
                or _changed_figure(match, figure, same, shares, ranked)
            )
            if contradiction is not None and contradiction.kind == "number":
                contradiction = replace(
                    contradiction,
                    is_calculated=not same and is_calculated(match, figure),
                    sure=contradiction.sure or is_plainly_wrong(match, figure),
                )
        elif _is_one(figure):
            contradiction = _other_unit(match, figure, same, near)
        else:
            contradiction = (
                _other_unit(match, figure, same, near)
                or _unit_in_its_place(match, figure, ranked, known)
                or _partial_date(match, figure, shares, ranked)
                or _other_measure(match, figure, same, shares, ranked)
                or _other_count(match, figure, same, figures, shares, ranked)
                or _misplaced_figure(match, figure, shares, ranked, known)
            )
        if contradiction is not None and contradiction not in contradictions:
            contradictions.append(contradiction)
    yield from contradictions or (_other_pair(match, near) if asserts else ())


def _other_pair(match: Match, places: Iterable[int]) -> Iterator[Contradiction]:
    """Two figures that a sentence of the context gives with another one each: "five cost £195 and ten £370"."""
    if len(match.figures) != 2 or derivations(match):
        return
    one, two = (figure for figure, _ in match.figures)
    if same_sort(one, two) or any(_pairs_of(match, place, one, two, together=True) for place, _ in match.figures[0][1]):
        return
    for place in places:
        for other in _pairs_of(match, place, one, two, together=False):
            yield _contradiction(match, two, other, place, match.shares(_figure_stems(match))[place])
            return


def _pairs_of(match: Match, place: int, one: Figure, two: Figure, *, together: bool) -> list[Figure]:
    """Second figures of the pairs of a context sentence where the first is one of a claim, and which these are.

    Args:
        match: of the claim.
        place: of the context sentence.
        one: a figure of the claim.
        two: its other figure.
        together: whether the pair has both; else the sentence has the other one in another pair.
    """
    figures = match.index.figures[place][:_COMPARED]
    pairs = list(zip(figures[::2], figures[1::2], strict=False))
    if len(pairs) < 2 or len(figures) % 2 or not all(_is_pair_like(pair, (one, two)) for pair in pairs):
        return []
    seconds = [second for first, second in pairs if same_value(one, first)]
    same = [second for second in seconds if same_value(two, second)]
    if together:
        return same
    return seconds if not same and any(same_value(two, second) for _, second in pairs) else []


def _is_pair_like(pair: tuple[Figure, Figure], other: tuple[Figure, Figure]) -> bool:
    return all(same_sort(*each) for each in zip(pair, other, strict=True))


def _is_context_rank(match: Match, figure: Figure) -> bool:
    return figure.number.kind == "ordinal" and any(names_rank(each, figure) for each in match.index.sentences)


def _is_short_answer(match: Match, figure: Figure) -> bool:
    """Whether a sentence is a figure alone that the context has for each of something: "29 cents", "… per kWh"."""
    if any(token.stem and not figure.start <= token.start < figure.end for token in match.claim.tokens):
        return False
    return any(
        agree(figure.number, other.number) and rate.startswith(f"{unit}/")
        for _, other in match.index.figure_table.around(figure)
        for rate in other.units
        for unit in figure.units
    )


def _is_negated(sentence: ParsedSentence, figure: Figure, *, before: bool = True) -> bool:
    """Whether a negator stands in a figure's clause, and `before` it."""
    starts = (each.start for each in negations(sentence) if each.start < figure.start or not before)
    return any(not _CLAUSE_END.search(sentence.text, *sorted((start, figure.start))) for start in starts)


def is_rightly_excluded(match: Match, figure: Figure, places: Iterable[int]) -> bool:
    """Whether a figure is beyond a limit of one of these sentences, and said to be, or denied: "10 °C is too warm".

    A sentence that denies something itself sets no such limit: "we do not ask again for 30 days".
    """
    side = side_of_judgement(match.claim, figure)
    denied = _is_negated(match.claim, figure, before=False) and not says_too_much_or_little(match.claim)
    if figure.bound or not (side or denied):
        return False
    sides = {
        passed(figure, limits_of(figure, match.index.figures[place][:_COMPARED], match.index.sentences[place].text))
        for place in places
        if side or not any(negations(match.index.sentences[place]))
    }
    return side in sides if side else bool(sides - {0})


def _misjudged(match: Match, figure: Figure, shares: Mapping[int, float], places: Iterable[int]) -> list[Contradiction]:
    """That a figure is called too much or too little, where the nearest sentence with such a limit allows it."""
    side = side_of_judgement(match.claim, figure)
    for place in places:
        figures, text = match.index.figures[place][:_COMPARED], match.index.sentences[place].text
        limit = next((each for each in limits_of(figure, figures, text) if each.side == side), None)
        if limit is not None and shares[place] >= _SWAPPED_ABOUT and not same_value(figure, limit.figure):
            return [_contradiction(match, figure, limit.figure, place, shares[place])]
    return []


def _keeps_limits(match: Match, figure: Figure, places: Iterable[int]) -> bool:
    """Whether it is within a range or a limit of one of these sentences of the context."""
    sentences, figures = match.index.sentences, match.index.figures
    return any(keeps_limits(figure, figures[place][:_COMPARED], sentences[place].text) for place in places)


def _as_limits(match: Match) -> dict[tuple[int, int], str]:
    """Where a sentence has a figure that keeps the one limit of its sort in the closest sentence, and that limit."""
    if match.closest is None or not match.figures:
        return {}
    figures, text = match.index.figures[match.closest][:_COMPARED], match.index.sentences[match.closest].text
    limits = {
        (figure.start, figure.end): [each for each in figures if keeps_limits(figure, [each], text)]
        for figure, same in match.figures
        if not same and keeps_limits(figure, figures, text)
    }
    return {span: some[0].bounded for span, some in limits.items() if len(some) == 1}


def with_context_figures(match: Match) -> str:
    """A sentence with each figure that the context gives in other writing, or that follows from those it gives."""
    derived = derivations(match)
    changes = _as_limits(match) | as_scheduled(match) | banded_figures(match) | as_named_times(match)
    for figure, same in match.figures:
        texts = [other.text for _, other in same if bool(other.units) == bool(figure.units)]
        if figure.start in derived:
            texts = [term.text for term in derived[figure.start].terms]
        if texts and figure.text not in texts:
            changes[figure.start, figure.end] = texts[0]
    return _changed(match.claim.text, changes)


def with_context_units(match: Match) -> str:
    """A sentence with figures as its context writes them, in other units, or in a record without a currency."""
    changes = _as_limits(match) | as_scheduled(match) | banded_figures(match) | as_named_times(match)
    for figure, same in match.figures:
        texts = [other.text for _, other in same if family(figure.units) & family(other.units)]
        if not texts and frozenset({(MONEY, 1)}) in family(figure.units):
            texts = [other.text for place, other in same if not other.units and match.index.in_cells(place)]
        if texts and not any(set(figure.units) & set(other.units) for _, other in same):
            changes[figure.start, figure.end] = texts[0]
    return _changed(match.claim.text, changes)


def _changed(text: str, changes: Mapping[tuple[int, int], str]) -> str:
    for (start, end), other in sorted(changes.items(), reverse=True):
        text = text[:start] + other + text[end:]
    return text


def _figure_stems(match: Match) -> list[str]:
    """The stems of a sentence that are digits, or months of its dates that the context does not have."""
    dates = [figure for figure, _ in match.figures if figure.number.kind == "date"]
    return [
        token.stem
        for token in match.claim.tokens
        if token.stem
        and (
            token.word[0].isdigit()
            or (token.stem not in match.index.postings and any(each.start <= token.start < each.end for each in dates))
        )
    ]


def _changed_figure(
    match: Match,
    figure: Figure,
    same: Collection[tuple[int, Figure]],
    shares: dict[int, float],
    ranked: Sequence[int],
) -> Contradiction | None:
    """A number that the context does not have, while a sentence on the same matter has another of its sort.

    It may have the `same` of another thing of that name, as of the Falcon 2 where this sentence says Falcon 3.
    Of small counts the context may be silent though it lists what is counted; other figures it must have.
    """
    about = _COUNTED_ABOUT if figure.number.kind == "ordinal" else _ABOUT
    if not ranked or shares[ranked[0]] < about:
        return None
    full = {place: _share_with_forerunner(match, place, shares) for place in ranked}
    joined = set(_JOINED.findall(match.claim.text.lower()))
    names_it = {place: joined <= set(_JOINED.findall(match.index.sentences[place].text.lower())) for place in ranked}
    for place in sorted(ranked, key=lambda each: (-full[each], not names_it[each])):
        if figure.bound and match.index.in_cells(place):  # one of its values may keep the bound
            continue
        rivals = _rivals(match, figure, _others(match, place, lacking=True)) if full[place] >= about else []
        if rivals and abs(figure.number.value) > _FEW and _is_named(match, figure, place):
            return None
        if rivals and figure.number.kind == "year":
            near = [each for each in ranked if full[each] >= about]
            at, year = _year_of_same_event(match, figure, near)
            return _contradiction(match, figure, year, at, shares[place])
        if rivals:
            return _contradiction(match, figure, rivals[0], place, shares[place])
    number = figure.number
    if (
        same
        or (number.kind == "ordinal" and match.index.in_cells(ranked[0]))
        or (number.kind in ("number", "version") and abs(number.value) <= _FEW)
        or (number.kind in ("percent", "clock") and number.text.rstrip(".")[-1].isalpha())
    ):
        return None
    return _contradiction(match, figure, None, ranked[0], shares[ranked[0]])


def _share_with_forerunner(match: Match, place: int, shares: Mapping[int, float]) -> float:
    """The share of a sentence; of "On Sundays it opens at 8:00" with what the last one without a pronoun adds."""
    sentences, pronouns = match.index.sentences, match.index.names.pronouns
    if PRONOUNS.isdisjoint(each.word for each in sentences[place].tokens[:_SUBJECT]):
        return shares[place]
    first = max(place - _FORERUNNERS, 0)
    forerunner = next((each for each in range(place, first - 1, -1) if not pronouns[each]), place)
    added = match.claim.stems & sentences[forerunner].stems - sentences[place].stems
    return shares[place] + sum(map(match.index.weight, sorted(added))) / match.total


def _is_named(match: Match, figure: Figure, place: int) -> bool:
    """Whether a sentence has a number as a part of a name only: "the Borealis carries 1,200, the Aurora 800".

    A difference is none of the values either: "€500 more" says nothing of the battery's 500 Wh.
    """
    if figure.number.text not in match.index.sentences[place].words:
        return False
    return is_difference(match.claim.text, figure) or not any(
        agree(figure.number, other.number) for other in match.index.figures[place]
    )


def _year_of_same_event(match: Match, figure: Figure, places: Iterable[int]) -> tuple[int, Figure]:
    """(place, figure) of the year whose clause has most of the sentence's words; of several, the nearest year."""
    rivals = [
        (place, each)
        for place in places
        for each, _ in _others(match, place, lacking=True)
        if comparable(each.number, figure.number)
    ]

    def nearness(rival: tuple[int, Figure]) -> tuple[int, float]:
        place, year = rival
        shared = _clause_stems(match.index.sentences[place], year) & match.claim.stems
        return len(shared), -abs(year.number.value - figure.number.value)

    return max(rivals, key=nearness)


def _clause_stems(sentence: ParsedSentence, figure: Figure) -> frozenset[str]:
    """The stems of the clause of a figure; "in 2011," alone is none."""
    ends = [0, *(each.end() for each in _EVENT_END.finditer(sentence.text)), len(sentence.text)]
    for start, end in pairwise(ends):
        stems = {token.stem for token in sentence.tokens if start <= token.start < end and token.stem}
        if start <= figure.start < end and len(stems) > 1:
            return frozenset(stems)
    return sentence.stems


def _figure_of_namesake(
    match: Match, figure: Figure, same: Collection[tuple[int, Figure]], ranked: Iterable[int]
) -> Contradiction | None:
    """A name with a figure, where the context says this of another thing of that name, and of this one nothing else."""
    own = [other for place, other in same if place not in match.about_namesakes]
    own += [other for place in ranked for other in match.index.figures[place]]
    if any(same_sort(figure, other) for other in own):
        return None
    for place in (place for place, _ in same if place in match.about_namesakes):
        share = match.namesake_share(place, _figure_stems(match))
        if share < _NAMESAKE:
            continue
        evidence = match.index.sentences[place]
        names = {
            code: evidence.text[slice(*span)]
            for span, code in code_spots(evidence.text, match.index.sentence_codes[place]).items()
        }
        for span, (letters, _) in code_spots(match.claim.text, match.codes).items():
            other = next((name for code, name in names.items() if code[0] == letters), None)
            if other is not None:
                return Contradiction("number", match.claim.text[slice(*span)], other, evidence.text, confidence(share))
    return None


def _partial_date(
    match: Match, figure: Figure, shares: dict[int, float], ranked: Sequence[int]
) -> Contradiction | None:
    """A date of which the context has only a part ("2008"), and beside it one that differs in another part."""
    one = figure.number
    if one.month is None:
        return None
    if any(each.number.month and agree(one, each.number) for _, each in match.index.figure_table.around(figure)):
        return None
    for place in ranked:
        for each in match.index.figures[place]:
            if each.number.month and _date_parts(one) & _date_parts(each.number):
                return _contradiction(match, figure, each, place, shares[place])
    return None


def _date_parts(date: Number) -> set[tuple[str, float]]:
    """What a date names of year, month and day."""
    parts = {("month", date.month), ("day", date.day), ("year", date.low if date.low > 0 else None)}
    return {(part, value) for part, value in parts if value is not None}


def _other_count(
    match: Match,
    figure: Figure,
    same: Collection[tuple[int, Figure]],
    claim_figures: Sequence[Figure],
    shares: dict[int, float],
    ranked: Sequence[int],
) -> Contradiction | None:
    """A count of what the context counts differently: "three touchdowns" against "16 touchdowns"."""
    number = figure.number
    if not figure.noun or number.kind != "number" or abs(number.value) > _COMMON or number.value % 1:
        return None
    if figure.units and any(each.noun and _may_be_measured(match, figure, place, each) for place, each in same):
        return None  # "7 working days"
    counted = [own for own in claim_figures if not own.units]  # "10 MB" are no ten files
    if any(_counts_alike(figure, each) or _is_part_of_count(match, figure, place, each) for place, each in same):
        return None
    for place in ranked:
        if shares[place] < _COUNTED_ABOUT:
            return None
        for each in match.index.figures[place]:
            if _counts_alike(figure, each) and not any(
                same_value(own, each) for own in (claim_figures if each.units else counted)
            ):
                return _contradiction(match, figure, each, place, shares[place])
    return None


def _other_measure(
    match: Match,
    figure: Figure,
    same: Collection[tuple[int, Figure]],
    shares: dict[int, float],
    ranked: Sequence[int],
) -> Contradiction | None:
    """A measure where the closest sentence has another one of its sort, and only counts its number: "six lanes"."""
    if not ranked or shares[ranked[0]] < _SWAPPED_ABOUT:
        return None
    if any(_may_be_measured(match, figure, place, each) for place, each in same):
        return None
    rivals = [each for each in match.index.figures[ranked[0]] if family(figure.units) & family(each.units)]
    return _contradiction(match, figure, rivals[0], ranked[0], shares[ranked[0]]) if len(rivals) == 1 else None


def _is_part_of_count(match: Match, figure: Figure, place: int, same: Figure) -> bool:
    """Whether a number of the context is a part of what is counted before it: "118 seats, of which 30 upstairs".

    So is the last of several: "nine lines; seven of these run daily and two at weekends".

    The sentence must then name the part.
    """
    evidence = match.index.sentences[place]
    text = evidence.text
    before = text[: same.start]
    if not (_PART_AFTER.match(text, same.end) or _PART_BEFORE.search(before) or _PARTS.search(before)):
        return False
    named = {token.stem for token in evidence.tokens if token.stem and token.start >= same.end}
    if named.isdisjoint(match.claim.stems):
        return False
    return any(_counts_alike(figure, whole) and whole.start < same.start for whole in match.index.figures[place])


def _counts_alike(figure: Figure, other: Figure) -> bool:
    """Whether both count or measure the same: "€180 per week" is no number of weeks."""
    are_measures = bool(figure.units and other.units) and not is_count(figure.units) and not is_count(other.units)
    if are_measures and not family(figure.units) & family(other.units):
        return False
    return other.noun == figure.noun and other.number.kind == figure.number.kind


def _misplaced_figure(
    match: Match, figure: Figure, shares: dict[int, float], ranked: Sequence[int], known: Collection[int]
) -> Contradiction | None:
    """A number that the context has of something else: every sentence that has it, and its neighbours, has less."""
    if not ranked or shares[ranked[0]] < _SWAPPED_ABOUT or len(match.claim.stems) < _WORDS:
        return None
    if any(map(match.index.is_header, known)):
        return None  # it names a column
    if match.codes and any(match.codes <= match.index.sentence_codes[place] for place in known):
        return None  # "A4 … measures 210 by 297 millimetres", though another sentence has more of the words
    if any(_is_end_about_the_same(match, figure, place) for place in known):
        return None
    best = ranked[0]
    if match.index.sentences[best].text.startswith("#") and any(map(match.index.in_cells, known)):
        return None  # a heading names what its table is of
    in_heading = any(match.index.sentences[place].text.startswith("#") for place in known)
    if in_heading and not _has_others(match, figure, best):
        return None  # its year is that of all below it
    linked = max(shares.get(place + step, 0.0) for place in known for step in (-1, 0, 1))
    if shares[best] - linked < _MARGIN or match.added_share(best, known, _figure_stems(match)) > _ADDS:
        return None
    if figure.number.kind in ("year", "date") and _RELATIVE.search(match.index.sentences[best].text):
        return None
    rivals = _rivals(match, figure, _others(match, best, lacking=False))
    if not rivals and abs(figure.number.value) <= _FEW:
        return None
    return _contradiction(match, figure, rivals[0] if rivals else None, best, shares[best])


def _has_others(match: Match, figure: Figure, place: int) -> bool:
    """Whether a sentence of the context has all other amounts of a sentence, of which it has one at least."""
    others = [
        {at for at, _ in same}
        for each, same in match.figures
        if each is not figure and (each.units or abs(each.number.value) > _FEW)
    ]
    return bool(others) and all(place in places for places in others)


def _is_end_about_the_same(match: Match, figure: Figure, place: int) -> bool:
    """Whether a sentence or row has a figure as an end of a range, and it or its header a word of the claim."""
    index, text = match.index, match.index.sentences[place].text
    ends = [end for pair in ranges_of(index.figures[place][:_COMPARED], text) for end in pair]
    if not any(same_value(figure, end) for end in ends):
        return False
    listing = index.listings.get(place)
    header = " ".join(listing.header) if listing else ""
    about = (index.sentences[place].stems | parse(header).stems).difference(_figure_stems(match))
    return not about.isdisjoint(match.claim.stems)


def _other_unit(
    match: Match, figure: Figure, same: Collection[tuple[int, Figure]], near: Collection[int]
) -> Contradiction | None:
    """A number that the context has in other units only; units of another quantity count in the sentences `near`."""
    if not figure.units:
        return None
    if any(other.units for _, other in same):
        return None
    if any(set(figure.units).intersection(other.units) for place in near for other in match.index.figures[place]):
        return None  # then it is that figure changed
    close = [(place, other) for place in near for other in match.index.figures[place]]
    elsewhere = (
        (place, other)
        for place, other in match.index.figure_table.around(figure)
        if place not in near and family(figure.units) & family(other.units)
    )
    for place, other in (*close, *elsewhere):
        if any(same_value(own, other) for own, _ in match.figures):
            continue
        if other.units and agree(figure.number, other.number) and _may_be_ages(figure, other):
            return Contradiction(
                "unit",
                figure.text,
                _with_range(match, other, place),
                match.index.sentences[place].text,
                _OTHER_UNIT,
                sure=not _is_one(figure) and not any(negations(match.claim)),
            )
    return None


def _price_of_what_is_free(
    match: Match, figure: Figure, shares: Mapping[int, float], ranked: Sequence[int]
) -> Contradiction | None:
    """A sum of money where the nearest sentence has none and says that the thing is free."""
    if not is_money(figure.units) or not ranked or shares[ranked[0]] < _SWAPPED_ABOUT:
        return None
    evidence = match.index.sentences[ranked[0]]
    free = _FREE.search(evidence.text)
    if free is None or any(negations(evidence)) or any(is_money(each.units) for each in match.index.figures[ranked[0]]):
        return None
    return Contradiction("number", figure.text, free[0], evidence.text, confidence(shares[ranked[0]]))


def _unit_in_its_place(
    match: Match, figure: Figure, ranked: Sequence[int], known: Collection[int]
) -> Contradiction | None:
    """A number that the nearest sentence has in another unit between the same words: "pays £5 AER" of "pays 5% AER"."""
    if not figure.units or not ranked or ranked[0] in known:
        return None
    evidence = match.index.sentences[ranked[0]]
    beside = _neighbours(match.claim, figure)
    for other in match.index.figures[ranked[0]]:
        measures = bool(other.units) or other.number.kind == "percent"
        if measures and other.number.value == figure.number.value and _neighbours(evidence, other) == beside:
            return Contradiction("unit", figure.text, other.text, evidence.text, _OTHER_UNIT)
    return None


@lru_cache(maxsize=64)
def _others(match: Match, place: int, *, lacking: bool) -> tuple[tuple[Figure, _Words], ...]:
    """The figures of a context sentence, or those that the sentence itself lacks, with what is around each."""
    evidence, figures = match.index.sentences[place], match.index.figures[place]
    if lacking:
        own = [figure for figure, _ in match.figures]
        figures = tuple(
            each for each in figures if not any(same_value(one, each) and _may_count_alike(one, each) for one in own)
        )
    return tuple((each, _neighbours(evidence, each)) for each in figures[:_COMPARED])


def _rivals(match: Match, figure: Figure, others: Iterable[tuple[Figure, _Words]]) -> list[Figure]:
    """Those of other figures that are of the same quantity.

    Those like it come first, and of them those with the same figures and most of the same words around.
    """
    beside = _neighbours(match.claim, figure)
    candidates = [
        (other, bool(family(figure.units) & family(other.units)), around)
        for other, around in others
        if comparable(other.number, figure.number) and _is_same_quantity(figure, beside, other, around)
    ]
    candidates.sort(key=lambda each: (not each[1], *_dissimilarity(beside, each[2])))
    return [other for other, alike, _ in candidates if alike or not (_is_one(figure) or _is_one(other))]


def _is_same_quantity(figure: Figure, beside: _Words, other: Figure, around: _Words) -> bool:
    """Whether two figures tell of one quantity: in units of one sort, or of what the same words are beside.

    "18 million visitors" are no "37 years", and "6 days" of notice no "24 days a year" of leave. Measures of two sorts
    must follow the same word: "works at 20 kg", "works at 40 °C". So must a count and a measure, or share two words.
    """
    if figure.number.kind != "number":
        return True
    if not _may_be_ages(figure, other):
        return False
    counts = [each for each in (figure, other) if is_count(each.units)]
    if not counts and units_alike(figure.units, other.units):
        return True
    shared = set(beside).intersection(around)
    if len(counts) == 2 or (not counts and is_rate_of(figure.units, other.units)):
        return bool(shared)
    if any(each.noun for each in counts) and figure.noun != other.noun:
        return False
    return _word_before(beside) == _word_before(around) != ""


def _may_count_alike(one: Figure, other: Figure) -> bool:
    """Whether two figures may be of the same things: "six schools" are not "6 programs"."""
    return bool(one.units or other.units) or one.noun == other.noun or not (one.noun and other.noun)


def _with_range(match: Match, figure: Figure, place: int) -> str:
    """A figure of a context sentence, or the range that it is an end of; of JSON with its key."""
    text = match.index.sentences[place].text
    ranges = ranges_of(match.index.figures[place][:_COMPARED], text)
    return next((range_text(ends, text) for ends in ranges if figure in ends), with_key(text, figure))


def _dissimilarity(one: _Words, other: _Words) -> tuple[int, int, int]:
    """For sorting: figures that two surroundings share on one side, words there, and words on either side.

    Those that share most come first.
    """
    shared = set(one).intersection(other)
    anywhere = {word for _, word in one} & {word for _, word in other}
    return -sum(word[0].isdigit() for _, word in shared), -len(shared), -len(anywhere)


def _neighbours(sentence: ParsedSentence, figure: Figure) -> _Words:
    """The other figures and the stems of the words around a figure, each with its side, in their order."""
    known = [(token.start, token.end, token.stem or token.word) for token in sentence.tokens]
    content = [each for each in known if each[2][0].isdigit() or sentence.stems.intersection(each[2:])]
    before = [("before", word) for _, end, word in content if end <= figure.start][-_BESIDE:]
    after = [("after", word) for start, _, word in content if start >= figure.end][:_BESIDE]
    return (*before, *after)


def _word_before(neighbours: _Words) -> str:
    return next((word for side, word in reversed(neighbours) if side == "before"), "")


def _may_be_measured(match: Match, figure: Figure, place: int, other: Figure) -> bool:
    """Whether a bare number of the context may be of a measure: "7 working days" of "7 days", "six lanes" of none."""
    if is_count(figure.units) or other.units or not other.noun:
        return True
    unit = {each.stem for each in match.claim.tokens if figure.start <= each.start < figure.end} - {""}
    tokens = match.index.sentences[place].tokens
    following = [each.stem for each in tokens if each.start >= other.end][:_BESIDE]
    return not unit.isdisjoint(following)


def _is_one(figure: Figure) -> bool:
    """Whether it is "one day" or "a day", which may be any day."""
    return figure.number.text.lower() in ("one", "a", "an")


def _may_be_ages(figure: Figure, other: Figure) -> bool:
    """Whether measures in two units are both ages, or neither: "a six-year-old" says nothing against "six hours"."""
    in_two_units = bool(figure.units and other.units) and set(figure.units).isdisjoint(other.units)
    return not in_two_units or _is_age(figure) == _is_age(other)


def _is_age(figure: Figure) -> bool:
    return figure.after.startswith(("-old", " old", " of age")) or figure.before.endswith("aged ")


def _contradiction_of_sibling(figure: Figure, sibling: Sibling) -> Contradiction:
    return Contradiction(
        _kind(figure),
        sibling.claim,
        sibling.evidence,
        sibling.context_sentence,
        _OF_OTHER_NAME,
        about=sibling.name,
        sure=True,
    )


def _contradiction(match: Match, figure: Figure, other: Figure | None, place: int, share: float) -> Contradiction:
    """Of the `other` figure of a sentence of the context, or of none."""
    certainty = confidence(share)
    return Contradiction(
        _kind(figure),
        figure.text,
        _with_range(match, other, place) if other else "",
        match.index.sentences[place].text,
        certainty,
        sure=other is not None
        and certainty >= SURE
        and (_kind(figure) == "date" or (_measures_alike(figure, other) and not any(negations(match.claim)))),
    )


def _measures_alike(figure: Figure, other: Figure) -> bool:
    """Whether both are times of day, shares, or amounts of one sort."""
    if figure.number.kind in ("clock", "percent", "points"):
        return figure.number.kind == other.number.kind
    return not is_count(figure.units) and bool(family(figure.units) & family(other.units))


def _kind(figure: Figure) -> ContradictionKind:
    return "date" if figure.number.kind in ("year", "date") else "number"


def _counts_nothing(text: str, figure: Figure) -> bool:
    """Whether it only numbers an item of a list, or stands for things named before: "between the two"."""
    number = figure.number
    if number.text.isalpha() and number.kind == "number" and not figure.noun:
        return True
    return text[number.end : number.end + 1] in (".", ")") and bool(_LIST_MARK.search(text[: number.start]))
