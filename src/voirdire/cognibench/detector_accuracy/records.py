"""What is asked of a benchmark of detectors, and what it finds, with intervals of F1."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import numpy as np

from voirdire.cognibench.detector_accuracy.separation import UNKNOWN, Separation
from voirdire.cognibench.scoring import Bools, Floats, Truth, group_sums, leave_one_out, measures, parts_of, totals
from voirdire.data.json_values import as_object, as_plain
from voirdire.detectors.records import History, Label, Require
from voirdire.detectors.scoring import Score
from voirdire.stats import Interval, bca, jackknife_t, percentile

IntervalMethod = Literal["jackknife-t", "percentile", "bca"]
METHODS: tuple[IntervalMethod, ...] = ("jackknife-t", "percentile", "bca")

COGNITIVE_GOLD = "cognitive (gold)"
"""The baseline that flags what is labelled as cognitive."""
LATER_TURNS = "later-turns"
"""The one that flags all turns but the first."""
LEVEL = 0.95
_MIN_GROUPS = 3


Verdict = Literal["better", "worse", "not settled", "undecided"]
"""What a difference says of the first detector: "not settled" by the data, or "undecided", because labels are missing
that could turn the verdict or the sign."""


class F1Difference(NamedTuple):
    """One detector's F1 minus another's."""

    difference: float | None
    """`None`: either is undefined."""
    interval: Interval | None
    could_be: tuple[F1Difference, F1Difference] | None = None
    """At worst and at best for the first one, where a model left statements without a label."""

    @property
    def verdict(self) -> Verdict:
        """Whether the first one is better."""
        own: Verdict = "not settled"
        if self.interval is not None and not self.interval.low <= 0 <= self.interval.high:
            own = "better" if self.interval.low > 0 else "worse"
        return "undecided" if any(self._turned_by(end, own) for end in self.could_be or ()) else own

    def _turned_by(self, end: F1Difference, own: Verdict) -> bool:
        """Whether the verdict would be another if the missing labels were as at this end."""
        if self.difference is None or end.difference is None:
            return end.verdict != own
        if end.difference * self.difference < 0:
            return True
        # Perfect labels vary nowhere, so there is no interval; what goes further the same way turns nothing.
        return end.verdict != own and not (end.interval is None and abs(end.difference) >= abs(self.difference))

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        could_be = None if self.could_be is None else [each.difference for each in self.could_be]
        return {
            "difference": self.difference,
            "interval": _ends(self.interval),
            "could_be": could_be,
            "verdict": self.verdict,
        }


@dataclass(frozen=True, slots=True)
class ResampledScores:
    """A detector's figures with all groups, without each one, and in each bootstrap draw."""

    scores: dict[str, Score]
    without: dict[str, Floats]
    """F1 by figure, shape (groups,)."""
    drawn: dict[str, Floats] | None
    """F1 by figure, shape (draws,); `None`: there are no draws."""
    counting: dict[str, Bools]
    """By figure, groups with a flagged or a hallucinated word: those that can move it."""


def resample(truth: Truth, flagged: Floats, weights: Floats | None = None) -> ResampledScores:
    """Compute a detector's figures and what intervals need.

    Args:
        truth: what is labelled.
        flagged: shape (statements,).
        weights: shape (draws, groups): bootstrap draws; give every detector the same ones.
    """
    sums = group_sums(truth, flagged)
    moved = {part: sums[:, place, 1:].any(axis=1) for place, part in enumerate(truth.parts)}
    estimates = measures(truth, sums.sum(axis=0)[np.newaxis])
    return ResampledScores(
        scores={name: each.score() for name, each in estimates.items()},
        without={name: each.f1 for name, each in measures(truth, leave_one_out(sums)).items()},
        drawn=None
        if weights is None
        else {name: each.f1 for name, each in measures(truth, totals(sums, weights)).items()},
        counting={name: np.logical_or.reduce([moved[part] for part in parts_of(name)]) for name in estimates},
    )


