"""What a sentence says against its evidence: numbers, dates, units, names, polarity, quantifiers, comparisons.

    index = ContextIndex.of(context)
    find_contradictions("The tower is 300 m high.", index)

It finds what contradicts, not what is merely new: one sentence of the context must carry much of the rest.
"""

from voirdire.detectors.contradiction.index import ContextIndex
from voirdire.detectors.contradiction.records import Contradiction, ContradictionKind
from voirdire.detectors.contradiction.stage import contradiction_score, find_contradictions

__all__ = ["ContextIndex", "Contradiction", "ContradictionKind", "contradiction_score", "find_contradictions"]
