"""What is said of a judge that people have checked, and the codes of why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from voirdire.data.json_values import as_object, as_plain
from voirdire.errors import InputError
from voirdire.reason_codes import Reason, declare
from voirdire.stats import Corrected, Interval

Conclusion = Literal["trust", "correct", "leave", "opposite", "undecided"]
"""Use its verdicts as they are; correct them by people's; don't use them; it runs against people; can't be told yet."""
Estimator = Literal["people", "powered"]
"""The ratings alone, or the judge's verdicts corrected by them (prediction-powered)."""
Unit = Literal["item", "answer", "sentence"]
"""What a verdict is on, where that is known."""

FEW = 30
"""Ratings below which nothing is decided of a judge."""
LEAST = 10
"""Ratings below which no correlation is looked at, and nothing is corrected."""
FEW_GROUPS = 10
"""Groups of rated items below which it is said that they are few."""
MUCH_DISPUTED = 0.05
"""Share of the fully rated items in dispute above which nothing is said of a judge."""
WIDER = 1.05
"""How much wider than people's own interval one may be to be chosen."""
GOOD = 0.6
"""A correlation from which a judge counts as good: it saves a quarter of the ratings or more.

It must be ruled out before a judge is called worthless.
"""
OPPOSITE = 0.99
"""The level at which a correlation must lie below 0 before the two are said to run opposite ways.

At 95 %, useless judges would be said to too often.
"""

WITHHELD = frozenset({"worth_disputed", "worth_only_flagged"})
"""Codes that say why the rated items are no random part, so that no metric is to be reported yet."""
FORECASTS = frozenset({"worth_wide", "worth_one_bound", "worth_wide_of_all", "worth_one_bound_of_all"})
"""Codes that say how many ratings are `needed`."""

