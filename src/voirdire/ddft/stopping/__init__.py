"""Ending a run early: the rule, the order that makes it possible, the interim analyses, and what is expected of it.

`interim` and `expected` are imported where they are used: they bring in numpy and the planning of studies.
"""

from voirdire.ddft.stopping.records import InterimAnalyses, InterimAnalysis, read_interim_analyses
from voirdire.ddft.stopping.rule import Cell, StopRule, StopRuleError, check_rule, drawn_order, parse_rule

__all__ = [
    "Cell",
    "InterimAnalyses",
    "InterimAnalysis",
    "StopRule",
    "StopRuleError",
    "check_rule",
    "drawn_order",
    "parse_rule",
    "read_interim_analyses",
]
