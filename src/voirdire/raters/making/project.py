"""From data or a run to a project: what must hold first; documents are drawn, and the file is written whole."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from voirdire.models.secrets import without_known_secrets
from voirdire.raters.exchange.label_studio import holds_tasks
from voirdire.raters.making.messages import told
from voirdire.raters.making.records import MadeProject, NewProject
from voirdire.raters.making.sources import check_source, make_of_tasks, sha256_of, tasks_in
from voirdire.raters.records import GOLDS, MODES, Item, RatersError, Role, Settings
from voirdire.raters.store import Store
from voirdire.raters.tasks import maker_of
from voirdire.raters.tasks.base import Made, Maker


def check_place(path: Path) -> None:
    """See that a project can be written here.

    Raises:
        RatersError: something is there, or there is no such folder.
    """
    if path.exists() or path.is_symlink():
        raise RatersError(f"{path} is there already; give another name, or remove it first.")
    if not path.parent.is_dir():
        raise RatersError(f"There is no folder {path.parent} for the project {path.name}; make it, or name another.")


def people_of(wanted: NewProject) -> list[tuple[str, Role]]:
    """Names and roles, raters first; without any name as many raters as an item gets, by number.

    Raises:
        RatersError: a name is empty, or given twice (case does not matter).
    """
    raters = wanted.raters or tuple(f"Rater {number}" for number in range(1, wanted.raters_per_item + 1))
    people: list[tuple[str, Role]] = [(name.strip(), "rater") for name in raters]
    people += [(name.strip(), "adjudicator") for name in wanted.adjudicators]
    seen: set[str] = set()
    for name, _ in people:
        if not name:
            raise RatersError("A rater or an adjudicator has an empty name; give each a name of their own.")
        if name.casefold() in seen:
            raise RatersError(f"The name {name!r} is given twice; each rater and adjudicator needs one of their own.")
        seen.add(name.casefold())
    return people


def check_settings(wanted: NewProject) -> None:
    """See that what an organiser decided can be held to.

    Raises:
        RatersError: a setting is out of range, or not one of this task.
    """
    if wanted.gold not in GOLDS:
        raise RatersError(f"The gold rating is one of {', '.join(GOLDS)}; {wanted.gold!r} was given.")
    if wanted.mode is not None and wanted.task != "cognibench":
        raise RatersError(f"A mode belongs to the task cognibench; the task {wanted.task} has none: leave it out.")
    if wanted.mode is not None and wanted.mode not in MODES:
        raise RatersError(f"The mode is one of {', '.join(MODES)}; {wanted.mode!r} was given.")
    if wanted.raters_per_item < 1:
        raise RatersError(f"{wanted.raters_per_item} raters per item were asked for; at least 1 is needed.")
    if not 0 <= wanted.pass_share <= 1:
        raise RatersError(f"The share to pass is {wanted.pass_share:g}; give a number from 0 to 1.")
    if wanted.calibration < 0:
        raise RatersError(f"{wanted.calibration} documents for calibration were asked for; give 0 or more.")
    if wanted.pay_per_item is not None and not (math.isfinite(wanted.pay_per_item) and wanted.pay_per_item >= 0):
        raise RatersError(f"The pay per item is {wanted.pay_per_item:g}; give an amount of 0 or more.")


def check_made(made: Made, live: Sequence[Item], wanted: NewProject) -> None:
    """See that what was drawn is what was asked for.

    Args:
        made: by the task.
        live: the items that are not for practice.
        wanted: by the organiser.

    Raises:
        RatersError: nothing to rate, less than the sample or the calibration needs, or an id that stands twice.
    """
    source, sample = wanted.source, wanted.making.sample
    documents = {item.document for item in live}
    if not documents:
        raise RatersError(f"{source} holds nothing that the task {wanted.task} can have rated.")
    if sample is not None and len(documents) < sample:
        raise RatersError(
            f"A sample of {sample} was asked for, and {source} holds {len(documents)} that can be rated; ask for fewer."
        )
    if wanted.calibration > len(documents):
        raise RatersError(
            f"{wanted.calibration} documents for calibration were asked for, of {len(documents)} to be rated; "
            "ask for fewer."
        )
    for what, ids in (("document", [each.id for each in made.documents]), ("item", [each.id for each in made.items])):
        (twice, times), *_ = Counter(ids).most_common(1)
        if times > 1:
            raise RatersError(f"{source} names the {what} {twice!r} {times} times; give each an id of its own.")


_TITLES = {"cognibench": "Rating statements", "integrity": "Rating responses", "ddft": "Rating turns of dialogues"}
"""A source's name may tell the model, so that no title that raters see is made of it."""


def make_project(path: Path, wanted: NewProject) -> MadeProject:
    """Make a project's file. It is for its owner's eyes: it holds the raters' links.

    Args:
        path: of the file, where nothing is yet.
        wanted: from what, for whom, and how.

    Raises:
        RatersError: something is there already, the source is none for this task, a setting is out of range, a name
            is given twice, or the file can't be written. Nothing is left behind.
        ValueError: what an instrument's own reader says of data that it can't use.
    """
    check_place(path)
    if wanted.task == "cognibench":
        wanted = replace(wanted, source=tasks_in(wanted.source))
    make = _maker(wanted)
    people = people_of(wanted)
    check_settings(wanted)
    check_source(wanted.task, wanted.source)
    made = make(wanted.source, wanted.making)
    live = [item for item in made.items if item.pool == "live"]
    check_made(made, live, wanted)
    settings = _settings(wanted)
    Store.create(path, settings, without_known_secrets(made.documents), made.items, people)
    return told(path, settings, made, live, people)


def _maker(wanted: NewProject) -> Maker:
    return make_of_tasks if wanted.task == "cognibench" and holds_tasks(wanted.source) else maker_of(wanted.task)


def _settings(wanted: NewProject) -> Settings:
    from voirdire import __version__

    return Settings(
        task=wanted.task,
        title=wanted.title.strip() or _TITLES[wanted.task],
        mode="independent" if wanted.mode == "independent" else "sequential",
        gold="adjudicated" if wanted.gold == "adjudicated" else "majority",
        raters_per_item=wanted.raters_per_item,
        pass_share=wanted.pass_share,
        calibration=wanted.calibration,
        seed=wanted.making.seed,
        pay_per_item=wanted.pay_per_item,
        currency=wanted.currency.strip() or "USD",
        source=str(wanted.source),
        source_sha256=sha256_of(wanted.source),
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        version=__version__,
    )