def interval_of(figure: str, resampled: ResampledScores, method: IntervalMethod) -> Interval | None:
    """The 95 % interval of a figure's F1.

    Returns:
        `None` where F1 is undefined, 0 or 1, where fewer than three groups have something to count, or where
        leaving one of them out makes it undefined or changes nothing.
    """
    f1 = resampled.scores[figure].f1
    if f1 is None or not 0 < f1 < 1:
        return None
    counting = resampled.counting[figure]
    drawn = None if resampled.drawn is None else resampled.drawn[figure]
    return _interval(f1, resampled.without[figure][counting], drawn, method, "logit")


def difference(figure: str, one: ResampledScores, other: ResampledScores, method: IntervalMethod) -> F1Difference:
    """How much higher one detector's F1 is than another's on the same statements, with its 95 % interval."""
    first, second = one.scores[figure].f1, other.scores[figure].f1
    if first is None or second is None:
        return F1Difference(None, None)
    counting = one.counting[figure] | other.counting[figure]
    without = (one.without[figure] - other.without[figure])[counting]
    if (without == 0).all():
        return F1Difference(first - second, None)
    drawn = None if one.drawn is None or other.drawn is None else one.drawn[figure] - other.drawn[figure]
    interval = _interval(first - second, without, drawn, method, "identity")
    if interval is not None:  # no difference of two shares is wider
        interval = interval._replace(low=max(interval.low, -1.0), high=min(interval.high, 1.0))
    return F1Difference(first - second, interval)


def _interval(
    estimate: float,
    without: Floats,
    drawn: Floats | None,
    method: IntervalMethod,
    scale: Literal["logit", "identity"],
) -> Interval | None:
    if without.size < _MIN_GROUPS or not np.isfinite(without).all():
        return None
    try:
        if method == "jackknife-t" or drawn is None:
            return jackknife_t(estimate, without, level=LEVEL, scale=scale)
        return percentile(drawn, level=LEVEL) if method == "percentile" else bca(estimate, drawn, without, level=LEVEL)
    except ValueError:
        return None


