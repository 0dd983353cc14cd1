"""The checks, a family a module. A new one is a function in a module's `CHECKS`, with its words in `wording`."""

from voirdire.evaluation.checks import (
    addresses,
    aggregates,
    answer_keys,
    answers,
    attempts,
    comparisons,
    duplicates,
    items,
    judges,
    length,
    outputs,
    panels,
    scores,
    swaps,
    templates,
    wording,
)
from voirdire.evaluation.checks.check import STATUSES, Check, CheckFunction, Quote, Status

__all__ = ["ALL", "STATUSES", "Check", "CheckFunction", "Quote", "Status"]

FAMILIES = (
    aggregates,
    scores,
    items,
    duplicates,
    outputs,
    swaps,
    answers,
    answer_keys,
    addresses,
    templates,
    judges,
    panels,
    length,
    attempts,
    comparisons,
)

_BY_ID: dict[str, CheckFunction] = {check.__name__: check for family in FAMILIES for check in family.CHECKS}
ALL: tuple[CheckFunction, ...] = tuple(_BY_ID[id] for id in wording.ASKED)
"""In the order of `wording.ASKED`; a function has the name of its check's id."""
