"""The jury: how its scores became one, and how far its judges agree (DDFT 4.4, appendix C)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Literal

import numpy as np
import pandas as pd

from voirdire.ddft._cells import Floats
from voirdire.ddft.published.claims import Claim, Found, compared, held
from voirdire.ddft.published.record import JUDGES
from voirdire.ddft.published.study import Study, jackknifed, share
from voirdire.stats.agreement import (
    Weighting,
    categories,
    cohen_kappa,
    intraclass,
    item_spread,
    kappa_of_counts,
    pairwise,
)

Score = Literal["far", "sas"]

_CUT = (0.7,)
_BANDS = (0.35, 0.55, 0.75, 0.95)  # between the five bands of B.2 and B.3
_AGREES = 5e-5 + 1e-9
"""The release rounds its consensus to four decimals."""


def claim_consensus_mean_far(study: Study) -> Claim:
    """Whether the consensus is the mean."""
    return _consensus(study, "consensus-mean-far", "far")


def claim_consensus_mean_sas(study: Study) -> Claim:
    """Whether the consensus is the mean."""
    return _consensus(study, "consensus-mean-sas", "sas")


def claim_judge_variance_far(study: Study) -> Claim:
    """The spread of the judges."""
    return _spread(study, "judge-variance-far", "far", "all turns", lambda turns: turns["far"] >= 0)


def claim_judge_variance_sas(study: Study) -> Claim:
    """The spread of the judges."""
    return _spread(study, "judge-variance-sas", "sas", "all turns", lambda turns: turns["sas"] >= 0)


def claim_judge_variance_clear(study: Study) -> Claim:
    """The spread of the judges where FAR is high."""
    return _spread(study, "judge-variance-clear", "far", "turns with consensus FAR > 0.9", _clear)


def claim_judge_variance_edge(study: Study) -> Claim:
    """The spread of the judges where FAR is middling."""
    return _spread(study, "judge-variance-edge", "far", "turns with 0.4 < consensus FAR < 0.6", _edge)


def claim_judge_variance_order(study: Study) -> Claim:
    """Where judges differ more."""
    edge, clear = (_mean_variance(study.turns[where(study.turns)], "far") for where in (_edge, _clear))
    definition = "Mean variance (n) of the three judges' FAR, turns with 0.4 < FAR < 0.6 against turns with FAR > 0.9."
    found = Found(f"{edge:.3f} > {clear:.3f}" if edge > clear else f"{edge:.3f} <= {clear:.3f}", definition)
    why = "By arithmetic: a consensus near 0.5 mostly comes from judges who disagree, one near 1 can't."
    return held(study.said("judge-variance-order"), edge > clear, found, why=why)


def claim_kappa_far(study: Study) -> Claim:
    """Cohen's kappa."""
    return _kappa(study, "kappa-far", "far")


def claim_kappa_sas(study: Study) -> Claim:
    """Cohen's kappa."""
    return _kappa(study, "kappa-sas", "sas")


def claim_kappa_floor(study: Study) -> Claim:
    """That agreement is above a bound by any of the usual coefficients."""
    said = study.said("kappa-floor")
    tried = [
        value
        for score in ("far", "sas")
        for weights in (None, "linear", "quadratic")
        for cuts in (_CUT, _BANDS)
        for value in _pairs(study.judged(score), _by_kappa(cuts, weights))
    ]
    definition = (
        "The highest Cohen's kappa of any two judges, FAR or SAS, with two categories (cut at 0.7) or the rubric's "
        "five bands, unweighted, linear or quadratic weights."
    )
    return held(said, max(tried) > said.numbers[0].value, Found(max(tried), definition))


def claim_judge_deviation_far(study: Study) -> Claim:
    """How far judges lie apart."""
    return _deviation(study, "judge-deviation-far", "far")


def claim_judge_deviation_sas(study: Study) -> Claim:
    """How far judges lie apart."""
    return _deviation(study, "judge-deviation-sas", "sas")


def fitted_weights(judged: Floats, consensus: Floats) -> Floats:
    """The weights of the judges that come nearest to the consensus, by least squares, to two decimals."""
    complete = ~np.isnan(judged).any(axis=1) & ~np.isnan(consensus)
    return np.asarray(np.round(np.linalg.lstsq(judged[complete], consensus[complete], rcond=None)[0], 2))


def weighted_mean(judged: Floats, weights: Floats) -> Floats:
    """The weighted mean over the judges who gave a score; NaN without any."""
    present = ~np.isnan(judged)
    total = (present * weights).sum(axis=1)
    summed = np.where(present, judged, 0.0) @ weights
    result: Floats = np.divide(summed, total, out=np.full(len(judged), np.nan), where=total > 0)
    return result


def _consensus(study: Study, claim: str, score: Score) -> Claim:
    judged = study.judged(score)
    scored = study.turns[study.turns[score].notna()]
    consensus = study.turns[score].to_numpy()
    weights = fitted_weights(judged, consensus)
    mean, weighted = (
        pd.Series(np.abs(weighted_mean(judged, w) - consensus) <= _AGREES, study.turns.index)[scored.index]
        for w in (np.ones(len(JUDGES)), weights)
    )
    named = ", ".join(f"{judge} {weight:.2f}" for judge, weight in zip(JUDGES, weights, strict=True))
    why = (
        f"The weights {named} (by least squares; over the judges present) give {int(weighted.sum()):,} of the "
        f"{len(scored):,} published values, the arithmetic mean {int(mean.sum()):,}."
    )
    definition = "Share of turns with a consensus that equals, to four decimals, the plain mean of the judges present."
    return compared(study.said(claim), share(scored, mean, definition), why=why)


