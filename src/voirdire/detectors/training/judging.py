"""How a trained detector does on groups that it did not learn from, judged the way it will be used."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from voirdire.data.plain import as_plain
from voirdire.detectors.calibration import Sample, calibrate
from voirdire.detectors.records import DetectorError
from voirdire.detectors.scoring import Score, reaches, score_interval
from voirdire.stats.intervals import Interval
from voirdire.text.counting import counted


class Judged(NamedTuple):
    """A threshold, figures for the model card, and what must be known of them."""

    threshold: float
    figures: dict[str, Any] | None
    note: str


def pool(samples: Sequence[Sample]) -> Sample:
    """One sample of several: the folds of a cross-validation."""
    return Sample(*(np.concatenate(columns) for columns in zip(*samples, strict=True)))


def with_threshold(sample: Sample | None, default: float, seed: int) -> Judged:
    """Choose the threshold on what was put aside; the figures are cross-validated over its groups."""
    if sample is None:
        return Judged(default, None, f"Nothing was put aside, so it was not judged; its threshold is {default:g}.")
    try:
        found = calibrate(sample, own_threshold=default, seed=seed)
    except DetectorError as error:
        return Judged(default, None, f"It was not judged, and its threshold is {default:g}: {error}")
    figures = _figures(sample, found.cross_validated, found.interval)
    note = "The threshold was chosen on these sentences; each was judged with one chosen without its group's fold."
    return Judged(found.threshold, figures, note)


def without_threshold(sample: Sample | None, threshold: float) -> Judged:
    """For detectors that say yes or no: nothing is chosen."""
    if sample is None:
        return Judged(threshold, None, "Nothing was put aside, so it was not judged.")
    flagged = reaches(sample.scores, threshold)
    figures = _figures(sample, sample.score(flagged), score_interval(sample.counts(flagged)))
    unscored = int((np.isnan(sample.scores) & ~sample.small_talk).sum())
    note = (
        f"Without a score, as what it wrote could not be read: {counted(unscored, 'sentence')}, taken as not flagged."
    )
    return Judged(threshold, figures, note if unscored else "")


def _figures(sample: Sample, score: Score, interval: Interval | None) -> dict[str, Any]:
    return {
        "score": score._asdict(),
        "interval": as_plain(interval),
        "everything": sample.score(~sample.small_talk)._asdict(),
        "n_statements": int(sample.gold.size),
        "n_groups": len(np.unique(sample.groups)),
    }
