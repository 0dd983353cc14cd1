"""What a study would send: the prompts of its first dialogue, with a place for every answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from voirdire.data.json_values import as_object
from voirdire.data.prompt_files import own_prompts
from voirdire.ddft.expected_calls import Role, expected_calls
from voirdire.ddft.interviewer import Interviewer, ModelInterviewer, Question, ScriptedInterviewer
from voirdire.ddft.protocol import DialogueSpec, Participants, run_dialogue
from voirdire.ddft.questions import Ask
from voirdire.ddft.study import SCRIPTED, StudyPlan, dialogue_specs, participating_models
from voirdire.jury import Asks, Decision, calls_on
from voirdire.records import JudgeTask, Reply, Request, Settings, WireMessage
from voirdire.runs import apply_fences

_SECRET = b"fences of a dry run"


@dataclass(frozen=True, slots=True)
class PlannedCall:
    """One call as it would be sent."""

    role: Role
    model: str
    """Of a judge, its name in the jury."""
    turn: int
    """0 where a judge is asked about all turns at once."""
    messages: tuple[WireMessage, ...]
    settings: Settings
    schema: Mapping[str, Any] | None

    def as_dict(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        messages = [{"role": message.role, "content": message.content} for message in self.messages]
        return as_object(self) | {"messages": messages}


@dataclass(frozen=True, slots=True)
class Calls:
    """How often a model would be asked in one role."""

    role: Role
    model: str
    calls: int


@dataclass(frozen=True, slots=True)
class DryRun:
    """What a study would send."""

    dialogues: int
    dialogue: str
    """The first one, whose prompts these are."""
    trap: str
    """Of the preset; "none" where nothing fabricated is asked about."""
    calls: tuple[Calls, ...]
    """If five questions are asked in every dialogue and no call is repeated."""
    prompts: tuple[PlannedCall, ...]

    def as_dict(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        return as_object(self)


async def dry_run(plan: StudyPlan) -> DryRun:
    """Go through the first dialogue of a study without calling a model or writing a file.

    Fences have other marks than in a run, whose secret they are made with.

    Raises:
        StudyError, SpecError, JuryError: the plan can't be run as it is.
    """
    participating_models(plan)
    names = plan.names
    calls = tuple(Calls(each.role, names.get(each.spec, each.spec), round(each.calls)) for each in expected_calls(plan))
    ordered = dialogue_specs(plan)
    with own_prompts(plan.preset.prompts):
        prompts = [replace(each, model=names.get(each.model, each.model)) for each in await _prompts(ordered[0], plan)]
    return DryRun(len(ordered), ordered[0].id, plan.preset.trap, calls, tuple(prompts))


async def _prompts(planned: DialogueSpec, plan: StudyPlan) -> list[PlannedCall]:
    asked, jury = _Asked(), _Listening()
    interviewer = ScriptedInterviewer() if plan.interviewer == SCRIPTED else _Unwritten(asked, plan.interviewer)
    preset = replace(plan.preset, turn5="always")
    await run_dialogue(planned, Participants(asked, interviewer, jury, _NoNotes(), preset, plan.seed))
    judging = [
        _prompt("judge", name, request)
        for name in dict.fromkeys(plan.jury)
        for request in calls_on(name, jury.tasks, plan.preset.jury)
    ]
    return asked.prompts + judging


def _prompt(role: Role, model: str, request: Request) -> PlannedCall:
    messages = tuple(
        apply_fences(request.messages, _SECRET, replace(request.slot, agent=""))
    )  # one mark for all judges
    return PlannedCall(role, model, request.slot.turn, messages, request.settings, request.schema)


@dataclass(slots=True)
class _Asked:
    """Keeps what subject and interviewer would be asked, and gives a place for the answer."""

    prompts: list[PlannedCall] = field(default_factory=list)

    async def ask(self, spec: str, request: Request) -> Reply:
        if request.slot.repair == 0:
            role: Role = "subject" if request.slot.role == "subject" else "interviewer"
            self.prompts.append(_prompt(role, spec, request))
        return Reply(f"[answer {request.slot.turn}]", "stop")


class _Unwritten:
    """An interviewing model whose question nobody has written yet."""

    def __init__(self, asker: Asks, model: str) -> None:
        self._interviewer: Interviewer = ModelInterviewer(asker, model)

    async def question(self, dialogue: str, ask: Ask, history: Sequence[tuple[str, str]]) -> Question:
        await self._interviewer.question(dialogue, ask, history)
        return Question(f"[question {ask.turn}]", "llm")


@dataclass(slots=True)
class _Listening:
    """A jury that keeps what it is to judge, and decides nothing."""

    tasks: list[JudgeTask] = field(default_factory=list)
    jury_id: str = "dry run"

    async def decide(self, task: JudgeTask) -> Decision:
        self.tasks.append(task)
        return Decision.unanswered()

    async def decide_dialogue(self, tasks: Sequence[JudgeTask]) -> list[Decision]:
        return [await self.decide(task) for task in tasks]


class _NoNotes:
    async def note(self, dialogue: str, turn: int, kind: str, body: Mapping[str, Any]) -> None:
        pass
