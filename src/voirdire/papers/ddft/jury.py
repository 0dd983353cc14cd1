"""The jury: how its scores became one, and how far its judges agree (DDFT 4.4, appendix C)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from itertools import combinations
from typing import Literal

import numpy as np
import pandas as pd

from voirdire.ddft.concept_sums import Floats
from voirdire.ddft.published import JUDGES
from voirdire.papers.claims import Result, reproduced_if
from voirdire.papers.ddft.study import Score, Study, jackknifed, share
from voirdire.stats.agreement import (
    Weighting,
    categories,
    cohen_kappa,
    intraclass,
    item_spread,
    kappa_of_counts,
    pairwise,
)

_CUT = (0.7,)
_BANDS = (0.35, 0.55, 0.75, 0.95)  # between the five bands of B.2 and B.3
_AGREES = 5e-5 + 1e-9
"""The release rounds its consensus to four decimals."""

Where = Literal["all", "clear", "edge"]
_WHERE: Mapping[Where, str] = {
    "all": "all turns",
    "clear": "turns with consensus FAR > 0.9",
    "edge": "turns with 0.4 < consensus FAR < 0.6",
}


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


def consensus(study: Study, score: Score) -> Result:
    """Whether the consensus is the plain mean of the judges, and which weighted mean it is."""
    judged, published = study.judged(score), study.turns[score].to_numpy()
    scored = study.turns[study.turns[score].notna()]
    weights = fitted_weights(judged, published)
    plain, weighted = (
        pd.Series(np.abs(weighted_mean(judged, w) - published) <= _AGREES, study.turns.index)[scored.index]
        for w in (np.ones(len(JUDGES)), weights)
    )
    return share(scored, plain).with_params(
        weights=", ".join(f"{judge} {weight:.2f}" for judge, weight in zip(JUDGES, weights, strict=True)),
        weighted=int(weighted.sum()),
        plain=int(plain.sum()),
        scored=len(scored),
    )


def spread(study: Study, score: Score, where: Where = "all") -> Result:
    """The mean variance of the judges, or, by another definition, their mean standard deviation."""
    turns = _scored(study, score, where)
    sd = _spread_of(study, turns, score)
    variance, deviation = (
        _jackknifed_mean(turns, values).with_params(where=_WHERE[where], score=score.upper()) for values in (sd**2, sd)
    )
    return replace(variance, others=(replace(deviation, definition="deviation"),))


def spread_order(study: Study) -> Result:
    """Where judges differ more."""
    parts: tuple[Where, ...] = ("edge", "clear")
    edge, clear = (float(np.nanmean(_spread_of(study, _scored(study, "far", where), "far") ** 2)) for where in parts)
    comparison = f"{edge:.3f} > {clear:.3f}" if edge > clear else f"{edge:.3f} <= {clear:.3f}"
    return Result(comparison, verdict=reproduced_if(edge > clear))


def kappa(study: Study, score: Score) -> Result:
    """The mean of Cohen's kappa over the pairs of judges; kappa needs categories, and the paper names none."""
    judged = study.judged(score)
    counts = np.column_stack([_cells(one, other) for one, other in _pairs(judged)])
    pairs, bands = _by_pair(judged, _kappa(_CUT, None)), _by_pair(judged, _kappa(_BANDS, "quadratic"))
    icc = intraclass(judged, clusters=study.turns["concept"].to_numpy()).icc_2_1
    return jackknifed(study.turns, counts, _mean_kappa).with_params(
        score=score.upper(),
        low=min(pairs),
        high=max(pairs),
        bands_low=min(bands),
        bands_high=max(bands),
        icc=icc.value,
        icc_low=icc.low,
        icc_high=icc.high,
    )


def kappa_floor(study: Study) -> Result:
    """The highest agreement by any of the usual coefficients."""
    weightings: tuple[Weighting, ...] = (None, "linear", "quadratic")
    scores: tuple[Score, ...] = ("far", "sas")
    coefficients = [
        value
        for score in scores
        for weights in weightings
        for cuts in (_CUT, _BANDS)
        for value in _by_pair(study.judged(score), _kappa(cuts, weights))
    ]
    return Result(max(coefficients))