Source = Literal["detector", "out-of-fold", "given", "by definition"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchSettings:
    """How detectors are compared."""

    require: Require = "grounded"
    history: History = "none"
    """Which earlier turns count as evidence."""
    seed: int = 0
    """Of the contradiction suite and of bootstrap draws."""
    method: IntervalMethod = "jackknife-t"
    draws: int = 2000
    """Of the bootstrap methods."""
    contradictions: bool = True
    """Whether the contradiction suite is run."""
    suite_limit: int | None = None
    """At most so many perturbed statements of a kind; `None`: all."""
    exclude: frozenset[str] = frozenset()
    """Groups that are left out, because prompts or training saw them."""
    untimed: frozenset[str] = frozenset()
    """Detectors whose speed would mean nothing: answers may come from a journal."""


class DetectorFigure(NamedTuple):
    """Word-weighted figures with the interval of F1."""

    score: Score
    interval: Interval | None

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {**as_object(self.score), "interval": _ends(self.interval)}


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchRow:
    """What the benchmark says of one detector or baseline."""

    name: str
    baseline: bool
    figures: Mapping[str, DetectorFigure]
    """"overall", "macro", "factual", "cognitive"."""
    by_predicted: Mapping[str, DetectorFigure]
    """"macro", "factual", "cognitive" by predicted type; empty without a type classifier."""
    false_alarms: Mapping[Label, float | None]
    """Share of words flagged, by each label that is no hallucination."""
    missing: int
    """Labelled statements without a score; they count as not flagged."""
    contradiction: Mapping[str, float | None] | None = None
    """Share flagged of each kind of contradiction; `None`: not run."""
    controls: float | None = None
    """Share flagged of the same statements untouched."""
    cases: Mapping[str, int] | None = None
    """How many statements each share of `contradiction` is of; `None`: not run."""
    sentences_per_s: float | None = None
    threshold: float | None = None
    source: Source = "detector"
    """Whose its scores are: its own, of models trained without each fold, made elsewhere, or of no detector."""
    trained_on: int = 0
    """How many of the scored answers have a context that it was trained or tuned on."""
    separation: Separation = UNKNOWN
    could_be: tuple[BenchRow, BenchRow] | None = None
    """At worst and at best, where a model left statements without a label: all of them wrong, or all right."""

    @property
    def in_sample(self) -> bool:
        """Whether its figures are too favourable, because it saw answers that it is scored on."""
        return self.source == "detector" and self.trained_on > 0

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            **as_plain(self.figures),
            "by_predicted": as_plain(self.by_predicted) or None,
            "contradiction": None if self.contradiction is None else dict(self.contradiction),
            "controls": self.controls,
            "cases": None if self.cases is None else dict(self.cases),
            "auroc": self.separation.auroc,
            "auroc_interval": _ends(self.separation.auroc_interval),
            "balanced_accuracy": self.separation.balanced_accuracy,
            "sentences_per_s": self.sentences_per_s,
            "false_alarms": dict(self.false_alarms),
            "missing": self.missing,
            "could_be": None if self.could_be is None else [as_plain(each.figures) for each in self.could_be],
            "threshold": self.threshold,
            "baseline": self.baseline,
            "scores": self.source,
            "trained_on": self.trained_on,
            "in_sample": self.in_sample,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class DetectorPair:
    """One detector beside another on the same statements."""

    one: str
    other: str
    figures: Mapping[str, F1Difference]
    """F1 of `one` minus F1 of `other`: "overall", "macro", "factual", "cognitive"."""

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"detector": self.one, "minus": self.other, **as_plain(self.figures)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """Detectors and all trivial baselines on the same labelled statements."""

    rows: tuple[BenchRow, ...]
    """The named detectors, then the baselines."""
    pairs: tuple[DetectorPair, ...]
    """Each named detector minus every row after it."""
    settings: BenchSettings
    n_statements: int
    """Labelled ones; only these count."""
    n_dialogues: int
    n_answers: int
    """Turns with a labelled statement."""
    n_groups: int
    """Contexts; the clusters of the intervals."""
    n_excluded: int
    """Labelled answers left out, because their group was excluded."""
    n_small_talk: int
    """Labelled statements that claim nothing; no detector or baseline flags them."""
    n_header_rows: int = 0
    """Labelled headings and header rows of tables, which are left out, as `voirdire detect` checks none."""
    labels: Mapping[Label, int] = field(default_factory=dict)
    """Statements of each label."""
    hallucinated_words: float = 0.0
    """Share of the words of statements that claim something: the precision of flagging everything."""
    skipped: Mapping[str, str] = field(default_factory=dict)
    """Detectors that could not be trained on these labels, and why."""
    notes: tuple[str, ...] = ()
    """What was not read of the data as it stands: a sentence each."""

    def row(self, name: str) -> BenchRow:
        """The row of a detector or baseline."""
        return next(row for row in self.rows if row.name == name)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "detectors": {row.name: row.as_dict() for row in self.rows},
            "differences": as_plain(self.pairs),
            "n_statements": self.n_statements,
            "n_dialogues": self.n_dialogues,
            "n_answers": self.n_answers,
            "n_groups": self.n_groups,
            "n_excluded": self.n_excluded,
            "n_small_talk": self.n_small_talk,
            "n_header_rows": self.n_header_rows,
            "labels": dict(self.labels),
            "hallucinated_words": self.hallucinated_words,
            "skipped": dict(self.skipped),
            "notes": list(self.notes),
            "require": self.settings.require,
            "history": self.settings.history,
            "interval_method": self.settings.method,
            "seed": self.settings.seed,
        }


def _ends(interval: Interval | None) -> list[float] | None:
    return None if interval is None else [interval.low, interval.high]
