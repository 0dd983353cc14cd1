"""One edit a kind: (statement, grounds, chance) -> the statement changed, or `None` where it has no place for it."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

from voirdire.cognibench.contradictions.edits.names import swap_name
from voirdire.cognibench.contradictions.edits.negation import negate
from voirdire.cognibench.contradictions.edits.numbers import change_date, change_number
from voirdire.cognibench.contradictions.edits.replacing import change_quantifier, change_unit, reverse_comparison
from voirdire.cognibench.contradictions.grounds import Grounds
from voirdire.cognibench.contradictions.records import Kind

Edit = Callable[[str, Grounds, random.Random], str | None]

EDITS: Mapping[Kind, Edit] = {
    "number": change_number,
    "date": change_date,
    "unit": change_unit,
    "name": swap_name,
    "negation": negate,
    "quantifier": change_quantifier,
    "comparison": reverse_comparison,
}

__all__ = ["EDITS", "Edit"]
