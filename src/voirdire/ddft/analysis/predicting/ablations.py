"""The design of the test taken apart: turns, levels, formula, theta, and the trap itself (DDFT 7.1, 8.3, A, D)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from voirdire.data.plain import as_plain
from voirdire.ddft._cells import TURNS, Floats
from voirdire.ddft.analysis.predicting.detection import rest_of_er
from voirdire.ddft.analysis.predicting.findings import (
    BROKEN,
    HELD,
    MIN_MODELS,
    OPEN,
    Finding,
    Verdict,
    too_few_models,
)
from voirdire.ddft.analysis.predicting.measures import Study, far_of_turn, measured
from voirdire.ddft.analysis.predicting.ranks import Association, associate, known, row_correlations
from voirdire.ddft.analysis.predicting.trap import TRAP_TURN, trap_replaced
from voirdire.ddft.profile import THETA
from voirdire.reasons import Reason
from voirdire.stats.intervals import Interval, percentile

STABLE = 0.9
"""Kendall's tau from which rankings count as the same (DDFT 7.1: > 0.90 for all variants)."""

_LIKELY = 0.95
_MIN_RANKED = 3
_MOST_INNER_LEVELS = 5
"""With more levels between the ends, not all subsets are tried, only every second, third … level."""

_THETAS = (0.60, 0.80)
_TAU = f"held: the interval of tau over concepts lies at {STABLE:g} or above; broken: below"


def ablations(study: Study, control: Study | None = None, unlike: Sequence[Reason] = ()) -> list[Finding]:
    """The paper's three ablations, theta, and the digest's second experiment.

    Args:
        study: the models of a study.
        control: the same models without a trap, where they were so examined.
        unlike: why these can't be compared with the study.
    """
    return [turn_by_turn(study), levels(study), formulas(study), thetas(study), trap_replaced(study, control, unlike)]


def turn_by_turn(study: Study) -> Finding:
    """Which turn's FAR goes most with the index (DDFT D.1), also with that turn left out of the index."""
    whole = measured(study)
    rows, estimates = [], []
    for turn in range(1, TURNS + 1):
        far, rest = far_of_turn(study, turn), measured(study, turns=[t for t in range(1, TURNS + 1) if t != turn])
        er_rest = rest_of_er(rest) if turn == TRAP_TURN else rest["ER"]
        found = associate(far, whole["CI_raw"], "spearman")
        others = {
            "CI_raw without the turn": associate(far, rest["CI_raw"], "spearman"),
            "ER": associate(far, whole["ER"], "spearman"),
            "ER without the turn": associate(far, er_rest, "spearman"),
        }
        rows.append({"turn": turn, "CI_raw": found.as_dict()} | as_plain(others))
        estimates.append(found)
    verdict, why = _strongest(estimates)
    trap = estimates[TRAP_TURN - 1]
    return Finding(
        "turns",
        "Turn 4 is the turn that goes most with the CI index.",
        "rho of turns 1 to 5 with the CI index: -0.533, -0.533, -0.483, -0.817, -0.167 (DDFT table 4)",
        trap.value,
        trap.interval,
        "rho of turn 4; held: the largest |rho| in 95 % of the draws of a bootstrap over concepts or more; broken: in "
        "5 % or fewer",
        verdict,
        why,
        tuple(rows),
    )


def levels(study: Study) -> Finding:
    """Do fewer levels give the same ranking (DDFT A.2)?"""
    whole = measured(study)
    rows = []
    for kept in _subsets(study.levels):
        part = measured(study, levels=kept)
        changes = {f"{name}_changes_by": _largest_change(part, whole, name) for name in ("CI_raw", "ER", "HOC")}
        rows.append({"levels": list(kept)} | _taus(part, whole) | changes)
    middle = next((row for row in rows if len(row["levels"]) == _MIN_RANKED and row["levels"][1] == 0.5), None)
    first = middle or (rows[0] if rows else None)
    verdict, why = _same_ranking([first] if first else [], "no level can be left out between the first and the last")
    return Finding(
        "levels",
        "Three levels (0, 0.5, 1) rank the models as all levels do.",
        "tau = 1.000 (DDFT 8.3, table 5)",
        first["tau"] if first else None,
        first["spread"] if first else None,
        _TAU,
        verdict,
        why,
        tuple(_without_spread(row) for row in rows),
    )


def formulas(study: Study) -> Finding:
    """Do other formulas of HOC, CRI, FAR' and SAS' rank alike (DDFT 7.1)?"""
    whole = measured(study)
    hoc, cri = whole["HOC"], whole["CRI"]
    dissociation = whole["FAR_prime"] + 1 - whole["SAS_prime"]
    with np.errstate(divide="ignore", invalid="ignore"):
        largest = np.where(dissociation > 0, np.maximum(hoc, cri) / dissociation, np.nan)
    variants = {
        "additive: HOC + CRI - FAR' - (1 - SAS')": hoc + cri - dissociation,
        "max-based: max(HOC, CRI) / (FAR' + 1 - SAS')": largest,
    }
    rows = [{"formula": name} | _tau(index, whole["CI_raw"]) for name, index in variants.items()]
    verdict, why = _same_ranking(rows, "CI_raw is undefined")
    lowest = _lowest(rows)
    rows.append({"formula": "ER, which the paper does not have"} | _tau(whole["ER"], whole["CI_raw"]))
    return Finding(
        "formulas",
        "The formula of the CI index hardly matters for the ranking.",
        "tau > 0.90 for all variants (DDFT 7.1)",
        lowest["tau"] if lowest else None,
        lowest["spread"] if lowest else None,
        f"the lower tau of the two variants; {_TAU}",
        verdict,
        why,
        tuple(_without_spread(row) for row in rows),
    )


