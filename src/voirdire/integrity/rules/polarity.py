"""Contradictions in words: a fact negated, its negation lost, the opposite word, the opposite bound."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache

from voirdire.evidence.context import Code
from voirdire.evidence.figures import Figure, keeps_limits
from voirdire.evidence.lexicon import key_of, lexicon
from voirdire.evidence.negation import Negation, denies_opposite, exclusive_stems
from voirdire.evidence.opposites import (
    bound_changes,
    bound_negations,
    exclusive_changes,
    find_opposites,
    is_about_bounds,
)
from voirdire.integrity.records import Violation
from voirdire.integrity.rules.lexicon import families, phrases
from voirdire.integrity.rules.matched_response import MatchedResponse, states_nothing, violation
from voirdire.integrity.rules.passage import MOST_FINDS, ResponseSentence, Word
from voirdire.integrity.rules.prepared_facts import PreparedFact
from voirdire.integrity.rules.quantities import states

_ABOUT = 0.5  # share of the fact's words; a contradiction is suggested of nothing that is less surely the same thing
_MAY = re.compile(r"\bMay\b(?=,? \d)|(?<=\d )May\b")  # the month
_BEFORE_FIGURE = 3  # words between a "not" and the figure that it negates
_SAME = 0.75  # share of the fact's words that a sentence has when it says the same, weighted
_COMPARED = 2  # models of a comparison
_NEAR = 3  # content words after a negation that it surely reaches


def polarity_violations(matched: MatchedResponse) -> Iterator[Violation]:
    """Suggested denials; advice, questions and conditions deny nothing."""
    for sentence in matched.sentences:
        if sentence.text.endswith("?"):
            continue
        codes = matched.codes[sentence.index]
        touched = matched.prepared.facts_with(sentence.keys)
        comparing = [
            leaf for leaf in matched.prepared.leaves if _compares_the_same(leaf, codes) and leaf not in touched
        ]
        leaves = [leaf for leaf in touched + comparing if not matched.prepared.is_of_another_code(leaf, codes)]
        for leaf in leaves:
            turned = _negated_once(matched, sentence, leaf)
            if turned is None or _has_rest_of(matched, sentence, leaf):
                continue
            if not any(find_opposites(sentence.parsed, leaf.parsed)):
                yield turned
        advises = states_nothing(sentence)
        for leaf in leaves:
            yield from _exclusive(sentence, leaf)
            if not (_same_matter(matched, sentence, leaf) or _compares_the_same(leaf, codes)):
                continue
            suggestion = _opposite_bound(sentence, leaf)
            modal = _is_modal(sentence.text) and not _is_modal(leaf.fact.text)
            if suggestion is None and not modal and not (advises and not phrases("advice").search(leaf.fact.text)):
                suggestion = _contradiction(matched, sentence, leaf)
            if suggestion is not None:
                yield suggestion


def _is_modal(text: str) -> bool:
    """Whether a text says what may or could be."""
    return phrases("modal").search(_MAY.sub("", text)) is not None


def _contradiction(matched: MatchedResponse, sentence: ResponseSentence, leaf: PreparedFact) -> Violation | None:
    if _has_rest_of(matched, sentence, leaf) or _bounds_the_same(sentence, leaf):
        return None
    pairs = find_opposites(sentence.parsed, leaf.parsed)
    opposites = [each for each in pairs if not is_about_bounds(each, sentence.stated, leaf.stated)]
    against = next((each for each in opposites if each.contradicts), None)
    if against is not None:
        reason = f"“{against.claim}” stands where {leaf.id} says “{against.evidence}”."
        return violation(sentence, _place(sentence, against.claim), "fact_denial", leaf, reason, 0.5)
    if opposites:
        return None
    stated = leaf.id in matched.stated_in[sentence.index]
    return _figure_denied(matched, sentence, leaf) if stated else _negation(sentence, leaf)


def _figure_denied(matched: MatchedResponse, sentence: ResponseSentence, leaf: PreparedFact) -> Violation | None:
    """As in "it did not cost 310,000 pounds": a "not" shortly before the very figure of the fact, in its clause."""
    if leaf.negated:
        return None
    matches = [match for match in matched.matches[sentence.index] if leaf in match.stated]
    for match in matches[:MOST_FINDS]:
        start = sentence.clause_at(match.figure.start)[0]
        for negation in _unlimited(sentence, leaf):
            between = len(sentence.words_in(negation.start, match.figure.start)) - 1
            near = start <= negation.start < match.figure.start and between <= _BEFORE_FIGURE
            if near and negation.word != "without":
                span = (negation.start, match.figure.end)
                return violation(
                    sentence, span, "fact_denial", leaf, f"This negates {leaf.id}: {_fact_text(leaf)}.", 0.5
                )
    return None


def _negation(sentence: ResponseSentence, leaf: PreparedFact) -> Violation | None:
    """What a fact negates, asserted; or what it asserts, negated."""
    hits, negated = leaf.key & sentence.keys, _negated_keys(_unlimited(sentence, leaf), leaf)
    whole = (0, len(sentence.text))
    denied = leaf.negated & hits
    beyond = leaf.key - leaf.negated  # "overdrafts are expensive" does not speak of the customers who can't have one
    about = not beyond or not beyond.isdisjoint(sentence.keys)
    if any(keeps_limits(figure, leaf.stated, leaf.fact.text) for figure in sentence.stated):
        return None
    if about and 2 * len(denied) > len(leaf.negated & leaf.key) and not denied & negated:
        turned = _turning_words(sentence.text, sentence.words) or phrases("discredit").search(sentence.text)
        if turned or _negates(sentence.negations, leaf.key):
            return None
        return violation(sentence, whole, "fact_denial", leaf, f"{leaf.id} says the contrary: {_fact_text(leaf)}.", 0.5)
    if leaf.negated or _turning_words(leaf.fact.text, leaf.words) or _affirms_after(sentence, leaf):
        return None
    if len(negated & hits) > 1 and 2 * len(negated & hits) >= len(hits):
        return violation(sentence, whole, "fact_denial", leaf, f"This negates {leaf.id}: {_fact_text(leaf)}.", 0.5)
    return None


def _opposite_bound(sentence: ResponseSentence, leaf: PreparedFact) -> Violation | None:
    """At most for at least, of the same figure."""
    words = next(bound_changes(sentence.parsed, sentence.stated, leaf.parsed, leaf.stated), None)
    if words is None:
        return None
    reason = f"The bound of “{words[0]}” is the opposite of that in {leaf.id}: {_fact_text(leaf)}."
    return violation(sentence, _place(sentence, words[0]), "fact_denial", leaf, reason, 0.5)


def _exclusive(sentence: ResponseSentence, leaf: PreparedFact) -> Iterator[Violation]:
    """Denied, or allowed of all, what the fact says of one thing or person only."""
    for text, only in exclusive_changes(sentence.parsed, leaf.parsed):
        reason = f"“{text}” stands where {leaf.id} says “{only}”."
        yield violation(sentence, _place(sentence, text), "fact_denial", leaf, reason, 0.5)


def _fact_text(leaf: PreparedFact) -> str:
    return leaf.fact.text.rstrip(" .")


def _place(sentence: ResponseSentence, words: str) -> tuple[int, int]:
    """Where words stand that were read in lower case and without accents; else the whole sentence."""
    start = sentence.text.lower().find(words.lower())
    return (start, start + len(words)) if start >= 0 else (0, len(sentence.text))


def _has_rest_of(matched: MatchedResponse, sentence: ResponseSentence, leaf: PreparedFact) -> bool:
    """Whether a sentence gives the complement of a fact's figure: a negation beside it is right."""
    return any(match.left_over is leaf for match in matched.matches[sentence.index])


