"""The design of the test taken apart: turns, levels, formula, theta, and the trap itself (DDFT 7.1, 8.3, A, D)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from voirdire.data.json_values import as_plain
from voirdire.ddft.analysis.measures import (
    Association,
    ResampledScores,
    associate,
    far_of_turn,
    known,
    measure_turns,
    row_correlations,
)
from voirdire.ddft.concept_sums import TURNS, Floats
from voirdire.ddft.thresholds import PAPER
from voirdire.papers.claims import ClaimVerdict, Result
from voirdire.papers.ddft.decisions import (
    MIN_MODELS,
    TRAP_TURN,
    Decision,
    TestedRuns,
    because,
    by_difference,
    mean_over_concepts,
    result_of,
    too_few_models,
)
from voirdire.papers.ddft.robustness import rest_of_er
from voirdire.reason_codes import Reason
from voirdire.stats.intervals import Interval, percentile

STABLE = 0.9
"""Kendall's tau from which rankings count as the same (DDFT 7.1: > 0.90 for all variants)."""

_LIKELY = 0.95
_MIN_RANKED = 3
_MOST_INNER_LEVELS = 5
"""With more levels between the ends, not all subsets are tried, only every second, third … level."""

_THETAS = (0.60, 0.80)


class Tau(NamedTuple):
    """Kendall's tau of two rankings of the same models, with the spread of it over concepts."""

    value: float | None
    interval: Interval | None
    n: int

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {"tau": self.value, "interval": as_plain(self.interval), "n": self.n}


def turn_by_turn(tested: TestedRuns) -> Result:
    """Which turn's FAR goes most with the index (DDFT D.1), also with that turn left out of the index."""
    study = tested.study
    whole = measure_turns(study)
    rows, estimates = [], []
    for turn in range(1, TURNS + 1):
        far, rest = far_of_turn(study, turn), measure_turns(study, turns=[t for t in range(1, TURNS + 1) if t != turn])
        er_rest = rest_of_er(rest) if turn == TRAP_TURN else rest["ER"]
        correlation = associate(far, whole["CI_raw"], "spearman")
        rest_taus = {
            "CI_raw without the turn": associate(far, rest["CI_raw"], "spearman"),
            "ER": associate(far, whole["ER"], "spearman"),
            "ER without the turn": associate(far, er_rest, "spearman"),
        }
        rows.append({"turn": turn, "CI_raw": correlation.as_dict()} | as_plain(rest_taus))
        estimates.append(correlation)
    trap = estimates[TRAP_TURN - 1]
    return result_of(trap.value, trap.interval, _strongest(estimates), rows)


def levels(tested: TestedRuns) -> Result:
    """Do fewer levels give the same ranking (DDFT A.2)?"""
    study = tested.study
    whole = measure_turns(study)
    taus: dict[tuple[float, ...], Tau] = {}
    rows = []
    for subset in _subsets(study.levels):
        part = measure_turns(study, levels=subset)
        taus[subset], er = _tau(part["CI_raw"], whole["CI_raw"]), _tau(part["ER"], whole["ER"])
        of_er = {"tau_ER": er.value, "tau_ER_interval": as_plain(er.interval)}
        changes = {f"{name}_changes_by": _largest_change(part, whole, name) for name in ("CI_raw", "ER", "HOC")}
        rows.append({"levels": list(subset)} | taus[subset].as_dict() | of_er | changes)
    if not taus:
        return result_of(None, None, (ClaimVerdict.OPEN, (because("levels.none_between"),)))
    middle = next((subset for subset in taus if len(subset) == _MIN_RANKED and subset[1] == 0.5), next(iter(taus)))
    return result_of(taus[middle].value, taus[middle].interval, _same_ranking([taus[middle]]), rows)


