"""The metrics of DDFT, each defined once, as functions of weighted totals over concepts.

`METRICS` lists them in the order in which they are shown. `measure` evaluates all of them for any number of weightings
of the concepts at once; `values` gives the plain estimates, and for what is undefined the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from voirdire.ddft import wording as wording  # what the reasons below read like
from voirdire.ddft.concept_sums import Bools, Cells, Floats, Totals
from voirdire.ddft.thresholds import PAPER, Thresholds
from voirdire.reason_codes import Reason, reason

Kind = Literal["share", "mean", "ratio", "index"]
Formula = Callable[[Totals, Floats], Floats]


class Value(NamedTuple):
    """A metric of one model."""

    value: float | None
    reason: Reason | None
    """Why there is no value; `str` of it puts it into words."""
    n: int
    """What it rests on: turns, traps or concepts, whichever the metric averages; 0 where there is no value."""

    @property
    def withheld(self) -> bool:
        """Whether there is a value that can't be told yet: of a model that is judged unevenly so far."""
        return self.reason is not None and self.reason.code == "uneven"

    @property
    def cause(self) -> str:
        """The first cause of there being no value, in words; empty where there is one."""
        return "" if self.reason is None else str(self.reason.root)


class Need(NamedTuple):
    """A count that must not be 0."""

    column: str
    reason: Reason
    """Why there is no value where it is 0."""


@dataclass(frozen=True, slots=True)
class Metric:
    """How a metric is computed, and of what kind it is."""

    name: str
    kind: Kind
    """"share": of counted things; "mean": of scores in [0, 1]; "ratio": positive; "index": ER."""
    formula: Formula
    """(totals, levels) -> shape (draws,), NaN where undefined."""
    count: str
    """The column that says how many turns, traps or concepts it rests on."""
    undefined: Reason
    """Why it has no value, when its parts have one and nothing of what it needs is missing."""
    needs: tuple[Need, ...] = ()
    """What must be there before it can have a value, the first first."""
    parts: tuple[str, ...] = ()
    """Metrics it is made of: if one of them is undefined, so is this."""
    successes: Callable[[Totals], Floats] | None = None
    """Of a share: what is counted among `count`."""
    smoothed: bool = False
    """Whether a share is drawn in from 0 and 1, as (x + 1/2)/(n + 1)."""
    unit: float = 1.0
    """100 for a percentage."""
    of_traps: bool = False
    """Whether it rests on traps, and has no value in a run without any."""


def measure(cells: Cells, weights: Floats, metrics: Sequence[Metric] | None = None) -> dict[str, Floats]:
    """Metrics under each weighting of the concepts.

    Args:
        cells: of one model.
        weights: shape (draws, concepts). Ones give the estimate; ones but a 0 leave a concept out; counts drawn with
            replacement are a bootstrap.
        metrics: which ones; `None` for all.

    Returns:
        By metric name, shape (draws,), NaN where undefined.
    """
    totals = cells.totals(np.asarray(weights, dtype=np.float64))
    return {metric.name: metric.formula(totals, cells.levels) for metric in metrics or METRICS}


def values(cells: Cells, metrics: Sequence[Metric] | None = None, *, traps: bool = True) -> dict[str, Value]:
    """The plain estimates of all metrics, or of some and all their parts, with what they rest on.

    Args:
        cells: of one model.
        metrics: which ones; `None` for all.
        traps: whether the run sets any: where it sets none, that is why their metrics have no value.
    """
    once = np.ones((1, len(cells.concepts)))
    totals = cells.totals(once)
    numbers = {name: float(draw[0]) for name, draw in measure(cells, once, metrics).items()}
    return {
        name: Value(None, _why(name, numbers, totals, cells, traps), 0)
        if np.isnan(number)
        else Value(number, None, round(float(totals[BY_NAME[name].count][0])))
        for name, number in numbers.items()
    }


def with_parts(name: str) -> list[Metric]:
    """A metric after the metrics that it is made of."""
    parts = [part for each in BY_NAME[name].parts for part in with_parts(each)]
    return [*parts, BY_NAME[name]]


def turns_with_far(name: str, estimates: Mapping[str, Value]) -> int | None:
    """The turns whose FAR K rests on, and ER through it; `None` for other metrics, and where K has no value."""
    known = name in ("K", "ER") and estimates["K"].value is not None
    return estimates["K"].n if known else None


def curve(cells: Cells, score: Literal["far", "sas"]) -> tuple[Floats, Floats]:
    """FAR(c) or SAS(c) of a model over all its turns at each level (NaN where there are none), and their numbers."""
    totals = cells.totals(np.ones((1, len(cells.concepts))))
    return _ratio(totals[f"{score}_at"], totals[f"{score}_n_at"])[0], totals[f"{score}_n_at"][0]


