"""New knowledge-grounded dialogues (CogniBench 2.1): from references to a run folder, the same user for every model.

The idea is RefGPT's: everything is asked about a reference, and answered from it. The user's turns are made once per
reference without any answer being known, so that models differ by their answers alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from voirdire.cognibench.generation.dialogue import answers_of, complete, dialogue_of, held_turns, hold_dialogue
from voirdire.cognibench.generation.plan import INSTRUMENT, GenerationPlan, manifest_of, sampled
from voirdire.cognibench.generation.references import Reference, read_references
from voirdire.cognibench.generation.summary import Generated, summarised
from voirdire.cognibench.generation.user import UserFailed, recorded_user_side, user_side
from voirdire.cognibench.records import CognibenchError
from voirdire.data.paths import AnyPath, as_path
from voirdire.data.plain import as_plain
from voirdire.detectors.records import Answer
from voirdire.run import (
    DEFAULTS,
    Journal,
    Progress,
    RunFolder,
    Runner,
    RunOptions,
    held_run,
    run_workers,
    unit_span,
)

DIALOGUES = "dialogues.jsonl"
"""Within the run folder: what was answered so far."""
REFERENCES = "references.jsonl"
"""Within the run folder: what the dialogues are about."""


async def generate(
    plan: GenerationPlan,
    path: AnyPath,
    options: RunOptions = DEFAULTS,
) -> Generated:
    """Hold dialogues in a run folder, or go on with those that are there; no answered call is made again.

    Args:
        plan: which dialogues.
        path: of the run folder.
        options: what may be spent, how fast, who is told of every dialogue.

    Returns:
        What there is now, and why it stopped, if it did; the same call goes on.

    Raises:
        CognibenchError, SpecError, RunFolderError, BudgetError: before anything is asked.
    """
    path, taken = as_path(path), plan.seats()
    references = sampled(plan)
    async with held_run(
        path,
        manifest_of(plan, references),
        taken,
        seed=plan.seed,
        options=options,
    ) as (folder, runner):
        _keep(path / REFERENCES, as_plain(references))
        queue = _todo(plan, references, folder.journal, options.progress)
        workers = [_work(queue, plan, runner, folder.journal, options.progress) for _ in range(options.connections)]
        stopped = await run_workers(workers, runner)
    return _finish(path, stopped)


def read_generated(path: Path, *, plain: bool = False) -> list[Answer]:
    """Every answer of a run, by reference, model and turn; nothing is asked.

    Args:
        path: of the run.
        plain: Markdown is read as plain text.

    Raises:
        RunFolderError: there is no run.
        CognibenchError: the run is of another instrument.
    """
    with RunFolder.open(path, read_only=True) as folder:
        asked = _asked(folder)
        return [
            answer
            for reference in _kept_references(path)
            for model in asked["models"]
            for answer in answers_of(
                reference, model, held_turns(reference, model, asked["turns"], folder.journal), plain=plain
            )
        ]


def show_generated(path: Path) -> Generated:
    """What there is in a run; nothing is asked.

    Raises:
        RunFolderError, CognibenchError: as `read_generated`.
    """
    with RunFolder.open(path, read_only=True) as folder:
        asked, journal = _asked(folder), folder.journal
        references = _kept_references(path)
        held = {
            model: [held_turns(reference, model, asked["turns"], journal) for reference in references]
            for model in asked["models"]
        }
        sides = [side for reference in references if (side := recorded_user_side(reference, journal)) is not None]
        return summarised(path, references, sides, held, asked["turns"], journal.totals())


def new_run_path(plan: GenerationPlan) -> Path:
    """A folder for a run whose user named none: `runs/`, the references' name and the time."""
    return Path("runs") / f"{plan.references.stem}-{datetime.now():%Y%m%d-%H%M%S}"


def _todo(
    plan: GenerationPlan, references: Sequence[Reference], journal: Journal, progress: Progress
) -> Iterator[tuple[Reference, str]]:
    """The dialogues that are not complete, reference by reference."""
    for reference in references:
        for model in plan.models:
            if complete(held_turns(reference, model, plan.turns, journal), plan.turns):
                progress.dialogue_done()
            else:
                yield reference, model


async def _work(
    queue: Iterator[tuple[Reference, str]], plan: GenerationPlan, runner: Runner, journal: Journal, progress: Progress
) -> None:
    for reference, model in queue:
        try:
            side = await user_side(reference, plan.turns, plan.user, plan.seed, runner, journal)
        except UserFailed as failure:
            progress.say(f"{dialogue_of(reference, model)} is not held: {failure}")
            continue
        with unit_span("dialogue", dialogue_of(reference, model)):
            held = await hold_dialogue(reference, side.questions, model, plan.settings, runner, journal)
        if held:
            progress.dialogue_done()


def _finish(path: Path, stopped: str | None) -> Generated:
    """Write what was answered where people and other commands find it."""
    from voirdire.cognibench.formats.writer import write_jsonl

    write_jsonl(read_generated(path), path / DIALOGUES)
    return show_generated(path).stopping(stopped)


def _keep(path: Path, lines: Sequence[dict[str, Any]]) -> None:
    """Keep the references with the run, so that it can be read when the user's files have changed."""
    if not path.exists():
        path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")


def _kept_references(path: Path) -> list[Reference]:
    return read_references(path / REFERENCES)


def _asked(folder: RunFolder) -> dict[str, Any]:
    if folder.manifest.get("instrument") != INSTRUMENT:
        found = folder.manifest.get("instrument")
        raise CognibenchError(f"The run in {folder.path} is one of {found}, not of {INSTRUMENT}.")
    return folder.manifest
