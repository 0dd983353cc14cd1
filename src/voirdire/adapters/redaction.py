"""A run's figures alone: tables without texts, and what was computed of them."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from voirdire import __version__
from voirdire.adapters.export_files import new_folder
from voirdire.adapters.loading import load
from voirdire.adapters.redacted_files import (
    LEFT_OUT,
    NAMES_STAY,
    NOT_LOOKED_FOR,
    Redacted,
    RedactPlan,
    clean_files,
)
from voirdire.data.parquet import write_parquet
from voirdire.instruments import instrument_of
from voirdire.reason_codes import Reason, reason
from voirdire.reports.origins import status_of
from voirdire.runs import RunFolder
from voirdire.runs.redaction import copy_journal, folders_in, private_values
from voirdire.runs.redaction_texts import KINDS, Cleaner, RedactError

if TYPE_CHECKING:
    import pandas as pd


_NAMES = {
    *("jury", "model", "concept", "judge", "stance", "stance_at_4", "question_source", "finish_reason", "trap_kind"),
    *(
        "label",
        "band",
        "type",
        "severity",
        "source",
        "auditor",
        "unscored",
        "spec",
        "role",
        "status",
        "error_kind",
        "metric",
    ),
}
"""Columns of texts that are names of a few things, not something that somebody said."""
_NUMBERED = ("id", "dialogue", "group", "key")
"""Columns that tell rows apart: numbers stand for what they say."""
FIGURES = "figures.json"


def write_figures(folder: Path, manifest: dict[str, Any]) -> Reason | None:
    """Put figures in the place of a copied run: its journal, its texts and what holds them go.

    Returns:
        That there are no results, where nothing is judged.
    """
    loaded = load(folder)
    described = instrument_of(loaded.instrument)
    computed = () if described.derived is None else described.derived.names  # of figures and codes: nobody's texts
    frames = {
        name: loaded.table(name) if name in computed else _without_texts(loaded.table(name)) for name in loaded.tables
    }
    figures: dict[str, Any] = {
        "instrument": loaded.instrument,
        "rows": {name: len(each) for name, each in frames.items()},
    }
    nothing = None
    if described.results is not None and all(len(loaded.table(name)) for name in described.by_jury):
        figures |= {**described.results(folder, loaded.jury), "run": None}
    elif described.results is not None:
        with RunFolder.open(folder, read_only=True) as run:
            unfinished = status_of(run).unfinished
        nothing = reason("nothing_judged", models=tuple(manifest["models"]))
        figures |= {"complete": False, "stopped": unfinished, "nothing_judged": nothing.as_dict()}
    for path in folder.iterdir():
        if path.name != "run.json":
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    _drop_texts(manifest)
    (folder / "run.json").write_text(json.dumps(manifest, indent=2, ensure_ascii=False, sort_keys=True) + "\n")
    for name, frame in frames.items():
        write_parquet(folder / f"{name}.parquet", [frame])
    text = json.dumps(figures, indent=2, ensure_ascii=False, allow_nan=False)
    (folder / FIGURES).write_text(text + "\n", encoding="utf-8")
    return nothing


def _drop_texts(manifest: dict[str, Any]) -> None:
    """A labelling run's manifest quotes the examples of its prompt, a cross-examination's its preset's own prompts."""
    if isinstance(manifest.get("preset"), dict):
        manifest["preset"].pop("prompts", None)
    plan = manifest.get("plan")
    if isinstance(plan, dict) and plan.get("contrasts"):
        plan["contrasts"] = []


def _without_texts(frame: pd.DataFrame) -> pd.DataFrame:
    """Numbers, names of a few things, and which rows belong together."""
    import pandas as pd

    numbered = {name: pd.factorize(frame[name])[0] + 1 for name in _NUMBERED if name in frame}
    columns = [
        name
        for name in frame.columns
        if name in numbered or name in _NAMES or pd.api.types.is_numeric_dtype(frame[name])
    ]
    return frame[columns].assign(**numbered)


JOURNAL = "journal.sqlite"
_INFO_FIELDS = ("versions", "python", "time")

Tell = Callable[[int, int], None]


