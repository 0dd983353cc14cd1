"""From a plan to a run folder with profiles in it: what the command line and the quick start call."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from voirdire import __version__
from voirdire.ddft.batching import JUDGED_BY_BATCH, check_batch, dialogues_by_batch
from voirdire.ddft.concepts import ConceptFile, parse_concept
from voirdire.ddft.folders import open_examination
from voirdire.ddft.judging import juries_in, jury_kind
from voirdire.ddft.presets import Preset, RoleOptions, preset_of
from voirdire.ddft.scoring import judge_again
from voirdire.ddft.stopping import read_looked
from voirdire.ddft.study import StudyError, StudyPlan, held, hold, judge_seats, judged, seats
from voirdire.ddft.tables import (
    Tables,
    build_tables,
    read_tables,
    write_tables,
)
from voirdire.jury import Panel, banner, check_jury, open_jury
from voirdire.models import Pace
from voirdire.records import Concept
from voirdire.run import (
    HOSTED_CONNECTIONS,
    HOSTED_TIMEOUT,
    Budget,
    Journal,
    NullProgress,
    Progress,
    RunFolder,
    held_run,
    new_runner,
    open_batching,
    open_models,
    session_span,
    stop_on_signals,
)

if TYPE_CHECKING:
    import pandas as pd

    from voirdire.ddft.profile import Profile
    from voirdire.ddft.validity import Check, Status

_SILENT = NullProgress()


@dataclass(frozen=True)
class Result:
    """A run as it stands, under one jury."""

    path: Path
    preset: str
    jury: str
    """The jury's id."""
    banner: str | None
    """What must be said wherever these numbers are shown."""
    profiles: list[Profile]
    scores: pd.DataFrame
    """This jury's, one row per turn."""
    read_tables: Callable[[], Tables]
    totals: Mapping[str, Any]
    checks: tuple[Check, ...]
    """Whether the test itself was sound (docs/validity.md)."""
    stopped: str | None = None
    """Why the run is not complete; the same command goes on."""

    @cached_property
    def tables(self) -> Tables:
        """Every turn with its question and answer, every verdict, every jury's scores; read when first asked for."""
        return self.read_tables()

    @property
    def failed_checks(self) -> list[str]:
        """Ids of the validity checks that fail."""
        return self._checks("fail")

    def _checks(self, status: Status) -> list[str]:
        return [check.id for check in self.checks if check.status == status]

    def as_dict(self) -> dict[str, Any]:
        """Everything but the tables, ready for JSON; of the checks, the ids of those that do not pass."""
        return {
            "run": str(self.path),
            "preset": self.preset,
            "jury": self.jury,
            "banner": self.banner,
            "complete": self.stopped is None,
            "stopped": self.stopped,
            "totals": dict(self.totals),
            "validity": {"failed": self._checks("fail"), "warned": self._checks("warn")},
            "models": [profile.as_dict() for profile in self.profiles],
        }


async def hold_study(
    plan: StudyPlan,
    path: Path,
    *,
    budget: Budget | None = None,
    progress: Progress = _SILENT,
    connections: int = HOSTED_CONNECTIONS,
    timeout: float = HOSTED_TIMEOUT,
    batch: Pace | None = None,
) -> Result:
    """Hold a study in a run folder, or go on with the one that is there.

    With `batch` every dialogue is held first, turn 5 following the reference panel; then the jury judges by batch.

    Raises:
        RunFolderError: the folder holds a run of another plan, or another process works on it.
        SpecError, BudgetError, JuryError: before anything is asked.
    """
    taken = seats(plan)
    if batch is not None:
        check_batch(plan.jury, budget)
        if plan.stop_when is not None:
            raise StudyError(
                f"Stopping by {plan.stop_when} looks at verdicts while the run goes on, and batches judge at its end: "
                "leave out --batch or --stop-when."
            )
    async with held_run(
        path,
        {**plan.manifest(), **(JUDGED_BY_BATCH if batch is not None else {})},
        taken,
        seed=plan.seed,
        budget=budget,
        progress=progress,
        connections=connections,
        timeout=timeout,
    ) as (folder, runner):
        keep_concepts(folder, plan.concepts)
        panel = open_jury(plan.jury, runner, plan.preset.jury)
        await _seat_jury(folder.journal, panel)
        later = batch is not None
        stopped = await hold(plan, folder.journal, runner, panel, progress, connections, judge_later=later)
        if stopped or not later:
            return finish(folder, panel.jury_id, stopped)
    progress.say("The dialogues are held; now the jury judges them by batch.")
    return await score_run(
        path,
        plan.jury,
        roles=plan.preset.roles,
        base_url=plan.base_url,
        budget=budget,
        progress=progress,
        batch=batch,
    )


