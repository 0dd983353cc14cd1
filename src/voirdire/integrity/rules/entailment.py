"""What the small entailment model sees in sentences where the rules see nothing.

The rules quote figures, names and opposite words. The model reads a sentence beside the facts nearest to it, and says
whether they contradict it. It only looks where the rules find nothing. It takes no finding back, calls nothing an
invention and leaves the coverage alone: measured, it was wrong there more often than right (docs/integrity-rules.md).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple, Protocol

from voirdire.evidence.entailment import Entailment, Pair
from voirdire.evidence.opposites import share_opposites
from voirdire.evidence.selection import select_evidence
from voirdire.integrity.records import Violation
from voirdire.integrity.rules.matched_response import REFERS_BY_TWO, MatchedResponse, states_nothing, violation
from voirdire.integrity.rules.passage import ResponseSentence
from voirdire.integrity.rules.prepared_facts import PreparedFact

CONTRADICTED = 0.8
"""The probability from which a contradiction is suggested: of 150 clean controls of the tuning half, in one."""
_CONFIDENCE = 0.4


class EntailmentJudge(Protocol):
    """What judges pairs of evidence and sentence: `voirdire.evidence.entailment.EntailmentModel`."""

    def judge(self, pairs: Sequence[Pair]) -> list[Entailment]:
        """The four probabilities of each pair."""
        ...


class _Suspect(NamedTuple):
    """A sentence, and a fact that it may contradict."""

    sentence: ResponseSentence
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


def _may_deny(sentence: ResponseSentence) -> bool:
    return not sentence.figures and not states_nothing(sentence)


def _facts_of(matched: MatchedResponse, sentence: ResponseSentence) -> Iterator[PreparedFact]:
    """The facts that a sentence may be about; none that it repeats, or of whose opposite words the rules judge."""
    for leaf in matched.prepared.facts_with(sentence.keys):
        judged = leaf.fact.text == sentence.text or share_opposites(sentence.parsed, leaf.parsed)
        if not judged and matched.prepared.share(leaf, sentence.keys) >= REFERS_BY_TWO:
            yield leaf


def _contradicts(verdict: Entailment) -> bool:
    return verdict.contradicted >= CONTRADICTED


def _denial(suspect: _Suspect) -> Violation:
    sentence, leaf = suspect
    reason = f"The entailment model reads this as contrary to {leaf.id}: {leaf.fact.text.rstrip(' .')}."
    return violation(sentence, (0, len(sentence.text)), "fact_denial", leaf, reason, _CONFIDENCE)
