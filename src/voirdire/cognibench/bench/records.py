"""What is asked of a benchmark, and what it finds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from voirdire.cognibench.bench.intervals import Difference, IntervalMethod
from voirdire.data.plain import as_plain
from voirdire.detectors.records import History, Label, Require
from voirdire.detectors.scoring import Score
from voirdire.stats import Interval

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


class Figure(NamedTuple):
    """Word-weighted figures with the interval of F1."""

    score: Score
    interval: Interval | None

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {**self.score._asdict(), "interval": _ends(self.interval)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What the benchmark says of one detector or baseline."""

    name: str
    baseline: bool
    figures: Mapping[str, Figure]
    """"overall", "macro", "factual", "cognitive"."""
    by_predicted: Mapping[str, Figure]
    """"macro", "factual", "cognitive" by predicted type; empty without a type classifier."""
    false_alarms: Mapping[Label, float | None]
    """Share of words flagged, by each label that is no hallucination."""
    missing: int
    """Labelled statements without a score; they count as not flagged."""
    contradiction: Mapping[str, float | None] | None = None
    """Share flagged of each kind of contradiction; `None`: not run."""
    controls: float | None = None
    """Share flagged of the same statements untouched."""
    sentences_per_s: float | None = None
    threshold: float | None = None
    source: Source = "detector"
    """Whose its scores are: its own, of models trained without each fold, made elsewhere, or of no detector."""
    trained_on: int = 0
    """How many of the scored answers have a context that it was trained or tuned on."""

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
            "sentences_per_s": self.sentences_per_s,
            "false_alarms": dict(self.false_alarms),
            "missing": self.missing,
            "threshold": self.threshold,
            "baseline": self.baseline,
            "scores": self.source,
            "trained_on": self.trained_on,
            "in_sample": self.in_sample,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """One detector beside another on the same statements."""

    one: str
    other: str
    figures: Mapping[str, Difference]
    """F1 of `one` minus F1 of `other`: "overall", "macro", "factual", "cognitive"."""

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        differences = {
            name: {"difference": each.difference, "interval": _ends(each.interval)}
            for name, each in self.figures.items()
        }
        return {"detector": self.one, "minus": self.other, **differences}


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """Detectors and all trivial baselines on the same labelled statements."""

    rows: tuple[Row, ...]
    """The named detectors, then the baselines."""
    pairs: tuple[Pair, ...]
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
    """Labelled header rows of tables, which are left out: they claim nothing, and `voirdire detect` checks none."""
    labels: Mapping[Label, int] = field(default_factory=dict)
    """Statements of each label."""
    hallucinated_words: float = 0.0
    """Share of all words; what flagging everything has as precision."""
    skipped: Mapping[str, str] = field(default_factory=dict)
    """Detectors that could not be trained on these labels, and why."""

    def row(self, name: str) -> Row:
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
            "require": self.settings.require,
            "history": self.settings.history,
            "interval_method": self.settings.method,
            "seed": self.settings.seed,
        }


def _ends(interval: Interval | None) -> list[float] | None:
    return None if interval is None else [interval.low, interval.high]
