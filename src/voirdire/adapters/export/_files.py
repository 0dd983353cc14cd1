"""Writing tables: a file each, as Parquet, CSV or JSON Lines."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from voirdire.adapters.export._cells import guarded
from voirdire.data.frames import rows_of

if TYPE_CHECKING:
    import pandas as pd

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
    """One JSON object a line; NaN is no JSON."""
    lines = (json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n" for row in rows)
    with path.open("w", encoding="utf-8", errors="replace", newline="\n") as file:
        file.writelines(lines)
