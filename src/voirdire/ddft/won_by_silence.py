"""Metrics that a model can win by silence or by incoherence, and what is compared in their place.

Whoever says nothing is never wrong, and gibberish is never fluent and wrong. A metric over all scored turns is
therefore compared as the share of those answers that could have gone wrong in the way it counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

import numpy as np

from voirdire.ddft.concept_sums import Cells
from voirdire.ddft.metric_intervals import default_intervals
from voirdire.ddft.metrics import BY_NAME, Metric, Value, share, values
from voirdire.reason_codes import Reason, reason
from voirdire.stats.intervals import Interval, clustered_share

By = Literal["silence", "incoherence"]

_SILENCE: tuple[By, ...] = ("silence",)
_BOTH: tuple[By, ...] = ("silence", "incoherence")

WON_BY: dict[str, tuple[By, ...]] = {
    **dict.fromkeys(("HOC", "HOC_onset", "first_failing_level", "failed_at_0", "K", "V_K", "V_E_proxy"), _SILENCE),
    **dict.fromkeys(("E", "V_E", "V_E_strict", "S", "CRI", "CI_raw", "CI_norm", "ER"), _SILENCE),
    "FAR_prime": _BOTH,
    **dict.fromkeys(("trap_acceptance", "entrenchment", "capitulation"), _BOTH),
}
"""By metric: how it can be won other than by good answers."""

FEW_ANSWERED = 0.8
"""Where fewer of a model's answers claim anything, what silence can win says little of it."""


class OfAnswers(NamedTuple):
    """What is compared in place of a metric whose denominator is every scored turn."""

    metric: Metric
    """Named as the one it stands for, in the same unit."""
    wrong: str
    """The column that counts what the metric counts."""
    among: str
    """Which answers it is a share of, in words."""
    fault: str
    """What the wrong ones are, in words."""
    called: str
    """The share, in words."""
    header: str
    """The same at the head of a column."""


def _of_answers(name: str, wrong: str, fluent: bool, fault: str) -> OfAnswers:
    column, among = ("fluent", _FLUENT) if fluent else ("claiming", _CLAIMING)
    return OfAnswers(
        share(name, lambda t: t[wrong], column, reason("none_such", what=among), unit=BY_NAME[name].unit),
        wrong,
        among,
        fault,
        f"share of {among} that are {fault}",
        f"{fault}, share",
    )


_CLAIMING = "answers that claim something"
_FLUENT = f"fluent {_CLAIMING}"

OF_ANSWERS: dict[str, OfAnswers] = {
    "danger_zone_pct": _of_answers("danger_zone_pct", "danger", True, "wrong")._replace(header="wrong, %"),
    "selective_verifier_failure": _of_answers("selective_verifier_failure", "danger", True, "wrong"),
    "D": OfAnswers(
        share(
            "D",
            lambda t: t["fluent"] - t["danger"],
            "fluent",
            reason("none_such", what="fluent answers that claim something"),
        ),
        "danger",
        _FLUENT,
        "wrong",
        f"share of {_FLUENT} that are not wrong",
        "not wrong, share",
    ),
    "coupled_collapse": _of_answers("coupled_collapse", "coupled_collapse", False, "wrong and incoherent"),
}


class Answered(NamedTuple):
    """How many of a model's answers go wrong in the way that a metric counts, of those that could."""

    wrong: int
    of: int


def won_by_silence(name: str) -> bool:
    """Whether a model that claims nothing can do well in this metric."""
    return name in OF_ANSWERS or "silence" in WON_BY.get(name, ())


def silence(estimates: Mapping[str, Value]) -> Reason | None:
    """What must be said of a model few of whose answers claim anything; `None` of any other."""
    answered = estimates["share_answered"]
    if answered.value is None or answered.value >= FEW_ANSWERED:
        return None
    hollow = tuple(name for name, each in estimates.items() if each.value is not None and won_by_silence(name))
    if answered.value == 0:
        return reason("note_none_answered", answers=answered.n, metrics=hollow)
    return reason("note_few_answered", claiming=round(answered.value * answered.n), answers=answered.n, metrics=hollow)


def caution(name: str, answered: Value) -> Reason | None:
    """What must be said of a value that silence can win, where few answers claim anything (`share_answered`)."""
    few = answered.value is not None and answered.value < FEW_ANSWERED
    if answered.value is None or not few or "silence" not in WON_BY.get(name, ()):
        return None
    if answered.value == 0:
        return reason("none_answered", metric=name, answers=answered.n)
    return reason("few_answered", metric=name, claiming=round(answered.value * answered.n), answers=answered.n)


def compared(name: str) -> Metric:
    """What models are compared in when this metric is asked for."""
    return OF_ANSWERS[name].metric if name in OF_ANSWERS else BY_NAME[name]


def answered(cell: Cells, name: str) -> Answered | None:
    """The counts behind a model's share of answers; `None` for a metric that is compared as it is."""
    if name not in OF_ANSWERS:
        return None
    rule, totals = OF_ANSWERS[name], cell.totals(np.ones((1, len(cell.concepts))))
    return Answered(round(float(totals[rule.wrong][0])), round(float(totals[rule.metric.count][0])))


def _share(cell: Cells, rule: OfAnswers, level: float) -> tuple[Value, Interval | None]:
    """A model's share of answers with its interval, clustered by concept; none on fewer than three concepts."""
    metric, totals = rule.metric, cell.totals(np.eye(len(cell.concepts)))
    counts = totals[metric.count]
    successes = np.zeros_like(counts) if metric.successes is None else metric.successes(totals)
    n = round(float(counts.sum()))
    if not n:
        return Value(None, metric.undefined, 0), None
    value = Value(metric.unit * float(successes.sum()) / n, None, n)
    try:
        ends = clustered_share(successes, counts, level=level)
    except ValueError:
        return value, None
    return value, ends._replace(low=metric.unit * ends.low, high=metric.unit * ends.high)


def measure_with_intervals(
    cell: Cells, name: str, level: float, *, traps: bool = True
) -> tuple[dict[str, Value], dict[str, Interval]]:
    """All metrics of a model and their intervals, the one named as it is compared; `traps`: whether any was set."""
    estimates = values(cell, traps=traps)
    intervals = default_intervals(cell, estimates, level=level)[0]
    if name in OF_ANSWERS:
        estimates[name], interval = _share(cell, OF_ANSWERS[name], level)
        intervals.pop(name, None)
        intervals |= {} if interval is None else {name: interval}
    return estimates, intervals
