"""Who takes part in a task of Inspect, and the calls of one sample, made through its models."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, cast

from inspect_ai._util.error import PrerequisiteError
from inspect_ai.log import transcript
from inspect_ai.model import Model as TheirModel
from inspect_ai.model import ModelOutput, get_model, model_roles
from inspect_ai.scorer import Score
from inspect_ai.solver import TaskState

from voirdire.adapters.inspect.models import InspectModel, to_messages
from voirdire.models import Model, ModelError
from voirdire.records import CallFailure, Message, Reply, Request, Settings, Slot, Turn, WireMessage
from voirdire.runs import RecordedNote, RecordedReply, ReplyPlace, apply_fences, seed_of
from voirdire.runs.rows import storable

SUBJECT = "subject"
INTERVIEWER = "interviewer"
_INDISPENSABLE = (SUBJECT, INTERVIEWER)
"""Roles without whose reply there is no sample; the failure of any other one is recorded by who asked."""

_SECRET = secrets.token_bytes(32)
"""Fences are made with it; known to this process alone."""


class SampleRecord:
    """Asks, and remembers what was asked, answered and decided in one sample.

    Args:
        models: who may be asked, by name; the model under test is called `SUBJECT`, whatever its dialogues call it.
        seed: the seed of each call derives from it and the call's slot.
    """

    def __init__(self, models: Mapping[str, Model], seed: int) -> None:
        self._models = models
        self._seed = seed
        self._notes: dict[tuple[str, int, str], Any] = {}
        self._replies: list[RecordedReply] = []
        self.messages: list[WireMessage] = []
        """The dialogue as the subject saw it, its last answer included."""

    async def ask(self, spec: str, request: Request, /) -> Reply | CallFailure:
        """Make one call.

        Raises:
            Exception: whatever Inspect raised, when the subject or the interviewer could not be called: the sample
                fails, as a user of Inspect expects.
        """
        by_subject = request.slot.role == SUBJECT
        model = self._models[SUBJECT if by_subject else spec]
        messages = apply_fences(request.messages, _SECRET, request.slot)
        seed = seed_of(request.slot, self._seed)
        try:
            reply = storable(await model.complete(messages, request.settings, schema=request.schema, seed=seed))
        except ModelError as error:
            if request.slot.role in _INDISPENSABLE:
                raise error.__cause__ or error from None
            return CallFailure(error.kind, str(error), attempts=1)
        self._replies.append(RecordedReply("", spec, request.slot, reply))
        if by_subject:
            self.messages = [*messages, WireMessage("assistant", reply.text)]
        return reply

    def recall(self, turn: Turn) -> None:
        """Take in an answer that was given before."""
        if turn.answer is not None:
            slot = Slot(turn.dialogue, turn.turn, "imported")
            self._replies.append(RecordedReply("", turn.model, slot, Reply(turn.answer, "stop")))

    async def note(self, dialogue: str, turn: int, kind: str, body: Mapping[str, Any]) -> None:
        """Keep what was decided, and show it in the sample's transcript."""
        self._notes[dialogue, turn, kind] = dict(body)
        transcript().info({"turn": turn, **body}, source=f"voirdire {kind}")

    def notes(self, kinds: Sequence[str] = ()) -> Iterator[RecordedNote]:
        """All notes, or those of these kinds; the last word on a kind stands."""
        all_notes = (RecordedNote(*where, body) for where, body in self._notes.items())
        return (note for note in all_notes if not kinds or note.kind in kinds)

    def notes_in(self, dialogues: Sequence[str], kinds: Sequence[str]) -> list[RecordedNote]:
        """Those of these dialogues and kinds."""
        return [note for note in self.notes(kinds) if note.dialogue in dialogues]

    def note_kinds(self) -> set[str]:
        """Every kind of note there is."""
        return {kind for _, _, kind in self._notes}

    def reply_places(self, roles: Sequence[str]) -> Iterator[ReplyPlace]:
        """Where the replies to calls of these roles belong, in order."""
        for number, recorded in enumerate(self._replies):
            if recorded.slot.role in roles:
                yield ReplyPlace(number, recorded.slot.dialogue, recorded.slot.turn)

    def reply_texts(self, ids: Sequence[int]) -> dict[int, str]:
        """What replies say, by their ids."""
        return {number: self._replies[number].reply.text for number in ids}


