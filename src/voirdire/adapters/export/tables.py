"""A run's tables as files: Parquet, CSV, JSON Lines, or a data set for the hub."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from voirdire.adapters.export._card import CARD, card, write_data
from voirdire.adapters.export._files import Frames, write_csv, write_jsonl, write_parquet
from voirdire.adapters.export._manifest import new_folder, said_of
from voirdire.adapters.export.records import Exported, ExportPlan
from voirdire.adapters.loading import LoadedRun
from voirdire.data.manifests import made_by, write_manifest
from voirdire.text.counting import counted

if TYPE_CHECKING:
    import pandas as pd

_WRITERS: dict[str, Callable[[Frames, Path], list[str]]] = {
    "parquet": write_parquet,
    "csv": write_csv,
    "jsonl": write_jsonl,
    "huggingface": write_data,
}
_WITHIN = ("endpoint", "error_text")
"""Columns of `calls` that name servers: a published data set does without them."""


def export_tables(plan: ExportPlan, run: LoadedRun) -> Exported:
    """Write all tables of a run, a file each.

    Raises:
        ExportError: something stands at `out`, or it can't be written.
    """
    frames = {name: _shown(name, run.table(name), plan.target) for name in run.tables}
    with new_folder(plan.out) as folder:
        notes = (*_other_juries(run), *_WRITERS[plan.target](frames, folder))
        manifest = {
            "made_by": made_by(),
            **said_of(plan.target, run.instrument, [run]),
            "rows": {name: len(frame) for name, frame in frames.items()},
            "notes": list(notes),
        }
        if plan.target == "huggingface":
            (folder / CARD).write_text(card(frames, run.instrument, manifest), encoding="utf-8")
        _, whole = write_manifest(folder, manifest)
    files = tuple(sorted(path for path in plan.out.rglob("*") if path.is_file()))
    counts = ", ".join(f"{name} {counted(len(frame), 'row')}" for name, frame in frames.items())
    return Exported(plan.out, files, whole, (f"{counts}.", *_lacking(whole["runs"][0]["missing"])), notes)


def _shown(name: str, frame: pd.DataFrame, target: str) -> pd.DataFrame:
    return frame.drop(columns=list(_WITHIN)) if target == "huggingface" and name == "calls" else frame


def _other_juries(run: LoadedRun) -> tuple[str, ...]:
    others = [jury for jury in run.juries if jury != run.jury]
    if not others:
        return ()
    return (f"Verdicts and scores are those of the jury {run.jury}; --jury exports those of {', '.join(others)}.",)


def _lacking(counts: dict[str, Any]) -> tuple[str, ...]:
    there = [f"{name.replace('_', ' ')} {count:,}" for name, count in counts.items() if count]
    return (f"Missing: {', '.join(there)}.",) if there else ()
