"""The paper's four criteria for a concept, put to a pilot run: how its answers vary between models and over levels."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from voirdire.data.json_values import as_object
from voirdire.ddft import wording as wording  # what the evidence reads like
from voirdire.ddft.concepts.checking import OWN, BrokenRule
from voirdire.ddft.concepts.checking.support import carried_facts
from voirdire.ddft.metric_intervals import mean_interval
from voirdire.reason_codes import Reason, reason
from voirdire.records import Concept, Instance
from voirdire.stats import Interval, special


class Between(NamedTuple):
    """What lies between models, and what within them."""

    sd_between: float
    """Standard deviation of the models' true means, as estimated; 0 where noise alone explains their means."""
    sd_within: float
    """Of dialogues of one model at one level."""
    share: float
    """Of the variance of a dialogue's FAR (levels apart) that lies between models: the intraclass correlation."""
    interval: Interval
    """Of the share, at least 0 (exact F interval; normal errors, fixed levels)."""


class Fall(NamedTuple):
    """How far FAR falls from the first level to the last."""

    mean: float
    interval: Interval | None
    """`None` with fewer than three pairs, or when every pair falls equally."""
    pairs: int


def between_models(far: ArrayLike, level: float = 0.95) -> Between | None:
    """Spread between models against noise within.

    (MSB - MSE)/(MSB + (n - 1) MSE) from the analysis of variance with models and levels as factors; the ends come from
    the F distribution of MSB/MSE (the one-way formula of Donner, doi:10.2307/1403259, with a degree of freedom less per
    level).

    Args:
        far: shape (models, levels, samples), a dialogue's mean FAR each; NaN where there is none.
        level: confidence level.

    Returns:
        `None` with fewer than two models, or too few dialogues to tell noise from spread.
    """
    scores = np.asarray(far, dtype=np.float64)
    scores = scores[:, ~np.isnan(scores).all(axis=(0, 2)), :]
    scores = scores[~np.isnan(scores).all(axis=(1, 2))]
    models, levels = scores.shape[0], scores.shape[1]
    if models < 2 or levels < 1:
        return None
    x = scores - np.nanmean(scores, axis=(0, 2), keepdims=True)
    n = (~np.isnan(x)).sum(axis=(1, 2))
    total = int(n.sum())
    error_df = total - models - levels + 1
    if error_df < 1:
        return None
    means = np.nanmean(x, axis=(1, 2))
    ms_between = float(np.sum(n * (means - np.average(means, weights=n)) ** 2)) / (models - 1)
    ms_error = float(np.nansum((x - means[:, None, None]) ** 2)) / error_df
    each = (total - float(np.sum(n**2)) / total) / (models - 1)
    if not ms_error > 0:
        return None
    f, quantile = ms_between / ms_error, 0.5 + level / 2
    ends = f / special.fdtri(models - 1, error_df, quantile), f * special.fdtri(error_df, models - 1, quantile)
    low, high = (_share(float(end), each) for end in ends)
    variance = max(0.0, (ms_between - ms_error) / each)
    return Between(math.sqrt(variance), math.sqrt(ms_error), _share(f, each), Interval(low, high, level, "F"))


def fall_over_levels(far: ArrayLike, level: float = 0.95) -> Fall | None:
    """How far FAR falls from the first level to the last, in pairs of (model, sample).

    Args:
        far: shape (models, levels, samples), the levels ascending; NaN where there is none.
        level: confidence level.

    Returns:
        `None` where no pair is known, or there is one level.
    """
    scores = np.asarray(far, dtype=np.float64)
    falls = (scores[:, 0] - scores[:, -1]).ravel()
    falls = falls[~np.isnan(falls)]
    if scores.shape[1] < 2 or not len(falls):
        return None
    interval = mean_interval(falls, level)
    return Fall(float(falls.mean()), interval and interval.within(-1.0, 1.0), len(falls))


def _share(f: float, each: float) -> float:
    return max(0.0, (f - 1) / (f + each - 1))


Status = Literal["met", "not met", "not shown"]
SECTION = "DDFT 4.2"
PAPER_RANGE = (0.15, 0.85)
"""DDFT 4.2, criterion 4: "FAR variance 0.15-0.85 across compression levels". A variance of numbers in [0, 1] is at most
0.25, so a range is meant."""
CEILING, FLOOR = 0.95, 0.05
"""Mean FAR beyond which everybody knows a concept, or nobody does."""

_FACT_RULES = ("facts", "fact", "wrong", "position")


@dataclass(frozen=True, slots=True)
class Criterion:
    """One criterion of the paper, and whether a concept meets it."""

    number: int
    name: str
    status: Status
    """"not shown": what was asked does not settle it."""
    evidence: tuple[Reason, ...]

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {"section": SECTION, **as_object(self)}


@dataclass(frozen=True, slots=True)
class PilotAnswers:
    """What the pilot's dialogues on one concept gave."""

    models: tuple[str, ...]
    levels: tuple[float, ...]
    far: NDArray[np.float64]
    """Shape (models, levels, samples): a dialogue's mean FAR; NaN where there is none."""
    examples: tuple[int, int]
    """Dialogues in which turn 2 named an example, and dialogues that came so far."""
    detail_far: tuple[float, int] | None
    """Mean FAR at turn 3, and the number of turns it rests on."""

    @property
    def dialogues(self) -> int:
        """How many dialogues have a FAR."""
        return int((~np.isnan(self.far)).sum())


def criteria(concept: Concept, findings: Sequence[BrokenRule], answers: PilotAnswers) -> list[Criterion]:
    """The four criteria for one concept, in the paper's order."""
    return [
        _ground_truth(concept, findings),
        _instantiations(concept, answers),
        _details(concept, answers),
        discriminative_power(answers),
    ]


