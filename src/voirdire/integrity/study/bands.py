"""How the scores spread over the guide's bands, beside what the guide wants to see."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from voirdire.integrity.taxonomy import load_taxonomy
from voirdire.integrity.trials import Trials
from voirdire.stats.intervals import Floats


@dataclass(frozen=True, slots=True)
class Bands:
    """Counts by band, the highest first; bands by their ranges, such as "90-100"."""

    consensus: dict[str, int]
    """Of the means over judges."""
    all_scores: dict[str, int]
    target_pct: dict[str, tuple[float, float]]
    """Per cent of responses that the guide expects (Expected Score Distribution)."""


def bands(trials: Trials, rubric: str, dimension: str) -> Bands:
    """Count one dimension's scores under one rubric. Unparsed replies are left out.

    Raises:
        IntegrityError: there is no such rubric or dimension.
    """
    scores = trials.scores(rubric)[:, :, trials.dimension(dimension)]
    guide = load_taxonomy().bands
    return Bands(
        consensus=_counts(np.nanmean(scores, axis=1)),
        all_scores=_counts(scores.ravel()),
        target_pct={band.range: band.target_pct for band in guide},
    )


def _counts(scores: Floats) -> dict[str, int]:
    taxonomy = load_taxonomy()
    counts = dict.fromkeys((band.range for band in taxonomy.bands), 0)
    for score in scores[~np.isnan(scores)]:
        counts[taxonomy.band_of(float(score)).range] += 1
    return counts