def thetas(study: Study) -> Finding:
    """Does another theta rank alike (DDFT 5.2.1, footnote)?"""
    whole = measured(study)
    rows = []
    for theta in _THETAS:
        part = measured(study, theta=theta)
        change = {"HOC_changes_by": _largest_change(part, whole, "HOC")}
        rows.append({"theta": theta} | _tau(part["CI_raw"], whole["CI_raw"]) | change)
    stricter = rows[-1]
    verdict, why = _same_ranking([stricter], "CI_raw is undefined")
    return Finding(
        "theta",
        f"A theta of {_THETAS[-1]:.2f} ranks the models as {THETA:.2f} does.",
        "findings said to be qualitatively similar (DDFT 5.2.1, footnote 1)",
        stricter["tau"],
        stricter["spread"],
        _TAU,
        verdict,
        why,
        tuple(_without_spread(row) for row in rows),
    )


def _strongest(found: Sequence[Association]) -> tuple[Verdict, str]:
    n = min(each.exact.n for each in found)
    if n < MIN_MODELS:
        return OPEN, too_few_models(n)
    if not all(each.draws.size for each in found):
        return OPEN, "Too few concepts for a bootstrap over them, or a turn's FAR is the same for all models."
    strength = np.abs([each.draws for each in found])
    defined = strength[:, ~np.isnan(strength).any(axis=0)]
    if not defined.size:
        return OPEN, "In no draw are the correlations of all five turns defined."
    others = np.delete(defined, TRAP_TURN - 1, axis=0).max(axis=0)
    share = float((defined[TRAP_TURN - 1] > others).mean())
    said = f"Turn 4 has the largest |rho| in {share:.0%} of draws, with the models taken as they are; n = {n}."
    return (HELD if share >= _LIKELY else BROKEN if share <= 1 - _LIKELY else OPEN), said


def _subsets(levels: Sequence[float]) -> Iterator[tuple[float, ...]]:
    """Subsets that keep both ends and at least one level between them, smaller ones first."""
    inner = levels[1:-1]
    if len(inner) > _MOST_INNER_LEVELS:
        for step in range(len(inner), 1, -1):
            if (len(levels) - 1) % step == 0 and step < len(levels) - 1:
                yield tuple(levels[::step])
        return
    for size in range(1, len(inner)):
        for kept in combinations(inner, size):
            yield (levels[0], *kept, levels[-1])


def _taus(part: Mapping[str, Floats], whole: Mapping[str, Floats]) -> dict[str, Any]:
    er = _tau(part["ER"], whole["ER"])
    return _tau(part["CI_raw"], whole["CI_raw"]) | {"tau_ER": er["tau"], "tau_ER_interval": er["interval"]}


def _tau(one: Floats, other: Floats) -> dict[str, Any]:
    """Kendall's tau of two rankings of the same models, with the spread of it over concepts."""
    there = ~(np.isnan(one[0]) | np.isnan(other[0]))
    n = int(there.sum())
    if n < _MIN_RANKED:
        return {"tau": None, "interval": None, "n": n, "spread": None}
    taus = row_correlations(one[:, there], other[:, there], "kendall")
    draws = taus[1:][~np.isnan(taus[1:])]
    spread = percentile(draws) if draws.size else None
    return {"tau": known(taus[0]), "interval": as_plain(spread), "n": n, "spread": spread}


def _same_ranking(rows: Sequence[Mapping[str, Any]], otherwise: str) -> tuple[Verdict, str]:
    if not rows:
        return OPEN, f"Not to be asked here: {otherwise}."
    n = min(row["n"] for row in rows)
    if n < _MIN_RANKED or any(row["tau"] is None for row in rows):
        return OPEN, f"A ranking needs {_MIN_RANKED} models with different values in both; here there are {n}."
    spreads: list[Interval | None] = [row["spread"] for row in rows]
    known_spreads = [spread for spread in spreads if spread is not None]
    if len(known_spreads) < len(spreads):
        return OPEN, "Too few concepts to say how far chance moves tau."
    said = ", ".join(f"tau = {row['tau']:z.2f} ({row['spread'].low:z.2f} to {row['spread'].high:z.2f})" for row in rows)
    if all(spread.low >= STABLE for spread in known_spreads):
        return HELD, f"{said}, n = {n}."
    return (BROKEN if any(spread.high < STABLE for spread in known_spreads) else OPEN), f"{said}, n = {n}."


def _lowest(rows: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    ranked = [row for row in rows if row["tau"] is not None]
    return min(ranked, key=lambda row: float(row["tau"])) if ranked else None


def _largest_change(part: Mapping[str, Floats], whole: Mapping[str, Floats], metric: str) -> float | None:
    changes = np.abs(part[metric][0] - whole[metric][0])
    return None if np.isnan(changes).all() else float(np.nanmax(changes))


def _without_spread(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name != "spread"}