def formulas(tested: TestedRuns) -> Result:
    """Do other formulas of HOC, CRI, FAR' and SAS' rank alike (DDFT 7.1)?"""
    whole = measure_turns(tested.study)
    hoc, cri = whole["HOC"], whole["CRI"]
    dissociation = whole["FAR_prime"] + 1 - whole["SAS_prime"]
    with np.errstate(divide="ignore", invalid="ignore"):
        largest = np.where(dissociation > 0, np.maximum(hoc, cri) / dissociation, np.nan)
    variants = {
        "additive: HOC + CRI - FAR' - (1 - SAS')": _tau(hoc + cri - dissociation, whole["CI_raw"]),
        "max-based: max(HOC, CRI) / (FAR' + 1 - SAS')": _tau(largest, whole["CI_raw"]),
    }
    of_er = {"ER, which the paper does not have": _tau(whole["ER"], whole["CI_raw"])}
    taus = list(variants.values())
    lowest = min(taus, key=lambda tau: np.inf if tau.value is None else tau.value)
    rows = [{"formula": name} | tau.as_dict() for name, tau in (variants | of_er).items()]
    return result_of(lowest.value, lowest.interval, _same_ranking(taus), rows)


def thetas(tested: TestedRuns) -> Result:
    """Does another theta rank alike (DDFT 5.2.1, footnote)?"""
    whole = measure_turns(tested.study)
    rows = []
    for theta in _THETAS:
        part = measure_turns(tested.study, thresholds=replace(PAPER, failed_level_far=theta))
        stricter = _tau(part["CI_raw"], whole["CI_raw"])
        rows.append({"theta": theta} | stricter.as_dict() | {"HOC_changes_by": _largest_change(part, whole, "HOC")})
    return result_of(stricter.value, stricter.interval, _same_ranking([stricter]), rows)


def trap_replaced(tested: TestedRuns) -> Result:
    """How turn 4's FAR, and its correlation with the CI index, differ when no trap is set (the digest's second)."""
    control = tested.control
    if control is None:
        return _undecided(because("trap.not_run"))
    if tested.unlike:
        unlike = because("trap.unlike", why=" and ".join(map(str, tested.unlike)))
        return _undecided(unlike, ClaimVerdict.UNDECIDABLE)
    own = tested.own_names
    by_name = {own.get(model, model): model for model in control.models}
    names = {model: own.get(model, model) for model in tested.study.models}
    pairs = {model: by_name[name] for model, name in names.items() if name in by_name}
    if not pairs:
        return _undecided(because("trap.no_model"))
    trapped, neutral = tested.study.only(pairs), control.only(pairs.values())
    differences = {
        model: _by_concept(neutral.frames[other]).sub(_by_concept(trapped.frames[model]))
        for model, other in pairs.items()
    }
    trap, none = _with_ci(trapped), _with_ci(neutral)
    value = None if trap.value is None or none.value is None else abs(trap.value) - abs(none.value)
    interval = _interval_of_loss(trap, none)
    verdict, reasons = _less_without(trap, none, interval)
    overall = mean_over_concepts(pd.DataFrame(differences).mean(axis=1).to_numpy(dtype=np.float64))
    table = [
        {"trap": "trap"} | trap.as_dict(),
        {"trap": "none"} | none.as_dict(),
        {"model": "all"} | overall.as_dict("FAR_4_higher_without"),
        *({"model": model} | _higher_without(difference) for model, difference in differences.items()),
    ]
    return result_of(value, interval, (verdict, (*reasons, because("trap.without", overall=str(overall)))), table)


def _undecided(why: Reason, verdict: ClaimVerdict = ClaimVerdict.OPEN) -> Result:
    return result_of(None, None, (verdict, (why,)))


def _strongest(correlations: Sequence[Association]) -> Decision:
    n = min(each.exact.n for each in correlations)
    if n < MIN_MODELS:
        return too_few_models(n)
    if not all(each.draws.size for each in correlations):
        return ClaimVerdict.OPEN, (because("turns.too_few_concepts"),)
    strength = np.abs([each.draws for each in correlations])
    defined = strength[:, ~np.isnan(strength).any(axis=0)]
    if not defined.size:
        return ClaimVerdict.OPEN, (because("turns.undefined"),)
    rest_taus = np.delete(defined, TRAP_TURN - 1, axis=0).max(axis=0)
    share = float((defined[TRAP_TURN - 1] > rest_taus).mean())
    verdict = (
        ClaimVerdict.HELD if share >= _LIKELY else ClaimVerdict.BROKEN if share <= 1 - _LIKELY else ClaimVerdict.OPEN
    )
    return verdict, (because("turns.strongest", share=share, n=n),)


