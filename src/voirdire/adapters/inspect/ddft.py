"""`inspect eval voirdire/ddft`: a cross-examination as a task of Inspect's, one dialogue a sample."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from logging import getLogger
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ModelOutput
from inspect_ai.scorer import Score, Scorer, Target, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

from voirdire.adapters.inspect import _translate
from voirdire.adapters.inspect._asking import INTERVIEWER, SUBJECT, SampleRecord
from voirdire.adapters.inspect._dialogues import STORED, Dialogue, dialogues, profile_metrics, score_of, stored
from voirdire.adapters.inspect._taking_part import in_role, listed, panel, subject, user_errors
from voirdire.adapters.inspect._view import viewer
from voirdire.adapters.inspect.models import InspectModel
from voirdire.ddft.concepts import find_concepts, parse_concept
from voirdire.ddft.interviewer import Interviewer, ModelInterviewer, ScriptedInterviewer
from voirdire.ddft.judging import judge_dialogue
from voirdire.ddft.presets import Preset, changed_preset, load_preset, preset_of
from voirdire.ddft.protocol import DialogueSpec, Participants, examine, turn_body
from voirdire.ddft.study import StudyPlan, dialogue_specs
from voirdire.ddft.tables import build_tables, turns_of
from voirdire.jury import REFERENCE, banner, open_jury
from voirdire.jury import Panel as Jury
from voirdire.records import Concept

_NOBODY = "the model under test"
"""Stands for the subject until Inspect says who it is."""

_log = getLogger(__name__)

Listed = str | int | float | Sequence[str | int | float]


@dataclass(frozen=True, slots=True)
class Examination:
    """What the samples of a task have in common."""

    plan: StudyPlan
    jury: tuple[str, ...]
    """Judges that the task names, beside those in Inspect's role."""

    def planned(self, name: str, concept: str, level: float, sample: int) -> DialogueSpec:
        """The dialogue of a sample, as a run of ours would hold it."""
        preset = replace(self.plan.preset, samples=sample + 1)  # Inspect may be told to hold more epochs
        plan = replace(self.plan, models=(name,), preset=preset)
        return next(
            each
            for each in dialogue_specs(plan)
            if (each.concept.id, each.level, each.sample) == (concept, level, sample)
        )

    def text(self, planned: DialogueSpec) -> str:
        """The concept of a dialogue as its file has it: who judges it anew needs the reference and the facts."""
        return next(file.text for file in self.plan.concepts if file.concept == planned.concept)

    def _repr_params_(self) -> dict[str, Any]:
        """For the log of Inspect."""
        return {"preset": self.plan.preset.name, "jury": list(self.jury), "seed": self.plan.seed}


@task
def ddft(
    preset: str = "sound",
    concepts: Listed | None = None,
    pack: Listed | None = None,
    levels: Listed | None = None,
    trap: str | None = None,
    samples: int | None = None,
    granularity: str | None = None,
    jury: Listed | None = None,
    seed: int = 0,
) -> Task:
    """The Drill-Down and Fabricate Test: five turns a dialogue, the fourth a fabrication, a jury for every answer.

    Args:
        preset: a packaged preset, or a YAML file.
        concepts: ids, names or YAML files; the preset's by default.
        pack: packs of concepts.
        levels: of compression, in [0, 1]; the preset's by default.
        trap: mixed, expert, paper, statistic, event, law, or none.
        samples: dialogues for each concept and level: Inspect's epochs.
        granularity: what judges score in one call: turn, or dialogue.
        jury: judges beside those in the role `judge`: models of Inspect's, or reference.
        seed: of traps, questions and calls.
    """
    with user_errors():
        changed = changed_preset(
            load_preset(preset),
            concepts=listed(concepts),
            packs=listed(pack),
            levels=listed(levels),
            trap=trap,
            samples=samples,
            granularity=granularity,
        )
        plan = StudyPlan((_NOBODY,), tuple(find_concepts(changed.concepts)), changed, seed=seed)
        said = _about(changed, tuple(listed(jury)))
    if said["banner"]:
        _log.warning(said["banner"])
    return Task(
        dataset=MemoryDataset(_samples(plan), name=f"voirdire ddft, {changed.name}"),
        solver=cross_examination(Examination(plan, tuple(listed(jury)))),
        scorer=jury_scores(listed(jury), seed),
        metrics=[profile_metrics(seed=seed)],
        epochs=changed.samples,
        version=1,
        metadata=said,
        viewer=viewer("ddft"),
        description="Does the model stay accurate as its context is taken away, and does it reject a fabrication?",
    )


