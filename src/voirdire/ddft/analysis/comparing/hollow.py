"""Metrics that a model can win by silence or by incoherence, and what its answers alone say.

Whoever says nothing is never wrong, and gibberish is never fluent and wrong. A metric over all turns asked is therefore
ranked by what was answered, and by the worse end of its interval: few answers make it wide.
"""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

import numpy as np

from voirdire.ddft._cells import Cells, Floats
from voirdire.stats.intervals import Interval, clustered_share

By = Literal["silence", "incoherence"]

_SILENCE: tuple[By, ...] = ("silence",)
_BOTH: tuple[By, ...] = ("silence", "incoherence")

WON_BY: dict[str, tuple[By, ...]] = {
    **dict.fromkeys(("HOC", "HOC_onset", "first_failing_level", "failed_at_0", "K", "V_K", "V_E_proxy"), _SILENCE),
    **dict.fromkeys(("E", "V_E", "V_E_strict", "coupled_collapse"), _SILENCE),
    **dict.fromkeys(("danger_zone_pct", "selective_verifier_failure", "D", "FAR_prime"), _BOTH),
    **dict.fromkeys(("trap_acceptance", "entrenchment", "capitulation"), _BOTH),
}
"""By metric: how it can be won other than by good answers."""


class _Answers(NamedTuple):
    wrong: str
    """The column that counts what the metric counts."""
    among: str
    """The column of the turns that were answered so that they could count."""
    called: str


_OF_ANSWERS: dict[str, _Answers] = {
    **dict.fromkeys(
        ("danger_zone_pct", "selective_verifier_failure", "D"),
        _Answers("danger", "fluent", "fluent answers that claim something are wrong"),
    ),
    "coupled_collapse": _Answers(
        "coupled_collapse", "claiming", "answers that claim something are wrong and incoherent"
    ),
}
"""The metrics whose denominator is every turn asked, and what they are among what was answered."""


class Answered(NamedTuple):
    """How often a model's answers go wrong in the way that a metric counts, of those that could."""

    wrong: int
    of: int
    interval: Interval | None
    """95 %, clustered by concept; `None` with such answers on fewer than three concepts."""

    @property
    def worst(self) -> float:
        """The upper end of the interval; 1 without one."""
        return 1.0 if self.interval is None else self.interval.high


def answered(cell: Cells, metric: str) -> Answered | None:
    """What a model's answers alone say; `None` for a metric that counts answers alone anyway."""
    if metric not in _OF_ANSWERS:
        return None
    rule, totals = _OF_ANSWERS[metric], cell.totals(np.eye(len(cell.concepts)))
    wrong, of = totals[rule.wrong], totals[rule.among]
    try:
        interval = clustered_share(wrong, of)
    except ValueError:
        interval = None
    return Answered(round(float(wrong.sum())), round(float(of.sum())), interval)


def share_of_answers(cell: Cells, metric: str, weights: Floats) -> Floats | None:
    """The same under weightings of the concepts, shape (draws, concepts); NaN where nothing was answered."""
    if metric not in _OF_ANSWERS:
        return None
    rule, totals = _OF_ANSWERS[metric], cell.totals(weights)
    wrong, of = totals[rule.wrong], totals[rule.among]
    share: Floats = np.divide(wrong, of, out=np.full(wrong.shape, math.nan), where=of > 0)
    return share


def of_answers(metric: str, found: Answered) -> str:
    """As in "2 of 36 fluent answers that claim something are wrong, 95 % interval 2 to 19 %"."""
    ends = found.interval
    reach = "" if ends is None else f", 95 % interval {100 * ends.low:.0f} to {100 * ends.high:.0f} %"
    return f"{found.wrong:,} of {found.of:,} {_OF_ANSWERS[metric].called}{reach}"
