"""Does a text support, contradict or leave out a sentence? One engine for detectors, judges and rules.

    index = ContextIndex.from_context(context)
    find_contradictions("The tower is 300 m high.", index)

It compares figures with their units, dates, names, negations, quantifiers and opposite words. It finds what
contradicts, not what is merely new: one sentence of the context must have much of the rest.
"""

from voirdire.evidence.context import ContextIndex
from voirdire.evidence.contradictions import contradiction_score, find_contradictions
from voirdire.evidence.records import Contradiction, ContradictionKind, EvidenceError

__all__ = [
    "ContextIndex",
    "Contradiction",
    "ContradictionKind",
    "EvidenceError",
    "contradiction_score",
    "find_contradictions",
]
