"""Metrics that a model can win by silence or by incoherence, and how its answers are then compared.

Whoever says nothing is never wrong, and gibberish is never fluent and wrong. Such metrics are ranked by what was
answered, and by the end of its interval that is the worse: few answers make it wide.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from voirdire.ddft._cells import Cells
from voirdire.ddft.metrics import BY_NAME, Metric
from voirdire.stats.intervals import Interval, clustered_share

By = Literal["silence", "incoherence"]


class Answered(NamedTuple):
    """A metric over what a model answered, and how much that is."""

    value: float | None
    """`None`: nothing was answered."""
    interval: Interval | None
    """95 %, clustered by concept; of nothing that occurs, or with fewer than three concepts, `None`."""
    n: int
    """Turns answered, of the kind that the metric asks for."""
    asked: int


class _Rule(NamedTuple):
    by: tuple[By, ...]
    answered: str = ""
    """The share of `answered_n` that stands in for the metric; "" where the metric itself counts answers alone."""
    answered_n: str = ""
    bad: bool = True
    """Whether it counts what is bad."""
    of: str = ""
    """What is counted among, in words."""


_FLUENT = _Rule(("silence", "incoherence"), "danger", "fluent", of="fluent answers that claim something")
RULES: dict[str, _Rule] = {
    "danger_zone_pct": _FLUENT,
    "selective_verifier_failure": _FLUENT,
    "D": _FLUENT,
    "coupled_collapse": _Rule(("silence",), "coupled_collapse", "claiming", of="answers that claim something"),
    **dict.fromkeys(
        ("HOC", "HOC_onset", "first_failing_level", "failed_at_0", "K", "V_K", "V_E_proxy", "E", "V_E", "V_E_strict"),
        _Rule(("silence",)),
    ),
    **dict.fromkeys(("trap_acceptance", "entrenchment", "capitulation"), _Rule(("silence", "incoherence"))),
    "FAR_prime": _Rule(("incoherence",)),
}
"""By metric: what wins it besides being good."""
