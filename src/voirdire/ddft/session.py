"""From a plan to a run folder with profiles in it: what the command line and the quick start call."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from voirdire.data.paths import AnyPath, as_path
from voirdire.data.prompt_files import own_prompts
from voirdire.ddft import aliases
from voirdire.ddft.aliases import shown_models
from voirdire.ddft.batching import JUDGED_BY_BATCH, check_batch, dialogues_by_batch
from voirdire.ddft.folders import open_examination
from voirdire.ddft.judging import jury_kind
from voirdire.ddft.presets import RoleOptions
from voirdire.ddft.results import Result, anything_answered, anything_judged, finish, is_finished, useless_judges
from voirdire.ddft.scoring import judge_again
from voirdire.ddft.snapshot import all_concepts, save_concepts, saved_preset
from voirdire.ddft.study import (
    StudyError,
    StudyPlan,
    dialogue_specs,
    judge_models,
    participating_models,
    run_dialogues,
    simulated_jury,
)
from voirdire.jury import Panel, banner, check_jury, judge_spec, open_jury
from voirdire.records import Concept
from voirdire.runs import (
    DEFAULTS,
    Interrupted,
    Journal,
    JournalError,
    RunFolder,
    RunFolderError,
    Runner,
    RunOptions,
    new_runner,
    open_batching,
    open_models,
    open_progress,
    open_run,
    repeated_secret,
    run_blocking,
    session_span,
    stop_on_signals,
)
from voirdire.runs.untrusted import check_address
from voirdire.text.counting import listed


async def run_study(
    plan: StudyPlan,
    path: AnyPath,
    options: RunOptions = DEFAULTS,
) -> Result:
    """Run a study in a run folder, or resume the one that is there.

    With `options.batch` every dialogue is run first, turn 5 following the reference panel; then the jury judges by
    batch.

    Raises:
        RunFolderError: the folder holds a run of another plan, or another process works on it.
        SpecError, BudgetError, JuryError: before anything is asked.
        Interrupted: a `KeyboardInterrupt`, when what was answered is on record; with `options.partial` only where
            nothing is judged yet.
    """
    path, models = as_path(path), participating_models(plan)
    begun = (path / "run.json").is_file()
    judges_later = options.batch is not None
    if judges_later:
        check_batch(plan.jury, options)
        if plan.stop_when is not None:
            raise StudyError(
                f"Stopping by {plan.stop_when} looks at verdicts while the run goes on, and batches judge at its end: "
                "leave out --batch or --stop-when."
            )
    if begun:
        _refuse_other_jury(path, plan)
    with own_prompts(plan.preset.prompts):
        async with open_run(
            path,
            _asked(plan, by_batch=judges_later),
            models,
            seed=plan.seed,
            options=options,
        ) as (folder, runner):
            if begun:
                options.progress.say(f"Continuing the run in {path}: what was answered is not asked again.")
            save_concepts(folder, plan.concepts)
            panel = open_jury(plan.jury, runner, plan.preset.jury)
            await _record_jury(folder.journal, panel)
            _tell_simulated(plan.jury, plan.models, options)
            if plan.rubric_unread is not None:
                options.progress.say(str(plan.rubric_unread))
            if plan.aliases:
                await folder.journal.note("", 0, aliases.FIELD, plan.aliases)
            stopped = await run_dialogues(plan, folder.journal, runner, panel, options)
            if stopped or not judges_later:
                concepts = {file.concept.id: file.concept for file in plan.concepts}
                return _finish(folder, runner, panel.jury_id, stopped, concepts)
    options.progress.say("The dialogues are held; now the jury judges them by batch.")
    return await score_run(path, plan.jury, options, roles=plan.preset.roles, base_url=plan.base_url)


def _refuse_other_jury(path: Path, plan: StudyPlan) -> None:
    """Say what to do where other judges are to go on with a run that its own can't end."""
    useless: list[str] = []
    with suppress(RunFolderError, JournalError), open_examination(path, read_only=True) as folder:
        if folder.manifest["jury"] != list(plan.jury):
            useless = useless_judges(folder)
    if useless:
        raise StudyError(
            f"No verdict of {listed(useless)} can be used, so the run in {path} can't go on, and a run keeps its "
            "judges: start a new run with the others, in another folder (-o)."
        )


def run_study_blocking(
    plan: StudyPlan, path: AnyPath, options: RunOptions = DEFAULTS, *, progress: bool = True
) -> Result:
    """`run_study` to its end, also where an event loop runs already, as in a notebook.

    Args:
        plan: what is to be run.
        path: of the run folder.
        options: how it is held; with `progress` somebody else is told of it.
        progress: whether to show on stderr how far it is.

    Raises:
        RunFolderError, SpecError, BudgetError, JuryError: before anything is asked.
        Interrupted: a `KeyboardInterrupt` that names the folder, when what was answered is on record; with
            `options.partial` only where nothing is judged yet.
    """
    path = as_path(path)
    shown = open_progress(len(dialogue_specs(plan))) if progress else nullcontext(options.progress)
    try:
        with shown as message:
            return run_blocking(run_study(plan, path, replace(options, progress=message)))
    except KeyboardInterrupt as interrupt:
        raise naming_run(interrupt, path) from None


