"""Sending turns to the jury, and writing down what it decides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from voirdire.ddft.presets import Preset
from voirdire.ddft.questions import TRAP_TURN
from voirdire.jury import Decision
from voirdire.records import Concept, JudgeTask, Turn


class Decides(Protocol):
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


class Notes(Protocol):
    """Where a dialogue's decisions are written down: the journal."""

    async def note(self, dialogue: str, turn: int, kind: str, body: Mapping[str, Any]) -> None:
        """Record one decision durably."""
        ...


def judged_kind(jury_id: str) -> str:
    """The kind of the note that says how far a dialogue, as it was last held, has been judged by this jury."""
    return f"judged/{jury_id}"


def verdicts_kind(jury_id: str) -> str:
    """The kind of the note that holds a jury's verdicts on a turn."""
    return f"verdicts/{jury_id}"


async def note_judged(turns: Sequence[Turn], decisions: Sequence[Decision], jury: Decides, notes: Notes) -> None:
    """Write down whether a judge is missing on any turn that has an answer; if so, they are asked again later."""
    complete = not any(verdict.missing for decision in decisions for verdict in decision.verdicts)
    body = {"turns": len(turns), "complete": complete}
    await notes.note(turns[0].dialogue, 0, judged_kind(jury.jury_id), body)


def judge_task(turn: Turn, concept: Concept, preset: Preset, said: tuple[tuple[str, str], ...]) -> JudgeTask:
    """What a preset lets judges know of a turn. `said` are the earlier questions and answers."""
    shown = preset.judge_reference == "always" or (preset.judge_reference == "below_1" and turn.level < 1.0)
    return JudgeTask(
        dialogue=turn.dialogue,
        turn=turn.turn,
        concept=concept.name,
        question=turn.question,
        answer=turn.answer or "",
        reference=concept.reference if shown else None,
        level=turn.level,
        trap=turn.trap if turn.turn >= TRAP_TURN else None,
        history=said,
        facts=concept.facts,
    )


async def judge_turn(task: JudgeTask, failed: bool, jury: Decides, notes: Notes) -> Decision:
    """Have one turn judged. A turn whose call failed is unscored, and no judge is asked."""
    decision = Decision.unanswered() if failed else await jury.decide(task)
    await _write(task, decision, jury, notes)
    return decision


async def judge_dialogue(
    turns: Sequence[Turn], concept: Concept, preset: Preset, jury: Decides, notes: Notes
) -> list[Decision]:
    """Have all turns of a dialogue judged: in one call per judge, or turn by turn, as the preset's rules say."""
    said = [(turn.question, turn.answer or "") for turn in turns]
    tasks = [judge_task(turn, concept, preset, tuple(said[:i])) for i, turn in enumerate(turns)]
    if preset.jury.granularity == "turn":
        pairs = zip(turns, tasks, strict=True)
        return [await judge_turn(task, turn.answer is None, jury, notes) for turn, task in pairs]
    answered = [task for turn, task in zip(turns, tasks, strict=True) if turn.answer is not None]
    decided = iter(await jury.decide_dialogue(answered) if answered else [])
    decisions = [Decision.unanswered() if turn.answer is None else next(decided) for turn in turns]
    for task, decision in zip(tasks, decisions, strict=True):
        await _write(task, decision, jury, notes)
    return decisions


async def _write(task: JudgeTask, decision: Decision, jury: Decides, notes: Notes) -> None:
    await notes.note(task.dialogue, task.turn, verdicts_kind(jury.jury_id), decision.body())
