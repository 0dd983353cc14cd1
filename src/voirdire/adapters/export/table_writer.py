"""Writing tables as files (Parquet, CSV, JSON Lines) that a spreadsheet can open, and the manifest beside them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from voirdire.adapters.export.records import ExportError
from voirdire.adapters.loading import LoadedRun
from voirdire.data import manifests
from voirdire.data.frames import rows_of
from voirdire.models.secrets import without_known_secrets
from voirdire.report.origins import origin_of
from voirdire.run import made_with
from voirdire.text.cells import guard

if TYPE_CHECKING:
    import pandas as pd


def guarded(frame: pd.DataFrame) -> tuple[pd.DataFrame, int]:
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
        frame.to_parquet(folder / f"{name}.parquet", index=False)
    return []


def write_csv(frames: Frames, folder: Path) -> list[str]:
    """NAME.csv for each table, UTF-8, an empty cell for what is missing; what is to be said of it."""
    count = 0
    for name, frame in frames.items():
        safe, found = guarded(frame)
        count += found
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
    shown = without_known_secrets(rows)
    lines = (json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n" for row in shown)
    with path.open("w", encoding="utf-8", errors="replace", newline="\n") as file:
        file.writelines(lines)


@contextmanager
def new_folder(out: Path) -> Iterator[Path]:
    """A folder to write to; it takes its place only when all of it is written, and never another's.

    Raises:
        ExportError: something stands at `out`, or it can't be written.
    """
    check_free(out)
    with manifests.new_folder(out, ExportError) as made:
        yield made


def check_free(out: Path) -> None:
    """Make sure that nothing is there but an empty folder.

    Raises:
        ExportError: something is.
    """
    if out.is_symlink() or (out.exists() and (not out.is_dir() or any(out.iterdir()))):
        raise ExportError(f"{out} is there already: choose another place to export to.")


def said_of(target: str, instrument: str, runs: Sequence[LoadedRun]) -> Mapping[str, Any]:
    """How an export was made, and of what: the beginning of its manifest, without known secrets."""
    said = {
        "target": target,
        "instrument": instrument,
        "made_with": made_with(),
        "runs": [origin_of(run.path, run.jury) for run in runs],
    }
    return without_known_secrets(said)