async def score_run(
    path: Path,
    jury: Sequence[str],
    *,
    roles: Mapping[str, RoleOptions] | None = None,
    base_url: str | None = None,
    budget: Budget | None = None,
    progress: Progress = _SILENT,
    connections: int = HOSTED_CONNECTIONS,
    timeout: float = HOSTED_TIMEOUT,
    batch: Pace | None = None,
) -> Result:
    """Have a run's dialogues judged by a jury; what it has judged already is taken from the journal.

    With `batch` the judges are asked by their providers' batch endpoints; how patiently, it says.

    Raises:
        RunFolderError, SpecError, BudgetError, JuryError: before anything is asked.
    """
    with open_examination(path) as folder, session_span(path, folder.manifest):
        preset = _preset(folder)
        check_jury(jury, preset.jury)
        role = (roles or preset.roles).get("judge", RoleOptions())
        asked = folder.manifest  # an imported record was asked of nobody
        taken = judge_seats(jury, role, base_url or asked.get("base_url"), asked.get("exact", False))
        batching = None if batch is None else open_batching(folder.journal, progress, batch, budget)
        async with open_models(taken, batching) as models:
            async with new_runner(
                folder.journal,
                models,
                taken,
                seed=folder.manifest["seed"],
                budget=budget,
                progress=progress,
                connections=connections,
                timeout=timeout,
                batched=models if batching else (),
            ) as runner:
                panel = open_jury(jury, runner, preset.jury)
                with stop_on_signals(runner):
                    await _seat_jury(folder.journal, panel)
                    concepts = _all_concepts(folder)
                    at_once = dialogues_by_batch(jury, preset.jury) if batching else connections
                    stopped = await judge_again(
                        folder.journal, runner, panel, preset, concepts, progress, at_once=at_once
                    )
            return finish(folder, panel.jury_id, stopped)


def load_run(path: Path, jury: str | None = None) -> Result:
    """A run as it stands, without calling anything.

    Args:
        path: of the run folder.
        jury: the id of a jury that has judged it; `None` for the one the run was held with, or the only one.

    Raises:
        RunFolderError: there is no run, or its manifest is damaged or another instrument's.
        StudyError: no such jury has judged it.
    """
    with open_examination(path, read_only=True) as folder:
        tables = build_tables(folder.journal)
        known = list(juries_in(folder.journal))
        if tables.scores.empty:
            raise StudyError(f"No turn of {path} has been judged yet; go on with the run first.")
        chosen = jury or known[0]
        if chosen not in known:
            raise StudyError(f"No jury {chosen!r} has judged {path}; there are {', '.join(known)}.")
        return _result(folder, chosen, tables, _unfinished(folder, chosen), lambda: tables)


def jury_of(path: Path) -> list[str]:
    """The judges that a run was held with."""
    with open_examination(path, read_only=True) as folder:
        return list(folder.manifest["jury"])


def dialogues_in(path: Path) -> int:
    """How many dialogues a run has begun."""
    with open_examination(path, read_only=True) as folder:
        return len({note.dialogue for note in folder.journal.notes(("turn",))})


def new_run_path(plan: StudyPlan) -> Path:
    """A folder for a run whose user named none: `runs/`, the first subject, the preset and the time."""
    subject = re.sub(r"[^\w.-]+", "-", plan.models[0].split("?")[0].rpartition("/")[2])
    return Path("runs") / f"{subject}-{plan.preset.name}-{datetime.now():%Y%m%d-%H%M%S}"


def keep_concepts(folder: RunFolder, concepts: Sequence[ConceptFile]) -> None:
    """Keep the concepts' texts with the run, so that it can be judged again when a user's files have changed."""
    kept = folder.path / "concepts"
    kept.mkdir(exist_ok=True)
    for file in concepts:
        (kept / f"{file.sha256}.yaml").write_text(file.text, encoding="utf-8")


