"""What the small entailment model sees in sentences where the rules see nothing.

The rules quote figures, names and opposite words. The model reads a sentence beside the facts nearest to it, and says
whether they contradict it; and it reads each fact beside the nearest sentences of the response, and says whether they
support it. It only looks where the rules have no finding, and takes none back: on sentences that people labelled it
would take back more that is right than wrong (docs/integrity-rules.md).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple, Protocol

from voirdire.evidence.context import ContextIndex
from voirdire.evidence.entailment import Entailment, Pair
from voirdire.evidence.opposites import find_opposites
from voirdire.evidence.selection import select_evidence
from voirdire.integrity.records import Violation
from voirdire.integrity.rules.coverage import Coverage
from voirdire.integrity.rules.matched_response import REFERS_BY_TWO, MatchedResponse, states_nothing, violation
from voirdire.integrity.rules.passage import Sentence
from voirdire.integrity.rules.prepared import PreparedFact

CONTRADICTED = 0.8
"""The probability from which a contradiction is suggested; chosen on the tuning half of the controls."""
SUPPORTED = 0.7
"""The probability from which the response states a fact whose words it lacks."""
_CONFIDENCE = 0.4


class EntailmentJudge(Protocol):
    """What judges pairs of evidence and sentence: `voirdire.evidence.entailment.EntailmentModel`."""

    def judge(self, pairs: Sequence[Pair]) -> list[Entailment]:
        """The four probabilities of each pair."""
        ...


class _Suspect(NamedTuple):
    """A sentence, and a fact that it may contradict."""

    sentence: Sentence
    leaf: PreparedFact


def contradiction_violations(
    matched: MatchedResponse, violations: Collection[Violation], model: EntailmentJudge
) -> list[Violation]:
    """Suggested denials in sentences that have no figure and no finding.

    Figures are left to the rules: the model takes 90 minutes and 1.5 hours for a contradiction. Both the nearest facts
    together and one fact alone must contradict the sentence; that fact is named.
    """
    faulty = {each.sentence for each in violations if each.sentence is not None}
    sentences = [each for each in matched.sentences if each.index not in faulty and _may_deny(each)]
    suspects = [_Suspect(sentence, leaf) for sentence in sentences for leaf in _facts_of(matched, sentence)]
    sentences = list(dict.fromkeys(suspect.sentence for suspect in suspects))
    facts = matched.prepared.fact_index
    together = model.judge([(select_evidence(each.text, facts).text, each.text) for each in sentences])
    contradicted = {each.index for each, verdict in zip(sentences, together, strict=True) if _contradicts(verdict)}
    left = [suspect for suspect in suspects if suspect.sentence.index in contradicted]
    alone = model.judge([(suspect.leaf.fact.text, suspect.sentence.text) for suspect in left])
    worst: dict[int, tuple[float, _Suspect]] = {}
    for suspect, verdict in zip(left, alone, strict=True):
        known = worst.get(suspect.sentence.index)
        if _contradicts(verdict) and (known is None or verdict.contradicted > known[0]):
            worst[suspect.sentence.index] = (verdict.contradicted, suspect)
    return [_denial(suspect) for _, suspect in worst.values()]


def supported_coverage(
    matched: MatchedResponse, coverage: Sequence[Coverage], model: EntailmentJudge
) -> list[Coverage]:
    """The coverage, with the facts as stated that the response supports in other words."""
    unsure = [each for each in coverage if each.status in ("missing", "blurred")]
    if not unsure or not matched.sentences:
        return list(coverage)
    sentences = ContextIndex.from_sentences(each.text for each in matched.sentences)
    texts = [matched.prepared.by_id[each.fact].fact.text for each in unsure]
    evidence = [select_evidence(text, sentences) for text in texts]
    verdicts = model.judge([(each.text, text) for each, text in zip(evidence, texts, strict=True)])
    stated = {
        each.fact: _stated(matched, each.fact, near.closest)
        for each, near, verdict in zip(unsure, evidence, verdicts, strict=True)
        if verdict.supported >= SUPPORTED
    }
    return [stated.get(each.fact, each) for each in coverage]


def _may_deny(sentence: Sentence) -> bool:
    return not sentence.figures and not states_nothing(sentence)


def _facts_of(matched: MatchedResponse, sentence: Sentence) -> Iterator[PreparedFact]:
    """The facts that a sentence may be about; none that the rules see agree: word for word, or by "not severe"."""
    for leaf in matched.prepared.facts_with(sentence.keys):
        agrees = leaf.fact.text == sentence.text or any(find_opposites(sentence.parsed, leaf.parsed))
        if not agrees and matched.prepared.share(leaf, sentence.keys) >= REFERS_BY_TWO:
            yield leaf


def _contradicts(verdict: Entailment) -> bool:
    return verdict.contradicted >= CONTRADICTED


def _denial(suspect: _Suspect) -> Violation:
    sentence, leaf = suspect
    reason = f"The entailment model reads this as contrary to {leaf.id}: {leaf.fact.text.rstrip(' .')}."
    return violation(sentence, (0, len(sentence.text)), "fact_denial", leaf, reason, _CONFIDENCE)


def _stated(matched: MatchedResponse, fact: str, sentence: str) -> Coverage:
    place = next(each.index for each in matched.sentences if each.text == sentence)
    return Coverage(fact, "stated", place, sentence)
