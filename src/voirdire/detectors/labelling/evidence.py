"""Which part of the evidence a labeller is shown."""

from __future__ import annotations

from collections.abc import Collection

from voirdire.detectors.labelling.marking import GAP
from voirdire.detectors.labelling.records import LabelPlan
from voirdire.detectors.records import Answer, passage_of
from voirdire.evidence.context import ContextIndex, evidence_pieces


def evidence_for(answer: Answer, plan: LabelPlan, places: Collection[int]) -> str:
    """The evidence for the sentences at these places: all of it, or the sentences of it that match them best."""
    whole = passage_of(answer, plan.history).context
    if plan.retrieve is None:
        return whole
    return best_matching(whole, [answer.statements[place].text for place in sorted(places)], plan.retrieve)


def best_matching(context: str, claims: Collection[str], number: int) -> str:
    """The `number` sentences of the context that match each claim best, in the context's order.

    A sentence matches by its weighted content words in common with the claim; of equal ones, the earlier is taken.
    The context's first sentence is always among them: it says what the context is about.
    """
    sentences = evidence_pieces(context)
    index = ContextIndex.of_sentences(dict.fromkeys(sentences))
    kept = {sentences[0]} if sentences else set()
    for claim in claims:
        kept |= {index.sentences[place].text for place in index.closest(claim, number)}
    chosen = [place for place, sentence in enumerate(sentences) if sentence in kept]
    parts: list[str] = []
    for before, place in zip([-1, *chosen], chosen, strict=False):
        parts += [GAP, sentences[place]] if place > before + 1 else [sentences[place]]
    return " ".join(parts)