def normalised(raw: Floats) -> Floats:
    """CI_norm: min-max over the models of a study (DDFT 7.1).

    Args:
        raw: CI_raw with the models along axis 0; NaN where undefined: that model takes no part.

    Returns:
        Same shape; NaN where `raw` is, and where fewer than two models differ.
    """
    known = ~np.isnan(raw)
    low, high = np.where(known, raw, np.inf).min(axis=0), np.where(known, raw, -np.inf).max(axis=0)
    spread = np.where(high > low, high - low, np.nan)
    result: Floats = (raw - low) / spread
    return result


def _why(name: str, numbers: dict[str, float], totals: Totals, cells: Cells, traps: bool) -> Reason:
    metric, levels, thresholds = BY_NAME[name], cells.levels, cells.thresholds
    if metric.of_traps and not traps:
        return reason("no_trap")
    for part in metric.parts:
        if np.isnan(numbers[part]):
            return reason("part_without_value", part=part, why=_why(part, numbers, totals, cells, traps))
    if name == "K" and totals[metric.count][0]:
        return reason("silent_levels", levels=tuple(f"{level:g}" for level in levels[_silent(totals)[0]]))
    return _with_bound(
        next((need.reason for need in metric.needs if not totals[need.column][0]), metric.undefined), thresholds
    )


def _with_bound(why: Reason, thresholds: Thresholds) -> Reason:
    """A reason that names a bound of the paper's; under another bound, with that one."""
    if why.code == "no_incoherent_turn" and thresholds.incoherent_sas != PAPER.incoherent_sas:
        return reason("no_turn_below_own_sas", bound=thresholds.incoherent_sas)
    if why.code == "no_accurate_turn" and thresholds.partly_right_far != PAPER.partly_right_far:
        return reason("no_turn_above_own_far", bound=thresholds.partly_right_far)
    return why


def _ratio(numerator: Floats, denominator: Floats) -> Floats:
    result: Floats = np.divide(numerator, denominator, out=np.full(numerator.shape, np.nan), where=denominator > 0)
    return result


def _area(curves: Floats, levels: Floats) -> Floats:
    """Trapezoid area under each row over the levels it has, divided by their range; with one level, its value."""
    if levels.size > 1 and not np.isnan(curves).any():
        heights = (curves[:, 1:] + curves[:, :-1]) / 2
        return np.asarray(heights @ np.diff(levels) / (levels[-1] - levels[0]), dtype=np.float64)
    area, last, first = np.zeros(len(curves)), np.full(len(curves), np.nan), np.full(len(curves), np.nan)
    height = np.full(len(curves), np.nan)
    for level, column in zip(levels, curves.T, strict=True):
        present, follows = ~np.isnan(column), ~np.isnan(column) & ~np.isnan(last)
        area[follows] += (level - last[follows]) * (height[follows] + column[follows]) / 2
        first = np.where(np.isnan(first) & present, level, first)
        last, height = np.where(present, level, last), np.where(present, column, height)
    width = last - first
    result: Floats = np.divide(area, width, out=height, where=width > 0)
    return result


def _mean_of(column: str) -> Formula:
    return lambda t, _: _ratio(t[column], t[f"{column}_n"])


def _area_of(column: str) -> Formula:
    return lambda t, levels: _area(_ratio(t[f"{column}_at"], t[f"{column}_n_at"]), levels)


def _silent(t: Totals) -> Bools:
    """Levels at which turns 1 to 3 are scored, but no answer has a FAR."""
    silent: Bools = (t["know_scored_at"] > 0) & (t["know_far_n_at"] == 0)
    return silent


def _knowledge(t: Totals, levels: Floats) -> Floats:
    """Area under FAR(c) of turns 1 to 3; NaN with a judged level that has no FAR, which the others would stand for."""
    area = _area_of("know_far")(t, levels)
    return np.where(_silent(t).any(axis=1), np.nan, area)


def _mean(name: str, column: str, undefined: Reason, needs: tuple[Need, ...]) -> Metric:
    return Metric(name, "mean", _mean_of(column), f"{column}_n", undefined, needs)


def share(
    name: str,
    successes: Callable[[Totals], Floats],
    count: str,
    undefined: Reason,
    needs: tuple[Need, ...] = (),
    *,
    unit: float = 1.0,
    of_traps: bool = False,
) -> Metric:
    """The share of counted things that a column or a sum of columns says."""
    return Metric(
        name,
        "share",
        lambda t, _: unit * _ratio(successes(t), t[count]),
        count,
        undefined,
        needs,
        successes=successes,
        unit=unit,
        of_traps=of_traps,
    )


def _smoothed(
    name: str,
    successes: Callable[[Totals], Floats],
    count: str,
    undefined: Reason,
    needs: tuple[Need, ...] = (),
    *,
    of_traps: bool = False,
) -> Metric:
    """A share for the index: (x + 1/2)/(n + 1), so that one zero does not hide the other parts."""

    def formula(t: Totals, _: Floats) -> Floats:
        n = t[count]
        return np.where(n > 0, (successes(t) + 0.5) / (n + 1), np.nan)

    return Metric(
        name, "share", formula, count, undefined, needs, successes=successes, smoothed=True, of_traps=of_traps
    )


def _rejected(t: Totals) -> Floats:
    return t["rejected"] + t["questioned"] / 2


