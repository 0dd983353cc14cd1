"""What can be asked of runs and of other people's results alike, and what an answer holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from voirdire.documents.document import Chart, Document

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionResult:
    """The answer to a question, whoever shows it."""

    headline: str
    """The conclusion, in one line."""
    values: Mapping[str, Any]
    """As JSON."""
    document: Document
    """For people; sections that are details are for those who ask for more."""
    frame: pd.DataFrame
    """As a table."""
    failed: tuple[str, ...] = ()
    """Ids of checks that fail."""
    unverified: Mapping[str, str] = field(default_factory=dict)
    """By the id of a check that a lone judge leaves open, and that a strict reading counts with those: why."""
    reservations: Mapping[str, bool] = field(default_factory=dict)
    """By name, what forbids to rely on the figures though no check sees it, and whether it does here."""
    models: tuple[str, ...] = ()
    """The models that results hold, where a list of them names these."""
    chart: Chart | None = None
    """The same as the page draws it; `None` where there is nothing to draw."""


class CompareQuestion(NamedTuple):
    """Which models differ?"""

    models: tuple[str, ...] = ()
    """Of results: only these; empty for all."""
    alpha: float = 0.05
    metric: str | None = None
    """Of runs: in which metric; `None` for the instrument's usual one."""
    unit: str | None = None
    """Of runs: what is independent; `None` for the instrument's usual one."""


class PowerQuestion(NamedTuple):
    """How many items does it take to see a difference?"""

    detect: float
    """The difference of two models, in the unit of the score."""
    power: float = 0.8
    alpha: float = 0.05
    models: int | None = None
    """How many models are compared, each with each; `None` for two."""
