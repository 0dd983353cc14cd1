"""A study: every dialogue of a run, with one or several subjects, run and judged."""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Any

from voirdire.data.prompt_files import own_prompts
from voirdire.ddft import aliases
from voirdire.ddft.concepts import ConceptFile, find_concepts
from voirdire.ddft.interviewer import (
    Interviewer,
    ModelInterviewer,
    ScriptedInterviewer,
    interviewer_hashes,
)
from voirdire.ddft.judging import DIALOGUE_NOTE, judged_kind, verdicts_kind
from voirdire.ddft.presets import Preset, RoleOptions, own_rubric
from voirdire.ddft.protocol import DialogueSpec, Participants, run_dialogue, subject_hashes
from voirdire.ddft.questions import LAST_TURN, script_hashes
from voirdire.ddft.stopping import Cell, StopRule, check_rule, drawn_order, parse_rule
from voirdire.ddft.thresholds import Thresholds
from voirdire.ddft.unusable_replies import MonitoredJury
from voirdire.errors import InputError
from voirdire.jury import (
    REFERENCE,
    Panel,
    asks_as_needed,
    calls_per_turn,
    check_jury,
    judge_spec,
    kind_hashes,
    prompt_hashes,
)
from voirdire.models import ModelOptions, simulated_role, weights
from voirdire.models.simulated import parse
from voirdire.reason_codes import Reason, reason
from voirdire.runs import (
    Journal,
    Progress,
    Runner,
    RunOptions,
    RunStopped,
    Scrubber,
    Workload,
    at_once,
    options_for,
    run_workers,
    unit_span,
    units_at_once,
)
from voirdire.text.counting import named_twice

SCRIPTED = "scripted"
_OTHER_JURY = "This run can't continue with this judge: start a new run with other judges, in another folder."
_ALIAS = re.compile(r"\w[\w .+-]{0,59}")


class StudyError(InputError):
    """A study that can't be run: one sentence says what was given and what is expected."""


class IncompleteError(StudyError):
    """A study that is not complete where a whole one was asked for."""


@dataclass(frozen=True, slots=True)
class StudyPlan:
    """What is to be run: who is examined, on what, by whom, and how."""

    models: tuple[str, ...]
    concepts: tuple[ConceptFile, ...]
    preset: Preset
    interviewer: str = SCRIPTED
    jury: tuple[str, ...] = (REFERENCE,)
    seed: int = 0
    base_url: str | None = field(default=None, repr=False)
    """For `openai-api/…` models whose role has no address of its own in the preset."""
    exact: bool = False
    stop_when: StopRule | None = None
    """Ask a model no further when this is reached; `None` to run every dialogue."""
    aliases: Mapping[str, str] = field(default_factory=dict)
    """Specs by the names that are shown in their place."""

    def __post_init__(self) -> None:
        if not self.models:
            raise StudyError("No model was named; give at least one, such as local/smollm2-135m.")
        if (model := named_twice(self.models)) is not None:
            raise StudyError(f"The model {model} is named more than once; name each model once.")
        if (judge := named_twice(self.jury)) is not None:
            raise StudyError(
                f"The judge {judge} is named more than once; name each judge once: a copy agrees with itself."
            )
        for alias in self.aliases:
            if Scrubber().whole(alias) != alias:
                raise StudyError("An alias is shown in every table, and one given looks like a key; choose a name.")
            if not _ALIAS.fullmatch(alias):
                raise StudyError(
                    f"{alias!r} can't be an alias: use up to 60 letters, digits, spaces and . _ + -, a letter or digit "
                    "first."
                )
        if self.stop_when is not None:
            check_rule(self.stop_when, len(self.concepts), self.preset.trap)

    @property
    def names(self) -> Mapping[str, str]:
        """The alias of each spec that has one."""
        return {spec: alias for alias, spec in self.aliases.items()}

    @property
    def self_judged(self) -> Reason | None:
        """Which models are to judge themselves; `None` where none is."""
        own = tuple(model for model in self.models if model in self.jury)
        return reason("note_self_judged", models=own) if own else None

    @property
    def simulated_jury(self) -> Reason | None:
        """That a simulated judge is to score a real model; `None` where none is."""
        return simulated_jury(self.jury, self.models)

    @property
    def rubric_unread(self) -> Reason | None:
        """That judges of the plan do not read the preset's own rubric; `None` where all do, or it has none."""
        return rubric_unread([judge_spec(judge) or judge for judge in self.jury], self.preset.identity())

    def manifest(self) -> dict[str, Any]:
        """What run.json records, so that going on with another plan is refused."""
        with own_prompts(self.preset.prompts):
            return self._manifest()

    def _manifest(self) -> dict[str, Any]:
        return {
            "instrument": "ddft",
            "models": list(self.models),
            "interviewer": self.interviewer,
            "jury": list(self.jury),
            "seed": self.seed,
            "base_url": self.base_url,
            "exact": self.exact,
            "preset": self.preset.identity(),
            "concepts": {file.concept.id: file.sha256 for file in self.concepts},
            "prompts": {
                **subject_hashes(dated=any(file.concept.as_of for file in self.concepts)),
                **script_hashes(),
                **interviewer_hashes(),
                **prompt_hashes(),
                **kind_hashes((file.concept.kind, file.concept.as_of) for file in self.concepts),
            },
            **({} if self.stop_when is None else {"stop_when": str(self.stop_when)}),
            **({aliases.FIELD: dict(self.aliases)} if self.aliases else {}),
        }


