"""New knowledge-grounded dialogues (CogniBench 2.1): from references to a run folder, the same user for every model.

The idea is RefGPT's: everything is asked about a reference, and answered from it. The user's turns are made once per
reference without any answer being known, so that models differ by their answers alone.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Self

from voirdire.cognibench.generation.plan import (
    INSTRUMENT,
    GeneratedTurn,
    GenerationPlan,
    answers_of,
    dialogue_of,
    hold_dialogue,
    is_complete,
    manifest_of,
    recorded_turns,
    sampled,
)
from voirdire.cognibench.generation.references import Reference, read_references
from voirdire.cognibench.generation.user import UserFailed, UserSide, recorded_user_side, user_side
from voirdire.cognibench.records import CognibenchError
from voirdire.data.json_values import as_object, as_plain
from voirdire.data.paths import AnyPath, as_path
from voirdire.detectors.records import Answer
from voirdire.instruments import RunProgress
from voirdire.runs import (
    DEFAULTS,
    Journal,
    Progress,
    RunFolder,
    Runner,
    RunOptions,
    RunStatus,
    Totals,
    open_run,
    run_workers,
    unit_span,
)
from voirdire.text.counting import counted
from voirdire.text.scripts import count_words
from voirdire.text.sentences import cut_answer


@dataclass(frozen=True, slots=True)
class ModelTurns:
    """What came of a model's turns."""

    model: str
    dialogues: int
    """Complete ones."""
    answered: int
    """Answers, cut ones included."""
    cut: int
    """Of them, cut at the limit of tokens."""
    refused: int
    empty: int
    failed: int
    """Calls that did not succeed; the next session makes them again."""
    words: float | None
    """Mean of an answer; `None` without any."""
    sentences: float | None
    """Likewise."""