def _same_matter(matched: MatchedResponse, sentence: ResponseSentence, leaf: PreparedFact) -> bool:
    """Whether a sentence has at least half of what a fact is about, the opposites themselves apart."""
    topic = _topic(leaf, sentence)
    total = sum(matched.prepared.weights[key] for key in topic)
    shared = sum(matched.prepared.weights[key] for key in topic & sentence.keys)
    return total > 0 and shared >= _ABOUT * total


def _compares_the_same(leaf: PreparedFact, codes: Collection[Code]) -> bool:
    """Whether a fact and a sentence with these codes speak of the same two models: "the M2 is lighter than the M5"."""
    return len(leaf.codes.intersection(codes)) >= _COMPARED


def compares_as(sentence: ResponseSentence, leaf: PreparedFact, codes: Collection[Code]) -> bool:
    """Whether a sentence makes a fact's comparison the other way round: "the M5 is heavier" for "the M2 is lighter"."""
    pairs = list(find_opposites(sentence.parsed, leaf.parsed)) if _compares_the_same(leaf, codes) else []
    return bool(pairs) and not any(pair.contradicts for pair in pairs)


def _topic(leaf: PreparedFact, sentence: ResponseSentence) -> frozenset[str]:
    """The content words of a fact that have no opposite, or that the sentence has too; all of them if that leaves none.

    "Employees" counts where both speak of them, though "unemployed" is its opposite.
    """
    known = lexicon().opposites
    keys = (
        word.key for word in leaf.words if word.key and (word.key in sentence.keys or key_of(word.lower) not in known)
    )
    return frozenset(keys) or leaf.key


def _negated_once(matched: MatchedResponse, sentence: ResponseSentence, leaf: PreparedFact) -> Violation | None:
    """A denial where a sentence has the words and the figures of a fact, and only one of the two negates them.

    Nothing is said where words other than "not" may turn the meaning round ("prohibited", "only", "unless"), or where
    the two bound their figures otherwise ("under 18", "18 or older").
    """
    fact = leaf.fact.text
    if matched.prepared.share(leaf, sentence.keys) < _SAME or not _has_figures(sentence, leaf):
        return None
    if not reverses(sentence, leaf):
        return None
    if _supposes(sentence.text, leaf) or _bounds(sentence.stated) != _bounds(leaf.stated):
        return None
    if len(_unlimited(sentence, leaf)) < len(sentence.negations):
        return None
    if phrases("no_duty").search(fact) and not phrases("duty").search(sentence.text):
        return None
    mine = _negates(sentence.negations, leaf.key)
    if mine and _affirms_after(sentence, leaf):
        return None
    says = "This negates" if mine else "Without a negation, this is contrary to"
    whole = (0, len(sentence.text))
    return violation(sentence, whole, "fact_denial", leaf, f"{says} {leaf.id}: {fact.rstrip(' .')}.", 0.5)


