"""`inspect eval voirdire/ddft`: a cross-examination as a task of Inspect's, one dialogue a sample."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from logging import getLogger
from typing import TYPE_CHECKING, Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ModelOutput
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, metric, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.viewer import ScoreColorScale

from voirdire.adapters.inspect.models import InspectModel, to_messages
from voirdire.adapters.inspect.participants import (
    INTERVIEWER,
    SUBJECT,
    SampleRecord,
    as_list,
    in_role,
    panel,
    subject,
    user_errors,
)
from voirdire.adapters.inspect.view import SHARE, rows_of, viewer, with_ends
from voirdire.data.json_values import as_object
from voirdire.ddft.concepts import find_concepts, parse_concept
from voirdire.ddft.exported_tables import build_tables, turns_of
from voirdire.ddft.interviewer import Interviewer, ModelInterviewer, ScriptedInterviewer
from voirdire.ddft.judging import judge_dialogue
from voirdire.ddft.presets import Preset, PresetError, changed_preset, load_preset, preset_of
from voirdire.ddft.protocol import DialogueSpec, Participants, run_dialogue, turn_body
from voirdire.ddft.study import StudyPlan, dialogue_specs
from voirdire.ddft.thresholds import PAPER
from voirdire.jury import REFERENCE, banner, open_jury
from voirdire.jury import Panel as Jury
from voirdire.records import Concept

if TYPE_CHECKING:
    from voirdire.ddft.exported_tables import Tables
    from voirdire.ddft.profile import Profile

_STANCES = {"rejected": "good", "questioned": "warn", "accepted": "bad"}

SCALES: Mapping[str, Any] = {
    "far": ScoreColorScale(palette="good-high", **SHARE),
    "sas": ScoreColorScale(palette="neutral", **SHARE),
    "stance": _STANCES,
    "stance_5": _STANCES,
    "no_claims": "neutral",
    "unscored": "neutral",
}
"""How its scores are coloured in the viewer, in the order in which they are shown."""

STORED = "voirdire.dialogue"
"""Where a sample's store holds its dialogue."""

_TRAP, _AFTER = 4, 5
_FIRST = ("ER", "K", "V_E", "danger_zone_pct", "HOC")
"""Metrics that stand first in a log; the very first is what its users see in lists."""

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Dialogue:
    """One dialogue under one jury; rows as in a run's tables, in order of turns."""

    turns: list[Row]
    verdicts: list[Row]
    scores: list[Row]
    jury: str
    banner: str | None
    """What must be said beside this jury's scores."""

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return as_object(self)


def stored(dialogue: Dialogue, preset: Mapping[str, Any], concept: str) -> dict[str, Any]:
    """What a sample's store holds, so that another jury can judge it."""
    return {"dialogue": dialogue.as_dict(), "preset": dict(preset), "concept": concept}


def dialogues(tables: Tables, jury: str, banner: str | None) -> list[Dialogue]:
    """The dialogues of a run, or of a sample, as one jury judged them."""
    verdicts = _by_dialogue(rows_of(tables.verdicts[tables.verdicts["jury"] == jury]))
    scores = _by_dialogue(rows_of(tables.scores[tables.scores["jury"] == jury]))
    return [
        Dialogue(turns, verdicts.get(name, []), scores.get(name, []), jury, banner)
        for name, turns in _by_dialogue(rows_of(tables.turns)).items()
    ]


def score_of(dialogue: Dialogue) -> Score:
    """The score of a sample.

    `value` holds the means of FAR and SAS over the turns that have one, the panel's stance on the fabrication (and in
    turn 5), and how many turns made no claim or went unscored. All verdicts stand in `metadata`, in words in
    `explanation`.
    """
    scores = dialogue.scores
    stance = {row["turn"]: row["stance"] for row in scores}
    answers = {row["turn"]: row["answer"] for row in dialogue.turns}
    return Score(
        value={
            "far": _mean(row["far"] for row in scores),
            "sas": _mean(row["sas"] for row in scores),
            "stance": stance.get(_TRAP),
            "stance_5": stance.get(_AFTER),
            "no_claims": sum(bool(row["no_claims"]) for row in scores),
            "unscored": sum(row["unscored"] is not None for row in scores),
        },
        answer=answers.get(_TRAP) or next(reversed(answers.values()), None),
        explanation=_explanation(dialogue),
        metadata={
            "jury": dialogue.jury,
            "banner": dialogue.banner,
            "scores": scores,
            "verdicts": dialogue.verdicts,
        },
    )


@metric(name="profile", scores="unreduced")
def profile_metrics(theta: float = 0.70, seed: int = 0) -> Metric:
    """The model's profile over all dialogues: every metric that is defined, with the ends of its interval.

    Args:
        theta: FAR below which a level counts as failed.
        seed: of the bootstrap.
    """

    def compute(scores: list[SampleScore]) -> Value:
        profile = profile_of((score.score for score in scores), theta=theta, seed=seed)
        return {} if profile is None else metrics_of(profile)

    return compute


