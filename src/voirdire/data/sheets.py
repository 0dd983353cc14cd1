"""CSV from elsewhere, as programs write it and as spreadsheets save it: read strictly, refused in a sentence."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from voirdire.data.cells import unguard
from voirdire.data.files import FileError, check_text, is_wide, whole_bytes
from voirdire.data.rows import limited_rows

MAX_SHEET = 200_000_000
"""Bytes of a CSV file."""
MAX_COLUMNS = 2_000
_BETWEEN = (",", ";", "\t")
"""What may stand between cells; the first of equals."""


class Sheet(NamedTuple):
    """A CSV file with a head."""

    columns: list[str]
    rows: list[tuple[int, list[str]]]
    """(number, cells) of every row that is not blank; the head is row 1. As many cells as columns."""


def read_sheet(
    path: Path,
    limit: int = MAX_SHEET,
    *,
    codes: Sequence[str] = ("utf-8-sig",),
    padded: bool = False,
    nul: bool = False,
) -> Sheet:
    """Read a CSV file: UTF-8 or UTF-16, with commas, semicolons or tabs between cells, as they were before `guard`.

    Args:
        path: of the file.
        limit: bytes that it may have.
        codes: of the text, the first that fits; UTF-16 is known by its mark.
        padded: a row may have too few cells: Excel leaves out empty ones at the end.
        nul: NUL characters may stand in it, as in texts that we have written.

    Raises:
        FileError: it can't be read, is too large, no text or empty; a name of a column stands there twice, a quote is
            never closed, or a row has too many or too few cells. Row and column are named.
    """
    rows = _parsed(_text(path, limit, codes, nul), path)
    if not rows:
        raise FileError(f"{path} is empty; a CSV file with the names of its columns in the first row is expected.")
    columns = [unguard(name.strip()) for name in rows[0][1]]
    if len(columns) > MAX_COLUMNS:
        raise FileError(f"{path} has {len(columns):,} columns; at most {MAX_COLUMNS:,} are read.")
    twice = next((name for name in columns if name and columns.count(name) > 1), None)
    if twice is not None:
        raise FileError(f"{path} has the column {twice[:60]!a} twice; give each column a name of its own.")
    for number, cells in rows[1:]:
        if padded:
            cells += [""] * (len(columns) - len(cells))
        if len(cells) != len(columns):
            raise FileError(
                f"{path}, row {number}: cells: {len(cells)}, columns: {len(columns)}; give one cell for each column."
            )
    return Sheet(columns, [(number, list(map(unguard, cells))) for number, cells in rows[1:]])


def _text(path: Path, limit: int, codes: Sequence[str], nul: bool) -> str:
    """The text of a CSV file, in the first of the codes that fits."""
    raw = whole_bytes(path, limit)
    for code in ("utf-16",) if is_wide(raw) else codes:
        if code != "utf-16":
            check_text(raw, path)
        try:
            text = raw.decode(code)
        except UnicodeDecodeError:
            continue
        if "\0" in text and not nul:
            raise FileError(f"{path} has NUL characters, and is no text; save it as CSV (UTF-8).")
        return text
    raise FileError(f"{path} is not in UTF-8; save it as CSV (UTF-8).")


def _parsed(text: str, path: Path) -> list[tuple[int, list[str]]]:
    """Numbered rows, blank ones left out."""
    text = text.lstrip("\r\n")
    head = text.partition("\n")[0]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(_BETWEEN, key=head.count), strict=True)
    rows = limited_rows(reader, len(text) + 1)  # the text is in memory already
    try:
        return [(number, cells) for number, cells in enumerate(rows, start=1) if any(cells)]
    except csv.Error as error:
        raise FileError(f"{path}, line {reader.line_num}: it is no CSV ({error}).") from None
