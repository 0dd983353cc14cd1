"""One dialogue: five questions to a subject, each answer sent to the jury as soon as it is there (DDFT 3)."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

from voirdire.data import load_prompt
from voirdire.ddft.compression import compress
from voirdire.ddft.example import example_of
from voirdire.ddft.interviewer import Interviewer, InterviewerFailed, Question
from voirdire.ddft.judging import (
    Decides,
    Notes,
    answer_hash,
    judge_dialogue,
    judge_task,
    judge_turn,
    nobody_missing,
    note_held,
    note_judged,
)
from voirdire.ddft.presets import Preset
from voirdire.ddft.questions import LAST_TURN, NO_EXAMPLE, TRAP_TURN, Ask, interview_setting, situation_of
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
class Docket:
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
class Court:
    """Who takes part in the dialogues of a run."""

    asker: Asks
    interviewer: Interviewer
    jury: Decides
    notes: Notes
    preset: Preset
    seed: int
    judges_later: bool = False
    """Dialogues are held without the jury, which judges all of them when they are there."""


@dataclass(slots=True)
class _Hearing:
    """The state of one dialogue."""

    docket: Docket
    draw: TrapDraw | None
    turns: list[Turn] = field(default_factory=list)
    said: list[tuple[str, str]] = field(default_factory=list)
    judging: list[asyncio.Task[Decision]] = field(default_factory=list)
    example: str | None = None
    stance: Stance | None = None


async def examine(docket: Docket, court: Court) -> None:
    """Hold one dialogue and have it judged; everything of it is in the journal when this returns.

    Raises:
        RunStopped: the budget is spent or the user interrupted; what was in flight has been committed.
    """
    hearing = _Hearing(docket, _draw(docket, court))
    try:
        interrupted = await _hold_turns(hearing, court)
        decisions = await _decisions(hearing, court)
    finally:
        await asyncio.gather(*hearing.judging, return_exceptions=True)
    turns = hearing.turns
    await note_held(docket.id, turns, interrupted, court.notes)
    if turns and not court.judges_later:
        await note_judged(turns, nobody_missing(decisions), court.jury.jury_id, court.notes)


def subject_hashes(*, dated: bool = False) -> dict[str, str]:
    """SHA-256 of what subjects are told, for a run's identity. `dated`: a concept has a date that they are told."""
    names = ("subject_reference", "subject_bare", *((_AS_OF,) if dated else ()))
    return {name: load_prompt(name).sha256 for name in names}


def _draw(docket: Docket, court: Court) -> TrapDraw | None:
    if court.preset.trap == "none":
        return None
    kind = kind_for(court.preset.trap, court.seed, docket.concept.id, docket.position)
    return draw_trap(docket.concept, kind, _seed(docket, court))


def _seed(docket: Docket, court: Court) -> str:
    return trap_seed(court.seed, docket.concept.id, docket.level, docket.sample)


def _goes_on(hearing: _Hearing, preset: Preset) -> bool:
    if preset.turn5 == "always" or hearing.draw is None:
        return True
    return hearing.stance == "accepted"


async def _hold_turns(hearing: _Hearing, court: Court) -> str | None:
    """Ask the questions, and have answers judged as they come; why it broke off, if the interviewer failed."""
    for number in range(1, LAST_TURN + 1):
        if number == LAST_TURN and not _goes_on(hearing, court.preset):
            break
        try:
            turn = await _hold_turn(number, hearing, court)
        except InterviewerFailed as failure:
            return str(failure)
        hearing.turns.append(turn)
        if court.preset.jury.granularity == "turn" and not court.judges_later:
            hearing.judging.append(asyncio.create_task(_judge(turn, hearing, court)))
        if turn.answer is None:
            break
        if number == TRAP_TURN and hearing.draw is not None:
            await _settle_stance(turn, hearing, court)
    return None


async def _decisions(hearing: _Hearing, court: Court) -> list[Decision]:
    if court.judges_later:
        return []
    if court.preset.jury.granularity == "turn":
        return await asyncio.gather(*hearing.judging)
    return await judge_dialogue(hearing.turns, hearing.docket.concept, court.preset, court.jury, court.notes)


