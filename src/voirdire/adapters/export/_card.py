"""A data set for the hub: Parquet files where `datasets.load_dataset` looks for them, and a card."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from voirdire.adapters.export.table_writer import Frames
from voirdire.instruments import instrument_of
from voirdire.text.markdown import code

CARD = "README.md"

_CALLS = "an attempt at a model call: tokens, price, seconds, reply; servers' addresses are left out"


def write_data(frames: Frames, folder: Path) -> list[str]:
    """data/NAME/train-00000-of-00001.parquet for each table; what is to be said of it."""
    for name, frame in frames.items():
        place = folder / "data" / name
        place.mkdir(parents=True)
        frame.to_parquet(place / "train-00000-of-00001.parquet", index=False)
    return ["The card names no licence: choose one, and mind the rights in the texts, before you publish."]


def card(frames: Frames, instrument: str, manifest: Mapping[str, Any]) -> str:
    """The data card: a head for the hub, what the rows are, what is missing, where it comes from.

    Args:
        frames: the tables.
        instrument: of the run.
        manifest: how the export was made.
    """
    import yaml

    described = instrument_of(instrument)
    rows = {**described.rows, "calls": _CALLS}
    (run,) = manifest["runs"]
    head = yaml.safe_dump(_front_matter(frames), sort_keys=False)
    counted = "\n".join(f"| `{name}` | {len(frame):,} | {rows.get(name, '')} |" for name, frame in frames.items())
    absent = "\n".join(f"- {name.replace('_', ' ')}: {count:,}" for name, count in run["missing"].items())
    return f"""---
{head}---

{described.about or f"# A run of {instrument}"}

| configuration | rows | a row is |
|---|---:|---|
{counted}

## What is missing

{absent}

Missing values are null, never a default.

## Where it comes from

{_origin(manifest["made_by"], run)}

Hashes of prompts, concepts and files are in `manifest.json`.

## Licence

None is given here: whoever publishes this chooses one. Models' answers stand under the terms of their providers, and
texts that were given to them under the rights of their authors.
"""


def _front_matter(frames: Frames) -> dict[str, Any]:
    configs: list[dict[str, Any]] = [
        {"config_name": name, "data_files": [{"split": "train", "path": f"data/{name}/train-*.parquet"}]}
        for name in frames
    ]
    configs[0]["default"] = True
    return {"configs": configs, "tags": ["evaluation", "hallucination", "llm-as-a-judge"]}


def _origin(made_by: str, run: Mapping[str, Any]) -> str:
    """The run in a list; texts of its manifest are code, so that none is markup."""
    preset = run.get("preset")
    lines = {
        "made by": made_by,
        "run": run["run"],
        "models": _names(run.get("models") or [run.get("model")]),
        "auditors": _names(run.get("auditors", [])),
        "preset": preset["name"] if isinstance(preset, dict) else None,
        "judges": _names(run.get("jury", [])),
        "jury": run.get("jury_id"),
        "seed": run.get("seed"),
        "begun": run["begun"],
    }
    return "\n".join(f"- {name}: {code(value)}" for name, value in lines.items() if value is not None)


def _names(given: Sequence[str | None]) -> str | None:
    return ", ".join(name for name in given if name) or None
