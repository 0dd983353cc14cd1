"""From data or a run to a project: what must hold first; documents are drawn, and the file is written whole."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from voirdire.data.paths import check_folder_of
from voirdire.instruments import instrument_of, instruments
from voirdire.models.secrets import without_known_secrets
from voirdire.raters.records import GOLDS, Item, RatersError, Role, Settings
from voirdire.raters.store import Store
from voirdire.raters.tasks import open_task
from voirdire.raters.tasks.base import DrawOptions, Materials, Task
from voirdire.raters.tasks.guided.detector import is_detected
from voirdire.reason_codes import Reason
from voirdire.text.counting import counted

_MANIFEST = "run.json"
_CHUNK = 1 << 20
_FEW = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class NewProject:
    """What an organiser asks for."""

    task: str
    source: Path
    """Data, or a run folder."""
    draw: DrawOptions = field(default_factory=DrawOptions)
    practice: bool = True
    """Whether practice items come first: the packaged ones, or those of the guide."""
    raters: tuple[str, ...] = ()
    """Names; without any there are as many as an item gets, by number."""
    adjudicators: tuple[str, ...] = ()
    title: str = ""
    mode: str | None = None
    """Of tasks that can be rated in several; `None` for the task's first."""
    gold: str = "majority"
    raters_per_item: int = 2
    pass_share: float = 0.8
    calibration: int = 0
    pay_per_item: float | None = None
    currency: str = "USD"
    guide: Path | None = None
    """Of tasks that a guide describes: its file; `None` for the usual one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectSummary:
    """What was made."""

    path: Path
    settings: Settings
    documents: int
    """Live ones."""
    groups: int
    """That these are of; intervals are clustered by them."""
    items: int
    practice: int
    calibration: int
    """Items that all raters get."""
    strata: Mapping[str, int]
    """Live documents by stratum of the sample."""
    stands_for: float
    """How many documents of the source the live ones stand for: the sum of their weights."""
    raters: tuple[str, ...]
    adjudicators: tuple[str, ...]
    items_per_rater: float
    """On average, practice included."""
    disagreements: float | None
    """Items on which two raters are expected to differ; `None` where nothing is known of it."""
    notes: tuple[str, ...]
    """What the organiser should know before they begin."""
    warnings: tuple[str, ...] = ()
    """What raters would lack."""
    left_out: tuple[Reason, ...] = ()
    """What of the source nobody will rate, and why."""

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "project": str(self.path),
            "task": self.settings.task,
            "title": self.settings.title,
            "source": self.settings.source,
            "source_sha256": self.settings.source_sha256,
            "documents": self.documents,
            "groups": self.groups,
            "items": self.items,
            "practice_items": self.practice,
            "calibration_items": self.calibration,
            "strata": dict(self.strata),
            "stands_for": self.stands_for,
            "raters": list(self.raters),
            "adjudicators": list(self.adjudicators),
            "raters_per_item": self.settings.raters_per_item,
            "items_per_rater": self.items_per_rater,
            "expected_disagreements": self.disagreements,
            "left_out": [each.as_dict() for each in self.left_out],
            "warnings": list(self.warnings),
            "notes": list(self.notes),
        }


def check_place(path: Path) -> None:
    """See that a project can be written here.

    Raises:
        RatersError: something is there, or there is no such folder.
    """
    if path.exists() or path.is_symlink():
        raise RatersError(f"{path} already exists; give another name, or remove it first.")
    check_folder_of(path, RatersError)


def people_of(plan: NewProject) -> list[tuple[str, Role]]:
    """Names and roles, raters first; without any name as many raters as an item gets, by number.

    Raises:
        RatersError: a name is empty, or given twice (case does not matter).
    """
    raters = plan.raters or tuple(f"Rater {number}" for number in range(1, plan.raters_per_item + 1))
    people: list[tuple[str, Role]] = [(name.strip(), "rater") for name in raters]
    people += [(name.strip(), "adjudicator") for name in plan.adjudicators]
    names: set[str] = set()
    for name, _ in people:
        if not name:
            raise RatersError("A rater or an adjudicator has an empty name; give each a name of their own.")
        if name.casefold() in names:
            raise RatersError(f"The name {name!r} is given twice; each rater and adjudicator needs one of their own.")
        names.add(name.casefold())
    return people


def check_settings(task: Task, plan: NewProject) -> None:
    """See that what an organiser decided is possible.

    Raises:
        RatersError: a setting is out of range, or not one of this task.
    """
    if plan.gold not in GOLDS:
        raise RatersError(f"The gold rating is one of {', '.join(GOLDS)}; {plan.gold!r} was given.")
    if plan.mode is not None and not task.modes:
        raise RatersError(f"The task {task.name} can be rated in one way only: leave out the mode {plan.mode!r}.")
    if plan.mode is not None and plan.mode not in task.modes:
        raise RatersError(f"The mode is one of {', '.join(task.modes)}; {plan.mode!r} was given.")
    if plan.draw.columns and not task.names_columns:
        raise RatersError(
            f"The task {task.name} reads what it rates under the usual names only: leave out --map, and rename your "
            "columns or fields instead."
        )
    for option, given in (
        ("--answers", plan.draw.answers is not None),
        ("--show-flags", plan.draw.show_flags),
        ("--only-flagged", plan.draw.only_flagged),
    ):
        if given and not is_detected(plan.source):
            raise RatersError(
                f"{option} is for the sentences that voirdire detect -o writes, and {plan.source} holds none: leave it "
                "out."
            )
    if plan.raters_per_item < 1:
        raise RatersError(f"{plan.raters_per_item} raters per item were asked for; at least 1 is needed.")
    if not 0 <= plan.pass_share <= 1:
        raise RatersError(f"The share to pass is {plan.pass_share:g}; give a number from 0 to 1.")
    if plan.calibration < 0:
        raise RatersError(f"{plan.calibration} documents for calibration were asked for; give 0 or more.")
    if plan.pay_per_item is not None and not (math.isfinite(plan.pay_per_item) and plan.pay_per_item >= 0):
        raise RatersError(f"The pay per item is {plan.pay_per_item:g}; give an amount of 0 or more.")


def check_sample(materials: Materials, live: Sequence[Item], plan: NewProject) -> None:
    """See that what was drawn is what was asked for.

    Raises:
        RatersError: nothing to rate, less than the sample or the calibration needs, or an id that stands twice.
    """
    source, sample = plan.source, plan.draw.sample
    documents = {item.document for item in live}
    if not documents:
        raise RatersError(f"{source} holds nothing that the task {plan.task} can have rated.")
    if sample is not None and len(documents) < sample:
        raise RatersError(
            f"A sample of {sample} was asked for, and {source} holds {len(documents)} that can be rated; ask for fewer."
        )
    if plan.calibration > len(documents):
        raise RatersError(
            f"{plan.calibration} documents for calibration were asked for, of {len(documents)} to be rated; "
            "ask for fewer."
        )
    for what, ids in (
        ("document", [each.id for each in materials.documents]),
        ("item", [each.id for each in materials.items]),
    ):
        (twice, times), *_ = Counter(ids).most_common(1)
        if times > 1:
            raise RatersError(f"{source} names the {what} {twice!r} {times} times; give each an id of its own.")


def make_project(path: Path, plan: NewProject) -> ProjectSummary:
    """Make a project's file. It is for its owner's eyes: it holds the raters' links.

    Raises:
        RatersError: something is there already, the source is none for this task, a setting is out of range, a name
            is given twice, or the file can't be written. Nothing is left behind.
        ValueError: what an instrument's own reader says of data that it can't use.
    """
    check_place(path)
    task = open_task(plan.task)
    guide = {} if plan.guide is None else task.read_guide(plan.guide)
    task = task.guided(guide)
    plan = replace(plan, source=task.source(plan.source))
    people = people_of(plan)
    check_settings(task, plan)
    check_source(task, plan.source)
    sample = task.make(plan.source, plan.draw)
    guide = guide or sample.guide
    task = task.guided(guide)
    if plan.draw.only_flagged:
        task = task.of_sentences()
    practice = task.practice() if plan.practice else Materials((), ())
    materials = sample._replace(
        documents=(*practice.documents, *sample.documents), items=(*practice.items, *sample.items)
    )
    check_sample(materials, sample.items, plan)
    settings = _settings(task, plan, guide)
    Store.create(path, settings, without_known_secrets(materials.documents), materials.items, people)
    return _summary(path, task, settings, materials, sample.items, people)


def _settings(task: Task, plan: NewProject, guide: Mapping[str, Any]) -> Settings:
    from voirdire import __version__

    return Settings(
        task=task.name,
        title=plan.title.strip() or task.nouns.title,
        mode="independent" if plan.mode == "independent" else "sequential",
        gold="adjudicated" if plan.gold == "adjudicated" else "majority",
        raters_per_item=plan.raters_per_item,
        pass_share=plan.pass_share,
        calibration=plan.calibration,
        seed=plan.draw.seed,
        pay_per_item=plan.pay_per_item,
        currency=plan.currency.strip() or "USD",
        source=str(plan.source),
        source_sha256=sha256_of(plan.source),
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        version=__version__,
        guide=guide,
        only_flagged=plan.draw.only_flagged,
    )


def check_source(task: Task, source: Path) -> None:
    """See that a run is of an instrument that the task can use; data are the task's to read.

    Raises:
        RatersError: nothing is there, no run where one is needed, or a run of another kind.
    """
    if not source.exists():
        raise RatersError(f"There is nothing at {source}; name a run folder{'' if task.only_runs else ' or data'}.")
    if not (source / _MANIFEST).is_file():
        if task.only_runs:
            raise RatersError(
                f"{source} is no run folder (it has no {_MANIFEST}); the task {task.name} is made of a run of "
                f"{task.only_runs}."
            )
        return
    instrument = _instrument(source)
    if task.rates(instrument):
        return
    fits = instrument_of(instrument).rating_task
    rated = [each.name for each in instruments() if task.rates(each.name)]
    advice = f"give --task {fits}, or another run" if fits else "give another run"
    raise RatersError(
        f"{source} holds a run of {instrument!r}, and the task {task.name} is made of runs of "
        f"{' or '.join(map(repr, rated))}: {advice}."
    )


def _instrument(run: Path) -> str:
    from voirdire.runs import JournalError, RunFolder, RunFolderError

    try:
        with RunFolder.open(run, read_only=True) as folder:
            return str(folder.manifest.get("instrument", "no instrument"))
    except (RunFolderError, JournalError) as error:
        raise RatersError(str(error)) from error


def sha256_of(source: Path) -> str:
    """Of a file; of a run's manifest; of a data folder's files, with their names, in order.

    Raises:
        RatersError: a file can't be read.
    """
    if (source / _MANIFEST).is_file():
        source = source / _MANIFEST
    digest = hashlib.sha256()
    for file in [source] if source.is_file() else sorted(path for path in source.rglob("*") if path.is_file()):
        if file != source:
            digest.update(f"{file.relative_to(source).as_posix()}\n".encode())
        try:
            with file.open("rb") as opened:
                while part := opened.read(_CHUNK):
                    digest.update(part)
        except OSError as error:
            raise RatersError(f"{file} can't be read: {error.strerror}.") from error
    return digest.hexdigest()


def _summary(
    path: Path,
    task: Task,
    settings: Settings,
    materials: Materials,
    live: Sequence[Item],
    people: Sequence[tuple[str, Role]],
) -> ProjectSummary:
    """What a project holds, counted."""
    order = list(dict.fromkeys(item.document for item in live))
    shared = set(order[: settings.calibration])
    live_documents = [document for document in materials.documents if document.id in set(order)]
    raters = tuple(name for name, role in people if role == "rater")
    adjudicators = tuple(name for name, role in people if role == "adjudicator")
    practice, calibration = len(materials.items) - len(live), sum(item.document in shared for item in live)
    each = min(settings.raters_per_item, len(raters)) / len(raters)
    return ProjectSummary(
        path=path,
        settings=settings,
        documents=len(order),
        groups=len({document.group for document in live_documents}),
        items=len(live),
        practice=practice,
        calibration=calibration,
        strata=dict(sorted(Counter(document.stratum for document in live_documents).items())),
        stands_for=math.fsum(document.weight for document in live_documents),
        raters=raters,
        adjudicators=adjudicators,
        items_per_rater=practice + calibration + each * (len(live) - calibration),
        disagreements=_disagreements(task, settings, len(live)),
        notes=(*materials.notes, *_notes(settings, raters, adjudicators)),
        warnings=materials.warnings,
        left_out=materials.left_out,
    )


def _disagreements(task: Task, settings: Settings, items: int) -> float | None:
    """By what a source has found for two raters; `None` where all is assumed, or with other numbers of raters."""
    if settings.raters_per_item < _FEW:
        return 0.0
    share = task.effort(settings.mode).disagreement
    return items * share.low if settings.raters_per_item == _FEW and share.low == share.high else None


def _notes(settings: Settings, raters: Sequence[str], adjudicators: Sequence[str]) -> Iterator[str]:
    per_item = settings.raters_per_item
    if len(raters) < per_item:
        yield (
            f"{counted(len(raters), 'rater')} for {per_item} ratings per item: no item can be "
            "settled until there are more."
        )
    if per_item == 1:
        yield "With one rating per item nothing can be said of agreement."
    elif not adjudicators and (per_item == _FEW or settings.gold == "adjudicated"):
        yield "There is no adjudicator: items on which raters differ stay open until there is one."
