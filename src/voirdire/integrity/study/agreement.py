"""How far the judges agree, per rubric and dimension, by every coefficient that is called "ICC" somewhere."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from voirdire.integrity.study._resample import draw_weights, interval_of
from voirdire.integrity.trials import Treatment, Trials
from voirdire.stats.agreement import Estimate, Intraclass, intraclass, krippendorff_alpha, pairwise, pearson
from voirdire.stats.intervals import Floats, Interval
from voirdire.stats.nominal import NominalAgreement, nominal_agreement
from voirdire.stats.one_way_icc import OneWayIcc, icc_draws, one_way_icc

MOST_CATEGORIES = 4
"""A rubric with at most this many distinct scores (three grades, and -1) is one of categories."""

ICC_DRAWS = 1000


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement of all judges on one dimension under one rubric."""

    rubric: str
    dimension: str
    treatment: Treatment
    one_way: OneWayIcc
    two_way: Intraclass
    """Its intervals leave out a scenario at a time: trials of one scenario share its facts."""
    bootstrap_2_1: Interval | None
    """Percentile interval over trials taken as independent, as it was published; `None` with missing scores, and where
    some draws hold no variation."""
    bootstrap_3_1: Interval | None
    mean_pairwise_pearson: float | None
    """Over the pairs of judges in which neither gives always the same; `None` without such a pair."""
    pairs_defined: int
    alpha: Estimate
    """Krippendorff's, for interval scores."""
    mean: float
    sd: float
    """Of all scores, n in the denominator."""
    evaluator_means: dict[str, float]
    constant: tuple[str, ...]
    """Judges who always give the same score."""
    nominal: NominalAgreement | None
    """For rubrics of categories, the mean of dimensions apart."""


def agreement_table(trials: Trials) -> tuple[Agreement, ...]:
    """Agreement under every rubric, dimension and treatment of unparsed replies that makes a difference."""
    affected = {cell.rubric for cell in trials.unparsed}
    return tuple(
        agreement(trials, rubric, dimension, treatment)
        for rubric in trials.parsed
        for dimension in trials.dimensions
        for treatment in treatments(rubric in affected)
    )


def treatments(affected: bool) -> tuple[Treatment, ...]:
    """Those that differ; where every reply was parsed there is one only."""
    return ("published", "recovered", "missing") if affected else ("published",)


def agreement(trials: Trials, rubric: str, dimension: str, treatment: Treatment) -> Agreement:
    """Agreement on one dimension under one rubric.

    Raises:
        IntegrityError: there is no such rubric or dimension.
    """
    ratings = trials.scores(rubric, treatment)[:, :, trials.dimension(dimension)]
    clusters = np.unique([trial.scenario for trial in trials.trials], return_inverse=True)[1]
    correlations = pairwise(ratings, pearson)[np.triu_indices(len(trials.evaluators), k=1)]
    defined = correlations[~np.isnan(correlations)]
    low, high = np.nanmin(ratings, axis=0), np.nanmax(ratings, axis=0)
    graded = len(np.unique(ratings[~np.isnan(ratings)])) <= MOST_CATEGORIES and not dimension.startswith("overall")
    bootstrap_2_1, bootstrap_3_1 = _bootstrap(ratings)
    return Agreement(
        rubric=rubric,
        dimension=dimension,
        treatment=treatment,
        one_way=one_way_icc(ratings),
        two_way=intraclass(ratings, clusters=clusters),
        bootstrap_2_1=bootstrap_2_1,
        bootstrap_3_1=bootstrap_3_1,
        mean_pairwise_pearson=float(defined.mean()) if len(defined) else None,
        pairs_defined=len(defined),
        alpha=krippendorff_alpha(ratings, "interval", clusters),
        mean=float(np.nanmean(ratings)),
        sd=float(np.nanstd(ratings)),
        evaluator_means=dict(zip(trials.evaluators, map(float, np.nanmean(ratings, axis=0)), strict=True)),
        constant=tuple(name for name, flat in zip(trials.evaluators, low == high, strict=True) if flat),
        nominal=nominal_agreement(ratings, clusters=clusters) if graded else None,
    )


def _bootstrap(ratings: Floats) -> tuple[Interval | None, Interval | None]:
    if np.isnan(ratings).any():
        return None, None
    drawn = icc_draws(ratings, draw_weights(len(ratings), ICC_DRAWS))
    return interval_of(drawn.icc_2_1), interval_of(drawn.icc_3_1)
