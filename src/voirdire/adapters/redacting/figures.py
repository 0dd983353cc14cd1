"""A run's figures alone: tables without texts, and what was computed of them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from voirdire.adapters.loading import load
from voirdire.instruments import instrument_of

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


def write_figures(folder: Path, manifest: dict[str, Any]) -> None:
    """Put figures in the place of a copied run: its journal, its texts and what holds them go.

    Args:
        folder: of the copy.
        manifest: of the run.
    """
    loaded = load(folder)
    frames = {name: _without_texts(loaded.table(name)) for name in loaded.tables}
    figures: dict[str, Any] = {
        "instrument": loaded.instrument,
        "rows": {name: len(each) for name, each in frames.items()},
    }
    results = instrument_of(loaded.instrument).results
    if results is not None and all(len(loaded.table(name)) for name in instrument_of(loaded.instrument).by_jury):
        figures |= {**results(folder, loaded.jury), "run": None}
    for path in folder.iterdir():
        if path.name != "run.json":
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    _drop_examples(manifest)
    (folder / "run.json").write_text(json.dumps(manifest, indent=2, ensure_ascii=False, sort_keys=True) + "\n")
    for name, frame in frames.items():
        frame.to_parquet(folder / f"{name}.parquet", index=False)
    text = json.dumps(figures, indent=2, ensure_ascii=False, allow_nan=False)
    (folder / FIGURES).write_text(text + "\n", encoding="utf-8")


def _drop_examples(manifest: dict[str, Any]) -> None:
    """A labelling run's manifest quotes the examples of its prompt."""
    plan = manifest.get("plan")
    if isinstance(plan, dict) and plan.get("contrasts"):
        plan["contrasts"] = []


def _without_texts(frame: pd.DataFrame) -> pd.DataFrame:
    """Numbers, names of a few things, and which rows belong together."""
    import pandas as pd

    numbered = {name: pd.factorize(frame[name])[0] + 1 for name in _NUMBERED if name in frame}
    kept = [
        name
        for name in frame.columns
        if name in numbered or name in _NAMES or pd.api.types.is_numeric_dtype(frame[name])
    ]
    return frame[kept].assign(**numbered)
