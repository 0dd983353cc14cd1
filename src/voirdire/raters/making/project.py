"""From data or a run to a project: documents are drawn, settings fixed, and the file is written whole or not at all."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from voirdire.raters.exchange.label_studio import holds_tasks
from voirdire.raters.making.annotation_tasks import make_of_tasks, tasks_in
from voirdire.raters.making.checking import check_made, check_place, check_settings, people_of
from voirdire.raters.making.records import MadeProject, NewProject
from voirdire.raters.making.sources import check_source, sha256_of
from voirdire.raters.making.telling import told
from voirdire.raters.records import Settings
from voirdire.raters.store import Store
from voirdire.raters.tasks import maker_of
from voirdire.raters.tasks.base import Maker

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
    Store.create(path, settings, made.documents, made.items, people)
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