@solver
def cross_examination(examination: Examination) -> Solver:
    """Hold one dialogue, and have it judged: the last question follows what the jury made of the answer to the trap."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        name, model = subject()
        plan, cell = examination.plan, state.metadata
        planned = examination.planned(name, cell["concept"], cell["level"], state.epoch - 1)
        judges = panel(examination.jury, REFERENCE)
        asks = in_role(INTERVIEWER)
        seats = {INTERVIEWER: InspectModel(asks[0], str(asks[0]))} if asks else {}
        record = SampleRecord({SUBJECT: model, **seats, **judges.models}, plan.seed)
        with user_errors():
            jury = open_jury(judges.names, record, plan.preset.jury)
        interviewer: Interviewer = ModelInterviewer(record, INTERVIEWER) if asks else ScriptedInterviewer()
        await examine(planned, Participants(record, interviewer, jury, record, plan.preset, plan.seed))
        (dialogue,) = dialogues(build_tables(record), jury.jury_id, banner(jury))
        state.store.set(STORED, stored(dialogue, plan.preset.identity(), examination.text(planned)))
        state.messages = _translate.to_messages(record.said)
        state.output = ModelOutput.from_content(name, record.said[-1].content)
        return state

    return solve


@scorer(metrics=[profile_metrics()], name="ddft")
def jury_scores(jury: list[str] | None = None, seed: int = 0) -> Scorer:
    """What the jury decided while the dialogue was held; another jury (`inspect score`) judges it anew.

    Args:
        jury: judges beside those in the role `judge`.
        seed: of the calls.
    """

    async def score(state: TaskState, target: Target) -> Score:
        kept = state.store.get(STORED)
        if kept is None:
            return Score.unscored(reason="scoring_failed", explanation="The dialogue was not held to its end.")
        dialogue = Dialogue(**kept["dialogue"])
        preset, judges = preset_of(kept["preset"]), panel(jury or (), REFERENCE)
        record = SampleRecord(judges.models, seed)
        seated = open_jury(judges.names, record, preset.jury)
        if seated.jury_id != dialogue.jury:
            concept = parse_concept(kept["concept"], "The concept in the log").concept
            dialogue = await judged_by(seated, dialogue, concept, preset, record)
        return score_of(dialogue)

    return score


async def judged_by(jury: Jury, dialogue: Dialogue, concept: Concept, preset: Preset, record: SampleRecord) -> Dialogue:
    """The same dialogue as another jury judges it."""
    import pandas as pd

    (turns,) = turns_of(pd.DataFrame(dialogue.turns))
    for turn in turns:
        record.recall(turn)
        await record.note(turn.dialogue, turn.turn, "turn", turn_body(turn))
    await judge_dialogue(turns, concept, preset, jury, record)
    (judged,) = dialogues(build_tables(record), jury.jury_id, banner(jury))
    return judged


def _samples(plan: StudyPlan) -> list[Sample]:
    """One for each concept and level, in the balanced order of a run."""
    once = replace(plan, preset=replace(plan.preset, samples=1))
    return [
        Sample(
            id=f"{planned.concept.id}@{planned.level:g}",
            input=f"{planned.concept.name}, compression {planned.level:g}",
            metadata={
                "concept": planned.concept.id,
                "level": planned.level,
                "domain": planned.concept.domain,
            },
        )
        for planned in dialogue_specs(once)
    ]


def _about(preset: Preset, jury: Sequence[str]) -> dict[str, Any]:
    """What the log says of the whole task: the test, who judges, and what that is worth.

    Raises:
        JuryError: this jury can't sit under the preset's rules.
    """
    judges = panel(jury, REFERENCE)
    only_checked = open_jury(judges.names, SampleRecord({}, 0), preset.jury)
    return {
        "instrument": "ddft",
        "preset": preset.identity(),
        "judges": list(judges.names),
        "jury": only_checked.jury_id,
        "banner": banner(only_checked),
    }