def discriminative_power(answers: PilotAnswers) -> Criterion:
    """Criterion 4: whether the concept tells models apart, and whether FAR moves with the level."""
    between, fall = between_models(answers.far), fall_over_levels(answers.far)
    by_level = [float(np.nanmean(level)) if np.isfinite(level).any() else None for level in answers.far.swapaxes(0, 1)]
    known = [value for value in by_level if value is not None]
    moved = round(max(known) - min(known), 2) if known else 0.0
    evidence = [
        _levels_evidence(answers.levels, by_level, moved),
        *_fall_evidence(fall),
        _between_evidence(between, answers),
    ]
    status, rule = _power(answers, between, fall, moved)
    return Criterion(4, "Discriminative power", status, (*evidence, rule))


def _power(answers: PilotAnswers, between: Between | None, fall: Fall | None, moved: float) -> tuple[Status, Reason]:
    """The status, and which rule decides it."""
    if not answers.dialogues:
        return "not shown", reason("no_far_at_all")
    mean = float(np.nanmean(answers.far))
    if between is not None and between.interval.low > 0:
        return "met", reason("met_by_spread")
    if not FLOOR <= mean <= CEILING:
        return "not met", reason("known_to_nobody" if mean < FLOOR else "known_to_everybody", mean=mean)
    falls = fall is not None and fall.interval is not None and fall.interval.low > 0
    alone = len(answers.models) == 1  # as in the paper's own pilot
    if alone and falls and PAPER_RANGE[0] <= moved <= PAPER_RANGE[1]:
        return "met", reason("met_by_fall")
    return "not shown", reason("fall_not_shown" if alone else "spread_not_shown")


def _ground_truth(concept: Concept, findings: Sequence[BrokenRule]) -> Criterion:
    broken = [each for each in findings if each.severity == "error" and each.rule.split("-")[0] in _FACT_RULES]
    facts = concept.facts
    evidence = (
        reason(
            "facts_with_sources",
            facts=len(facts),
            carried=len(carried_facts(concept)),
            wrong=sum(bool(fact.wrong) for fact in facts),
        ),
        reason("sources_unread"),
        *(reason("rule_broken", rule=each.rule, field=each.field, message=each.message) for each in broken),
    )
    enough = len(facts) >= OWN.facts and not broken
    return Criterion(1, "Verifiable ground truth", "met" if enough else "not met", evidence)


def _instantiations(concept: Concept, answers: PilotAnswers) -> Criterion:
    """Concrete examples, "enabling Turn 2 drill-down": the concept has them, and turn 2 gets them named."""
    named_instances = [each for each in concept.instances if each.name]
    n_found, n_dialogues = answers.examples
    status: Status = "not met"
    if len(named_instances) >= OWN.instances:
        status = "met" if n_dialogues and 2 * n_found >= n_dialogues else "not shown"
    evidence = (
        reason("instances_named", instances=len(named_instances), names=tuple(each.name for each in named_instances)),
        reason("few_examples_named" if status == "not shown" else "examples_named", hits=n_found, of=n_dialogues),
    )
    return Criterion(2, "Real-world instantiations", status, evidence)


def _details(concept: Concept, answers: PilotAnswers) -> Criterion:
    counts = [(each, _details_in(each, concept.reference)) for each in concept.instances]
    bare = [each.name for each, (_, n_carried) in counts if not n_carried]
    total, n_carried = (sum(pair[place] for _, pair in counts) for place in (0, 1))
    far = answers.detail_far
    evidence = (
        reason("instance_details", instances=len(counts), details=total, carried=n_carried),
        *([reason("instances_bare", names=tuple(bare))] if bare else []),
        reason("no_far_at_turn_3") if far is None else reason("far_at_turn_3", mean=far[0], n=far[1]),
    )
    return Criterion(3, "Specific factual details", "met" if counts and not bare else "not met", evidence)


def _details_in(instance: Instance, reference: str) -> tuple[int, int]:
    """(dates, persons and places of an instance, those of them that the reference carries)."""
    keys = [
        re.findall(r"\d{4}", instance.date) or [instance.date],
        [instance.person.rpartition(" ")[2]],
        [instance.place.split(",")[0]],
    ]
    present = [key for key in keys if any(key)]
    return len(present), sum(all(part in reference for part in key) for key in present)


def _levels_evidence(levels: Sequence[float], by_level: Sequence[float | None], moved: float) -> Reason:
    values = tuple(
        reason("level_without_far", level=level) if value is None else reason("level_far", level=level, far=value)
        for level, value in zip(levels, by_level, strict=True)
    )
    low, high = PAPER_RANGE
    code = "far_inside_range" if low <= moved <= high else "far_outside_range"
    return reason(code, levels=values, range=moved, low=low, high=high)


def _fall_evidence(fall: Fall | None) -> list[Reason]:
    if fall is None:
        return []
    if fall.interval is None:
        return [reason("far_falls", mean=fall.mean, pairs=fall.pairs)]
    low, high = fall.interval.low, fall.interval.high
    return [reason("far_falls_between", mean=fall.mean, pairs=fall.pairs, low=low, high=high)]


def _between_evidence(between: Between | None, answers: PilotAnswers) -> Reason:
    if len(answers.models) < 2:
        return reason("one_model_asked")
    models, dialogues = len(answers.models), answers.dialogues
    if between is None:
        return reason("spread_unknown", models=models, dialogues=dialogues)
    return reason(
        "spread_between_models",
        between=between.sd_between,
        within=between.sd_within,
        share=between.share,
        low=between.interval.low,
        high=between.interval.high,
        models=models,
        dialogues=dialogues,
    )