def profile_of(scores: Iterable[Score], *, theta: float = 0.70, seed: int = 0) -> Profile | None:
    """The profile that the scores of a log's samples give; `None` where there is nothing to profile."""
    import pandas as pd

    from voirdire.ddft.profile import profiles

    rows = [row for score in scores for row in (score.metadata or {}).get("scores", ())]
    thresholds = replace(PAPER, failed_level_far=theta)
    return profiles(pd.DataFrame(rows), thresholds=thresholds, seed=seed)[0] if rows else None


def metrics_of(profile: Profile) -> dict[str, float]:
    """A profile's metrics and intervals as numbers by name."""
    values = {name: value.value for name, value in profile.metrics.items()}
    ordered = {name: values.pop(name) for name in _FIRST if name in values} | values
    return with_ends(ordered, profile.intervals)


def _mean(values: Iterable[float | None]) -> float | None:
    """The mean of those that are there, to as many places as a list of samples has room for."""
    known = [value for value in values if value is not None]
    return round(math.fsum(known) / len(known), 4) if known else None


def _by_dialogue(rows: Sequence[Row]) -> dict[str, list[Row]]:
    rows_by_dialogue: dict[str, list[Row]] = {}
    for row in rows:
        rows_by_dialogue.setdefault(row["dialogue"], []).append(row)
    return rows_by_dialogue


def _explanation(dialogue: Dialogue) -> str:
    """Turn by turn, what the panel decided and why each judge scored as it did."""
    scores = {row["turn"]: row for row in dialogue.scores}
    parts = [] if dialogue.banner is None else [dialogue.banner]
    for turn in dialogue.turns:
        lines = [_turn_decision(turn, scores.get(turn["turn"]))]
        lines += [f"- {_judge_line(row)}" for row in dialogue.verdicts if row["turn"] == turn["turn"]]
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def _turn_decision(turn: Row, score: Row | None) -> str:
    trap = (
        f" (fabrication, {turn['trap_kind']}: {turn['trap_item']})"
        if turn["trap_item"] and turn["turn"] == _TRAP
        else ""
    )
    if score is None:
        return f"Turn {turn['turn']}{trap}: not judged."
    if score["unscored"]:
        return f"Turn {turn['turn']}{trap}: unscored, {score['unscored']}."
    return f"Turn {turn['turn']}{trap}: {_scores(score)}."


def _judge_line(row: Row) -> str:
    if row["missing"]:
        return f"{row['judge']}: missing, {row['missing']}"
    return f"{row['judge']}: {_scores(row)}. {row['justification']}"


def _scores(row: Row) -> str:
    given = [f"{name.upper()} {row[name]:.2f}" for name in ("far", "sas") if row[name] is not None]
    given += ["no claims"] if row["no_claims"] else []
    given += [row["stance"]] if row["stance"] else []
    return ", ".join(given)


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
            concepts=as_list(concepts),
            packs=as_list(pack),
            levels=as_list(levels),
            trap=trap,
            samples=samples,
            granularity=granularity,
        )
        own = "prompts" if changed.prompts else "thresholds" if changed.thresholds != PAPER else ""
        if own:
            raise PresetError(f"Inspect's tasks take no preset with {own} of its own; use voirdire run.")
        plan = StudyPlan((_NOBODY,), tuple(find_concepts(changed.concepts, changed.folder)), changed, seed=seed)
        metadata = _about(changed, tuple(as_list(jury)))
    if metadata["banner"]:
        _log.warning(metadata["banner"])
    return Task(
        dataset=MemoryDataset(_samples(plan), name=f"voirdire ddft, {changed.name}"),
        solver=cross_examination(Examination(plan, tuple(as_list(jury)))),
        scorer=jury_scores(as_list(jury), seed),
        metrics=[profile_metrics(seed=seed)],
        epochs=changed.samples,
        version=1,
        metadata=metadata,
        viewer=viewer("ddft", SCALES),
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
        interviewers = in_role(INTERVIEWER)
        seats = {INTERVIEWER: InspectModel(interviewers[0], str(interviewers[0]))} if interviewers else {}
        record = SampleRecord({SUBJECT: model, **seats, **judges.models}, plan.seed)
        with user_errors():
            jury = open_jury(judges.names, record, plan.preset.jury)
        interviewer: Interviewer = ModelInterviewer(record, INTERVIEWER) if interviewers else ScriptedInterviewer()
        await run_dialogue(planned, Participants(record, interviewer, jury, record, plan.preset, plan.seed))
        (dialogue,) = dialogues(build_tables(record), jury.jury_id, banner(jury))
        state.store.set(STORED, stored(dialogue, plan.preset.identity(), examination.text(planned)))
        state.messages = to_messages(record.messages)
        state.output = ModelOutput.from_content(name, record.messages[-1].content)
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
        stored = state.store.get(STORED)
        if stored is None:
            return Score.unscored(reason="scoring_failed", explanation="The dialogue was not completed.")
        dialogue = Dialogue(**stored["dialogue"])
        preset, judges = preset_of(stored["preset"]), panel(jury or (), REFERENCE)
        record = SampleRecord(judges.models, seed)
        own_panel = open_jury(judges.names, record, preset.jury)
        if own_panel.jury_id != dialogue.jury:
            concept = parse_concept(stored["concept"], "The concept in the log").concept
            dialogue = await judged_by(own_panel, dialogue, concept, preset, record)
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
