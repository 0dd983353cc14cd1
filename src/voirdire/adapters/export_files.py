"""What is to be exported, and the files that tables become: Parquet, CSV, JSON Lines, and a data set for the hub."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

import pandas as pd

from voirdire.adapters.loading import LoadedRun
from voirdire.data import manifests, parquet
from voirdire.data.cells import guard
from voirdire.data.paths import set_paths
from voirdire.data.table_values import rows_of
from voirdire.detectors.records import History, Require
from voirdire.documents.document import Document, Text, document
from voirdire.documents.messages import written
from voirdire.errors import InputError
from voirdire.instruments import instrument_of
from voirdire.models.secrets import without_known_secrets
from voirdire.reports.origins import origin_of
from voirdire.runs import made_with
from voirdire.text.markdown import code

Arm = Literal["verification", "knowledge", "both"]
ARMS: tuple[Arm, ...] = get_args(Arm)


class ExportError(InputError):
    """What can't be exported: one sentence says what was given, what is missing, and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportPlan:
    """What to export, and how. An option that is `None` was not given."""

    runs: tuple[Path, ...]
    """Run folders; several for training data only. Or one labelled data set."""
    target: str
    out: Path
    """Nothing may be there yet but an empty folder."""
    jury: str | None = None
    split: float | None = None
    """Training data: share of the concepts (of labelled answers: of the groups) that goes to train."""
    seed: int = 0
    require: Require | None = None
    history: History | None = None
    arm: Arm | None = None
    theta: float | None = None
    """FAR from which an answer counts as accurate, for the knowledge arm."""

    def __post_init__(self) -> None:
        set_paths(self, "runs", "out")


@dataclass(frozen=True, slots=True)
class RunExport:
    """What was written."""

    out: Path
    files: tuple[Path, ...]
    manifest: Mapping[str, Any]
    summary: tuple[str, ...]
    """How much of what, in sentences."""
    notes: tuple[str, ...] = ()
    """What is left out or can't be read as it stands, in sentences."""

    def as_dict(self) -> dict[str, Any]:
        """As JSON."""
        notes = {} if "notes" in self.manifest else {"notes": list(self.notes)}
        return {"out": str(self.out), "files": [str(path) for path in self.files], **notes, **self.manifest}


def exported_document(done: RunExport) -> Document:
    """How much of what was written, and where."""
    return document(*map(Text, [*done.summary, *(written(path) for path in done.files)]))


def guard_cells(frame: pd.DataFrame) -> tuple[pd.DataFrame, int]:
    """The table as CSV can hold it, and how many cells were guarded.

    Lists and objects become JSON. A text that begins like a formula is guarded. Numbers stay numbers.
    """
    count = 0
    columns: dict[str, Any] = {}
    for name in frame.columns:
        column = frame[name]
        if pd.api.types.is_numeric_dtype(column) or pd.api.types.is_bool_dtype(column):
            columns[guard(str(name))] = column
            continue
        texts = [_text(each) for each in column]
        safe = [guard(text) if isinstance(text, str) else text for text in texts]
        count += sum(one is not other for one, other in zip(texts, safe, strict=True))
        columns[guard(str(name))] = safe
    return pd.DataFrame(columns, index=frame.index), count


def _text(value: Any) -> Any:
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (list, tuple, dict)):
        return json.dumps(value, ensure_ascii=False)
    return None if value is None or value is pd.NA or value != value else value


Frames = Mapping[str, "pd.DataFrame"]


def write_parquet(frames: Frames, folder: Path) -> list[str]:
    """NAME.parquet for each table; what is to be said of it."""
    for name, frame in frames.items():
        parquet.write_parquet(folder / f"{name}.parquet", [frame])
    return []


def write_csv(frames: Frames, folder: Path) -> list[str]:
    """NAME.csv for each table, UTF-8, an empty cell for what is missing; what is to be said of it."""
    count = 0
    for name, frame in frames.items():
        safe, guarded_cells = guard_cells(frame)
        count += guarded_cells
        # RFC 4180's line end: with another one, a carriage return within a text is not quoted.
        safe.to_csv(folder / f"{name}.csv", index=False, encoding="utf-8", errors="replace", lineterminator="\r\n")
    return [
        "An apostrophe stands before every text that begins like a formula (= + - @, tab, line break), "
        f"here {count:,}; lists are JSON; an empty cell is a missing value."
    ]


def write_jsonl(frames: Frames, folder: Path) -> list[str]:
    """NAME.jsonl for each table, one object a row, null for what is missing; what is to be said of it."""
    for name, frame in frames.items():
        write_rows(rows_of(frame), folder / f"{name}.jsonl")
    return []


def write_rows(rows: list[dict[str, Any]], path: Path) -> None:
    """One JSON object a line, without known secrets; NaN is no JSON."""
    clean_rows = without_known_secrets(rows)
    lines = (json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n" for row in clean_rows)
    with path.open("w", encoding="utf-8", errors="replace", newline="\n") as file:
        file.writelines(lines)


@contextmanager
def new_folder(out: Path) -> Iterator[Path]:
    """A folder to write to; it takes its place only when all of it is written, and never another's.

    Raises:
        ExportError: something stands at `out`, or it can't be written.
    """
    check_free(out)
    with manifests.new_folder(out, ExportError) as temporary:
        yield temporary


def check_free(out: Path) -> None:
    """Make sure that nothing is there but an empty folder.

    Raises:
        ExportError: something is.
    """
    if out.is_symlink() or (out.exists() and (not out.is_dir() or any(out.iterdir()))):
        raise ExportError(f"{out} already exists: choose another place to export to.")


def manifest_content(target: str, instrument: str, runs: Sequence[LoadedRun]) -> Mapping[str, Any]:
    """How an export was made, and of what: the beginning of its manifest, without known secrets."""
    content = {
        "target": target,
        "instrument": instrument,
        "made_with": made_with(),
        "runs": [origin_of(run.path, run.jury) for run in runs],
    }
    return without_known_secrets(content)


CARD = "README.md"

_CALLS = "an attempt at a model call: tokens, price, seconds, reply; servers' addresses are left out"


def write_data(frames: Frames, folder: Path) -> list[str]:
    """data/NAME/train-00000-of-00001.parquet for each table; what is to be said of it."""
    for name, frame in frames.items():
        place = folder / "data" / name
        place.mkdir(parents=True)
        parquet.write_parquet(place / "train-00000-of-00001.parquet", [frame])
    return ["The card names no licence: choose one, and mind the rights in the texts, before you publish."]


def card(frames: Frames, instrument: str, manifest: Mapping[str, Any]) -> str:
    """The data card: a head for the hub, what the rows are, what is missing, where it comes from."""
    import yaml

    described = instrument_of(instrument)
    rows = {**described.rows, "calls": _CALLS}
    (run,) = manifest["runs"]
    head = yaml.safe_dump(_front_matter(frames), sort_keys=False)
    counts = "\n".join(f"| `{name}` | {len(frame):,} | {rows.get(name, '')} |" for name, frame in frames.items())
    absent = "\n".join(f"- {name.replace('_', ' ')}: {count:,}" for name, count in run["missing"].items())
    return f"""---
{head}---

{described.about or f"# A run of {instrument}"}

| configuration | rows | a row is |
|---|---:|---|
{counts}

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
