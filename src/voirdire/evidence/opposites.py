"""Opposite words, quantifiers and bounds, in the same surroundings of two sentences."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from voirdire.evidence.figures import Figure, range_text, ranges_of, same_sort
from voirdire.evidence.lexicon import lexicon, phrase_key
from voirdire.evidence.negation import (
    UNTIL,
    USING,
    costs_nothing,
    exceptions,
    exclusive_phrase,
    exclusive_stems,
    half_negators,
    negations,
    only_condition,
)
from voirdire.evidence.tokens import ParsedSentence, Token, stems_of
from voirdire.text.numbers import agree

_TIMES = re.compile(r"\s\d{1,2}[:.]\d\d")
_NEAR = 4  # tokens to each side that make a word's surroundings
_REACH = 5  # tokens that a negator may stand before the word that it negates
_COMPARED = 30  # figures whose ranges are looked at
_OBJECT = frozenset({"the", "a", "an", "his", "her", "its", "their"})  # words that an object begins with
_RETURNED = frozenset(
    "come comes came coming get gets got give gives gave given pay pays paid bring brings brought send sends sent go"
    " goes went money deposit it them".split()
)
"""Before "back"."""
_OBJECT_REACH = 8  # tokens that it may take, with what is said of it
_EVERYONE = frozenset({"anyone", "anybody", "everyone", "everybody"})
_ANY = frozenset({"any", "all", "every", "each"})
_PERMISSIONS = frozenset({"may", "can"})
_CLAUSE_END = re.compile(r"[,;:.()](?!\d)|\s(?:and|but)\s")


class OppositePair(NamedTuple):
    """A word of one sentence, and its opposite in the same surroundings of another."""

    claim: str
    evidence: str
    contradicts: bool
    """Not where both say the same: "not severe" and "mild", "weaker than the alloy" and "stronger than steel"."""


def find_opposites(
    claim: ParsedSentence, evidence: ParsedSentence, context: Collection[ParsedSentence] = ()
) -> Iterator[OppositePair]:
    """Opposites in the same surroundings, and comparisons of which the sides are swapped.

    A word that another sentence of the context has beside as much of the claim is none: where one tells of what is
    "within 10 miles", and another of what is "beyond 10 miles", the first contradicts nothing that is said beyond them.
    """
    for place, other in _opposite_places(claim, evidence):
        shared = len(_surroundings(claim, place) & _surroundings(evidence, other))
        if any(_shared_beside(claim, place, sentence) >= shared for sentence in context):
            continue
        if _of_other_objects(claim, place, evidence, other):
            continue
        if _returns(claim, place) != _returns(evidence, other):  # "comes back", "the front desk"
            continue
        swapped = _sides_swapped(claim, place, evidence, other)
        reversals = (_negated(claim, place), _negated(evidence, other), swapped)
        if _compare_the_same(claim, place, evidence, other) and _lasts(claim, place) == _lasts(evidence, other):
            yield OppositePair(_word(claim, place), _word(evidence, other), sum(reversals) % 2 == 0)
    for place, other in _repeated_comparisons(claim, evidence):
        if _sides_swapped(claim, place, evidence, other) and _compare_the_same(claim, place, evidence, other):
            contradicts = _negated(claim, place) == _negated(evidence, other)
            yield OppositePair(_comparison_text(claim, place), _comparison_text(evidence, other), contradicts)


def _of_other_objects(claim: ParsedSentence, place: int, evidence: ParsedSentence, other: int) -> bool:
    """Whether two words each have an object, and not the same: "lost his claim", "keep the coach in repair"."""
    if not {_particle(claim, place), _particle(evidence, other)} <= _OBJECT:
        return False
    objects = set(stems_of(claim.tokens[place + 1 : place + 1 + _OBJECT_REACH]))
    return objects.isdisjoint(stems_of(evidence.tokens[other + 1 : other + 1 + _OBJECT_REACH]))


def _returns(sentence: ParsedSentence, place: int) -> bool:
    """Whether a word is the "back" of what is returned, no side of a thing."""
    return sentence.tokens[place].word == "back" and place > 0 and sentence.tokens[place - 1].word in _RETURNED


def _shared_beside(claim: ParsedSentence, place: int, sentence: ParsedSentence) -> int:
    """How many stems stand beside a word both in the claim and in another sentence, which may have it several times."""
    key = _key(claim.tokens[place])
    places = (other for other, token in enumerate(sentence.tokens) if _key(token) == key)
    return max((len(_surroundings(claim, place) & _surroundings(sentence, other)) for other in places), default=0)


def share_opposites(claim: ParsedSentence, evidence: ParsedSentence) -> bool:
    """Whether both have a word of one pair, on whichever side: "declined", "has shrunk, not grown"."""
    return not {pair for pair, _ in _terms(claim)}.isdisjoint(pair for pair, _ in _terms(evidence))


def _opposite_places(claim: ParsedSentence, evidence: ParsedSentence) -> Iterator[tuple[int, int]]:
    """Places of words that are opposites, where neither sentence has both."""
    sides = _terms(evidence)
    own = _terms(claim)
    for (pair, side), places in own.items():
        if (pair, side) in sides or (pair, 1 - side) not in sides or (pair, 1 - side) in own:
            continue
        for place in places:
            for other in sides[pair, 1 - side]:
                if _surroundings(claim, place) & _surroundings(evidence, other):
                    yield place, other


def _key(token: Token) -> str:
    return token.stem or token.word


def _lasts(sentence: ParsedSentence, place: int) -> bool:
    """Whether a word says how long something lasts: what is "open until five", or "open 9:00–17:00", closes then."""
    return _particle(sentence, place) in UNTIL or _TIMES.match(sentence.text, sentence.tokens[place].end) is not None


def _word(sentence: ParsedSentence, place: int) -> str:
    """The word of a pair, with its particle where only both together are one."""
    token = sentence.tokens[place]
    return f"{token.word} {_particle(sentence, place)}" if _phrase_terms(sentence, place) else token.word


def _phrase_terms(sentence: ParsedSentence, place: int) -> tuple[tuple[int, int], ...]:
    token = sentence.tokens[place]
    return lexicon().opposites.get(phrase_key(_key(token), _particle(sentence, place)), ())


def _particle(sentence: ParsedSentence, place: int) -> str:
    return sentence.tokens[place + 1].word if place + 1 < len(sentence.tokens) else ""


def _repeated_comparisons(claim: ParsedSentence, evidence: ParsedSentence) -> Iterator[tuple[int, int]]:
    """Places of the same comparing word before "than": "wider than", "more shelves than"."""
    for place, token in enumerate(claim.tokens):
        if _than_after(claim, place) and _key(token) in lexicon().opposites:
            for other, evidence_token in enumerate(evidence.tokens):
                if evidence_token.word == token.word and _than_after(evidence, other):
                    yield place, other


def _compare_the_same(claim: ParsedSentence, place: int, evidence: ParsedSentence, other: int) -> bool:
    """Whether two comparisons are in the same respect: not "holds more shelves than", "needs more power than"."""
    than, other_than = _than_after(claim, place), _than_after(evidence, other)
    if not (than and other_than):
        return True
    mine = set(stems_of(claim.tokens[place + 1 : than])) or set(stems_of(claim.tokens[place - 1 : place]))
    theirs = set(stems_of(evidence.tokens[other + 1 : other_than])) or set(stems_of(evidence.tokens[other - 1 : other]))
    return bool(mine & theirs) or not (mine or theirs)


def _than_after(sentence: ParsedSentence, place: int) -> int:
    """Where the "than" of a comparing word stands; 0 for none."""
    following = range(place + 1, min(place + 1 + _NEAR, len(sentence.tokens)))
    return next((each for each in following if sentence.tokens[each].word == "than"), 0)


def _comparison_text(sentence: ParsedSentence, place: int) -> str:
    """A comparing word and what follows it, to the first content word after "than", with the figure of a name."""
    than = _than_after(sentence, place)
    last = next((at for at in range(than + 1, len(sentence.tokens)) if sentence.tokens[at].stem), than)
    if last + 1 < len(sentence.tokens) and sentence.tokens[last + 1].word[0].isdigit():
        last += 1
    return sentence.text[sentence.tokens[place].start : sentence.tokens[last].end]


def _negated(sentence: ParsedSentence, place: int) -> bool:
    """Whether a negator stands within the three words before, in the same clause."""
    for token in reversed(sentence.tokens[max(0, place - _REACH) : place]):
        if not token.word[0].isalnum():
            return False
        if token.word in lexicon().negators or token.word.endswith("n't"):
            return True
    return False


def _sides_swapped(claim: ParsedSentence, place: int, evidence: ParsedSentence, other: int) -> bool:
    """Whether what stands before a comparing word in one sentence follows it in the other."""
    if not (_compares(claim, place) and _compares(evidence, other)):
        return False
    before, after = _stems_around(claim, place)
    first, then = _stems_around(evidence, other)
    if (before - after) & (then - first) and (after - before) & (first - then):
        return True
    return len(before & then) + len(after & first) > len(before & first) + len(after & then)


def _compares(sentence: ParsedSentence, place: int) -> bool:
    return sentence.tokens[place].word in lexicon().ordering or _than_after(sentence, place) > 0


def _stems_around(sentence: ParsedSentence, place: int) -> tuple[frozenset[str], frozenset[str]]:
    """The stems before a place and after it."""
    before, after = sentence.tokens[:place], sentence.tokens[place + 1 :]
    return frozenset(each.stem for each in before if each.stem), frozenset(each.stem for each in after if each.stem)


@lru_cache(maxsize=4096)
def _terms(sentence: ParsedSentence) -> Mapping[tuple[int, int], list[int]]:
    opposites = lexicon().opposites
    places: dict[tuple[int, int], list[int]] = {}
    for place, token in enumerate(sentence.tokens):
        for term in _phrase_terms(sentence, place) or opposites.get(_key(token), ()):
            places.setdefault(term, []).append(place)
    return places


def _surroundings(sentence: ParsedSentence, place: int) -> frozenset[str]:
    around = sentence.tokens[max(0, place - _NEAR) : place] + sentence.tokens[place + 1 : place + 1 + _NEAR]
    return frozenset(token.stem for token in around if token.stem)


def quantifier_changes(claim: ParsedSentence, evidence: ParsedSentence) -> Iterator[tuple[str, str]]:
    """What is said of all here, and there, in the same surroundings, of some or most."""
    levels = lexicon().quantity
    universals = [(place, token) for place, token in enumerate(claim.tokens) if levels.get(token.word) == "all"]
    quantifiers = [(place, token) for place, token in enumerate(evidence.tokens) if token.word in levels]
    if any(levels[token.word] in ("all", "only") for _, token in quantifiers):
        return
    for place, token in universals:
        for other, other_token in quantifiers:
            if _surroundings(claim, place) & _surroundings(evidence, other):
                yield token.word, other_token.word
                return


def exclusive_changes(claim: ParsedSentence, evidence: ParsedSentence) -> Iterator[tuple[str, str]]:
    """What is denied here, or allowed of all, while there it is the only one: "never the K3", "anyone may".

    So is a rule without the only condition that it has there. A sentence that says more of it ("never use a worn K3",
    "anyone who") denies nothing.
    """
    condition = only_condition(evidence)
    if condition and not negations(claim) and claim.stems == evidence.stems.difference(stems_of(condition)):
        yield claim.text, evidence.text[condition[0].start : condition[-1].end]
        return
    only = exclusive_stems(evidence)
    if not only or exclusive_stems(claim) or "non" in claim.words:
        return
    if not all(each.limit for each in negations(evidence)):
        return
    denied = negations(claim)
    denials = (each for each in denied if not each.limit and only <= {*each.before, *each.scope})
    text = next((each.text for each in denials if each.says_no_more_than(evidence)), "")
    if not denied and not half_negators(claim):
        text = _excepted(claim, only) or _freed(claim, evidence)
    if text:
        phrase = exclusive_phrase(evidence)
        yield text, evidence.text[phrase[0].start : phrase[-1].end]


def _excepted(claim: ParsedSentence, only: frozenset[str]) -> str:
    """The words that except what is the only one elsewhere: "except the B4"."""
    for place in exceptions(claim):
        following = claim.tokens[place + 1 : place + 1 + _NEAR]
        if only.issubset(stems_of(following)):
            first = claim.tokens[place - 1 if claim.tokens[place].word == "than" else place]
            return claim.text[first.start : following[-1].end].rstrip(" .")
    return ""


def _freed(claim: ParsedSentence, evidence: ParsedSentence) -> str:
    """The words that leave the choice free, of what only one may elsewhere: "any blade", "anyone", "every tenant"."""
    phrase = frozenset(stems_of(exclusive_phrase(evidence)[1:]))
    rest = evidence.stems - phrase - USING
    if exclusive_stems(evidence) <= claim.stems or not rest <= claim.stems:
        return ""
    for place, (token, following) in enumerate(pairwise(claim.tokens)):
        chosen = claim.tokens[place + 1 : place + 1 + _NEAR]
        named = [each for each in chosen if each.stem in phrase]
        free = token.word in _ANY and (named or _may(chosen[1:]))
        if (token.word in _EVERYONE and following.word != "who") or free:
            last = token if token.word in _EVERYONE else (named or chosen[:1])[-1]
            other_stems = {
                each.stem for each in claim.tokens if each.stem and not token.start <= each.start <= last.start
            }
            return claim.text[token.start : last.end] if other_stems <= evidence.stems | USING else ""
    return ""


def _may(following: Sequence[Token]) -> bool:
    """Whether these tokens begin with a permission: "any tenant may"."""
    return bool(following) and following[0].word in _PERMISSIONS


def bound_changes(
    claim: ParsedSentence, figures: Sequence[Figure], evidence: ParsedSentence, others: Sequence[Figure]
) -> Iterator[tuple[str, str]]:
    """Figures that one sentence calls the least, and the other the most; not where one negates the rest as well.

    The lower end of a range is the least, the upper end the most.
    """
    if _negates_beyond_bounds(claim, figures, evidence) != _negates_beyond_bounds(evidence, others, claim):
        return
    for figure, other in _bound_pairs(figures, others):
        if _direction(figure) != _direction(other):
            yield figure.bounded, other.bounded
    for ends in ranges_of(others[:_COMPARED], evidence.text):
        for figure in figures:
            for other, direction in zip(ends, (1, -1), strict=True):
                if figure.bound and _direction(figure) != direction and _is_end(figure, other):
                    yield figure.bounded, range_text(ends, evidence.text)


def _is_end(figure: Figure, other: Figure) -> bool:
    return agree(figure.number, other.number) and same_sort(figure, other)


def bound_negations(sentence: ParsedSentence, figures: Sequence[Figure], others: Sequence[Figure]) -> frozenset[int]:
    """Where negations stand that turn round a bound of a figure that another sentence has, too.

    One after the figure does where the bounds are opposite: "children under 8 must not", "only children of 8 and over".
    """
    starts: set[int] = set()
    for figure in figures:
        alike = [other for other in others if figure.bound and agree(figure.number, other.number)]
        if alike:
            starts.add(figure.negator_start)
        if any(other.bound == -figure.bound for other in alike):
            after = (each.start for each in negations(sentence) if each.start > figure.start)
            starts.update(start for start in after if not _CLAUSE_END.search(sentence.text, figure.end, start))
    return frozenset(starts)


def is_about_bounds(pair: OppositePair, figures: Sequence[Figure], others: Sequence[Figure]) -> bool:
    """Whether opposites are words of the bounds of one figure: "below 5 °C", "5 °C or above"."""
    return any(
        pair.claim in figure.bounded.split() and pair.evidence in other.bounded.split()
        for figure, other in _bound_pairs(figures, others)
    )


def _bound_pairs(figures: Sequence[Figure], others: Sequence[Figure]) -> Iterator[tuple[Figure, Figure]]:
    bounds = [other for other in others if other.bound]
    for figure in figures if bounds else ():
        for other in bounds if figure.bound else ():
            if agree(figure.number, other.number):
                yield figure, other


def _direction(figure: Figure) -> int:
    """1 for the figure and more, -1 for the figure and less, a negator before it counted: "not exceeding 5" is -1."""
    return figure.bound if figure.negator_start < 0 else -figure.bound


def _negates_beyond_bounds(sentence: ParsedSentence, figures: Sequence[Figure], other: ParsedSentence) -> bool:
    """Whether a sentence negates more than its bounds; "costs nothing" negates nothing beside "free"."""
    bounds = {figure.negator_start for figure in figures}
    return any(each.start not in bounds and not costs_nothing(each, [other]) for each in negations(sentence))
