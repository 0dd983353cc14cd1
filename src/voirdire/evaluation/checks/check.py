"""What a check is, and what it found."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from voirdire.evaluation.records import Evaluation
from voirdire.reasons import Reason, reason
from voirdire.text.shortening import beginning

Status = Literal["pass", "warn", "fail", "not_measured"]
STATUSES: tuple[Status, ...] = ("fail", "warn", "not_measured", "pass")
"""The gravest first."""
MOST_QUOTES = 3
_QUOTED = 300
"""Characters of a quote."""


class Quote(NamedTuple):
    """Something that was seen, with where it stands."""

    item: str
    model: str
    text: str
    """Shortened; of somebody else's file, and perhaps hostile."""


@dataclass(frozen=True, slots=True)
class Check:
    """What one check found in one evaluation."""

    id: str
    status: Status
    evaluation: str
    found: Reason
    """What was found, or for "not_measured" what is missing; its words stand in `messages`."""
    value: float | None = None
    """The figure that the status follows from; `messages.MEASURED` says what it is."""
    n: int | None = None
    """What the figure rests on: items, rows, pairs of models."""
    models: tuple[str, ...] = ()
    """Those that it concerns, the gravest first; empty where it concerns all or none."""
    quotes: tuple[Quote, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)
    """More figures, by name, as JSON can hold them."""


CheckFunction = Callable[[Evaluation], Check]
"""A pure function of an evaluation. Whatever the file holds, it gives a `Check`, never an error."""


def not_measured(id: str, evaluation: Evaluation, missing: str) -> Check:
    """A check that can't be made.

    Args:
        id: of the check.
        evaluation: of which.
        missing: code of the reason in `messages`: what is lacking.
    """
    return Check(id, "not_measured", evaluation.name, reason(missing))


def quote(evaluation: Evaluation, row: int, column: str = "output") -> Quote:
    """What stands in a column of one row."""
    cells = evaluation.rows.iloc[row]
    text = cells[column]
    return Quote(str(cells["item"]), str(cells["model"]), beginning(text if isinstance(text, str) else "", _QUOTED))


def graded(value: float, warn: float, fail: float) -> Status:
    """The status of a figure that is worse when higher: below `warn` it passes."""
    return "fail" if value >= fail else "warn" if value >= warn else "pass"
