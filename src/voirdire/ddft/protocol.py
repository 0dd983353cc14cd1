"""One dialogue: five questions to a subject, each answer sent to the jury as soon as it is there (DDFT 3)."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

from voirdire.data.prompt_files import load_prompt
from voirdire.ddft.compression import compress
from voirdire.ddft.example import example_of
from voirdire.ddft.interviewer import Interviewer, InterviewerFailed, Question
from voirdire.ddft.judging import (
    Jury,
    NoteWriter,
    answer_hash,
    judge_dialogue,
    judge_task,
    judge_turn,
    nobody_missing,
    note_dialogue,
    note_judged,
)
from voirdire.ddft.presets import Preset
from voirdire.ddft.questions import (
    LAST_TURN,
    NO_EXAMPLE,
    TRAP_TURN,
    Ask,
    interview_setting,
    known_example,
    situation_of,
)
from voirdire.ddft.traps import TrapDraw, draw_trap, kind_for, trap_seed
from voirdire.jury import Asks, Decision, reference_stance
from voirdire.records import (
    CallFailure,
    Concept,
    Message,
    Reply,
    Request,
    Scene,
    Settings,
    Slot,
    Stance,
    Trap,
    Turn,
    dialogue_id,
)

_AS_OF = "kind_subject_as_of"


@dataclass(frozen=True, slots=True)
class DialogueSpec:
    """Which dialogue this is."""

    model: str
    concept: Concept
    level: float
    sample: int
    position: int
    """Number of the dialogue within its concept: settles the kind of trap."""

    @property
    def id(self) -> str:
        """The dialogue's name in the journal."""
        return dialogue_id(self.model, self.concept.id, self.level, self.sample)


@dataclass(frozen=True, slots=True)
class Participants:
    """Who takes part in the dialogues of a run."""

    asker: Asks
    interviewer: Interviewer
    jury: Jury
    notes: NoteWriter
    preset: Preset
    seed: int
    judges_later: bool = False
    """Dialogues are run without the jury, which judges all of them when they are there."""


@dataclass(slots=True)
class _DialogueState:
    """The state of one dialogue."""

    planned: DialogueSpec
    draw: TrapDraw | None
    turns: list[Turn] = field(default_factory=list)
    history: list[tuple[str, str]] = field(default_factory=list)
    judging: list[asyncio.Task[Decision]] = field(default_factory=list)
    example: str | None = None
    stance: Stance | None = None


async def run_dialogue(planned: DialogueSpec, participants: Participants) -> bool:
    """Run one dialogue and have it judged; everything of it is in the journal when this returns.

    Returns:
        Whether it is complete: every question was asked, and has an answer.

    Raises:
        RunStopped: the budget is spent or the user interrupted; what was in flight has been committed.
    """
    state = _DialogueState(planned, _draw_trap(planned, participants))
    try:
        interrupted = await _ask_turns(state, participants)
        decisions = await _decisions(state, participants)
    finally:
        await asyncio.gather(*state.judging, return_exceptions=True)
    turns = state.turns
    complete = await note_dialogue(planned.id, turns, interrupted, participants.notes)
    if turns and not participants.judges_later:
        await note_judged(turns, nobody_missing(decisions), participants.jury.jury_id, participants.notes)
    return complete


def subject_hashes(*, dated: bool = False) -> dict[str, str]:
    """SHA-256 of what subjects are told, for a run's identity. `dated`: a concept has a date that they are told."""
    names = ("subject_reference", "subject_bare", *((_AS_OF,) if dated else ()))
    return {name: load_prompt(name).sha256 for name in names}


def _draw_trap(planned: DialogueSpec, participants: Participants) -> TrapDraw | None:
    if participants.preset.trap == "none":
        return None
    kind = kind_for(participants.preset.trap, participants.seed, planned.concept.id, planned.position)
    return draw_trap(planned.concept, kind, _seed(planned, participants))


def _seed(planned: DialogueSpec, participants: Participants) -> str:
    return trap_seed(participants.seed, planned.concept.id, planned.level, planned.sample)


def _asks_last_turn(state: _DialogueState, preset: Preset) -> bool:
    if preset.turn5 == "always" or state.draw is None:
        return True
    return state.stance == "accepted"


async def _ask_turns(state: _DialogueState, participants: Participants) -> str | None:
    """Ask the questions, and have answers judged as they come; why it broke off, if the interviewer failed."""
    for number in range(1, LAST_TURN + 1):
        if number == LAST_TURN and not _asks_last_turn(state, participants.preset):
            break
        try:
            turn = await _ask_turn(number, state, participants)
        except InterviewerFailed as failure:
            return str(failure)
        state.turns.append(turn)
        if participants.preset.jury.granularity == "turn" and not participants.judges_later:
            state.judging.append(asyncio.create_task(_judge(turn, state, participants)))
        if turn.answer is None:
            break
        if number == TRAP_TURN and state.draw is not None:
            await _settle_stance(turn, state, participants)
    return None


async def _decisions(state: _DialogueState, participants: Participants) -> list[Decision]:
    if participants.judges_later:
        return []
    if participants.preset.jury.granularity == "turn":
        return await asyncio.gather(*state.judging)
    return await judge_dialogue(
        state.turns, state.planned.concept, participants.preset, participants.jury, participants.notes
    )


