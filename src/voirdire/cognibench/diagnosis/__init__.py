"""Diagnosis of a labeller (CogniBench 3.1, step 1): its labels beside human ones, and which errors recur."""

from voirdire.cognibench.diagnosis.cases import Case
from voirdire.cognibench.diagnosis.comparing import Diagnosis, diagnose
from voirdire.cognibench.diagnosis.drafting import draft
from voirdire.cognibench.diagnosis.errors import ERRORS, ErrorKind
from voirdire.cognibench.diagnosis.groups import ErrorGroup
from voirdire.cognibench.diagnosis.matching import Labellings, Matched, Pair, read_labellings
from voirdire.cognibench.diagnosis.reasons import Reasoned, write_reasons

__all__ = [
    "ERRORS",
    "Case",
    "Diagnosis",
    "ErrorGroup",
    "ErrorKind",
    "Labellings",
    "Matched",
    "Pair",
    "Reasoned",
    "diagnose",
    "draft",
    "read_labellings",
    "write_reasons",
]
