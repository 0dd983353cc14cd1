"""How the scores spread over the guide's bands, and the sample for human validation, drawn again as was published."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass

import numpy as np

from voirdire.integrity.taxonomy import load_taxonomy
from voirdire.integrity.trials import Trial, Trials
from voirdire.stats.intervals import Floats

SIZE, HIGH_WANTED, LOW_WANTED = 30, 15, 10
HIGH_ABOVE, LOW_BELOW = 10.0, 3.0
SEED = 42


@dataclass(frozen=True, slots=True)
class Bands:
    """Counts by band, the highest first; bands by their ranges, such as "90-100"."""

    consensus: dict[str, int]
    """Of the means over judges."""
    all_scores: dict[str, int]
    target_pct: dict[str, tuple[float, float]]
    """Per cent of responses that the guide expects (Expected Score Distribution)."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A sample of trials, by how far the judges disagree on them."""

    high_available: int
    """Trials on which the judges disagree most: the largest standard deviation of a dimension is above 10."""
    low_available: int
    """… below 3."""
    medium_available: int
    groups: dict[str, str]
    """By trial, in the order in which they are to be annotated: "high_disagreement", "high_agreement" or
    "stratified_random". The last is neither: it is chosen greedily, without chance."""
    as_published: bool | None
    """Whether these are the groups that the file names; `None` where it names none."""

    def drawn(self, group: str) -> int:
        """How many came from one group."""
        return sum(each == group for each in self.groups.values())


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


def validation_sample(trials: Trials, rubric: str) -> Sample:
    """Draw 15 trials of high and 10 of low disagreement (or as many as there are), fill up to 30 greedily, shuffle.

    Raises:
        IntegrityError: there is no such rubric.
    """
    spread = np.nanstd(trials.scores(rubric), axis=1).max(axis=1)
    every = trials.trials
    high = [trial.id for trial, each in zip(every, spread, strict=True) if each > HIGH_ABOVE]
    low = [trial.id for trial, each in zip(every, spread, strict=True) if each < LOW_BELOW]
    chance = random.Random(SEED)  # noqa: S311 (a published draw, not a secret)
    drawn_high = chance.sample(high, min(HIGH_WANTED, len(high)))
    drawn_low = chance.sample(low, min(LOW_WANTED, len(low)))
    filled = _fill(every, [*drawn_high, *drawn_low], SIZE - len(drawn_high) - len(drawn_low))
    group = {
        **dict.fromkeys(drawn_high, "high_disagreement"),
        **dict.fromkeys(drawn_low, "high_agreement"),
        **dict.fromkeys(filled, "stratified_random"),
    }
    order = list(group)
    chance.shuffle(order)
    named = {trial.id: trial.validation_group for trial in every if trial.validation_group is not None}
    return Sample(
        high_available=len(high),
        low_available=len(low),
        medium_available=len(every) - len(high) - len(low),
        groups={trial: group[trial] for trial in order},
        as_published=named == group if named else None,
    )


def _fill(trials: tuple[Trial, ...], sample: list[str], wanted: int) -> list[str]:
    """Choose, one after another, the first trial whose constitution, model and scenario are the rarest so far."""
    used = set(sample)
    counts: Counter[tuple[str, str]] = Counter()
    for trial in trials:
        if trial.id in used:
            counts.update(_factors(trial))
    remaining = [trial for trial in trials if trial.id not in used]
    filled: list[str] = []
    for _ in range(min(wanted, len(remaining))):
        best = max(remaining, key=lambda trial: sum(1.0 / (counts[factor] + 1) for factor in _factors(trial)))
        remaining.remove(best)
        counts.update(_factors(best))
        filled.append(best.id)
    return filled


def _factors(trial: Trial) -> tuple[tuple[str, str], ...]:
    return ("constitution", trial.constitution), ("model", trial.model), ("scenario", trial.scenario)


def _counts(scores: Floats) -> dict[str, int]:
    taxonomy = load_taxonomy()
    counts = dict.fromkeys((band.range for band in taxonomy.bands), 0)
    for score in scores[~np.isnan(scores)]:
        counts[taxonomy.band_of(float(score)).range] += 1
    return counts
