"""A fact and a sentence that say the same, one of them with a negation: "must not", "cannot", "is not refunded"."""

from __future__ import annotations

import re
from functools import lru_cache

from voirdire.evidence.lexicon import key_of, lexicon
from voirdire.evidence.negation import denies_opposite, negations
from voirdire.evidence.tokens import ParsedSentence
from voirdire.integrity.records import Violation
from voirdire.integrity.rules.lexicon import families, phrases
from voirdire.integrity.rules.matched_response import Reading, violation
from voirdire.integrity.rules.passage import Sentence, Word
from voirdire.integrity.rules.prepared import PreparedFact
from voirdire.integrity.rules.quantities import states

_SAME = 0.75  # share of the fact's words that a sentence has when it says the same, weighted
_NEAR = 3  # content words after a negation that it surely reaches
_MAY = re.compile(r"\bMay\b(?=,? \d)|(?<=\d )May\b")  # the month


def negation_of(reading: Reading, sentence: Sentence, leaf: PreparedFact) -> Violation | None:
    """A denial where a sentence has the words and the figures of a fact, and only one of the two negates them.

    Nothing is said where words other than "not" may turn the meaning round ("prohibited", "only", "unless"), or where
    the two bound their figures otherwise ("under 18", "18 or older").
    """
    fact = leaf.fact.text
    if reading.prepared.share(leaf, sentence.keys) < _SAME or not _has_figures(sentence, leaf):
        return None
    if _may_turn(sentence.text, sentence.words) or _may_turn(fact, leaf.words):
        return None
    if _supposes(sentence.text, fact) or _bounds(sentence.text) != _bounds(fact):
        return None
    mine, given = negates(sentence.parsed, leaf.key), negates(leaf.parsed, sentence.keys)
    if mine == given or (phrases("no_duty").search(fact) and not phrases("duty").search(sentence.text)):
        return None
    says = "This negates" if mine else "Without a negation, this is contrary to"
    whole = (0, len(sentence.text))
    return violation(sentence, whole, "fact_denial", leaf, f"{says} {leaf.id}: {fact.rstrip(' .')}.", 0.5)


def bounds_the_same(sentence: Sentence, leaf: PreparedFact) -> bool:
    """Whether opposite bounds say the same, since one is negated: "no more than 8", "not … more than 8"."""
    fact = leaf.fact.text
    mine, given = _bounds(sentence.text), _bounds(fact)
    if not mine or not given or mine == given:
        return False
    return negates(sentence.parsed, leaf.key) != negates(leaf.parsed, sentence.keys)


def negates(parsed: ParsedSentence, shared: frozenset[str]) -> bool:
    """Whether a negation reaches a word that the other text has, too."""
    return any(not shared.isdisjoint(families(each.scope[:_NEAR] or each.before)) for each in negations(parsed))


def negated_keys(parsed: ParsedSentence, theirs: ParsedSentence) -> frozenset[str]:
    """The content words that negations reach, but for "do not contradict" where the other text has "support"."""
    reached = (each for each in negations(parsed) if not denies_opposite(each, theirs))
    return families(stem for each in reached for stem in each.scope)


def _bounds(text: str) -> frozenset[str]:
    """How a text bounds what it speaks of: from above, from below."""
    found = {name for name in ("above", "below") if phrases(f"bound_{name}").search(text)}
    return frozenset(found)


def _has_figures(sentence: Sentence, leaf: PreparedFact) -> bool:
    return all(any(states(said, one, sentence.keys) for said in sentence.figures) for one in leaf.main)


def _supposes(text: str, fact: str) -> bool:
    """Whether a sentence supposes or asks; "may" and "should" are rules where the fact is one."""
    if text.endswith("?") or phrases("supposition").search(_MAY.sub("", text)):
        return True
    return phrases("rule").search(_MAY.sub("", text)) is not None and phrases("rule").search(fact) is None


def _may_turn(text: str, words: tuple[Word, ...]) -> bool:
    """Whether a text has a word that turns its meaning round without being a plain negation, or limits it."""
    turning = _turning()
    return phrases("exception").search(text) is not None or any(key_of(word.lower) in turning for word in words)


@lru_cache(maxsize=1)
def _turning() -> frozenset[str]:
    words = lexicon()
    return words.negating | words.half_negators