def kept_concepts(folder: RunFolder) -> dict[str, Concept]:
    """The run's concepts by id, as far as their texts are kept with it: a published record may name others."""
    paths = {name: folder.path / "concepts" / f"{sha256}.yaml" for name, sha256 in folder.manifest["concepts"].items()}
    return {
        name: parse_concept(path.read_text(encoding="utf-8"), str(path)).concept
        for name, path in paths.items()
        if path.is_file()
    }


def _all_concepts(folder: RunFolder) -> dict[str, Concept]:
    kept = kept_concepts(folder)
    for name, sha256 in folder.manifest["concepts"].items():
        if name not in kept:
            raise StudyError(f"{folder.path} lacks the text of the concept {name!r} ({sha256}.yaml).")
    return kept


def _preset(folder: RunFolder) -> Preset:
    try:
        return preset_of(folder.manifest["preset"])
    except (TypeError, ValueError) as error:
        raise StudyError(f"The preset in {folder.path / 'run.json'} can't be read: {error}") from None


async def _seat_jury(journal: Journal, panel: Panel) -> None:
    """Write down who judges and what their judgment is worth."""
    body = {"judges": [judge.name for judge in panel.judges], "banner": banner(panel)}
    await journal.note("", 0, jury_kind(panel.jury_id), body)


def _result(
    folder: RunFolder,
    jury_id: str,
    tables: Tables,
    stopped: str | None,
    read: Callable[[], Tables],
    answers: Callable[[], Iterator[pd.Series[Any]]] | None = None,
) -> Result:
    from voirdire.ddft.profile import profiles
    from voirdire.ddft.validity import validate
    from voirdire.ddft.validity.reader import read_record

    judged = tables.scores[tables.scores["jury"] == jury_id].reset_index(drop=True)
    looked = read_looked(folder.journal, folder.manifest)
    return Result(
        path=folder.path,
        preset=folder.manifest["preset"]["name"],
        jury=jury_id,
        banner=folder.journal.note_of("", 0, jury_kind(jury_id))["banner"],
        profiles=profiles(judged, seed=folder.manifest["seed"], looked=looked) if len(judged) else [],
        scores=judged,
        read_tables=read,
        totals=folder.journal.totals()._asdict(),
        checks=validate(read_record(folder, jury_id, tables, kept_concepts(folder), answers)),
        stopped=stopped,
    )


def finish(folder: RunFolder, jury_id: str, stopped: str | None = None) -> Result:
    """Write the run's tables and compute its profiles; of a large run, not everything is held in memory at once."""
    from voirdire.ddft.validity.records import TURNS_CHECKED, VERDICTS_CHECKED

    if not folder.tables_stand(__version__):
        write_tables(folder)
        folder.mark_tables(__version__)
    stopped = stopped or _unfinished(folder, jury_id)
    tables = Tables(
        folder.read_table("turns", TURNS_CHECKED),
        folder.read_table("verdicts", VERDICTS_CHECKED, equal=("jury", jury_id)),
        folder.read_table("scores"),
    )
    read = partial(read_tables, folder)
    return _result(folder, jury_id, tables, stopped, read, lambda: folder.read_column("turns", "answer"))


def _unfinished(folder: RunFolder, jury_id: str) -> str | None:
    """What is missing from a run, if anything: dialogues, or verdicts of this jury."""
    wanted = _wanted(folder)
    done = held(folder.journal)
    unjudged = done - judged(folder.journal, jury_id)
    parts = []
    if len(done) < wanted:
        parts.append(f"{len(done)} of {wanted} dialogues are held to their end (voirdire ddft run goes on)")
    if unjudged:
        parts.append(f"{len(unjudged)} dialogues lack a verdict (voirdire ddft score asks again)")
    return "; ".join(parts) + "." if parts else None


def _wanted(folder: RunFolder) -> int:
    """How many dialogues a complete run has: fewer than its grid, where a rule has stopped some of its models."""
    preset = folder.manifest["preset"]
    grid = len(folder.manifest["concepts"]) * len(preset["levels"]) * preset["samples"]
    looked = read_looked(folder.journal, folder.manifest)
    ended = {model: seen.asked for model, seen in looked.items() if seen.ended}
    return sum(ended.get(model, grid) for model in folder.manifest["models"])
