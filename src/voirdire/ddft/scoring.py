"""Judging the dialogues of a run again, with another jury; nothing is asked of the subjects."""

from __future__ import annotations

from collections.abc import Mapping

from voirdire.ddft.exported_tables import dialogues_in
from voirdire.ddft.judging import judge_dialogue, nobody_missing, note_judged
from voirdire.ddft.presets import Preset
from voirdire.ddft.study import judged_dialogues
from voirdire.ddft.unusable_replies import MonitoredJury
from voirdire.jury import Panel
from voirdire.records import Concept
from voirdire.runs import Journal, Progress, Runner, run_workers, unit_span


async def judge_again(
    journal: Journal,
    runner: Runner,
    panel: Panel,
    preset: Preset,
    concepts: Mapping[str, Concept],
    progress: Progress,
    at_once: int,
) -> str | None:
    """Have every dialogue in the journal judged by this panel; verdicts of other juries stay.

    Args:
        journal: of the run.
        runner: with the judges' models.
        panel: the jury.
        preset: what judges may know.
        concepts: by id, as the run kept them.
        progress: told of every dialogue, those judged before first.
        at_once: dialogues under way; the turns of each are judged together.

    Returns:
        `None` when everything is judged, else why it stopped; the same call goes on.
    """
    advice = "Ask other judges: voirdire score --jury."
    jury = MonitoredJury(panel, progress, preset.jury.granularity, runner.request_stop, advice)
    done = judged_dialogues(journal, panel.jury_id)
    for _ in done:
        progress.dialogue_done()
    queue = (turns for turns in dialogues_in(journal) if turns[0].dialogue not in done)

    async def work() -> None:
        for turns in queue:
            with unit_span("dialogue", turns[0].dialogue):
                decisions = await judge_dialogue(turns, concepts[turns[0].concept], preset, jury, journal)
                await note_judged(turns, nobody_missing(decisions), panel.jury_id, journal)
            progress.dialogue_done()

    return await run_workers([work() for _ in range(at_once)], runner)