def _subsets(levels: Sequence[float]) -> Iterator[tuple[float, ...]]:
    """Subsets that keep both ends and at least one level between them, smaller ones first."""
    inner = levels[1:-1]
    if len(inner) > _MOST_INNER_LEVELS:
        for step in range(len(inner), 1, -1):
            if (len(levels) - 1) % step == 0 and step < len(levels) - 1:
                yield tuple(levels[::step])
        return
    for size in range(1, len(inner)):
        for between in combinations(inner, size):
            yield (levels[0], *between, levels[-1])


def _tau(one: Floats, other: Floats) -> Tau:
    there = ~(np.isnan(one[0]) | np.isnan(other[0]))
    n = int(there.sum())
    if n < _MIN_RANKED:
        return Tau(None, None, n)
    taus = row_correlations(one[:, there], other[:, there], "kendall")
    draws = taus[1:][~np.isnan(taus[1:])]
    return Tau(known(taus[0]), percentile(draws) if draws.size else None, n)


def _same_ranking(taus: Sequence[Tau]) -> Decision:
    n = min(tau.n for tau in taus)
    if n < _MIN_RANKED or any(tau.value is None for tau in taus):
        return ClaimVerdict.OPEN, (because("shared.no_ranking", needed=_MIN_RANKED, n=n),)
    intervals = [tau.interval for tau in taus if tau.interval is not None]
    if len(intervals) < len(taus):
        return ClaimVerdict.OPEN, (because("shared.no_spread"),)
    taus_listed = ", ".join(
        f"tau = {tau.value:z.2f} ({interval.low:z.2f} to {interval.high:z.2f})"
        for tau, interval in zip(taus, intervals, strict=True)
    )
    reasons = (because("shared.taus", taus=taus_listed, n=n),)
    if all(interval.low >= STABLE for interval in intervals):
        return ClaimVerdict.HELD, reasons
    return (
        ClaimVerdict.BROKEN if any(interval.high < STABLE for interval in intervals) else ClaimVerdict.OPEN
    ), reasons


def _largest_change(part: Mapping[str, Floats], whole: Mapping[str, Floats], metric: str) -> float | None:
    changes = np.abs(part[metric][0] - whole[metric][0])
    return None if np.isnan(changes).all() else float(np.nanmax(changes))


def _with_ci(study: ResampledScores) -> Association:
    return associate(far_of_turn(study, TRAP_TURN), measure_turns(study)["CI_raw"], "spearman")


def _interval_of_loss(trap: Association, none: Association) -> Interval | None:
    if not trap.draws.size or trap.draws.size != none.draws.size:
        return None
    losses: Floats = np.abs(trap.draws) - np.abs(none.draws)
    return None if np.isnan(losses).all() else percentile(losses)


def _less_without(trap: Association, none: Association, interval: Interval | None) -> Decision:
    n = min(trap.exact.n, none.exact.n)
    if n < MIN_MODELS:
        return too_few_models(n)
    if trap.value is None or none.value is None or interval is None:
        return ClaimVerdict.OPEN, (because("trap.undefined"),)
    return by_difference(interval, because("trap.correlations", trap=trap.value, none=none.value, n=n))


def _by_concept(frame: pd.DataFrame) -> pd.Series:
    """Mean FAR at turn 4 by concept; NaN where no answer has one."""
    return frame[frame["turn"] == TRAP_TURN].groupby("concept")["far"].mean()


def _higher_without(difference: pd.Series) -> dict[str, Any]:
    return mean_over_concepts(difference.to_numpy(dtype=np.float64)).as_dict("FAR_4_higher_without")