def names_of(models: Sequence[object]) -> list[str]:
    """A name for each of Inspect's models, as `str` gives it; a second one of the same name is called NAME#2."""
    names: list[str] = []
    for model in map(str, models):
        number = sum(name.split("#")[0] == model for name in names) + 1
        names.append(model if number == 1 else f"{model}#{number}")
    return names


_WHY = {"refusal": "The model refused.", "no_response": "The reply was empty."}


class SubjectAnswer(NamedTuple):
    """What the model under test said."""

    text: str
    missing: Literal["refusal", "no_response"] | None
    """Why there is no answer, in Inspect's words."""


async def answer_of(
    state: TaskState, record: SampleRecord, name: str, messages: Sequence[Message], max_tokens: int
) -> SubjectAnswer:
    """Put a question to the model under test; its messages and output become those of the sample."""
    slot = Slot(str(state.sample_id), state.epoch, SUBJECT)
    reply = cast(Reply, await record.ask(name, Request(slot, tuple(messages), Settings(max_tokens=max_tokens))))
    state.messages = to_messages(record.messages)
    state.output = ModelOutput.from_content(name, reply.text)
    text = reply.text.strip()
    if reply.finish_reason == "refusal":
        return SubjectAnswer(text, "refusal")
    return SubjectAnswer(text, None if text else "no_response")


def unanswered(missing: str) -> Score:
    """The score of a sample without an answer: none, with the reason, so that no metric counts it."""
    return Score.unscored(reason=missing, explanation=_WHY[missing])


JUDGE = "judge"


@dataclass(frozen=True, slots=True)
class InspectPanel:
    """Those who judge, in order: a name that no model stands behind is our own (`reference`, `rules`)."""

    names: tuple[str, ...]
    models: Mapping[str, Model]


def panel(named: Sequence[str], otherwise: str) -> InspectPanel:
    """The models in the role `judge`, then those that the task names, else `otherwise`.

    Raises:
        PrerequisiteError: a name that Inspect can't open.
    """
    given: list[TheirModel | str] = [*in_role(JUDGE)]
    given += [name if name == otherwise else _open(name) for name in named]
    if not given:
        return InspectPanel((otherwise,), {})
    names = names_of(given)
    models = {
        name: InspectModel(model, name)
        for name, model in zip(names, given, strict=True)
        if isinstance(model, TheirModel)
    }
    return InspectPanel(tuple(names), models)


def in_role(role: str) -> list[TheirModel]:
    """The models that the user has bound to a role."""
    bound = model_roles().get(role)
    if bound is None:
        return []
    return list(bound) if isinstance(bound, list) else [bound]


def subject() -> tuple[str, InspectModel]:
    """The model under test, and its name."""
    model = get_model()
    return str(model), InspectModel(model, str(model))


def as_list(given: str | int | float | Sequence[str | int | float] | None) -> list[str]:
    """A task's parameter as a list: Inspect splits `-T levels=0,0.5` at commas, and makes a number of `-T levels=0`."""
    if given is None:
        return []
    parts = [given] if isinstance(given, str | int | float) else given
    return [piece.strip() for part in parts for piece in str(part).split(",") if piece.strip()]


@contextmanager
def user_errors() -> Iterator[None]:
    """Turn this package's own errors, whose messages are sentences for the user, into Inspect's."""
    try:
        yield
    except Exception as error:
        if not type(error).__module__.startswith("voirdire."):
            raise
        raise PrerequisiteError(str(error)) from error


def _open(name: str) -> TheirModel:
    try:
        return get_model(name)
    except ValueError as error:
        raise PrerequisiteError(f"The judge {name!r} can't be opened by Inspect: {error}") from error
