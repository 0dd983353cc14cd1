"""One dialogue: the user's turns put to a model, each with the model's own earlier answers as history."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from voirdire.cognibench.generation.references import Reference
from voirdire.cognibench.generation.user import Notes
from voirdire.data import load_prompt
from voirdire.detectors.records import Answer, Exchange, Statement
from voirdire.jury.structured import Asks
from voirdire.records import CallFailure, Message, Reply, Request, Settings, Slot
from voirdire.text import cut_answer

Outcome = Literal["answered", "cut", "refused", "empty", "failed"]

_NOTE = "turn"


@dataclass(frozen=True, slots=True)
class HeldTurn:
    """A question that was put to a model, and what came of it."""

    question: str
    outcome: Outcome
    """"cut": answered up to the limit of tokens; "failed": the call did not succeed, and is made again next time."""
    answer: str | None = None
    """`None` unless the outcome is "answered" or "cut": nothing is put in the place of an answer."""
    error: str | None = None


def dialogue_of(reference: Reference, model: str) -> str:
    """The name of a dialogue in its run."""
    return f"{reference.id}|{model}"


def assistant_hashes() -> dict[str, str]:
    """SHA-256 of what the models are told."""
    return {"dialogue_assistant": load_prompt("dialogue_assistant").sha256}


async def hold_dialogue(
    reference: Reference, questions: Sequence[str], model: str, settings: Settings, asker: Asks, notes: Notes
) -> bool:
    """Put every question to a model.

    A refused or empty answer is recorded and left out of what later turns see; a call that fails ends the dialogue for
    this session, since what follows would be asked on another history than it should.

    Args:
        reference: what the model is given.
        questions: the user's turns.
        model: its spec.
        settings: how it is asked.
        asker: makes the calls.
        notes: where turns are kept.

    Returns:
        Whether the dialogue is complete.

    Raises:
        RunStopped: no further call is made.
    """
    name = dialogue_of(reference, model)
    opening = load_prompt("dialogue_assistant").messages(reference=reference.text)
    said: list[Message] = []
    for number, question in enumerate(questions, start=1):
        asked = Message.of("user", question)
        request = Request(Slot(name, number, "subject"), (*opening, *said, asked), settings)
        turn = _turn(question, await asker.ask(model, request))
        await notes.note(name, number, _NOTE, asdict(turn))
        if turn.outcome == "failed":
            return False
        if turn.answer is not None:
            said += [asked, Message.of("assistant", turn.answer)]
    return True


def held_turns(reference: Reference, model: str, turns: int, notes: Notes) -> list[HeldTurn]:
    """The turns of a dialogue that are on record, in order; those after a failed call are not."""
    name = dialogue_of(reference, model)
    held: list[HeldTurn] = []
    for number in range(1, turns + 1):
        body: Mapping[str, Any] | None = notes.note_of(name, number, _NOTE)
        if body is None:
            break
        held.append(HeldTurn(**body))
        if held[-1].outcome == "failed":
            break
    return held


def complete(held: Sequence[HeldTurn], turns: int) -> bool:
    """Whether every turn of a dialogue has been put and come back."""
    return len(held) == turns and held[-1].outcome != "failed"


def answers_of(reference: Reference, model: str, held: Sequence[HeldTurn], *, plain: bool = False) -> list[Answer]:
    """What a model answered, turn by turn, cut into sentences; turns without an answer are left out, and count."""
    name = dialogue_of(reference, model)
    history: tuple[Exchange, ...] = ()
    answers: list[Answer] = []
    for turn, each in enumerate(held):
        if each.answer is None:
            continue
        answers.append(
            Answer(
                id=f"{name}_{turn}",
                dialogue=name,
                group=reference.id,
                context=reference.text,
                question=each.question,
                text=each.answer,
                statements=tuple(Statement(*sentence) for sentence in cut_answer(each.answer, plain=plain)),
                history=history,
                turn=turn,
                topic=reference.topic,
                model=model,
            )
        )
        history = (*history, Exchange(each.question, each.answer))
    return answers


def _turn(question: str, reply: Reply | CallFailure) -> HeldTurn:
    if isinstance(reply, CallFailure):
        return HeldTurn(question, "failed", error=f"{reply.kind}: {reply.message}")
    if reply.finish_reason == "refusal":
        return HeldTurn(question, "refused", error="the model refused")
    answer = reply.text.strip()
    if not answer:
        return HeldTurn(question, "empty", error="the reply was empty")
    return HeldTurn(question, "cut" if reply.finish_reason == "length" else "answered", answer)
