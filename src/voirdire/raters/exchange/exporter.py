"""Writing a project in another form: to a temporary folder first, with the hash of every file beside."""

from __future__ import annotations

import io
import json
import tempfile
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from voirdire.data import manifests
from voirdire.raters.exchange.csv_tables import code_notes, tables
from voirdire.raters.exchange.json_lines import log_lines, rating_lines
from voirdire.raters.exchange.label_studio import task_form_of, tasks_of
from voirdire.raters.exchange.label_studio_form import config_text
from voirdire.raters.exchange.records import (
    LOG,
    SOURCES,
    TASKS,
    ExchangeError,
    ExportPlan,
    RatingsExport,
    chosen_items,
    chosen_ratings,
    exported_name,
)
from voirdire.raters.records import Project
from voirdire.raters.tasks import task_of
from voirdire.raters.tasks.base import OwnForm
from voirdire.runs import made_with

MADE_FOR = "raters"
"""What marks a manifest as that of an export of people's ratings."""
_FILES = (".jsonl", ".json", ".csv", ".xml")


@contextmanager
def new_folder(out: Path, *, force: bool) -> Iterator[Path]:
    """A folder to write to; it takes its place only when all of it is written.

    Args:
        out: where it is to stand.
        force: whether it may take the place of an earlier export. Of anything else it never does.

    Raises:
        ExchangeError: something stands at `out`, or it can't be written.
    """
    check_free(out, force=force)
    with manifests.new_folder(out, ExchangeError, replace=True) as folder:
        yield folder


def check_free(out: Path, *, force: bool) -> None:
    """Make sure that nothing is there but an empty folder, or an earlier export that may go.

    Raises:
        ExchangeError: something is.
    """
    if out.suffix in _FILES:
        raise ExchangeError(f"An export is a folder with a manifest; {out} looks like a file: give -o {out.stem}.")
    if not out.is_symlink() and (not out.exists() or (out.is_dir() and not any(out.iterdir()))):
        return
    if _is_export(out):
        if force:
            return
        raise ExchangeError(f"{out} already exists: choose another place, or replace that export with --force.")
    raise ExchangeError(f"{out} already exists, and is no export of ratings: choose another place to export to.")


def write_text(path: Path, text: str) -> None:
    """Write UTF-8, line ends as they are; half of a surrogate pair, which UTF-8 can't hold, becomes its JSON escape."""
    path.write_bytes(text.encode("utf-8", errors="backslashreplace"))


def write_manifest(folder: Path, manifest: Mapping[str, Any], forms: Sequence[str]) -> dict[str, Any]:
    """Write the manifest, with the SHA-256 of every file that is there; what was written.

    Args:
        folder: of the export.
        manifest: what it was made from.
        forms: files that others fill in, and give back changed.
    """
    _, content = manifests.write_manifest(folder, {"made_for": MADE_FOR, **manifest}, forms=forms)
    return content


def _is_export(out: Path) -> bool:
    """Whether nothing stands there but an export of ratings, file for file."""
    if out.is_symlink() or not out.is_dir():
        return False
    manifest = manifests.manifest_of(out)
    if manifest is None or manifest.folder != out.resolve() or manifest.content.get("made_for") != MADE_FOR:
        return False
    there = {path.relative_to(out).as_posix() for path in out.rglob("*") if not path.is_dir()}
    return there <= {manifests.MANIFEST, *manifest.written}


_FORMS: Mapping[str, tuple[str, ...]] = {"label-studio": (TASKS,)}
"""What others fill in: it comes back changed, and is taken so."""


def export_project(project: Project, plan: ExportPlan) -> RatingsExport:
    """Write a project's ratings, or its record.

    Raises:
        ExchangeError: an option does not fit, something stands at `out`, it can't be written, or there is nothing.
    """
    own = task_of(project.settings).exchange().own
    unused = _check(plan, own)
    plan = replace(
        plan, gold=plan.gold and "--with-gold" not in unused, names=plan.names and "--rater-names" not in unused
    )
    with new_folder(plan.out, force=plan.force) as folder:
        notes = [*unused.values(), *_write(project, plan, own, folder)]
        forms = _FORMS.get(plan.target, ())
        manifest = write_manifest(folder, {**_manifest_content(project, plan, own), "notes": notes}, forms)
    files = tuple(sorted(path for path in plan.out.rglob("*") if path.is_file()))
    return RatingsExport(plan.out, files, manifest, tuple(notes))