def deviation(study: Study, score: Score) -> Result:
    """How far two judges lie apart, or, by another definition, how far the judges lie from their mean."""
    judged = study.judged(score)
    pairs = np.column_stack([np.abs(one - other) for one, other in _pairs(judged)])
    apart = jackknifed(study.turns, np.hstack([pairs, ~np.isnan(pairs)]), _mean_of_means)
    by_pair = np.nanmean(pairs, axis=0)
    centred = np.abs(judged - np.nanmean(judged, axis=1, keepdims=True))
    from_mean = _jackknifed_mean(study.turns, np.nanmean(centred, axis=1)).with_params(score=score.upper())
    return replace(apart, others=(replace(from_mean, definition="from_mean"),)).with_params(
        score=score.upper(),
        low=float(by_pair.min()),
        high=float(by_pair.max()),
        centred=float(np.nanmean(centred)),
    )


def _scored(study: Study, score: Score, where: Where) -> pd.DataFrame:
    """The turns with a consensus on a score, all of them or those of some FAR."""
    scored = study.turns[study.turns[score].notna()]
    if where == "all":
        return scored
    return scored[scored["far"] > 0.9 if where == "clear" else (scored["far"] > 0.4) & (scored["far"] < 0.6)]


def _spread_of(study: Study, turns: pd.DataFrame, score: Score) -> Floats:
    """The standard deviation (n) of the judges' scores of each turn; NaN below two of them."""
    judged = study.judged(score, turns)
    sd = np.full(len(judged), np.nan)
    sd[(~np.isnan(judged)).sum(axis=1) >= 2] = item_spread(judged).sd
    return sd


def _jackknifed_mean(turns: pd.DataFrame, values: Floats) -> Result:
    """The mean of the known ones."""
    parts = np.column_stack([values, ~np.isnan(values)])
    return jackknifed(turns, parts, lambda sums: float(sums[0] / sums[1]))


def _cells(one: Floats, other: Floats) -> Floats:
    """Which of the four cells of two judges' categories each turn is in; shape (turns, 4), zeros below two scores."""
    known = ~(np.isnan(one) | np.isnan(other))
    cell = categories(one, _CUT) * 2 + categories(other, _CUT)
    return np.asarray((cell[:, np.newaxis] == np.arange(4)) & known[:, np.newaxis], dtype=np.float64)


def _mean_kappa(counts: Floats) -> float:
    """Of the three pairs' counts in four cells each."""
    return float(np.mean([kappa_of_counts(pair, np.eye(2)) for pair in counts.reshape(-1, 2, 2)]))


def _mean_of_means(sums: Floats) -> float:
    """Of sums, followed by how many each is of."""
    half = len(sums) // 2
    return float(np.mean(sums[:half] / sums[half:]))


def _pairs(judged: Floats) -> list[tuple[Floats, Floats]]:
    """The scores of every two judges."""
    return [(judged[:, one], judged[:, other]) for one, other in combinations(range(judged.shape[1]), 2)]


def _kappa(cuts: tuple[float, ...], weights: Weighting) -> Callable[[Floats, Floats], float]:
    return lambda a, b: cohen_kappa(a, b, cuts=cuts, weights=weights)


def _by_pair(judged: Floats, function: Callable[[Floats, Floats], float]) -> list[float]:
    """A function of every two judges."""
    matrix = pairwise(judged, function)
    return [float(value) for value in matrix[np.triu_indices(len(matrix), k=1)]]


RESULTS: Mapping[str, Callable[[Study], Result]] = {
    "consensus-mean-far": partial(consensus, score="far"),
    "consensus-mean-sas": partial(consensus, score="sas"),
    "judge-variance-far": partial(spread, score="far"),
    "judge-variance-sas": partial(spread, score="sas"),
    "judge-variance-clear": partial(spread, score="far", where="clear"),
    "judge-variance-edge": partial(spread, score="far", where="edge"),
    "judge-variance-order": spread_order,
    "kappa-far": partial(kappa, score="far"),
    "kappa-sas": partial(kappa, score="sas"),
    "kappa-floor": kappa_floor,
    "judge-deviation-far": partial(deviation, score="far"),
    "judge-deviation-sas": partial(deviation, score="sas"),
}