declare(
    {
        "worth_few": "{ratings:count rating is/ratings are} few; below {needed}, no decision should rest on them alone",
        "worth_few_by_model": "fewer than {needed} ratings stand behind {models:few}: no decision should rest on so "
        "few alone",
        "worth_one_sided": "people gave all {ratings:count item} the same label, so that nothing shows whether the "
        "judge follows them",
        "worth_constant": "it says the same of everything that people rated",
        "worth_opposite": "it is high where people are low (correlation {value:.2f}, {low:.2f} to {high:.2f}). If one "
        "of the two is read the wrong way round, turn it with {options:or}",
        "worth_against": "it is high where people are low (correlation {value:.2f}, {low:.2f} to {high:.2f}), and "
        "which way either side runs is known",
        "worth_not_shown": "nothing shows that it follows people's ratings (correlation {value:.2f}, {low:z.2f} to "
        "{high:z.2f}), and the interval rules out {useful} or more, which would save a quarter of the ratings",
        "worth_no_gain": "its verdicts predict what people say no better than the mean of the ratings does "
        "(correlation {value:.2f})",
        "worth_too_few": "{ratings:count rating is/ratings are} too few to tell; it takes {needed}",
        "worth_too_few_groups": "the rated items are of only {groups:count group} of related items, such as answers "
        "to one question, and related items count together; it takes {needed} groups",
        "worth_few_groups": "the rated items are of only {groups:count group} of related items, such as answers to "
        "one question: fewer than {needed} groups tell little of how others would differ, so that intervals are wide, "
        "and where errors are rare they may still be too short",
        "worth_wide": "{ratings:count rating is/ratings are} too few to tell whether it follows people's ratings "
        "(correlation {value:.2f}, {low:z.2f} to {high:.2f}); some {needed} ratings would show that it {shows}, if the "
        "correlation stays there",
        "worth_one_bound": "the correlation with people's ratings is above 0 by a one-sided bound, but its two-sided "
        "interval still holds 0 ({value:.2f}, {low:z.2f} to {high:.2f}); some {needed} ratings would lift it above 0, "
        "if the correlation stays there",
        "worth_wide_of_all": "{ratings:count rating is/ratings are} too few to tell whether it follows people's "
        "ratings (correlation {value:.2f}, {low:z.2f} to {high:.2f}); some {needed} ratings would show that it "
        "{shows}, if the correlation stays there, but {verdicts:count verdict is/verdicts are} too few for that",
        "worth_one_bound_of_all": "the correlation with people's ratings is above 0 by a one-sided bound, but its "
        "two-sided interval still holds 0 ({value:.2f}, {low:z.2f} to {high:.2f}); some {needed} ratings would lift it "
        "above 0, if the correlation stays there, but {verdicts:count verdict is/verdicts are} too few for that",
        "worth_would": "does",
        "worth_would_not": "does so too loosely (correlation below {useful}) to save a quarter of the ratings",
        "worth_biased": "it scores {size:.2f} too {side} ({low:z.2f} to {high:.2f})",
        "worth_prefers": "it prefers {first} too {often} by {size:.2f} ({low:.2f} to {high:.2f})",
        "worth_bias_open": "its mean may be up to {low:.2f} too low or {high:.2f} too high",
        "worth_favours": "it favours {models:few}",
        "worth_other_scale": "its scores are on another scale than people's",
        "worth_within": "its mean is at most {reach:.2f} too high or too low",
        "worth_unsettled": "{items:count rated item is/rated items are} left out, because raters disagree or are "
        "unsure and nobody has decided yet: {ids:few}",
        "worth_disputed": "{items} of {count:count fully rated item is/fully rated items are} in dispute, and the "
        "others, on which people agree, are no random part; have an adjudicator decide them",
        "worth_few_then": "have more items rated, as even {ratings:count rating is/ratings are} too few to tell; it "
        "takes {needed}",
        "worth_only_flagged": "people rated flagged sentences only, which tell how many flags are right, but nothing "
        "of other sentences; have a random part of all rated, which jury worth --plan draws",
        "worth_no_label": "{items:count rated item is/rated items are} left out, because the adjudicator decided on no "
        "label: {ids:few}",
        "worth_not_all_rated": "{items:count rated item is/rated items are} left out, because not all raters are "
        "through with them",
        "worth_averaged": "raters differ on {items:count item} and gave numbers, so their mean counts",
        "worth_other_question": "the jury was asked another question than these raters",
        "worth_unscored": "{items:count rated item has/rated items have} no verdict of this judge: every figure is of "
        "the items that have one",
        "worth_unknown": "{items:count rated item is/rated items are} not among the verdicts, and left out: {ids:few}",
        "worth_not_random": "the judge's mean is {rated:.2f} on the rated items and {others:.2f} on the others, "
        "farther apart than 19 of 20 random draws would be (z-test within models, p < 0.05): if they were picked "
        "by hand, figures may not hold for the others",
        "worth_graded": "sensitivity and specificity need 1 or 0 from people too; they also say what lies between, "
        "where a verdict of 1 or 0 can't agree with them",
        "worth_repeats": "{judge} repeats {other}: {why}",
        "worth_outlier": "row {row}: the score {value:g} of {judge} lies outside all its others ({low:g} to "
        "{high:g}), and its scale is read by it; if it is a slip, correct it",
        "worth_unrated_models": "nobody has rated an item of {models:few}",
    }
)


class WorthError(InputError):
    """Verdicts and ratings that can't be compared: one sentence says why."""


class WorthEstimate(NamedTuple):
    """A figure in the ratings' unit."""

    value: float
    interval: Interval | None
    n: int
    """Ratings that it rests on; of a judge's own mean, verdicts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorthSettings:
    """What a conclusion depends on."""

    low: float = 0.0
    high: float = 1.0
    """The ends of people's scale."""
    margin: float = 0.1
    """A bias that is tolerated, as a share of the scale."""
    level: float = 0.95
    turn: tuple[str, ...] = ()
    """What would have either side read the other way round; empty where it is known which way both run."""

    @property
    def span(self) -> float:
        """From the lowest to the highest rating."""
        return self.high - self.low


class Ones(NamedTuple):
    """What a value at the top of the scale, mostly 1, says, and how that was read; empty where it is not known."""

    people: str
    judge: str


