"""Which facts a response states, blurs, contradicts or leaves out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from voirdire.integrity.records import Violation
from voirdire.integrity.rules.matched_response import Reading
from voirdire.integrity.rules.names import named_otherwise
from voirdire.integrity.rules.passage import Sentence
from voirdire.integrity.rules.prepared import PreparedFact

Status = Literal["stated", "blurred", "missing", "contradicted"]
STATED = 0.45  # share of the words of a fact without figures, in one sentence
BLURRED = 0.25
_FIRM = 0.45  # confidence of a denial that settles the status


@dataclass(frozen=True, slots=True)
class Coverage:
    """What became of one fact."""

    fact: str
    status: Status
    sentence: int | None
    """Where, from 0; `None` if it is missing."""
    evidence: str
    """The words of the response, or why it counts as missing."""

    def as_dict(self) -> dict[str, object]:
        """Ready for JSON."""
        return {"fact": self.fact, "status": self.status, "sentence": self.sentence, "evidence": self.evidence}


def coverage_of(reading: Reading, violations: Sequence[Violation]) -> list[Coverage]:
    """What became of each fact that is judged, in their order."""
    return [
        _cover(reading, leaf, [each for each in violations if each.fact == leaf.id]) for leaf in reading.prepared.leaves
    ]


def _cover(reading: Reading, leaf: PreparedFact, found: Sequence[Violation]) -> Coverage:
    denied = next((one for one in found if one.type == "fact_denial" and (one.confidence or 0) >= _FIRM), None)
    if denied is not None:
        return Coverage(leaf.id, "contradicted", denied.sentence, denied.span or "")
    if leaf.id in reading.stated:
        place = reading.stated[leaf.id]
        return Coverage(leaf.id, "stated", place, _figure_text(reading, leaf, place))
    best, share = _closest(reading.sentences, leaf, reading)
    blurred = next(iter(found), None)
    otherwise = best is not None and named_otherwise(reading, leaf, best)
    if best is not None and share >= STATED and (not leaf.main or _names_it(leaf)) and not otherwise:
        return Coverage(leaf.id, "stated", best.index, best.text)
    if blurred is not None and blurred.sentence is not None:
        return Coverage(leaf.id, "blurred", blurred.sentence, blurred.span or "")
    if best is not None and (share >= BLURRED or _own_word(reading, leaf, best)):
        return Coverage(leaf.id, "blurred", best.index, best.text)
    return Coverage(leaf.id, "missing", None, f"no sentence has a figure of it, or {BLURRED:.0%} of its words")


def _names_it(leaf: PreparedFact) -> bool:
    """Whether the fact is told by its words, its figures being dates in passing."""
    return all(figure.unit == "time" for figure in leaf.main) and len(leaf.key) >= 6


def _closest(sentences: Iterable[Sentence], leaf: PreparedFact, reading: Reading) -> tuple[Sentence | None, float]:
    """The sentence that has most of a fact's words, and how much of them."""
    best, most = None, 0.0
    for sentence in sentences:
        if leaf.key.isdisjoint(sentence.keys):
            continue
        share = reading.prepared.share(leaf, sentence.keys)
        if share > most:
            best, most = sentence, share
    return best, most


def _own_word(reading: Reading, leaf: PreparedFact, sentence: Sentence) -> bool:
    """Whether a sentence names two words of a fact, or its subject with a word that no other fact has."""
    hits = leaf.key & sentence.keys
    own = any(reading.prepared.is_own(leaf, key) for key in hits)
    return own and (len(hits) > 1 or bool(leaf.subject & sentence.keys) or len(leaf.key) <= 3)


def _figure_text(reading: Reading, leaf: PreparedFact, place: int) -> str:
    texts = [match.figure.text for match in reading.matches[place] if leaf in match.stated]
    return ", ".join(texts)
