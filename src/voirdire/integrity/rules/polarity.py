"""Contradictions in words: what a fact negates asserted, what it asserts negated, or said with the opposite word."""

from __future__ import annotations

import re
from collections.abc import Iterator

from voirdire.evidence.figures import figures_of
from voirdire.evidence.lexicon import key_of, lexicon
from voirdire.evidence.negation import negations
from voirdire.evidence.opposites import opposed, rebound
from voirdire.integrity.records import Violation
from voirdire.integrity.rules.lexicon import phrases
from voirdire.integrity.rules.matched_response import Reading, states_nothing, violation
from voirdire.integrity.rules.negation import bounds_the_same, negated_keys, negates, negation_of
from voirdire.integrity.rules.passage import Sentence
from voirdire.integrity.rules.prepared import PreparedFact

_ABOUT = 0.5  # share of the fact's words; a contradiction is suggested of nothing that is less surely the same thing
_MAY = re.compile(r"\bMay\b(?=,? \d)|(?<=\d )May\b")  # the month
_BEFORE_FIGURE = 3  # words between a "not" and the figure that it negates


def polarity_violations(reading: Reading) -> Iterator[Violation]:
    """Suggested denials; advice, questions and conditions deny nothing."""
    for sentence in reading.sentences:
        if sentence.text.endswith("?"):
            continue
        for leaf in reading.prepared.touched(sentence.keys):
            turned = negation_of(reading, sentence, leaf)
            if turned is None or _has_rest_of(reading, sentence, leaf):
                continue
            if not any(opposed(sentence.parsed, leaf.parsed)):
                yield turned
        if phrases("modal").search(_MAY.sub("", sentence.text)):
            continue
        advises = states_nothing(sentence)
        for leaf in reading.prepared.touched(sentence.keys):
            if advises and not phrases("advice").search(leaf.fact.text):
                continue
            if _same_matter(reading, sentence, leaf):
                found = _contradiction(reading, sentence, leaf)
                if found is not None:
                    yield found


def _contradiction(reading: Reading, sentence: Sentence, leaf: PreparedFact) -> Violation | None:
    if _has_rest_of(reading, sentence, leaf) or bounds_the_same(sentence, leaf):
        return None
    opposites = tuple(opposed(sentence.parsed, leaf.parsed))
    against = next((each for each in opposites if each.contradicts), None)
    if against is not None:
        reason = f"“{against.mine}” stands where {leaf.id} says “{against.theirs}”."
        return violation(sentence, _place(sentence, against.mine), "fact_denial", leaf, reason, 0.5)
    if opposites:
        return None
    stated = leaf.id in reading.stated_in[sentence.index]
    denial = _figure_denied(reading, sentence, leaf) if stated else _negation(sentence, leaf)
    return denial or _bound(sentence, leaf)


def _figure_denied(reading: Reading, sentence: Sentence, leaf: PreparedFact) -> Violation | None:
    """As in "it did not cost 310,000 pounds": a "not" shortly before the very figure of the fact, in its clause."""
    if leaf.negated:
        return None
    for match in reading.matches[sentence.index]:
        start = sentence.clause_at(match.figure.start)[0]
        for negation in negations(sentence.parsed):
            between = len(sentence.words_in(negation.start, match.figure.start)) - 1
            near = start <= negation.start < match.figure.start and between <= _BEFORE_FIGURE
            if leaf in match.stated and near and negation.word != "without":
                span = (negation.start, match.figure.end)
                return violation(sentence, span, "fact_denial", leaf, f"This negates {leaf.id}: {_said(leaf)}.", 0.5)
    return None


def _negation(sentence: Sentence, leaf: PreparedFact) -> Violation | None:
    """What a fact negates, asserted; or what it asserts, negated."""
    hits, negated = leaf.key & sentence.keys, negated_keys(sentence.parsed, leaf.parsed)
    whole = (0, len(sentence.text))
    denied = leaf.negated & hits
    beyond = leaf.key - leaf.negated  # "overdrafts are expensive" does not speak of the customers who can't have one
    about = not beyond or not beyond.isdisjoint(sentence.keys)
    if about and denied and 2 * len(denied) >= len(leaf.negated & leaf.key) and not denied & negated:
        if phrases("discredit").search(sentence.text) or negates(sentence.parsed, leaf.key):
            return None
        return violation(sentence, whole, "fact_denial", leaf, f"{leaf.id} says the contrary: {_said(leaf)}.", 0.5)
    if not leaf.negated and len(negated & hits) > 1 and 2 * len(negated & hits) >= len(hits):
        return violation(sentence, whole, "fact_denial", leaf, f"This negates {leaf.id}: {_said(leaf)}.", 0.5)
    return None


def _bound(sentence: Sentence, leaf: PreparedFact) -> Violation | None:
    """At most for at least, of the same figure."""
    found = next(rebound(figures_of(sentence.parsed), figures_of(leaf.parsed)), None)
    if found is None:
        return None
    reason = f"The bound of “{found[0]}” is the opposite of that in {leaf.id}: {_said(leaf)}."
    return violation(sentence, _place(sentence, found[0]), "fact_denial", leaf, reason, 0.5)


def _said(leaf: PreparedFact) -> str:
    return leaf.fact.text.rstrip(" .")


def _place(sentence: Sentence, words: str) -> tuple[int, int]:
    """Where words stand that were read in lower case and without accents; else the whole sentence."""
    start = sentence.text.lower().find(words.lower())
    return (start, start + len(words)) if start >= 0 else (0, len(sentence.text))


def _has_rest_of(reading: Reading, sentence: Sentence, leaf: PreparedFact) -> bool:
    """Whether a sentence gives the complement of a fact's figure: a negation beside it is right."""
    return any(match.left_over is leaf for match in reading.matches[sentence.index])


def _same_matter(reading: Reading, sentence: Sentence, leaf: PreparedFact) -> bool:
    """Whether a sentence has at least half of what a fact is about, the opposites themselves apart."""
    topic = _topic(leaf)
    total = sum(reading.prepared.weights[key] for key in topic)
    shared = sum(reading.prepared.weights[key] for key in topic & sentence.keys)
    return total > 0 and shared >= _ABOUT * total


def _topic(leaf: PreparedFact) -> frozenset[str]:
    """The content words of a fact that have no opposite; all of them if that leaves none."""
    known = lexicon().opposites
    return frozenset(word.key for word in leaf.words if word.key and key_of(word.lower) not in known) or leaf.key
