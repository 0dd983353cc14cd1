"""What a labelling run was asked to do, and what stands in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from voirdire.data.paths import set_paths
from voirdire.data.plain import as_object
from voirdire.detectors.contrastive import Contrast, used_groups
from voirdire.detectors.labelling.records import Judged, LabelPlan
from voirdire.detectors.records import Answer, Label

UNGRADED = "no second stage graded the conclusions"
"""Why what only a grading tells is undefined in a run without one."""
INSTRUMENT = "cognibench"
NOTE = "labelled"
"""Kind of the note that holds what was found on an answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelTask:
    """Which answers are labelled, by which model, and how."""

    data: Path
    model: str
    plan: LabelPlan = field(default_factory=LabelPlan)
    limit: int | None = None
    """Only the first so many answers."""
    labelled_only: bool = False
    """Only answers that people have labelled."""
    base_url: str | None = field(default=None, repr=False)
    seed: int = 0
    exact: bool = False
    """A local model repeats its replies exactly."""

    def __post_init__(self) -> None:
        set_paths(self, "data")

    @property
    def in_prompt(self) -> frozenset[str]:
        """Groups of answers that the prompt's examples were taken from: they can't be scored."""
        return used_groups(self.plan.contrasts)


@dataclass(frozen=True, slots=True)
class LabelledAnswer:
    """One answer of a labelling run."""

    answer: Answer
    """With the labels that the model gave; `None` where it is undecided."""
    human: tuple[Label | None, ...]
    """What people had labelled, a statement each; the model never saw it."""
    judged: tuple[Judged, ...]
    """Votes, type, tiers and reasons, a statement each."""
    used_in_prompt: bool
    """Whether an example of the prompt was taken from its group: it must be left out of scoring."""
    repairs: int = 0
    reasons: tuple[str, ...] = ()
    """Why votes or tiers are missing."""
    addresses: tuple[int, ...] = ()
    """Positions of the statements that speak to whoever labels them."""
    echoes: tuple[str, ...] = ()
    """Samples whose reply takes that over."""

    @property
    def missing(self) -> tuple[int, ...]:
        """Positions of the statements with a vote or a grading that is missing."""
        return tuple(
            place for place, each in enumerate(self.judged) if None in each.votes or None in each.tiers or each.why
        )

    @property
    def undecided(self) -> tuple[int, ...]:
        """Positions of the statements without a label."""
        return tuple(place for place, each in enumerate(self.judged) if each.label is None)


def plan_as_dict(plan: LabelPlan) -> dict[str, Any]:
    """For a run's manifest."""
    return as_object(plan)


def plan_of_dict(fields: Mapping[str, Any]) -> LabelPlan:
    """The reverse of `plan_as_dict`."""
    return LabelPlan(**(dict(fields) | {"contrasts": tuple(Contrast(**each) for each in fields["contrasts"])}))