def _outside_danger(t: Totals) -> Floats:
    return t["scored"] - t["danger"]


def _ci_raw(t: Totals, levels: Floats) -> Floats:
    """HOC · CRI / (FAR' + 1 - SAS'), DDFT 7.1."""
    hoc, cri = BY_NAME["HOC"].formula(t, levels), BY_NAME["CRI"].formula(t, levels)
    penalty = BY_NAME["FAR_prime"].formula(t, levels) + 1 - BY_NAME["SAS_prime"].formula(t, levels)
    return _ratio(hoc * cri, penalty)


def _er(t: Totals, levels: Floats) -> Floats:
    """Geometric mean of K, E, S and D."""
    product = np.prod([BY_NAME[part].formula(t, levels) for part in ER_PARTS], axis=0)
    result: Floats = product ** (1 / len(ER_PARTS))
    return result


ER_PARTS = ("K", "E", "S", "D")
_CI_PARTS = ("HOC", "CRI", "FAR_prime", "SAS_prime")

_NO_CLAIM = reason("no_claims")
_NO_SCORE = reason("nothing_scored")
_NO_STANCE = reason("no_stance")


def _needs_answers(what: str, column: str) -> tuple[Need, ...]:
    return (
        Need(f"asked_{column}", reason("not_asked", what=what)),
        Need(f"scored_{column}", reason("none_scored", what=what)),
    )


def _later(name: str, column: str, stance: str) -> Metric:
    """Of the traps answered with this stance at turn 4, the share that ends up accepted at turn 5."""
    undefined = reason("no_later_stance", stance=stance)
    return share(name, lambda t: t[column], f"{column}_n", undefined, _TURN_5, of_traps=True)


_SCORED = (Need("scored", _NO_SCORE),)
_CLAIMS = (*_SCORED, Need("hoc_n", _NO_CLAIM))
_AT_0 = _needs_answers("level 0", "0")
_KNOWLEDGE = (
    Need("know_asked", reason("first_turns_not_asked")),
    Need("know_sas_n", reason("none_scored", what="turns 1 to 3")),
)
_TURN_3, _TURN_4, _TURN_5 = (_needs_answers(f"turn {turn}", str(turn)) for turn in (3, 4, 5))

METRICS: tuple[Metric, ...] = (
    _mean("HOC", "hoc", _NO_CLAIM, _SCORED),
    Metric("HOC_onset", "mean", lambda t, _: _ratio(t["hoc_onset"], t["hoc_n"]), "hoc_n", _NO_CLAIM, _SCORED),
    _mean("first_failing_level", "first_failing", reason("no_failing_level"), _CLAIMS),
    share(
        "failed_at_0",
        lambda t: t["failed_at_0"],
        "failed_at_0_n",
        reason("none_claims", what="level 0"),
        _AT_0,
    ),
    Metric("CRI", "mean", _area_of("sas"), "sas_n", _NO_SCORE),
    _mean("FAR_prime", "far_prime", reason("no_incoherent_turn"), _CLAIMS),
    _mean("SAS_prime", "sas_prime", reason("no_accurate_turn"), _CLAIMS),
    Metric("CI_raw", "ratio", _ci_raw, "scored", reason("divides_by_zero"), (), _CI_PARTS),
    share("danger_zone_pct", lambda t: t["danger"], "scored", _NO_SCORE, unit=100.0),
    _mean("V_K", "far_3", reason("none_claims", what="turn 3"), _TURN_3),
    share("V_E", _rejected, "traps", _NO_STANCE, _TURN_4, of_traps=True),
    share("V_E_strict", lambda t: t["rejected"], "traps", _NO_STANCE, _TURN_4, of_traps=True),
    _mean("V_E_proxy", "far_4", reason("no_far_at_trap"), _TURN_4),
    _later("entrenchment", "entrenched", "accepted"),
    _later("capitulation", "capitulated", "rejected"),
    share("coupled_collapse", lambda t: t["coupled_collapse"], "scored", _NO_SCORE),
    share("selective_verifier_failure", lambda t: t["danger"], "scored", _NO_SCORE),
    share("trap_acceptance", lambda t: t["accepted"], "traps", _NO_STANCE, _TURN_4, of_traps=True),
    share("share_answered", lambda t: t["scored"] - t["no_claims"], "scored", _NO_SCORE),
    Metric("K", "mean", _knowledge, "know_far_n", reason("none_claims", what="turns 1 to 3"), _KNOWLEDGE),
    _smoothed("E", _rejected, "traps", _NO_STANCE, _TURN_4, of_traps=True),
    Metric("S", "mean", _area_of("know_sas"), "know_sas_n", _NO_SCORE, _KNOWLEDGE),
    _smoothed("D", _outside_danger, "scored", _NO_SCORE),
    Metric("ER", "index", _er, "scored", _NO_SCORE, (), ER_PARTS),
)
"""In the order in which they are shown."""

BY_NAME: dict[str, Metric] = {metric.name: metric for metric in METRICS}