UNKNOWN = Ones("", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFigure:
    """The metric of one model."""

    model: str
    items: int
    judge: float | None
    """The mean of the judge's verdicts; `None` on another scale than people's."""
    judge_interval: Interval | None
    """Of that mean, as whoever trusts the judge would report it: it knows nothing of the judge's errors."""
    people: WorthEstimate
    corrected: WorthEstimate
    """By people alone where the judge foretells nothing, or the interval would be wider than theirs by over `WIDER`."""
    weight: float
    """How far the judge was used for that: 0 where it is people's own figure."""
    bias: WorthEstimate | None
    """How much too high the judge scores this model, on what people rated; `None` on another scale."""
    favoured: bool
    """Whether the judge scores it higher than the others, beyond chance (Holm over the models with `FEW` ratings)."""

    @property
    def few(self) -> bool:
        """Whether too few ratings stand behind it for a decision."""
        return self.people.n < FEW


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelDifference:
    """How much better one model is than another, by what people and the judge say together."""

    first: str
    second: str
    judge: float | None
    """By the judge alone."""
    value: float
    interval: Interval | None
    n: tuple[int, int]
    """Ratings of each."""
    weight: float
    """How far the judge was used: 0 where it is people's own figure."""

    @property
    def few(self) -> bool:
        """Whether too few ratings stand behind it for a decision."""
        return min(self.n) < FEW

    @property
    def decided(self) -> bool:
        """Whether the interval leaves out zero."""
        return self.interval is not None and not self.interval.low <= 0 <= self.interval.high


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """What people say of the items to which the judge gives scores within bounds."""

    low: float
    high: float
    items: int
    judge: float
    """The mean of its scores there."""
    people: WorthEstimate


class Crossed(NamedTuple):
    """How many rated items the judge and people put where, both saying yes (1) or no (0)."""

    both_yes: int
    judge_only: int
    """The judge says yes, people say no."""
    people_only: int
    both_no: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Confusion:
    """An item on which the judge and people lie far apart."""

    item: str
    model: str | None
    judge: float
    people: float
    text: str = ""
    """What was judged."""
    judge_reason: str = ""
    people_reason: str = ""
    beside: Mapping[str, str] = field(default_factory=dict)
    """What it was judged by: texts by name ("question", "context" …)."""
    label: str = ""
    """What people chose, where they chose among labels."""
    judge_label: str = ""
    """The judge's verdict, where it gave it in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Worth:
    """What one judge is worth."""

    judge: str
    conclusion: Conclusion
    why: tuple[Reason, ...]
    """What the conclusion rests on."""
    ratings: int
    """Items that people rated and the judge scored."""
    verdicts: int
    clusters: int
    """Of which people rated something."""
    correlation: WorthEstimate | None
    """Pearson's, with people; `None` where one of the two says the same throughout."""
    explained: float | None
    """Share of people's variance that the verdicts foretell for ratings that took no part in the tuning."""
    binary: bool
    """Whether both say yes or no."""
    agreement: WorthEstimate | None
    """Share of items on which both say the same, of pairs also that both are as good; `None` for scores."""
    kappa: WorthEstimate | None
    """Cohen's; `None` for scores."""
    right_zeros: WorthEstimate | None
    """Share of the rated items the judge says no of (that a detector flags) of which people say no too: of flags, the
    precision. `None` for scores, and without any."""
    distance: float | None
    """Mean absolute difference; `None` on another scale."""
    bias: WorthEstimate | None
    """How much too high it scores; `None` on another scale."""
    reach: float | None
    """The largest bias that the interval of `bias` leaves possible, either way."""
    counts: Corrected | None
    """Sensitivity, specificity and the share corrected by them (Rogan and Gladen); `None` for scores."""
    crossed: Crossed | None
    """`None` for scores."""
    raw: float | None
    """The metric by the judge alone; `None` on another scale."""
    raw_rated: float | None
    """The mean of its verdicts on the rated items alone."""
    raw_interval: Interval | None
    """Of `raw`, as whoever trusts the judge would report it."""
    people: WorthEstimate
    powered: WorthEstimate
    weight: float
    """How far the judge was used for `powered`: people's mean plus so many times by how much its mean of all items lies
    above its mean of the rated ones."""
    chosen: Estimator
    saves: int
    """Ratings that its verdicts save: so many more would narrow people's own interval as much."""
    models: tuple[ModelFigure, ...]
    differences: tuple[ModelDifference, ...]
    regions: tuple[Region, ...]
    confusions: tuple[Confusion, ...]
    """Those that lie furthest apart."""
    more_confusions: tuple[str, ...]
    """Items that lie apart as well, less far."""
    cautions: tuple[Reason, ...]
    settings: WorthSettings
    ones: Ones = UNKNOWN
    clustered_by: str = ""
    """What items of a cluster share, where that is known."""
    one_detector: bool = False
    """Whether all judges here are readings of one detector: its scores and its flags."""
    columns: tuple[str, ...] = ()
    """Of a table of verdicts, those that were read."""
    first: str = ""
    """Of pairs: whose output is the first, which a verdict of 1 prefers; empty of single outputs."""
    unit: Unit = "item"
    """What a verdict is on, where that is known."""
    repeats: str = ""
    """The judge before it whose verdicts it repeats, so that the two are one; empty of others."""
    marked_flags: WorthEstimate | None = None
    """Of a detector's flagged sentences in answers in which people marked words, the share that hold a mark."""

    @property
    def complete(self) -> bool:
        """Whether people have rated all that it judged: then their ratings are the result, whatever it is worth."""
        return self.ratings == self.verdicts

    @property
    def is_withheld(self) -> bool:
        """Whether no metric is to be reported, since the rated items are no random part."""
        return any(why.code in WITHHELD for why in self.why)

    @property
    def is_of_flagged_only(self) -> bool:
        """Whether people rated nothing but what a detector flagged, and more was judged."""
        return any(why.code == "worth_only_flagged" for why in self.why)

    @property
    def needed(self) -> int | None:
        """Ratings, all told, that would decide if the correlation stays what it is, where that is not sure enough."""
        return next((int(str(each["needed"])) for each in self.why if each.code in FORECASTS), None)

    @property
    def corrected_in_vain(self) -> bool:
        """Whether it would be corrected, but people's own figure is to be reported, as correcting narrows nothing."""
        people_only = self.chosen == "people" and not self.models and not self.complete
        return self.conclusion == "correct" and people_only

    @property
    def used(self) -> float:
        """The weight of the judge in the metric to report: 0 where that is people's own."""
        return self.weight if self.chosen == "powered" else 0.0

    @property
    def best(self) -> WorthEstimate:
        """The metric by the estimator chosen."""
        return self.powered if self.chosen == "powered" else self.people

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "judge": self.judge,
            "repeats": self.repeats or None,
            "conclusion": self.conclusion,
            "why": as_plain(self.why),
            "ratings": self.ratings,
            "verdicts": self.verdicts,
            "complete": self.complete,
            "clusters": self.clusters,
            "correlation": as_plain(self.correlation),
            "explained": self.explained,
            "agreement": as_plain(self.agreement),
            "kappa": as_plain(self.kappa),
            "right_zeros": as_plain(self.right_zeros),
            "marked_flags": as_plain(self.marked_flags),
            "distance": self.distance,
            "bias": as_plain(self.bias),
            "sensitivity": None if self.counts is None else as_plain(self.counts.sensitivity),
            "specificity": None if self.counts is None else as_plain(self.counts.specificity),
            "crossed": None if self.crossed is None else as_object(self.crossed),
            "metric": {
                "judge": self.raw,
                "judge_on_rated": self.raw_rated,
                "judge_interval": as_plain(self.raw_interval),
                "people": as_plain(self.people),
                "powered": as_plain(self.powered),
                "weight": self.weight,
                "corrected_counts": _counts(self.counts),
                "chosen": self.chosen,
                "withheld": self.is_withheld,
            },
            "saves": None if self.is_withheld else self.saves,
            "models": [as_plain(each) | {"few": each.few} for each in self.models],
            "differences": [as_plain(each) | {"few": each.few, "decided": each.decided} for each in self.differences],
            "regions": as_plain(self.regions),
            "confusions": as_plain(self.confusions),
            "more_confusions": list(self.more_confusions),
            "cautions": as_plain(self.cautions),
            "settings": as_plain(self.settings),
            "ones": as_object(self.ones),
            "clustered_by": self.clustered_by,
            "columns": list(self.columns),
        }


def _counts(counts: Corrected | None) -> dict[str, Any] | None:
    if counts is None:
        return None
    return {"value": counts.value, "interval": as_plain(counts.interval), "why": counts.why}