def exported_archive(project: Project, target: str, *, names: bool) -> bytes:
    """An export as one file, a ZIP archive: with gold ratings and names where its form holds them.

    Raises:
        ExchangeError: as for `export_project`.
    """
    own = task_of(project.settings).exchange().own
    with tempfile.TemporaryDirectory() as place:
        plan = ExportPlan(
            target=target, out=Path(place) / "ratings", gold=target in SOURCES, names=names and target not in own
        )
        files = export_project(project, plan).files
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as writer:
            for file in files:
                writer.write(file, file.relative_to(plan.out))
    return archive.getvalue()


def texts_of(project: Project, plan: ExportPlan) -> tuple[dict[str, str], list[str]]:
    """The files of an export in a form that every task has, by name; and what is to be said of them."""
    if plan.target == LOG:
        return {"log.jsonl": "".join(log_lines(project, names=plan.names))}, []
    if plan.target == "jsonl":
        lines = rating_lines(project, pool=plan.pool, names=plan.names, gold=plan.gold)
        return {"ratings.jsonl": "".join(lines)}, []
    if plan.target == "csv":
        note = "An apostrophe stands before every text that begins like a formula; import takes it away again."
        files = tables(project, pool=plan.pool, names=plan.names, gold=plan.gold)
        return files, [note, *code_notes(project, plan.pool)]
    exported = tasks_of(project, pool=plan.pool, names=plan.names, gold=plan.gold)
    text = json.dumps(exported.tasks, ensure_ascii=False, allow_nan=False, indent=1) + "\n"
    config = config_text(task_form_of(project).form)
    note = "Paste config.xml into the labeling interface of a Label Studio project, then import tasks.json there."
    return {TASKS: text, "config.xml": config}, [note, *exported.notes]


def _write(project: Project, plan: ExportPlan, own: Mapping[str, OwnForm], folder: Path) -> list[str]:
    if plan.target in own:
        return own[plan.target].write(project, plan, folder)
    texts, notes = texts_of(project, plan)
    for name, text in texts.items():
        write_text(folder / name, text)
    return notes


def _check(plan: ExportPlan, own: Mapping[str, OwnForm]) -> dict[str, str]:
    """What is to be said of options that this form has no use for, by option.

    Raises:
        ExchangeError: there is no such form, or other ratings would be written than were asked for.
    """
    target = plan.target
    if target not in (*SOURCES, LOG, *own):
        raise ExchangeError(f"There is no form {target!r} to export to; there are {', '.join((*SOURCES, *own, LOG))}.")
    named = " and ".join(f"--to {name}" for name in own) or "formats that a project of this task does not have"
    for name, value, fits, purpose in (
        ("--ratings", plan.pool != "live", target != LOG, "all but log, which holds everything"),
        ("--only-rater", plan.rater is not None, target in own, named),
    ):
        if value and not fits:
            raise ExchangeError(f"{name} is for {purpose}; it changes nothing here, so leave it out.")
    return {
        name: f"{name} is for {', '.join(forms)}; it changes nothing in {target}."
        for name, value, forms in (
            ("--with-gold", plan.gold, SOURCES),
            ("--rater-names", plan.names, (*SOURCES, LOG)),
        )
        if value and target not in forms
    }


def _manifest_content(project: Project, plan: ExportPlan, own: Mapping[str, OwnForm]) -> dict[str, Any]:
    """What is in it and what it was made of, without paths of the machine that it was made on."""
    settings = project.settings
    ratings = chosen_ratings(project, "all" if plan.target == LOG else plan.pool)
    return {
        "target": plan.target,
        "made_with": made_with(),
        "project": {
            "task": settings.task,
            "title": settings.title,
            "mode": settings.mode,
            "gold": settings.gold,
            "raters_per_item": settings.raters_per_item,
            "seed": settings.seed,
            "created": settings.created,
            "version": settings.version,
            "source_sha256": settings.source_sha256,
        },
        "raters": [{"rater": exported_name(each, plan.names), "role": each.role} for each in project.raters.values()],
        "counts": _counts(project, plan, len(ratings), gold=plan.gold or plan.target in own),
    }


def _counts(project: Project, plan: ExportPlan, ratings: int, *, gold: bool) -> Mapping[str, int]:
    if plan.target == LOG:
        return {"rows": len(project.rows)}
    items = {item.id for item in chosen_items(project, plan.pool)}
    counts = {"items": len(items), "ratings": ratings}
    if not gold:
        return counts
    without = {"unlabelled": len(items & project.unlabelled)} if items & project.unlabelled else {}
    return {**counts, "gold": len(items & project.labelled.keys()), **without}
