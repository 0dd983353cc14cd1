"""A pilot: a small study on the concepts that are to be chosen, and what it says of each by the paper's criteria."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from voirdire.data.json_values import as_plain
from voirdire.ddft.concepts import ConceptFile
from voirdire.ddft.concepts.checking import BrokenRule
from voirdire.ddft.pilot.criteria import Criterion, PilotAnswers, criteria
from voirdire.ddft.presets import changed_preset, load_preset
from voirdire.ddft.questions import DETAIL_TURN, NO_EXAMPLE
from voirdire.ddft.results import Result
from voirdire.ddft.session import run_study
from voirdire.ddft.study import StudyPlan
from voirdire.records import Concept
from voirdire.runs import DEFAULTS, RunOptions

if TYPE_CHECKING:
    import pandas as pd

LEVELS = (0.0, 0.5, 1.0)
SAMPLES = 3


@dataclass(frozen=True, slots=True)
class Piloted:
    """A concept, and the criteria by which it would be chosen."""

    concept: Concept
    criteria: tuple[Criterion, ...]


@dataclass(frozen=True, slots=True)
class Pilot:
    """What a pilot says of its concepts."""

    run: Path
    models: tuple[str, ...]
    jury: str
    banner: str | None
    """What the jury is worth."""
    dialogues: int
    concepts: tuple[Piloted, ...]
    stopped: str | None

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "run": str(self.run),
            "models": list(self.models),
            "jury": self.jury,
            "banner": self.banner,
            "dialogues": self.dialogues,
            "stopped": self.stopped,
            "concepts": [{"id": each.concept.id, "criteria": as_plain(each.criteria)} for each in self.concepts],
        }


def pilot_plan(
    files: Sequence[ConceptFile],
    models: Sequence[str],
    jury: Sequence[str],
    *,
    samples: int = SAMPLES,
    seed: int = 0,
    base_url: str | None = None,
) -> StudyPlan:
    """The study that a pilot is: `sound` at three levels, a few samples."""
    preset = changed_preset(load_preset("sound"), levels=LEVELS, samples=samples)
    return StudyPlan(tuple(models), tuple(files), preset, jury=tuple(jury), seed=seed, base_url=base_url)


async def run_pilot(
    plan: StudyPlan,
    findings: Mapping[str, Sequence[BrokenRule]],
    path: Path,
    options: RunOptions = DEFAULTS,
) -> Pilot:
    """Hold a pilot in a run folder, or go on with the one that is there, and judge its concepts by the criteria.

    Raises:
        RunFolderError, SpecError, BudgetError, JuryError: before anything is asked.
    """
    result = await run_study(plan, path, options)
    piloted = tuple(
        Piloted(
            file.concept, tuple(criteria(file.concept, findings[file.concept.id], pilot_answers(result, plan, file)))
        )
        for file in plan.concepts
    )
    return Pilot(
        run=path,
        models=plan.models,
        jury=result.jury,
        banner=result.banner,
        dialogues=int(result.scores["dialogue"].nunique()),
        concepts=piloted,
        stopped=result.stopped,
    )


def pilot_answers(result: Result, plan: StudyPlan, file: ConceptFile) -> PilotAnswers:
    """What a run's dialogues on one concept gave."""
    scores = result.scores[result.scores["concept"] == file.concept.id]
    turns = result.tables.turns[result.tables.turns["concept"] == file.concept.id]
    levels = tuple(sorted(plan.preset.levels))
    far = np.full((len(plan.models), len(levels), plan.preset.samples), np.nan)
    means = scores.groupby(["model", "level", "sample"])["far"].mean().reset_index()
    for row in means.to_dict("records"):
        far[plan.models.index(row["model"]), levels.index(row["level"]), row["sample"]] = row["far"]
    return PilotAnswers(plan.models, levels, far, named_examples(turns), _detail_far(scores))


def named_examples(turns: pd.DataFrame) -> tuple[int, int]:
    """(dialogues in which turn 2 named an example, dialogues that came to turn 3)."""
    notes = turns.loc[turns["turn"] == DETAIL_TURN, "question_notes"]
    return sum(NO_EXAMPLE not in list(each) for each in notes), len(notes)


def _detail_far(scores: pd.DataFrame) -> tuple[float, int] | None:
    far = scores.loc[scores["turn"] == DETAIL_TURN, "far"].dropna()
    return (float(far.mean()), len(far)) if len(far) else None