@dataclass(frozen=True, slots=True)
class GenerationSummary:
    """Counts of the dialogues in a run, by model."""

    path: Path
    references: int
    dialogues: int
    """That were asked for."""
    models: tuple[ModelTurns, ...]
    topics: Mapping[str, int]
    """References by topic; "" stands for none."""
    users: Mapping[str, int]
    """References by who wrote the user's side."""
    calls: int
    usd: float | None
    """What was spent; `None` where a price is unknown."""
    stopped: str | None = None
    """Why it is not complete, if it is not."""

    def stopping(self, why: str | None) -> Self:
        """The same, with why the session stopped, or else what is missing."""
        missing = self.dialogues - sum(model.dialogues for model in self.models)
        lacking = f"{missing:,} of {counted(self.dialogues, 'dialogue')} missing; the same command goes on."
        return replace(self, stopped=why or (lacking if missing else None))

    def as_dict(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        return as_object(self)


def summarise(
    path: Path,
    references: Sequence[Reference],
    sides: Sequence[UserSide],
    turns_by_model: Mapping[str, Sequence[Sequence[GeneratedTurn]]],
    turns: int,
    totals: Totals,
) -> GenerationSummary:
    """Count the dialogues and turns on record."""
    return GenerationSummary(
        path,
        references=len(references),
        dialogues=len(references) * len(turns_by_model),
        models=tuple(_model_turns(model, dialogues, turns) for model, dialogues in turns_by_model.items()),
        topics=dict(sorted(Counter(reference.topic or "" for reference in references).items())),
        users=dict(Counter(side.source for side in sides)),
        calls=totals.calls,
        usd=None if totals.unknown_price else totals.cost_usd,
    )


def _model_turns(model: str, dialogues: Sequence[Sequence[GeneratedTurn]], turns: int) -> ModelTurns:
    outcomes = Counter(turn.outcome for dialogue in dialogues for turn in dialogue)
    answers = [turn.answer for dialogue in dialogues for turn in dialogue if turn.answer is not None]
    return ModelTurns(
        model,
        dialogues=sum(is_complete(dialogue, turns) for dialogue in dialogues),
        answered=len(answers),
        cut=outcomes["cut"],
        refused=outcomes["refused"],
        empty=outcomes["empty"],
        failed=outcomes["failed"],
        words=_mean([count_words(answer) for answer in answers]),
        sentences=_mean([len(cut_answer(answer)) for answer in answers]),
    )


def _mean(values: Sequence[int]) -> float | None:
    return sum(values) / len(values) if values else None


DIALOGUES = "dialogues.jsonl"
"""Within the run folder: what was answered so far."""
REFERENCES = "references.jsonl"
"""Within the run folder: what the dialogues are about."""


async def generate(
    plan: GenerationPlan,
    path: AnyPath,
    options: RunOptions = DEFAULTS,
) -> GenerationSummary:
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
    path, models = as_path(path), plan.options_by_model()
    references = sampled(plan)
    async with open_run(
        path,
        manifest_of(plan, references),
        models,
        seed=plan.seed,
        options=options,
    ) as (folder, runner):
        _save_references(path / REFERENCES, as_plain(references))
        queue = _todo(plan, references, folder.journal, options.progress)
        workers = [_work(queue, plan, runner, folder.journal, options.progress) for _ in range(options.connections)]
        stopped = await run_workers(workers, runner)
    return _finish(path, stopped)


def read_generated(path: Path, *, plain: bool = False) -> list[Answer]:
    """Every answer of a run, by reference, model and turn; nothing is asked.

    Raises:
        RunFolderError: there is no run.
        CognibenchError: the run is of another instrument.
    """
    with RunFolder.open(path, read_only=True) as folder:
        manifest = _manifest(folder)
        return [
            answer
            for reference in _saved_references(path)
            for model in manifest["models"]
            for answer in answers_of(
                reference, model, recorded_turns(reference, model, manifest["turns"], folder.journal), plain=plain
            )
        ]


def show_generated(path: Path) -> GenerationSummary:
    """What there is in a run; nothing is asked.

    Raises:
        RunFolderError, CognibenchError: as `read_generated`.
    """
    with RunFolder.open(path, read_only=True) as folder:
        manifest, journal = _manifest(folder), folder.journal
        references = _saved_references(path)
        turns_by_model = {
            model: [recorded_turns(reference, model, manifest["turns"], journal) for reference in references]
            for model in manifest["models"]
        }
        sides = [side for reference in references if (side := recorded_user_side(reference, journal)) is not None]
        return summarise(path, references, sides, turns_by_model, manifest["turns"], journal.totals())


def new_run_path(plan: GenerationPlan) -> Path:
    """A folder for a run whose user named none: `runs/`, the references' name and the time."""
    return Path("runs") / f"{plan.references.stem}-{datetime.now():%Y%m%d-%H%M%S}"


def _todo(
    plan: GenerationPlan, references: Sequence[Reference], journal: Journal, progress: Progress
) -> Iterator[tuple[Reference, str]]:
    """The dialogues that are not complete, reference by reference."""
    for reference in references:
        for model in plan.models:
            if is_complete(recorded_turns(reference, model, plan.turns, journal), plan.turns):
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
            is_held = await hold_dialogue(reference, side.questions, model, plan.settings, runner, journal)
        if is_held:
            progress.dialogue_done()


def _finish(path: Path, stopped: str | None) -> GenerationSummary:
    """Write what was answered where people and other commands find it."""
    from voirdire.cognibench.formats.jsonl import write_jsonl

    write_jsonl(read_generated(path), path / DIALOGUES)
    return show_generated(path).stopping(stopped)


def _save_references(path: Path, lines: Sequence[dict[str, Any]]) -> None:
    """Keep the references with the run, so that it can be read when the user's files have changed."""
    if not path.exists():
        path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")


def _saved_references(path: Path) -> list[Reference]:
    return read_references(path / REFERENCES)


def _manifest(folder: RunFolder) -> dict[str, Any]:
    if folder.manifest.get("instrument") != INSTRUMENT:
        instrument = folder.manifest.get("instrument")
        raise CognibenchError(f"The run in {folder.path} is one of {instrument}, not of {INSTRUMENT}.")
    return folder.manifest


def progress_of(folder: RunFolder) -> RunProgress:
    """How many dialogues are complete."""
    manifest, references = folder.manifest, _saved_references(folder.path)
    done = sum(
        is_complete(recorded_turns(reference, model, manifest["turns"], folder.journal), manifest["turns"])
        for model in manifest["models"]
        for reference in references
    )
    return RunProgress(done, len(references) * len(manifest["models"]), "dialogues")


def status_of(folder: RunFolder) -> RunStatus:
    """How far a run has come; nothing is asked.

    Raises:
        CognibenchError: the run holds no dialogues.
    """
    summary = show_generated(folder.path)
    complete = sum(model.dialogues for model in summary.models)
    incomplete = summary.dialogues - complete
    status = (
        f"{complete:,} of {counted(summary.dialogues, 'dialogue')} complete; the same command goes on."
        if incomplete
        else None
    )
    return RunStatus(status, missing={"replies": folder.journal.errors()})
