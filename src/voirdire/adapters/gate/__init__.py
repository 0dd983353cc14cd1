"""Floors and ceilings for a run's figures: for continuous integration, and for test suites."""

from voirdire.adapters.gate.api import GateWarning, assert_floor, gate
from voirdire.adapters.gate.evaluation import hold
from voirdire.adapters.gate.junit import junit, write_junit
from voirdire.adapters.gate.limits import limits_of, read_limits
from voirdire.adapters.gate.loader import read_checked
from voirdire.adapters.gate.records import GateError, Limit, Limits, Outcome, Verdict
from voirdire.instruments.figures import Checked, Figure, Subject

__all__ = [
    "Checked",
    "Figure",
    "GateError",
    "GateWarning",
    "Limit",
    "Limits",
    "Outcome",
    "Subject",
    "Verdict",
    "assert_floor",
    "gate",
    "hold",
    "junit",
    "limits_of",
    "read_checked",
    "read_limits",
    "write_junit",
]