def redact_run(plan: RedactPlan, tell: Tell = lambda done, rows: None) -> Redacted:
    """Make a copy of a run without what is private. The run itself is only read.

    Args:
        plan: of which run, where, and what goes.
        tell: told how far it is, as (rows done, rows in all).

    Raises:
        RedactError: a pattern can't be used, `out` lies within the run, or a file that the run keeps is damaged.
        StudyError: a concept that the run keeps was changed since it was held.
        RunFolderError, JournalError: there is no run, or it can't be read.
        ExportError: something stands at `out`.
    """
    if plan.out.resolve().is_relative_to(plan.run.resolve()):
        raise RedactError(f"{plan.out} lies within the run, which is only read: name a place outside of {plan.run}.")
    with RunFolder.open(plan.run, read_only=True) as folder:
        manifest, head = dict(folder.manifest), folder.journal.head()
    clean = _cleaner(plan, manifest)
    left_out: dict[str, int] = {"fence_secret": 1}
    with new_folder(plan.out) as copy_folder:
        content = _manifest(manifest, clean, left_out) | {"redacted": _mark(plan, head.digest)}
        copied = clean_files(plan.run, copy_folder, content, clean)
        with RunFolder.create(copy_folder, content, filled=True) as copy:
            done = asyncio.run(copy_journal(plan.run / JOURNAL, copy.journal, clean, tell))
            left_out |= {"bodies": done["bodies"], "keys": copy.journal.totals().calls}
            tables = _write_tables(plan.run, copy, content)
        nothing = None
        if plan.figures_only:
            nothing = write_figures(copy_folder, content)
            left_out["texts"] = 1
        (copy_folder / ".lock").unlink(missing_ok=True)
    others = _others(plan.run, {*copied, *tables})
    left_out["files"] = len(others)
    counts = {kind: clean.counts[kind] for kind in KINDS if clean.counts[kind]}
    whole = {kind: left_out[kind] for kind in LEFT_OUT if left_out.get(kind)}
    return Redacted(plan.out, counts, whole, others, NAMES_STAY if plan.figures_only else NOT_LOOKED_FOR, nothing)


def _cleaner(plan: RedactPlan, manifest: dict[str, Any]) -> Cleaner:
    private = private_values(plan.run / JOURNAL)
    described = instrument_of(str(manifest.get("instrument")))
    return Cleaner(
        patterns=plan.patterns,
        texts=plan.texts,
        servers=[*private.servers, *_servers_in(manifest)],
        folders=[
            *private.folders,
            *(folder for text in _texts_in(manifest) for folder in folders_in(text)),
            *(str(place) for place in (plan.run.resolve().parent, Path.home()) if len(place.parts) > 2),
        ],
        categories={"instrument": (described.name,), **described.categories()},
    )


def _mark(plan: RedactPlan, head: str) -> dict[str, Any]:
    """What says that this is a copy: of which journal, by its head, and what was looked for."""
    return {
        "by": f"voirdire {__version__}",
        "from": head,
        "what": [*KINDS.values(), *LEFT_OUT.values()] if plan.figures_only else [*KINDS.values(), *_whole()],
        "hidden_by_user": len(plan.patterns) + len(plan.texts),
    }


def _whole() -> list[str]:
    return [description for kind, description in LEFT_OUT.items() if kind != "texts"]


def _manifest(manifest: dict[str, Any], clean: Cleaner, left_out: dict[str, int]) -> dict[str, Any]:
    """run.json of the copy."""
    info = dict(manifest.get("info") or {})
    for name in ("command", "git", "platform"):
        if info.get(name):
            left_out[name] = 1
    content: dict[str, Any] = clean.value({name: value for name, value in manifest.items() if name != "info"})
    described = instrument_of(str(manifest.get("instrument")))
    content |= {field: manifest[field] for field in described.text_fields if field in manifest}  # the run's own names
    for field in described.hash_fields:
        if isinstance(content.get(field), dict):  # its fields are ids, which stand as values everywhere else
            content[field] = {clean.text(name): sha256 for name, sha256 in content[field].items()}
    content["info"] = {name: info[name] for name in _INFO_FIELDS if name in info}
    left_out["key_names"] = _without_key_names(content)
    return content


def _without_key_names(value: Any) -> int:
    """Take out of plain data, in place, which variables hold keys; how many."""
    if isinstance(value, list):
        return sum(map(_without_key_names, value))
    if not isinstance(value, dict):
        return 0
    count = 1 if value.get("api_key_env") else 0
    if count:
        value["api_key_env"] = None
    return count + sum(_without_key_names(each) for each in value.values())


def _servers_in(value: Any) -> Iterator[str]:
    """Every base URL in a manifest."""
    if isinstance(value, dict):
        for name, each in value.items():
            if name == "base_url" and isinstance(each, str):
                yield each
            yield from _servers_in(each)
    elif isinstance(value, list):
        for each in value:
            yield from _servers_in(each)


def _texts_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _texts_in(each)


def _write_tables(run: Path, copy: RunFolder, manifest: dict[str, Any]) -> list[str]:
    """Make the copy's tables of its own journal: those that the run has."""
    there = {path.stem for path in run.glob("*.parquet")}
    instrument = instrument_of(str(manifest.get("instrument")))
    if instrument.tables is not None and instrument.make is not None and there.intersection(instrument.tables.names):
        instrument.make(copy, copy.path, instrument.files)
    return [f"{name}.parquet" for name in copy.tables()]


def _others(run: Path, copied: set[str]) -> tuple[str, ...]:
    """Files of the run's folder that the copy has nothing of."""
    own = {"run.json", JOURNAL, f"{JOURNAL}-wal", f"{JOURNAL}-shm", ".lock", ".tables", *copied}
    files = (path.relative_to(run).as_posix() for path in run.rglob("*") if path.is_file())
    return tuple(sorted(name for name in files if name not in own))