def plan_study(
    models: Sequence[str],
    preset: Preset,
    *,
    interviewer: str = SCRIPTED,
    jury: Sequence[str] = (REFERENCE,),
    base_url: str | None = None,
    seed: int = 0,
    exact: bool = False,
    stop_when: str | None = None,
) -> StudyPlan:
    """What is to be run, from the words that a command or a function was given.

    Raises:
        ConceptError: a concept of the preset that can't be found.
        StopRuleError: `stop_when` is no rule, or none for this study.
        JuryError: the preset weighs other judges.
        StudyError: no model was named, or one twice, or an alias ("SPEC as ALIAS") can't be used.
    """
    specs, by_alias = parse_models(models)
    preset = replace(preset, jury=preset.jury.for_jury(jury))
    return StudyPlan(
        models=specs,
        concepts=tuple(find_concepts(preset.concepts, preset.folder)),
        preset=preset,
        interviewer=interviewer,
        jury=tuple(jury),
        seed=seed,
        base_url=base_url,
        exact=exact,
        stop_when=None if stop_when is None else parse_rule(stop_when),
        aliases=by_alias,
    )


def parse_models(named: Sequence[str]) -> tuple[tuple[str, ...], dict[str, str]]:
    """Specs, and those of them by alias that have one, from "SPEC" and "SPEC as ALIAS".

    Raises:
        StudyError: two models have the same alias.
    """
    specs: list[str] = []
    by_alias: dict[str, str] = {}
    for each in named:
        spec, separator, alias = (part.strip() for part in each.rpartition(" as "))
        specs.append(spec if separator else alias)
        if separator and by_alias.setdefault(alias, spec) != spec:
            raise StudyError(f"{by_alias[alias]} and {spec} have the alias {alias!r}; give each model one of its own.")
    return tuple(specs), by_alias


def dialogue_specs(plan: StudyPlan) -> list[DialogueSpec]:
    """All dialogues of a study in a seeded order, the same for all models, of which any beginning is mixed.

    Where the run may be stopped, any beginning is balanced over concepts and levels (`stopping.drawn_order`). Runs
    without a rule keep the order that they have always had: going on with one does not depend on it.
    """
    levels = plan.preset.levels
    return [
        DialogueSpec(model, plan.concepts[concept].concept, levels[level], sample, sample * len(levels) + level)
        for concept, level, sample in _ordered_cells(plan)
        for model in plan.models
    ]


def _ordered_cells(plan: StudyPlan) -> list[Cell]:
    concepts, levels, samples = len(plan.concepts), len(plan.preset.levels), plan.preset.samples
    if plan.stop_when is not None:
        return drawn_order(concepts, levels, samples, seed=plan.seed, by_concept=plan.stop_when.by_concept)
    rng = random.Random(f"{plan.seed}/order")  # noqa: S311 - a reproducible order
    ordered: list[Cell] = []
    for sample in range(samples):
        cells = [(concept, level, sample) for concept in range(concepts) for level in range(levels)]
        rng.shuffle(cells)
        ordered += cells
    return ordered


def participating_models(plan: StudyPlan) -> dict[str, ModelOptions]:
    """Every model that takes part, and how it is reached.

    Raises:
        StudyError: one spec is to be reached at two addresses, or a simulated model is given a part that it can't take.
        SpecError: there is no such simulated model, or no weights can have this name.
        JuryError: the jury can't sit under the preset's rules.
    """
    check_jury(plan.jury, plan.preset.jury)
    models: dict[str, ModelOptions] = {}
    roles = [("subject", spec) for spec in plan.models]
    roles += [("interviewer", plan.interviewer)] if plan.interviewer != SCRIPTED else []
    for role, spec in roles:
        if role == "subject" and simulated_role(spec) == "judge":
            raise StudyError(f"{spec} only judges, and can't be examined: name a subject, such as simulated/steady.")
        if role == "interviewer" and simulated_role(spec) is not None:
            raise StudyError(f"{spec} can't write questions: name another model, or leave --interviewer out.")
        options = _options(spec, plan.preset.roles.get(role, RoleOptions()), plan.base_url, plan.exact)
        _add_model(models, spec, options)
    judges = judge_models(plan.jury, plan.preset.roles.get("judge", RoleOptions()), plan.base_url, plan.exact)
    for spec, options in judges.items():
        _add_model(models, spec, options)
    return models


