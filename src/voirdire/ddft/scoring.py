"""Judging the dialogues of a run again, with another jury; nothing is asked of the subjects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from voirdire.ddft.presets import Preset
from voirdire.ddft.protocol import is_complete, judge_task, judge_turn, judged_kind
from voirdire.ddft.study import finished, run_workers
from voirdire.ddft.tables import build_tables, turns_of
from voirdire.jury import Panel
from voirdire.records import Concept, Turn
from voirdire.run import Journal, Progress, Runner

DIALOGUES_AT_ONCE = 20


async def judge_again(
    journal: Journal,
    runner: Runner,
    panel: Panel,
    preset: Preset,
    concepts: Mapping[str, Concept],
    progress: Progress,
) -> str | None:
    """Have every dialogue in the journal judged by this panel; verdicts of other juries stay.

    Args:
        journal: of the run.
        runner: with the judges' models.
        panel: the jury.
        preset: what judges may know.
        concepts: by id, as the run kept them.
        progress: told of every dialogue, those judged before first.

    Returns:
        `None` when everything is judged, else why it stopped; the same call goes on.
    """
    dialogues = turns_of(build_tables(journal).turns)
    done = finished(journal, panel.jury_id)
    todo = [turns for turns in dialogues if turns[0].dialogue not in done]
    for _ in range(len(dialogues) - len(todo)):
        progress.dialogue_done()
    queue = iter(todo)

    async def work() -> None:
        for turns in queue:
            await _judge_dialogue(turns, journal, panel, preset, concepts[turns[0].concept])
            progress.dialogue_done()

    return await run_workers([work() for _ in range(DIALOGUES_AT_ONCE)], runner)


async def _judge_dialogue(
    turns: Sequence[Turn], journal: Journal, panel: Panel, preset: Preset, concept: Concept
) -> None:
    complete = True
    said: list[tuple[str, str]] = []
    for turn in turns:
        task = judge_task(turn, concept, preset, tuple(said))
        decision = await judge_turn(task, turn.answer is None, panel, journal)
        complete = complete and is_complete(decision)
        said.append((turn.question, turn.answer or ""))
    await journal.note(turns[0].dialogue, 0, judged_kind(panel.jury_id), {"turns": len(turns), "complete": complete})
