"""Integrity: how a response treats established facts, scored by deductions (the deduction guide, version 1.0)."""

from voirdire.integrity.records import EstablishedFact, IntegrityError, Violation
from voirdire.integrity.scoring import IntegrityScore, score
from voirdire.integrity.taxonomy import Taxonomy, load_taxonomy

__all__ = [
    "EstablishedFact",
    "IntegrityError",
    "IntegrityScore",
    "Taxonomy",
    "Violation",
    "load_taxonomy",
    "score",
]