def judge_models(
    jury: Sequence[str], role: RoleOptions, base_url: str | None, exact: bool = False
) -> dict[str, ModelOptions]:
    """The judges' models, and how each is reached; none for the reference panel."""
    specs = [spec for spec in map(judge_spec, jury) if spec is not None]
    return {spec: _options(spec, role, base_url, exact) for spec in specs}


async def run_dialogues(
    plan: StudyPlan,
    journal: Journal,
    runner: Runner,
    panel: Panel,
    options: RunOptions,
) -> str | None:
    """Run and judge every dialogue that is not in the journal yet; where judges are asked by batch, only run them.

    Returns:
        `None` when everything was run, else one sentence that says why the run stopped; the same call goes on.
    """
    judge_later, progress = options.batch is not None, options.progress
    jury = MonitoredJury(panel, progress, plan.preset.jury.granularity, runner.request_stop, _OTHER_JURY)
    participants = Participants(runner, _interviewer(plan, runner), jury, journal, plan.preset, plan.seed, judge_later)
    done = (
        completed_dialogues(journal)
        if judge_later
        else completed_dialogues(journal) & judged_dialogues(journal, panel.jury_id)
    )
    ordered = dialogue_specs(plan)
    queues = [[planned for planned in ordered if planned.model == model] for model in plan.models]
    progress.expect(workloads(plan, judge_later), names=plan.names, estimated=_estimated(plan))
    for planned in ordered:
        if planned.id in done:
            progress.dialogue_done(planned.model)

    async def one(planned: DialogueSpec) -> None:
        with unit_span("dialogue", planned.id):
            complete = await run_dialogue(planned, participants)
        progress.dialogue_done(planned.model, failed=not complete)

    def under_way(model: str) -> int:
        # What a limit ends early should be whole dialogues, not the first turns of all of them.
        limited = options.max_cost is not None or options.max_calls is not None
        return (at_once if limited else units_at_once)(model, options.connections)

    def workers(queue: Sequence[DialogueSpec]) -> list[Coroutine[Any, Any, None]]:
        waiting = iter([planned for planned in queue if planned.id not in done])
        return [_work(waiting, one) for _ in range(under_way(queue[0].model))]

    if plan.stop_when is None:
        return await run_workers([worker for queue in queues for worker in workers(queue)], runner)

    async def batch(queue: Sequence[DialogueSpec]) -> None:
        stopped = await run_workers(workers(queue), runner)
        if stopped is not None:
            raise RunStopped(stopped)

    shown = aliases.shown(plan.models, plan.names)
    workers_until_narrow = [
        _until_narrow(queue, plan.stop_when, batch, journal, panel.jury_id, plan.preset.thresholds, progress, name)
        for queue, name in zip(queues, shown, strict=True)
    ]
    return await run_workers(workers_until_narrow, runner)


def workloads(plan: StudyPlan, judge_later: bool = False) -> list[Workload]:
    """Each subject's dialogues, and how many calls of each model one of them takes where no call is repeated.

    Args:
        plan: what is to be run.
        judge_later: whether the jury judges when all dialogues are held.
    """
    asked: dict[str, float] = defaultdict(float)
    if plan.interviewer != SCRIPTED:
        asked[plan.interviewer] += LAST_TURN
    for name in () if judge_later else plan.jury:
        spec = judge_spec(name)
        if spec is not None:
            asked[spec] += calls_per_turn(name, plan.preset.jury) * LAST_TURN
    dialogues = Counter(planned.model for planned in dialogue_specs(plan))
    return [
        Workload(model, dialogues[model], {**asked, model: asked.get(model, 0.0) + LAST_TURN}) for model in plan.models
    ]


def _estimated(plan: StudyPlan) -> set[str]:
    """Models of which nobody can say how many calls they get.

    An interviewer asks again, some judges as they need, and the fifth turn may be asked only after an acceptance.
    """
    if plan.preset.may_skip_a_turn:
        return set(participating_models(plan))
    judges = {spec for name in plan.jury if (spec := judge_spec(name)) is not None and asks_as_needed(name)}
    return judges | ({plan.interviewer} - {SCRIPTED})


