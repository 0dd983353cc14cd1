"""Sending turns to the jury, and writing down what it decides."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Coroutine, Mapping, Sequence, Set
from typing import Any, Protocol

from voirdire.ddft.presets import Preset
from voirdire.ddft.questions import TRAP_TURN
from voirdire.jury import Decision
from voirdire.records import Concept, JudgeTask, Turn
from voirdire.runs import RecordedNote

DIALOGUE_NOTE = "held"
"""The kind of the note that says which answers a dialogue has, as it was last run, and whether that is all of it."""


class Jury(Protocol):
    """A jury."""

    @property
    def jury_id(self) -> str:
        """Short, stable name of this panel under these rules."""
        ...

    async def decide(self, task: JudgeTask) -> Decision:
        """Verdicts and consensus on one turn."""
        ...

    async def decide_dialogue(self, tasks: Sequence[JudgeTask]) -> list[Decision]:
        """The same for several turns of one dialogue, in one call per judge."""
        ...


class NoteWriter(Protocol):
    """Where a dialogue's decisions are written down: the journal."""

    async def note(self, dialogue: str, turn: int, kind: str, body: Mapping[str, Any]) -> None:
        """Record one decision durably."""
        ...


class NoteReader(Protocol):
    """Where what was written down can be read again: the journal."""

    def notes_in(self, dialogues: Sequence[str], kinds: Sequence[str]) -> Sequence[RecordedNote]:
        """Notes of these dialogues and kinds."""
        ...

    def note_kinds(self) -> Set[str]:
        """Every kind of note there is."""
        ...


def judged_kind(jury_id: str) -> str:
    """The kind of the note that says how far a dialogue, as it was last run, has been judged by this jury."""
    return f"judged/{jury_id}"


def verdicts_kind(jury_id: str) -> str:
    """The kind of the note that holds a jury's verdicts on a turn."""
    return f"verdicts/{jury_id}"


def jury_kind(jury_id: str) -> str:
    """The kind of the note that says who sits on a jury, and what its judgment is worth."""
    return f"jury/{jury_id}"


def juries_in(record: NoteReader) -> dict[str, Any]:
    """The juries of a run, by id, in the order in which they first judged: who judges, and what it is worth."""
    kinds = [kind for kind in record.note_kinds() if kind.startswith(jury_kind(""))]
    return {note.kind.removeprefix(jury_kind("")): note.body for note in record.notes_in([""], kinds)}


def answer_hash(answer: str | None) -> str | None:
    """What notes say of an answer, so that nothing is taken for a verdict on another one."""
    return None if answer is None else hashlib.sha256(answer.encode()).hexdigest()


async def note_dialogue(dialogue: str, turns: Sequence[Turn], interrupted: str | None, notes: NoteWriter) -> bool:
    """Write down which answers a dialogue has, and whether that is all of it, which is returned, too."""
    complete = interrupted is None and all(turn.answer is not None for turn in turns)
    body = {"answers": _hashes(turns), "complete": complete, "interviewer_failed": interrupted}
    await notes.note(dialogue, 0, DIALOGUE_NOTE, body)
    return complete


async def note_judged(turns: Sequence[Turn], complete: bool, jury_id: str, notes: NoteWriter) -> None:
    """Write down which answers of a dialogue a jury has judged, and whether no judge was missing."""
    body = {"answers": _hashes(turns), "complete": complete}
    await notes.note(turns[0].dialogue, 0, judged_kind(jury_id), body)


async def note_decision(turn: Turn, decision: Decision, jury_id: str, notes: NoteWriter) -> None:
    """Write down what a jury decided on a turn."""
    body = decision.body() | {"answer_sha256": answer_hash(turn.answer)}
    await notes.note(turn.dialogue, turn.turn, verdicts_kind(jury_id), body)


def nobody_missing(decisions: Sequence[Decision]) -> bool:
    """Whether every judge gave a verdict on every answer; those who did not are asked again later."""
    return not any(verdict.missing for decision in decisions for verdict in decision.verdicts)


def judge_task(turn: Turn, concept: Concept, preset: Preset, history: tuple[tuple[str, str], ...]) -> JudgeTask:
    """What a preset lets judges know of a turn. `history` are the earlier questions and answers."""
    shows_reference = preset.judge_reference == "always" or (preset.judge_reference == "below_1" and turn.level < 1.0)
    return JudgeTask(
        dialogue=turn.dialogue,
        turn=turn.turn,
        concept=concept.name,
        question=turn.question,
        answer=turn.answer or "",
        reference=concept.reference if shows_reference else None,
        level=turn.level,
        trap=turn.trap if turn.turn >= TRAP_TURN else None,
        history=history,
        facts=concept.facts,
        kind=concept.kind,
        as_of=concept.as_of,
    )


async def judge_turn(turn: Turn, task: JudgeTask, jury: Jury, notes: NoteWriter) -> Decision:
    """Have one turn judged. A turn whose call failed is unscored, and no judge is asked."""
    decision = Decision.unanswered() if turn.answer is None else await jury.decide(task)
    await note_decision(turn, decision, jury.jury_id, notes)
    return decision


async def judge_dialogue(
    turns: Sequence[Turn], concept: Concept, preset: Preset, jury: Jury, notes: NoteWriter
) -> list[Decision]:
    """Have all turns of a dialogue judged: in one call per judge, or turn by turn, as the preset's rules say."""
    history = [(turn.question, turn.answer or "") for turn in turns]
    tasks = [judge_task(turn, concept, preset, tuple(history[:i])) for i, turn in enumerate(turns)]
    if preset.jury.granularity == "turn":
        pairs = zip(turns, tasks, strict=True)
        return await _all_of([judge_turn(turn, task, jury, notes) for turn, task in pairs])
    answered = [task for turn, task in zip(turns, tasks, strict=True) if turn.answer is not None]
    remaining = iter(await jury.decide_dialogue(answered) if answered else [])
    decisions = [Decision.unanswered() if turn.answer is None else next(remaining) for turn in turns]
    for turn, decision in zip(turns, decisions, strict=True):
        await note_decision(turn, decision, jury.jury_id, notes)
    return decisions


async def _all_of(judging: Sequence[Coroutine[Any, Any, Decision]]) -> list[Decision]:
    """What all of them decided; the first failure only when none is under way any more, so that nothing is lost."""
    outcomes = await asyncio.gather(*judging, return_exceptions=True)
    for outcome in outcomes:
        if isinstance(outcome, BaseException):
            raise outcome
    return [outcome for outcome in outcomes if isinstance(outcome, Decision)]


def _hashes(turns: Sequence[Turn]) -> list[str | None]:
    return [answer_hash(turn.answer) for turn in turns]
