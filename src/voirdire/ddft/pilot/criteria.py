"""The paper's four criteria for a concept, put to a pilot run: how its answers vary between models and over levels."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from voirdire.ddft.concepts.checking import OWN, Finding
from voirdire.ddft.concepts.checking.facts import carried_facts
from voirdire.ddft.metric_intervals import mean_interval
from voirdire.records import Concept, Instance
from voirdire.stats import Interval
from voirdire.text.counting import counted

Floats = NDArray[np.float64]


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
    evidence: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {"section": SECTION, **asdict(self), "evidence": list(self.evidence)}


@dataclass(frozen=True, slots=True)
class Asked:
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


def criteria(concept: Concept, findings: Sequence[Finding], asked: Asked) -> list[Criterion]:
    """The four criteria for one concept, in the paper's order.

    Args:
        concept: as read.
        findings: what the rules found in it.
        asked: what the pilot gave.
    """
    return [
        _ground_truth(concept, findings),
        _instantiations(concept, asked),
        _details(concept, asked),
        discriminative_power(asked),
    ]


def discriminative_power(asked: Asked) -> Criterion:
    """Criterion 4: whether the concept tells models apart, and whether FAR moves with the level."""
    between, fall = between_models(asked.far), fall_over_levels(asked.far)
    by_level = [float(np.nanmean(level)) if np.isfinite(level).any() else None for level in asked.far.swapaxes(0, 1)]
    known = [value for value in by_level if value is not None]
    moved = round(max(known) - min(known), 2) if known else 0.0
    evidence = [_levels_said(asked.levels, by_level, moved), *_fall_said(fall), _between_said(between, asked)]
    status, rule = _power(asked, between, fall, moved)
    return Criterion(4, "Discriminative power", status, (*evidence, rule))


def _power(asked: Asked, between: Between | None, fall: Fall | None, moved: float) -> tuple[Status, str]:
    """The status, and which rule decides it."""
    if not asked.dialogues:
        return "not shown", "Not shown: no dialogue has a FAR."
    mean = float(np.nanmean(asked.far))
    if between is not None and between.interval.low > 0:
        return "met", "Met by the spread between models: its interval leaves 0 out, whatever the range over levels."
    if not FLOOR <= mean <= CEILING:
        known = "nobody knows" if mean < FLOOR else "everybody knows"
        return "not met", f"Not met by the mean FAR, {mean:.2f}: a concept that {known} tells no models apart."
    falls = fall is not None and fall.interval is not None and fall.interval.low > 0
    alone = len(asked.models) == 1  # as in the paper's own pilot
    if alone and falls and PAPER_RANGE[0] <= moved <= PAPER_RANGE[1]:
        return "met", "Met by the fall over levels: its interval leaves 0 out, and the range is the paper's."
    return "not shown", "Not shown: " + (
        "one model meets it by a fall whose interval leaves 0 out, and a range that is the paper's."
        if alone
        else "several models meet it by a spread between them whose interval leaves 0 out."
    )


def _ground_truth(concept: Concept, findings: Sequence[Finding]) -> Criterion:
    broken = [each for each in findings if each.severity == "error" and each.rule.split("-")[0] in _FACT_RULES]
    facts = concept.facts
    evidence = (
        f"{counted(len(facts), 'fact')}, each with a source; carried by the reference: {len(carried_facts(concept))}; "
        f"with a wrong version: {sum(bool(fact.wrong) for fact in facts)}.",
        "Whether the sources say so is for a reader to check.",
        *(each.message for each in broken),
    )
    enough = len(facts) >= OWN.facts and not broken
    return Criterion(1, "Verifiable ground truth", "met" if enough else "not met", evidence)


def _instantiations(concept: Concept, asked: Asked) -> Criterion:
    """Concrete examples, "enabling Turn 2 drill-down": the concept has them, and turn 2 gets them named."""
    named = [each for each in concept.instances if each.name]
    found, held = asked.examples
    status: Status = "not met"
    drilled = f"Turn 2 named an example in {found} of {counted(held, 'dialogue')} of the pilot"
    if len(named) >= OWN.instances:
        status = "met" if held and 2 * found >= held else "not shown"
    if status == "not shown":
        drilled += ": too few to show that turn 3 can drill into one"
    evidence = (f"{counted(len(named), 'instance')}: {', '.join(each.name for each in named)}.", f"{drilled}.")
    return Criterion(2, "Real-world instantiations", status, evidence)


def _details(concept: Concept, asked: Asked) -> Criterion:
    counts = [(each, _details_in(each, concept.reference)) for each in concept.instances]
    bare = [each.name for each, (_, carried) in counts if not carried]
    total, carried = (sum(pair[place] for _, pair in counts) for place in (0, 1))
    far = asked.detail_far
    evidence = (
        f"Dates, persons and places of {counted(len(counts), 'instance')}: {total}; in the reference: {carried}.",
        *([f"None of {', '.join(bare)} stands in the reference."] if bare else []),
        "Turn 3 of the pilot gave no scores." if far is None else f"FAR at turn 3: {far[0]:.2f} (n = {far[1]}).",
    )
    return Criterion(3, "Specific factual details", "met" if counts and not bare else "not met", evidence)


def _details_in(instance: Instance, reference: str) -> tuple[int, int]:
    """(dates, persons and places of an instance, those of them that the reference carries)."""
    keys = [
        re.findall(r"\d{4}", instance.date) or [instance.date],
        [instance.person.rpartition(" ")[2]],
        [instance.place.split(",")[0]],
    ]
    given = [key for key in keys if any(key)]
    return len(given), sum(all(part in reference for part in key) for key in given)


def _levels_said(levels: Sequence[float], by_level: Sequence[float | None], moved: float) -> str:
    listed = ", ".join(
        f"{level:g}: {'none' if value is None else f'{value:.2f}'}"
        for level, value in zip(levels, by_level, strict=True)
    )
    low, high = PAPER_RANGE
    inside = "inside" if low <= moved <= high else "outside"
    return f"FAR by level: {listed}; a range of {moved:.2f}, {inside} the paper's {low} to {high}."


def _fall_said(fall: Fall | None) -> list[str]:
    if fall is None:
        return []
    ends = "" if fall.interval is None else f", 95 % {fall.interval.low:.2f} to {fall.interval.high:.2f}"
    return [f"From the first level to the last FAR falls by {fall.mean:.2f} ({counted(fall.pairs, 'pair')}{ends})."]


def _between_said(between: Between | None, asked: Asked) -> str:
    n = f"{counted(len(asked.models), 'model')}, {counted(asked.dialogues, 'dialogue')}"
    if len(asked.models) < 2:
        return "One model can't show whether the concept tells models apart: name two or more."
    if between is None:
        return f"Spread between models can't be told from noise ({n})."
    low, high = between.interval.low, between.interval.high
    return (
        f"Between models FAR has a standard deviation of {between.sd_between:.2f}, within them "
        f"{between.sd_within:.2f}: a share of {between.share:.2f} of the variance lies between them "
        f"(95 % {low:.2f} to {high:.2f}; {n})."
    )
