"""Contradictions in words: what a fact negates asserted, what it asserts negated, or said with the opposite word."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from voirdire.integrity.records import Violation
from voirdire.integrity.rules.lexicon import opposites, phrases
from voirdire.integrity.rules.passage import Sentence, read_words
from voirdire.integrity.rules.prepared import PreparedFact, negated_keys
from voirdire.integrity.rules.reading import Reading, states_nothing, violation

_ABOUT = 0.5  # share of the fact's words; a contradiction is suggested of nothing that is less surely the same thing


def polarity_violations(reading: Reading) -> Iterator[Violation]:
    """Suggested denials; advice, questions and conditions deny nothing."""
    for sentence in reading.sentences:
        if states_nothing(sentence) or phrases("modal").search(sentence.text):
            continue
        negated = negated_keys(sentence.text, sentence.words)
        for leaf in reading.prepared.touched(sentence.keys):
            if _same_matter(reading, sentence, leaf):
                found = _contradiction(reading, sentence, leaf, negated)
                if found is not None:
                    yield found


def _contradiction(
    reading: Reading, sentence: Sentence, leaf: PreparedFact, negated: frozenset[str]
) -> Violation | None:
    if leaf.id in reading.stated_in[sentence.index] or _has_rest_of(reading, sentence, leaf):
        return None
    hits = leaf.key & sentence.keys
    whole = (0, len(sentence.text))
    denied = leaf.negated & hits
    if leaf.negated and 2 * len(denied) >= len(leaf.negated & leaf.key) and denied and not denied & negated:
        if phrases("discredit").search(sentence.text) or _opposed(sentence, leaf):
            return None
        text = leaf.fact.text.rstrip(".")
        return violation(sentence, whole, "fact_denial", leaf, f"{leaf.id} says the contrary: {text}.", 0.5)
    if not leaf.negated and len(negated & hits) > 1 and 2 * len(negated & hits) >= len(hits):
        text = leaf.fact.text.rstrip(".")
        return violation(sentence, whole, "fact_denial", leaf, f"This negates {leaf.id}: {text}.", 0.5)
    opposed = _opposed(sentence, leaf)
    if opposed and not negated and not leaf.negated:
        word, instead = opposed
        reason = f"“{word}” stands where {leaf.id} says “{instead}”."
        place = next(each for each in sentence.words if each.lower == word)
        return violation(sentence, (place.start, place.end), "fact_denial", leaf, reason, 0.5)
    return None


def _has_rest_of(reading: Reading, sentence: Sentence, leaf: PreparedFact) -> bool:
    """Whether a sentence gives the complement of a fact's figure: a negation beside it is right."""
    return any(match.left_over is leaf for match in reading.matches[sentence.index])


def _same_matter(reading: Reading, sentence: Sentence, leaf: PreparedFact) -> bool:
    """Whether a sentence has at least half of what a fact is about, the opposites themselves apart."""
    topic = leaf.key - _directions()
    total = sum(reading.prepared.weights[key] for key in topic)
    shared = sum(reading.prepared.weights[key] for key in topic & sentence.keys)
    return total > 0 and shared >= _ABOUT * total


@cache
def _directions() -> frozenset[str]:
    """The stems of all words that have an opposite."""
    listed = " ".join(word for pair in opposites() for side in pair for word in side)
    return frozenset(word.key for word in read_words(listed) if word.key)


def _opposed(sentence: Sentence, leaf: PreparedFact) -> tuple[str, str] | None:
    """(word of the sentence, word of the fact) that are opposites, if each has one side only."""
    said = {word.lower for word in sentence.words}
    given = {word.lower for word in leaf.words}
    for pair in opposites():
        for one, other in (pair, pair[::-1]):
            if said & one and given & other and not said & other and not given & one:
                return min(said & one), min(given & other)
    return None
