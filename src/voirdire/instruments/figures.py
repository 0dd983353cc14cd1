"""The figures of a run that limits can be set on: by model, with intervals, and what must be known of them."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from voirdire.reason_codes import Reason
from voirdire.text.counting import listed

if TYPE_CHECKING:
    from voirdire.stats.intervals import Interval

Side = Literal["min", "max"]


class Scale(NamedTuple):
    """The values of a metric, and which are good."""

    low: float = -math.inf
    high: float = math.inf
    usual: Side | None = None
    """"min" where high values are good, "max" where low ones are; `None` where that is open."""
    label: str = ""
    """What people call the metric; "" where its name is that already."""
    says: str = ""
    """What it says, in a few words."""


@dataclass(frozen=True, slots=True)
class ModelFigure:
    """A metric of one model in one run."""

    value: float | None
    interval: Interval | None = None
    reason: Reason | None = None
    """Why there is no value; with a value, why there is no interval."""
    empty: Reason | None = None
    """Why the value says nothing of the model, so that no limit on it is kept."""
    n: int | None = None
    """How many it rests on: turns, statements, answers …; `None` where that is not known."""
    could_be: tuple[float, float] | None = None
    """The lowest and the highest value that it could have with what is missing; `None` where that is not known."""
    lacking: Reason | None = None
    """What is missing, where `could_be` is given."""
    ends: tuple[float, float] | None = None
    """The lowest and the highest value that there can be, or that was seen; `None` where the metric's scale tells."""
    undecided: bool = False
    """Whether the value can't be told yet: nothing is known so far, or it is too uneven, as `empty` says then."""
    caution: Reason | None = None
    """What must be known of the value by whoever sets a limit on it."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A model of a run (or all of a run's responses, where no model is known) and its figures."""

    run: Path
    instrument: str
    model: str
    figures: Mapping[str, ModelFigure]
    warnings: tuple[str, ...] = ()
    """What must be known of it beside its figures."""
    plain: str = ""
    """The model's own name, where `model` says more than that: in which of several evaluations it was asked."""


class CheckSummary(NamedTuple):
    """A validity check that did not pass."""

    id: str
    finding: str
    """What it found, in a sentence."""
    models: tuple[str, ...] = ()
    """Those that it concerns, by the names of the run's subjects; empty: all."""


@dataclass(frozen=True, slots=True)
class RunFigures:
    """A run with the figures of its models."""

    run: Path
    instrument: str
    subjects: tuple[Subject, ...]
    warnings: tuple[str, ...] = ()
    """What must be known of the run: who judged, what is left out … Checks are not named there."""
    failed_checks: tuple[CheckSummary, ...] = ()
    warned_checks: tuple[CheckSummary, ...] = ()
    """Those that warn, where a gate is to say so."""
    reservations: tuple[CheckSummary, ...] = ()
    """What forbids to rely on its figures though no check sees it; but for an incomplete run (`missing`)."""
    checks: tuple[str, ...] = ()
    """Ids of all validity checks, and of what reservations there can be; empty where runs of this instrument have
    none."""
    unverified: str | None = None
    """What no check could look into, in a sentence, where a sound test would have been looked into."""
    counted_by: str = ""
    """By which rules of its own its figures count, in words; empty for the usual ones."""
    missing: str | None = None
    """What is missing, in a sentence, where the run is not complete."""
    notes: tuple[str, ...] = ()
    """What is good to know of the run, and no warning."""
    validate: str = ""
    """The command that says more of the checks; empty where there is none but that for results."""

    def only(self, models: Collection[str]) -> RunFigures:
        """The run as far as it concerns these models."""
        failed, warned = (
            tuple(check for check in checks if not check.models or not set(check.models).isdisjoint(models))
            for checks in (self.failed_checks, self.warned_checks)
        )
        subjects = tuple(subject for subject in self.subjects if subject.model in models)
        return replace(self, subjects=subjects, failed_checks=failed, warned_checks=warned)


def rules_that_differ(runs: Sequence[tuple[RunFigures, str]]) -> str:
    """By which rules runs count, each with the names of its runs; empty where all count alike."""
    names: dict[str, list[str]] = {}
    for figures, name in runs:
        names.setdefault(figures.counted_by or "the usual ones", []).append(name)
    return "; ".join(f"{rule} in {listed(named)}" for rule, named in names.items()) if len(names) > 1 else ""
