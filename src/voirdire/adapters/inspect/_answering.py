"""One question to the model under test: what the tasks beside DDFT begin with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, cast

from inspect_ai.model import ModelOutput
from inspect_ai.scorer import Score
from inspect_ai.solver import TaskState

from voirdire.adapters.inspect import _translate
from voirdire.adapters.inspect._asking import SUBJECT, SampleRecord
from voirdire.records import Message, Reply, Request, Settings, Slot

_WHY = {"refusal": "The model refused.", "no_response": "The reply was empty."}


class Answered(NamedTuple):
    """What the model under test said."""

    text: str
    missing: Literal["refusal", "no_response"] | None
    """Why there is no answer, in Inspect's words."""


async def answer_of(
    state: TaskState, record: SampleRecord, name: str, messages: Sequence[Message], max_tokens: int
) -> Answered:
    """Put a question to the model under test; its messages and output become those of the sample.

    Args:
        state: of the sample.
        record: makes the call.
        name: of the model.
        messages: the question, and what goes before it.
        max_tokens: of the answer.
    """
    slot = Slot(str(state.sample_id), state.epoch, SUBJECT)
    reply = cast(Reply, await record.ask(name, Request(slot, tuple(messages), Settings(max_tokens=max_tokens))))
    state.messages = _translate.to_messages(record.said)
    state.output = ModelOutput.from_content(name, reply.text)
    text = reply.text.strip()
    if reply.finish_reason == "refusal":
        return Answered(text, "refusal")
    return Answered(text, None if text else "no_response")


def unanswered(missing: str) -> Score:
    """The score of a sample without an answer: none, with the reason, so that no metric counts it."""
    return Score.unscored(reason=missing, explanation=_WHY[missing])