def completed_dialogues(journal: Journal) -> set[str]:
    """Dialogues that are complete: no call failed."""
    return {dialogue for dialogue, body in _bodies(journal, DIALOGUE_NOTE).items() if body["complete"]}


def judged_dialogues(journal: Journal, jury_id: str) -> set[str]:
    """Dialogues of which every answer, as they were last run, has been judged by all of this jury."""
    answers = {dialogue: body["answers"] for dialogue, body in _bodies(journal, DIALOGUE_NOTE).items()}
    return {
        dialogue
        for dialogue, body in _bodies(journal, judged_kind(jury_id)).items()
        if body["complete"] and body["answers"] == answers.get(dialogue)
    }


def settled_dialogues(journal: Journal, jury_id: str, dialogues: Set[str]) -> set[str]:
    """Of these dialogues, those judged as far as this jury can: what is missing was asked for, and answered in vain."""
    ids, kinds = sorted(dialogues), (judged_kind(jury_id), verdicts_kind(jury_id))
    notes = journal.notes_in(ids, (*kinds, DIALOGUE_NOTE))
    answers = {note.dialogue: note.body["answers"] for note in notes if note.kind == DIALOGUE_NOTE}
    answered_in_full = {
        note.dialogue for note in notes if note.kind == kinds[0] and note.body["answers"] == answers.get(note.dialogue)
    }
    call_failed = {
        note.dialogue
        for note in notes
        if note.kind == kinds[1] and any(verdict["call_failed"] for verdict in note.body["verdicts"])
    }
    return answered_in_full - call_failed


def _bodies(journal: Journal, kind: str) -> dict[str, Any]:
    return {note.dialogue: note.body for note in journal.notes((kind,))}


async def _work(queue: Iterator[DialogueSpec], run_one: Callable[[DialogueSpec], Coroutine[Any, Any, None]]) -> None:
    for planned in queue:
        await run_one(planned)


async def _until_narrow(
    queue: Sequence[DialogueSpec],
    rule: StopRule,
    batch: Callable[[Sequence[DialogueSpec]], Coroutine[Any, Any, None]],
    journal: Journal,
    jury_id: str,
    thresholds: Thresholds,
    progress: Progress,
    name: str,
) -> None:
    """Run a model's dialogues until its interval is narrow enough, and say so."""
    from voirdire.ddft.stopping.interim import run_until_narrow  # brings in numpy, which only looking needs

    history = await run_until_narrow(queue, rule, batch, journal, jury_id, thresholds)
    progress.dialogues_spared(history.dialogues - history.asked, queue[0].model)
    progress.say(f"{name}: {history.note}")


def _interviewer(plan: StudyPlan, runner: Runner) -> Interviewer:
    return ScriptedInterviewer() if plan.interviewer == SCRIPTED else ModelInterviewer(runner, plan.interviewer)


def _add_model(models: dict[str, ModelOptions], spec: str, options: ModelOptions) -> None:
    if spec.startswith("simulated/"):
        parse(spec)
    elif spec.startswith("local/"):
        weights.check_name(spec.removeprefix("local/"))
    if models.setdefault(spec, options) != options:
        raise StudyError(f"{spec} is to be reached in two ways in one run; give it one address and one price.")


def _options(spec: str, role: RoleOptions, base_url: str | None, exact: bool) -> ModelOptions:
    options = options_for(
        spec, base_url, api_key_env=role.api_key_env, price_per_million=role.price_per_million, exact=exact
    )
    return replace(options, base_url=role.base_url) if role.base_url else options


def rubric_unread(jury: Sequence[str], preset: Mapping[str, Any]) -> Reason | None:
    """Which judges of a jury, by name, do not read the own rubric of a preset, by its identity; `None` where all do."""
    prompts = tuple(own_rubric(preset))
    judges = tuple(judge for judge in jury if judge == REFERENCE or simulated_role(judge.partition("#")[0]))
    return reason("note_rubric_unread", judges=judges, prompts=prompts) if judges and prompts else None


def simulated_jury(jury: Sequence[str], subjects: Sequence[str]) -> Reason | None:
    """That a simulated judge's scores of a real model mean nothing; `None` where no such judge scores one."""
    judges = tuple(spec for spec in map(judge_spec, jury) if spec is not None and simulated_role(spec))
    real = tuple(spec for spec in subjects if simulated_role(spec) is None)
    return reason("note_simulated_jury", judges=judges, models=real) if judges and real else None
