"""Which figures of a run can be anchored, and what anchoring says of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from voirdire.data.json_values import as_object, as_plain
from voirdire.jury.worth.assessment import is_narrow
from voirdire.jury.worth.records import Worth
from voirdire.raters.machine_ratings import Unit
from voirdire.raters.records import RatersError
from voirdire.raters.tasks.base import Value
from voirdire.reason_codes import Reason, declare, reason
from voirdire.stats import Anchored, Corrected, CorrectedShares, FurtherRatings, Interval

Cluster = Literal["group", "dialogue"]
"""What is taken to have been sampled: concepts, contexts or cases; or the dialogues, answers or responses in them."""

Verdict = Literal["biased", "leaning", "not shown", "few differences", "too few", "unsettled"]
"""What a figure says of the judges: a bias, a likely one, none shown; or that a difference rests on too few units, that
ratings are too few, or some disputed."""

FEW = 20
"""Ratings below which the coverage of the intervals has not been measured."""
SPEAK = 10
"""Ratings, and units on which people and the machine differ, below which nothing is said of the judges."""
ENOUGH = 10
"""Rated positive and negative units below which sensitivity and specificity are hardly known."""

declare(
    {
        "no_yes_or_no": "only a share of units that count or don't count can be corrected",
        "no_positives": "people found no positive unit among those that the judge scored",
        "no_negatives": "people found no negative unit among those that the judge scored",
        "no_better": "sensitivity and specificity add up to 1 or less: here the judge is no better than chance",
        "out_of_range": "the estimate is {estimate:.2f}, which no share can be: the rated units do not show the "
        "judge's errors as they are in the whole run",
        "unmet_classes": "people found no unit of class {classes} among those that the judge scored",
        "unsaid_classes": "the judge says {classes} of no unit that people rated, and people do",
        "confused_classes": "the judge hardly tells them apart",
        "classes_out_of_range": "the estimate for {classes} is no share: it is below 0 or above 1",
        "few_corrected_by": "sensitivity rests on {positives:count positive unit} that people rated, and specificity "
        "on {negatives:count negative unit}; below {needed} of either, no correction by them is reliable",
    }
)


Counted = tuple[float, float]
"""What a rating adds above and below the line."""


@dataclass(frozen=True, slots=True)
class Estimand:
    """A figure of a run that can be anchored: a mean of what is said of each unit.

    People's ratings and the machine's go through the same function, so that the same thing is counted.
    """

    name: str
    says: str
    """In words, as they stand in a sentence."""
    of: Callable[[Value, Unit], Counted | None]
    """What a rating adds; `None` where it does not speak of this figure."""
    applies: Callable[[Unit], bool] = lambda unit: True
    top: float | None = 1.0
    """The highest value; `None`: there is none."""
    binary: bool = False
    """Whether it is the share of its units for which something holds: it can be corrected for sensitivity."""


@dataclass(frozen=True, slots=True)
class Classes:
    """A figure that is a distribution over classes."""

    name: str
    classes: tuple[str, ...]
    of: Callable[[Value], str | None]
    applies: Callable[[Unit], bool] = lambda unit: True


@dataclass(frozen=True, slots=True, kw_only=True)
class AnchoredFigure:
    """A figure of a run, four times: by the machine, by people, anchored, and corrected."""

    name: str
    says: str
    model: str | None
    """Whose; `None` for the whole run."""
    top: float | None
    plain: Anchored
    """By the machine alone, all units, as the run itself reports it."""
    people: Anchored | None
    """By people alone, on what they rated; `None` where they rated nothing that counts."""
    anchored: Anchored | None
    """Prediction-powered."""
    independent: Interval | None
    """`ppi_py`'s interval, as if units were independent; `None` for ratios, and where it is not installed."""
    corrected: Corrected | None
    """For the machine's sensitivity and specificity; `None` for figures that are no share of units."""
    more: FurtherRatings | None
    """What would halve the anchored interval."""
    ratings: int
    """Settled ratings that count for the figure."""
    compared: Anchored | None
    """As `anchored`, on the units that the machine gave a result: what says whether it is biased."""
    differing: int
    """Rated units on which people and the machine differ, of those that it gave a result."""
    unscored: int
    """Units that the figure is about and the machine gave no result: they are in people's figure and the anchored
    one, not in the machine's and the corrected one."""
    unscored_rated: int
    """Of these, how many people have rated."""
    could_be: tuple[float, float] | None
    """The machine's share if none of them counted, and if all did; `None` without any, and for no share of units."""
    verdict: Verdict
    interpretation: str
    """The verdict in a sentence."""
    worth: Worth | None = None
    """What the judge can be used for; of the first figure alone."""

    @property
    def best(self) -> Anchored | None:
        """What to report: corrected by people's ratings, or by these alone where that is narrower."""
        if self.anchored is None or self.people is None:
            return self.anchored
        if self.worth is None:
            powered = is_narrow(self.anchored.interval, self.people.interval)
        else:
            powered = self.worth.chosen == "powered"
        return self.anchored if powered else self.people

    @property
    def not_random(self) -> Reason | None:
        """That the judge's verdicts on the rated units are not like those on the others, where `worth` finds so."""
        cautions = () if self.worth is None else self.worth.cautions
        return next((each for each in cautions if each.code == "worth_not_random"), None)

    @property
    def bias(self) -> float | None:
        """How much higher the machine puts it than people do, on the units that it gave a result."""
        return None if self.compared is None else self.plain.value - self.compared.value

    @property
    def few(self) -> bool:
        """Whether there are fewer ratings than the coverage of the intervals was measured with."""
        return self.ratings < FEW

    @property
    def uncorrected(self) -> Reason | None:
        """Why it is not corrected."""
        if self.corrected is None:
            return reason("no_yes_or_no")
        if self.corrected.why is None:
            return None
        outside = {} if self.corrected.outside is None else {"estimate": self.corrected.outside}
        return reason(self.corrected.why, **outside)

    @property
    def few_corrected_by(self) -> Reason | None:
        """That too few positive or negative units are rated for the judges' errors to be known."""
        if self.corrected is None or self.corrected.sensitivity is None or self.corrected.specificity is None:
            return None
        positives, negatives = self.corrected.sensitivity.n, self.corrected.specificity.n
        if min(positives, negatives) >= ENOUGH:
            return None
        return reason("few_corrected_by", positives=positives, negatives=negatives, needed=ENOUGH)

    @property
    def groups_in_all(self) -> int | None:
        """Where only a larger run would halve the anchored interval: clusters it would have, all of them rated."""
        if self.more is None or self.more.groups is None or self.anchored is None:
            return None
        return self.anchored.groups + self.more.groups

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "name": self.name,
            "says": self.says,
            "model": self.model,
            "judge": _estimate(self.plain),
            "people": _estimate(self.people),
            "powered": _estimate(self.anchored),
            "chosen": "powered" if self.best is self.anchored else "people",
            "lam": None if self.anchored is None else self.anchored.lam,
            "bias": self.bias,
            "compared": _estimate(self.compared),
            "differing": self.differing,
            "independent": as_plain(self.independent),
            "corrected_counts": None if self.corrected is None else _corrected(self, self.corrected),
            "to_halve": None if self.more is None else as_object(self.more) | {"groups_in_all": self.groups_in_all},
            "ratings": self.ratings,
            "unscored": self.unscored,
            "unscored_rated": self.unscored_rated,
            "could_be": None if self.could_be is None else list(self.could_be),
            "few": self.few,
            "verdict": self.verdict,
            "interpretation": self.interpretation,
            "conclusion": None if self.worth is None else self.worth.conclusion,
            "why": None if self.worth is None else as_plain(self.worth.why),
            "not_random": as_plain(self.not_random),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Distribution:
    """Shares of classes: by the machine, by people, and corrected by the confusion of the two."""

    name: str
    n: int
    """Units that people rated."""
    plain: Mapping[str, float]
    people: Mapping[str, float]
    corrected: CorrectedShares

    @property
    def uncorrected(self) -> Reason | None:
        """Why the shares are not corrected."""
        why = self.corrected.why
        return None if why is None else reason(why, classes=self.corrected.about)

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        corrected = self.corrected
        return {
            "name": self.name,
            "n": self.n,
            "plain": dict(self.plain),
            "people": dict(self.people),
            "corrected": corrected.values,
            "intervals": as_plain(corrected.intervals),
            "confusion": corrected.confusion,
            "why": as_plain(self.uncorrected),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchoring:
    """A run's figures, corrected by what people said of a part of it."""

    run: Path
    task: str
    by: str
    """Who rated the run."""
    cluster: Cluster
    clustered_by: str
    """In words: "concept", "context" …"""
    rated: int
    """Units with a settled rating."""
    disputed: int
    """Items that have all their ratings and no settled one: these differ, and nobody has decided."""
    units: int
    unit: str
    """What each is, in words: "turn", "sentence" …"""
    only_flagged: bool
    """Whether people rated none but those that a detector flagged."""
    figures: tuple[AnchoredFigure, ...]
    """Of the whole run first, then model by model."""
    distributions: tuple[Distribution, ...]
    not_anchored: Mapping[str, str]
    """Metrics that can't be, and why."""
    notes: tuple[str, ...]
    """What must be said beside."""

    def of_models(self, names: Sequence[str]) -> Anchoring:
        """Only the figures of these models, without those of the whole run.

        Raises:
            RatersError: the run has no such model.
        """
        known = {each.model for each in self.figures if each.model is not None}
        strange = [name for name in names if name not in known]
        if strange:
            has = ", ".join(sorted(known)) or "none that is named"
            raise RatersError(f"{self.run} has no model {strange[0]}; its models: {has}.")
        own = tuple(each for each in self.figures if each.model in names)
        whole = len(own) == len(self.figures)
        return replace(self, figures=own, distributions=self.distributions if whole else ())

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "run": str(self.run),
            "task": self.task,
            "by": self.by,
            "clustered_by": self.clustered_by,
            "rated": self.rated,
            "disputed": self.disputed,
            "units": self.units,
            "unit": self.unit,
            "only_flagged": self.only_flagged,
            "models": sorted({each.model for each in self.figures if each.model is not None}),
            "figures": as_plain(self.figures),
            "distributions": as_plain(self.distributions),
            "not_anchored": dict(self.not_anchored),
            "notes": list(self.notes),
        }


def _estimate(anchored: Anchored | None) -> dict[str, Any] | None:
    if anchored is None:
        return None
    interval = as_plain(anchored.interval)
    return {"value": anchored.value, "interval": interval, "n": anchored.n, "groups": anchored.groups_rated}


def _corrected(figure: AnchoredFigure, corrected: Corrected) -> dict[str, Any]:
    rates = {"sensitivity": corrected.sensitivity, "specificity": corrected.specificity}
    return {
        "value": corrected.value,
        "interval": as_plain(corrected.interval),
        **{
            name: None if rate is None else {"value": rate.value, "interval": as_plain(rate.interval), "n": rate.n}
            for name, rate in rates.items()
        },
        "why": as_plain(figure.uncorrected),
        "caution": as_plain(figure.few_corrected_by),
    }