def naming_run(interrupt: KeyboardInterrupt, path: Path, jury: Sequence[str] | None = None) -> KeyboardInterrupt:
    """What to raise for a Ctrl-C, also an early, a late or a second one: it says where the run is and how far.

    Args:
        interrupt: what was raised.
        path: of the run.
        jury: the judges it was waiting for; `None` for the run's own.
    """
    if not path.exists():
        return interrupt
    return Interrupted(
        path,
        nothing_judged=not anything_judged(path),
        nothing_answered=not anything_answered(path),
        finished=is_finished(path, jury),
    )


async def score_run(
    path: AnyPath,
    jury: Sequence[str],
    options: RunOptions = DEFAULTS,
    *,
    roles: Mapping[str, RoleOptions] | None = None,
    base_url: str | None = None,
) -> Result:
    """Have a run's dialogues judged by a jury; what it has judged already is taken from the journal.

    With `options.batch` the judges are asked by their providers' batch endpoints.

    Raises:
        RunFolderError, SpecError, BudgetError, JuryError: before anything is asked; also where the run's folder, and
            nobody else, names another machine's address to ask at.
        Interrupted: a `KeyboardInterrupt`, when what was answered is on record; with `options.partial` only where
            nothing is judged yet.
    """
    path = as_path(path)
    with (
        open_examination(path) as folder,
        session_span(path, folder.manifest),
        own_prompts((preset := saved_preset(folder)).prompts),
    ):
        check_jury(jury, preset.jury)
        role = (roles or preset.roles).get("judge", RoleOptions())
        manifest = folder.manifest  # an imported record was asked of nobody
        if roles is None:
            check_address(path, role.base_url, base_url)
        if base_url is None and any(spec.startswith("openai-api/") for spec in map(judge_spec, jury) if spec):
            check_address(path, manifest.get("base_url"), None)
        judges = judge_models(jury, role, base_url or manifest.get("base_url"), manifest.get("exact", False))
        batching = open_batching(folder.journal, options)
        async with open_models(judges, batching) as models:
            async with new_runner(
                folder.journal,
                models,
                judges,
                seed=folder.manifest["seed"],
                options=options,
                batched=models if batching else (),
                fence_secret=repeated_secret(manifest),
            ) as runner:
                panel = open_jury(jury, runner, preset.jury)
                with stop_on_signals(runner, path, partial=options.partial):
                    _tell_simulated(jury, manifest.get("models", ()), options)
                    await _record_jury(folder.journal, panel)
                    concepts = all_concepts(folder)
                    at_once = dialogues_by_batch(jury, preset.jury) if batching else options.connections
                    stopped = await judge_again(
                        folder.journal, runner, panel, preset, concepts, options.progress, at_once=at_once
                    )
            return _finish(folder, runner, panel.jury_id, stopped, concepts)


def _finish(
    folder: RunFolder, runner: Runner, jury_id: str, stopped: str | None, concepts: Mapping[str, Concept]
) -> Result:
    """What there is: of a run that was interrupted before anything was judged, no result."""
    result = finish(folder, jury_id, stopped, concepts)
    if runner.interrupted and not result.profiles:
        raise Interrupted(folder.path, nothing_judged=True)
    return result


def new_run_path(plan: StudyPlan) -> Path:
    """A folder for a run whose user named none: `runs/`, the first subject, the preset and the time."""
    return Path("runs") / f"{_first_words(plan)}-{datetime.now():%Y%m%d-%H%M%S}"


def same_run_path(plan: StudyPlan, options: RunOptions = DEFAULTS) -> Path:
    """A folder that is the same whenever the same is asked: `runs/`, the first subject, the preset and a hash."""
    asked = json.dumps(_asked(plan, by_batch=options.batch is not None), sort_keys=True)
    return Path("runs") / f"{_first_words(plan)}-{hashlib.sha256(asked.encode()).hexdigest()[:10]}"


def _first_words(plan: StudyPlan) -> str:
    first = shown_models(plan.manifest())[0]
    subject = re.sub(r"[^\w.-]+", "-", first.split("?")[0].rpartition("/")[2])
    return f"{subject}-{plan.preset.name}"


def _asked(plan: StudyPlan, *, by_batch: bool) -> dict[str, Any]:
    """What run.json says was asked."""
    return {**plan.manifest(), **(JUDGED_BY_BATCH if by_batch else {})}


def _tell_simulated(jury: Sequence[str], subjects: Sequence[str], options: RunOptions) -> None:
    """Say before anything is paid for that a simulated judge's scores of a real model will mean nothing."""
    if (note := simulated_jury(jury, subjects)) is not None:
        options.progress.say(str(note))


async def _record_jury(journal: Journal, panel: Panel) -> None:
    """Write down who judges and what their judgment is worth."""
    body = {"judges": [judge.name for judge in panel.judges], "banner": banner(panel)}
    await journal.note("", 0, jury_kind(panel.jury_id), body)