def _spread(
    study: Study, claim: str, score: Score, where: str, kept: Callable[[pd.DataFrame], pd.Series[bool]]
) -> Claim:
    turns = study.turns[kept(study.turns)]
    sd = _spread_of(turns, score)
    name = score.upper()
    variance, deviation = (
        _jackknifed_mean(
            turns, values, f"Mean, over {where}, of the {what} (n, not n - 1) of the three judges' {name}."
        )
        for values, what in ((sd**2, "variance"), (sd, "standard deviation"))
    )
    return compared(study.said(claim), variance, other=deviation)


def _spread_of(turns: pd.DataFrame, score: Score) -> Floats:
    """The standard deviation of the judges' scores of each turn; NaN below two of them."""
    judged = turns[[f"{score}_{judge}" for judge in JUDGES]].to_numpy()
    sd = np.full(len(judged), np.nan)
    sd[(~np.isnan(judged)).sum(axis=1) >= 2] = item_spread(judged).sd
    return sd


def _mean_variance(turns: pd.DataFrame, score: Score) -> float:
    return float(np.nanmean(_spread_of(turns, score) ** 2))


def _jackknifed_mean(turns: pd.DataFrame, values: Floats, definition: str) -> Found:
    """The mean of the known ones."""
    parts = np.column_stack([values, ~np.isnan(values)])
    return jackknifed(turns, parts, lambda sums: float(sums[0] / sums[1]), definition)


def _clear(turns: pd.DataFrame) -> pd.Series[bool]:
    return turns["far"] > 0.9


def _edge(turns: pd.DataFrame) -> pd.Series[bool]:
    return (turns["far"] > 0.4) & (turns["far"] < 0.6)


def _kappa(study: Study, claim: str, score: Score) -> Claim:
    found = jackknifed(
        study.turns,
        np.column_stack([_cells(one, other) for one, other in _both(study.judged(score))]),
        _mean_kappa,
        f"Mean of Cohen's kappa over the three pairs of judges, {score.upper()} cut at 0.7 into two categories "
        "(kappa needs categories, and the paper names none).",
    )
    judged = study.judged(score)
    pairs, bands = _pairs(judged, _by_kappa(_CUT, None)), _pairs(judged, _by_kappa(_BANDS, "quadratic"))
    icc = intraclass(judged, clusters=study.turns["concept"].to_numpy()).icc_2_1
    why = (
        f"By pair {min(pairs):.2f} to {max(pairs):.2f}; on the rubric's five bands with quadratic weights "
        f"{min(bands):.2f} to {max(bands):.2f}; ICC(2,1) {icc.value:.2f} [{icc.low:.2f}, {icc.high:.2f}]."
    )
    return compared(study.said(claim), found, why=why)


def _cells(one: Floats, other: Floats) -> Floats:
    """Which of the four cells of two judges' categories each turn is in; shape (turns, 4), zeros below two scores."""
    known = ~(np.isnan(one) | np.isnan(other))
    cell = categories(one, _CUT) * 2 + categories(other, _CUT)
    return np.asarray((cell[:, np.newaxis] == np.arange(4)) & known[:, np.newaxis], dtype=np.float64)


def _mean_kappa(counts: Floats) -> float:
    """Of the three pairs' counts in four cells each."""
    return float(np.mean([kappa_of_counts(pair, np.eye(2)) for pair in counts.reshape(-1, 2, 2)]))


def _both(judged: Floats) -> list[tuple[Floats, Floats]]:
    """The scores of every two judges."""
    return [(judged[:, one], judged[:, other]) for one, other in combinations(range(judged.shape[1]), 2)]


def _by_kappa(cuts: tuple[float, ...], weights: Weighting) -> Callable[[Floats, Floats], float]:
    return lambda a, b: cohen_kappa(a, b, cuts=cuts, weights=weights)


def _pairs(judged: Floats, function: Callable[[Floats, Floats], float]) -> list[float]:
    """A function of every two judges."""
    found = pairwise(judged, function)
    return [float(value) for value in found[np.triu_indices(len(found), k=1)]]


def _deviation(study: Study, claim: str, score: Score) -> Claim:
    judged = study.judged(score)
    pairs = np.column_stack([np.abs(one - other) for one, other in _both(judged)])
    parts = np.hstack([pairs, ~np.isnan(pairs)])
    apart = jackknifed(
        study.turns,
        parts,
        lambda sums: float(np.mean(sums[: len(sums) // 2] / sums[len(sums) // 2 :])),
        f"Mean absolute difference of two judges' {score.upper()}, mean of the three pairs.",
    )
    by_pair = np.nanmean(pairs, axis=0)
    centred = np.abs(judged - np.nanmean(judged, axis=1, keepdims=True))
    from_mean = _jackknifed_mean(
        study.turns,
        np.nanmean(centred, axis=1),
        f"Mean absolute distance of the three judges' {score.upper()} from their mean.",
    )
    why = f"By pair {min(by_pair):.3f} to {max(by_pair):.3f}; from the judges' mean {np.nanmean(centred):.3f}."
    return compared(study.said(claim), apart, other=from_mean, why=why)
