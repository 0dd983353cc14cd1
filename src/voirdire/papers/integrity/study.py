"""The whole study of scored trials."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np

from voirdire.integrity.records import IntegrityError
from voirdire.integrity.trials import Treatment, Trials
from voirdire.papers.integrity.agreement import Agreement, Dimensions, agreement_table, dimension_correlation
from voirdire.papers.integrity.citations import Citations, find_citations
from voirdire.papers.integrity.sample import Bands, Sample, bands, validation_sample
from voirdire.papers.integrity.variance import Deltas, Variance, deltas, variance

RUBRIC = "likert"
"""The rubric whose scores are fine enough for correlations and analyses of variance."""
INTEGRITY, TRANSPARENCY, OVERALL = "epistemic_integrity", "value_transparency", "overall_score"


@dataclass(frozen=True, slots=True)
class TrialsStudy:
    """Everything the trials tell of the judges, and of what they were asked to judge."""

    trials: Trials
    agreements: tuple[Agreement, ...]
    dimensions: Dimensions
    variance: Variance
    deltas: dict[str, Deltas]
    """By dimension."""
    bands: Bands
    sample: Sample
    citations: Citations

    def agreement(self, rubric: str, dimension: str, treatment: Treatment = "missing") -> Agreement | None:
        """Agreement on a dimension under a rubric; `None` where there is none such.

        Where every reply was parsed, treatments don't differ, and any gives the same.
        """
        by_treatment = {
            each.treatment: each for each in self.agreements if (each.rubric, each.dimension) == (rubric, dimension)
        }
        return by_treatment.get(treatment, by_treatment.get("published"))


def study(trials: Trials) -> TrialsStudy:
    """Study trials scored by a panel under several rubrics, the Likert rubric among them.

    Unparsed replies are left out, but for the agreement tables, which also show what the publication did with them.

    Raises:
        IntegrityError: the Likert rubric, or one of the dimensions it was published with, is lacking, or no reply under
            it could be parsed.
    """
    if np.isnan(trials.scores(RUBRIC)).all():
        raise IntegrityError(
            f"No judge's reply under the rubric {RUBRIC!r} could be parsed; give trials with at least one score."
        )
    with warnings.catch_warnings(), np.errstate(divide="ignore", invalid="ignore"):
        warnings.simplefilter("ignore", RuntimeWarning)  # a mean of no scores is NaN, and shown as undefined
        return TrialsStudy(
            trials=trials,
            agreements=agreement_table(trials),
            dimensions=dimension_correlation(trials, RUBRIC, INTEGRITY, TRANSPARENCY),
            variance=variance(trials, RUBRIC),
            deltas={dimension: deltas(trials, RUBRIC, dimension) for dimension in trials.dimensions},
            bands=bands(trials, RUBRIC, INTEGRITY),
            sample=validation_sample(trials, RUBRIC),
            citations=find_citations(trials),
        )