def reverses(sentence: ResponseSentence, leaf: PreparedFact, *, bounds_apart: bool = False) -> bool:
    """Whether only one of a sentence and a fact negates what both speak of, and no other word turns just one round.

    Args:
        sentence: of the response.
        leaf: a fact.
        bounds_apart: a "not" that turns the bound of a figure ("must not exceed 20 kg") negates nothing else.
    """
    turned = _turning_words(sentence.text, sentence.words) ^ _turning_words(leaf.fact.text, leaf.words)
    if any(lexicon().quantity.get(word) != "only" for word in turned):
        return False
    if turned and not (
        exclusive_stems(sentence.parsed) <= leaf.parsed.stems and exclusive_stems(leaf.parsed) <= sentence.parsed.stems
    ):
        return False
    mine, facts = (_beyond_bounds(one) if bounds_apart else one.negations for one in (sentence, leaf))
    return _negates(mine, leaf.key) != _negates(facts, sentence.keys)


def _beyond_bounds(text: ResponseSentence | PreparedFact) -> list[Negation]:
    bounds = {figure.negator_start for figure in text.stated}
    return [each for each in text.negations if each.start not in bounds]


def _bounds_the_same(sentence: ResponseSentence, leaf: PreparedFact) -> bool:
    """Whether opposite bounds say the same, since one is negated: "no more than 8", "not … more than 8"."""
    mine, facts = _bounds(sentence.stated), _bounds(leaf.stated)
    if not mine or not facts or mine == facts:
        return False
    return _negates(sentence.negations, leaf.key) != _negates(leaf.negations, sentence.keys)


def _unlimited(sentence: ResponseSentence, leaf: PreparedFact) -> list[Negation]:
    """The negations of a sentence that negate all that a fact says, and not just "before ten"."""
    bounds = bound_negations(sentence.parsed, sentence.stated, leaf.stated)
    return [
        each
        for each in sentence.negations
        if each.start not in bounds and not each.is_limited_beside(sentence.parsed, leaf.parsed)
    ]


def _negates(negations: Iterable[Negation], shared: frozenset[str]) -> bool:
    """Whether a negation reaches a word that the other text has, too."""
    return any(not shared.isdisjoint(families(each.scope[:_NEAR] or each.before)) for each in negations)


def _negated_keys(negations: Iterable[Negation], leaf: PreparedFact) -> frozenset[str]:
    """The content words of what negations negate, but for "do not contradict" where the fact has "support".

    Where the fact has what follows the negator, what it is said of is negated, too: "the deposit is not refunded".
    """
    reached: set[str] = set()
    for each in negations:
        if not denies_opposite(each, leaf.parsed):
            scope = families(each.scope)
            reached |= scope if scope.isdisjoint(leaf.key) else scope | families(each.before)
    return frozenset(reached)


def _affirms_after(sentence: ResponseSentence, leaf: PreparedFact) -> bool:
    """Whether words of a fact follow the last negation in another clause only: "nothing gets in, it is waterproof"."""
    start = sentence.negations[-1].start if sentence.negations else 0
    end = sentence.clause_at(start)[1]
    later = sentence.keys_in(end, len(sentence.text)) - sentence.keys_in(0, end)
    return not later.isdisjoint(leaf.key)


def _bounds(figures: Iterable[Figure]) -> frozenset[int]:
    """How figures are bounded: from above, from below."""
    return frozenset(figure.bound for figure in figures if figure.bound)


def _has_figures(sentence: ResponseSentence, leaf: PreparedFact) -> bool:
    return all(any(states(stated, one, sentence.keys) for stated in sentence.figures) for one in leaf.main)


def _supposes(text: str, leaf: PreparedFact) -> bool:
    """Whether a sentence supposes or asks; "may", "never" and "should" are rules where the fact is one."""
    if text.endswith("?") or phrases("supposition").search(_MAY.sub("", text)):
        return True
    only = exclusive_stems(leaf.parsed) and not phrases("only").search(text)
    rules = only or phrases("rule").search(leaf.fact.text)
    return not rules and phrases("rule").search(_MAY.sub("", text)) is not None


def _turning_words(text: str, words: tuple[Word, ...]) -> frozenset[str]:
    """The words of a text that turn its meaning round without being a plain negation, or limit it."""
    turning = frozenset(key_of(word.lower) for word in words) & _turning()
    return turning.union(match[0].lower() for match in phrases("exception").finditer(text))


@lru_cache(maxsize=1)
def _turning() -> frozenset[str]:
    words = lexicon()
    return words.negating | words.half_negators