async def _hold_turn(number: int, hearing: _Hearing, court: Court) -> Turn:
    docket = hearing.docket
    trap = hearing.draw.trap if hearing.draw and number >= TRAP_TURN else None
    question = await _next_question(number, trap, hearing, court)
    request = Request(
        slot=Slot(docket.id, number, "subject"),
        messages=_messages(question, hearing, court.preset),
        settings=_settings(court.preset),
        scene=Scene(
            docket.concept.name, docket.concept.facts, number, docket.level, trap, earlier_stance=hearing.stance
        ),
    )
    reply = await court.asker.ask(docket.model, request)
    answer, finish_reason, error = _outcome(reply)
    turn = Turn(
        model=docket.model,
        concept=docket.concept.id,
        level=docket.level,
        turn=number,
        question=question.text,
        answer=answer,
        question_source=question.source,
        question_notes=question.notes,
        trap=trap,
        finish_reason=finish_reason,
        error=error,
        sample=docket.sample,
    )
    await court.notes.note(docket.id, number, "turn", turn_body(turn))
    if answer is not None:
        _remember(question.text, answer, number, hearing)
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


async def _next_question(number: int, trap: Trap | None, hearing: _Hearing, court: Court) -> Question:
    docket = hearing.docket
    seed = _seed(docket, court)
    place, topic = interview_setting(docket.concept, seed)
    ask = Ask(
        turn=number,
        situation=situation_of(number, trap, hearing.stance),
        concept=docket.concept.name if court.preset.name_concept else "this concept",
        example=hearing.example,
        trap=trap,
        place=place,
        topic=topic,
        seed=seed,
    )
    question = await court.interviewer.question(docket.id, ask, hearing.said)
    drawn = hearing.draw.rejected if hearing.draw and number == TRAP_TURN else ()
    no_example = (NO_EXAMPLE,) if number >= 3 and not hearing.example else ()
    return Question(question.text, question.source, (*question.notes, *no_example, *drawn))


def _messages(question: Question, hearing: _Hearing, preset: Preset) -> tuple[Message, ...]:
    messages = list(opening(hearing.docket, preset))
    for asked, answered in hearing.said:
        messages += [Message.of("user", asked), Message.of("assistant", answered)]
    return (*messages, Message.of("user", question.text))


def opening(docket: Docket, preset: Preset) -> tuple[Message, ...]:
    """What the subject is told before the first question."""
    if not preset.name_concept:
        return ()
    concept = docket.concept
    left = compress(concept.reference, docket.level, preset.compression) if preset.compression else ""
    if left:
        told = load_prompt("subject_reference").messages(concept=concept.name, reference=left)
    else:
        told = load_prompt("subject_bare").messages(concept=concept.name)
    return _dated(told, concept.as_of) if concept.as_of else told


def _dated(opening: tuple[Message, ...], as_of: str) -> tuple[Message, ...]:
    """The system message, with the date that the answers are to hold at."""
    *before, last = opening
    (told,) = load_prompt(_AS_OF).messages(as_of=as_of)
    return (*before, Message(last.role, (*last.parts, "\n\n", *told.parts)))


def _remember(question: str, answer: str, number: int, hearing: _Hearing) -> None:
    hearing.said.append((question, answer))
    if number == 2:
        hearing.example = example_of(answer, hearing.docket.concept.name)


async def _judge(turn: Turn, hearing: _Hearing, court: Court) -> Decision:
    said = tuple(hearing.said[: turn.turn - 1])
    task = judge_task(turn, hearing.docket.concept, court.preset, said)
    return await judge_turn(turn, task, court.jury, court.notes)


async def _settle_stance(turn: Turn, hearing: _Hearing, court: Court) -> None:
    """What turn 5 takes the subject's stance to be: the jury's, or the reference panel's where the jury gives none.

    A jury that judges whole dialogues, or later, has not spoken yet.
    """
    basis = "jury"
    if hearing.judging:
        hearing.stance = (await hearing.judging[-1]).consensus.stance
    if hearing.stance is None:
        task = judge_task(turn, hearing.docket.concept, court.preset, tuple(hearing.said[:-1]))
        hearing.stance, basis = reference_stance(task), "reference panel"
    body = {"stance": hearing.stance, "basis": basis, "jury": court.jury.jury_id}
    await court.notes.note(hearing.docket.id, TRAP_TURN, "stance", body)


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