async def _ask_turn(number: int, state: _DialogueState, participants: Participants) -> Turn:
    planned = state.planned
    trap = state.draw.trap if state.draw and number >= TRAP_TURN else None
    question = await _next_question(number, trap, state, participants)
    request = Request(
        slot=Slot(planned.id, number, "subject"),
        messages=_messages(question, state, participants.preset),
        settings=_settings(participants.preset),
        scene=Scene(
            planned.concept.name,
            planned.concept.facts,
            number,
            planned.level,
            trap,
            earlier_stance=state.stance,
        ),
    )
    reply = await participants.asker.ask(planned.model, request)
    answer, finish_reason, error = _outcome(reply)
    turn = Turn(
        model=planned.model,
        concept=planned.concept.id,
        level=planned.level,
        turn=number,
        question=question.text,
        answer=answer,
        question_source=question.source,
        question_notes=question.notes,
        trap=trap,
        finish_reason=finish_reason,
        error=error,
        sample=planned.sample,
    )
    await participants.notes.note(planned.id, number, "turn", turn_body(turn))
    if answer is not None:
        _remember(question.text, answer, number, state)
    return turn


def _outcome(reply: Reply | CallFailure) -> tuple[str | None, str, str | None]:
    """(answer, finish reason, error) of a call to the subject."""
    if isinstance(reply, CallFailure):
        return None, "", f"{reply.kind}: {reply.message}"
    return reply.text, reply.finish_reason, None


def _settings(preset: Preset) -> Settings:
    return Settings(
        max_tokens=preset.subject_max_tokens,
        temperature=preset.subject_temperature,
        reasoning=preset.subject_reasoning,
    )


async def _next_question(number: int, trap: Trap | None, state: _DialogueState, participants: Participants) -> Question:
    planned = state.planned
    seed = _seed(planned, participants)
    place, topic = interview_setting(planned.concept, seed)
    ask = Ask(
        turn=number,
        situation=situation_of(number, trap, state.stance),
        concept=planned.concept.name if participants.preset.name_concept else "this concept",
        example=state.example,
        trap=trap,
        place=place,
        topic=topic,
        seed=seed,
        known_example=known_example(planned.concept) if participants.preset.name_concept else "",
    )
    question = await participants.interviewer.question(planned.id, ask, state.history)
    rejected = state.draw.rejected if state.draw and number == TRAP_TURN else ()
    no_example = (NO_EXAMPLE,) if number >= 3 and not state.example else ()
    return Question(question.text, question.source, (*question.notes, *no_example, *rejected))


def _messages(question: Question, state: _DialogueState, preset: Preset) -> tuple[Message, ...]:
    messages = list(opening(state.planned, preset))
    for question_text, answer_text in state.history:
        messages += [Message.of("user", question_text), Message.of("assistant", answer_text)]
    return (*messages, Message.of("user", question.text))


def opening(planned: DialogueSpec, preset: Preset) -> tuple[Message, ...]:
    """What the subject is told before the first question."""
    if not preset.name_concept:
        return ()
    concept = planned.concept
    reference = compress(concept.reference, planned.level, preset.compression) if preset.compression else ""
    if reference:
        messages = load_prompt("subject_reference").messages(concept=concept.name, reference=reference)
    else:
        messages = load_prompt("subject_bare").messages(concept=concept.name)
    return _dated(messages, concept.as_of) if concept.as_of else messages


def _dated(messages: tuple[Message, ...], as_of: str) -> tuple[Message, ...]:
    """The system message, with the date that the answers are to hold at."""
    *before, last = messages
    (date_message,) = load_prompt(_AS_OF).messages(as_of=as_of)
    return (*before, Message(last.role, (*last.parts, "\n\n", *date_message.parts)))


def _remember(question: str, answer: str, number: int, state: _DialogueState) -> None:
    state.history.append((question, answer))
    if number == 2:
        state.example = example_of(answer, state.planned.concept.name)


async def _judge(turn: Turn, state: _DialogueState, participants: Participants) -> Decision:
    history = tuple(state.history[: turn.turn - 1])
    task = judge_task(turn, state.planned.concept, participants.preset, history)
    return await judge_turn(turn, task, participants.jury, participants.notes)


async def _settle_stance(turn: Turn, state: _DialogueState, participants: Participants) -> None:
    """What turn 5 takes the subject's stance to be: the jury's, or the reference panel's where the jury gives none.

    A jury that judges whole dialogues, or later, has not spoken yet.
    """
    basis = "jury"
    if state.judging:
        state.stance = (await state.judging[-1]).consensus.stance
    if state.stance is None:
        task = judge_task(turn, state.planned.concept, participants.preset, tuple(state.history[:-1]))
        state.stance, basis = reference_stance(task), "reference panel"
    body = {"stance": state.stance, "basis": basis, "jury": participants.jury.jury_id}
    await participants.notes.note(state.planned.id, TRAP_TURN, "stance", body)


def turn_body(turn: Turn) -> dict[str, Any]:
    """A turn as the journal notes it. The answer stands in the call; its hash says which, should there be several."""
    return {
        "model": turn.model,
        "concept": turn.concept,
        "level": turn.level,
        "sample": turn.sample,
        "question": turn.question,
        "question_source": turn.question_source,
        "question_notes": list(turn.question_notes),
        "trap": None if turn.trap is None else [turn.trap.kind, turn.trap.item, turn.trap.description],
        "answer_sha256": answer_hash(turn.answer),
        "finish_reason": turn.finish_reason,
        "error": turn.error,
    }
