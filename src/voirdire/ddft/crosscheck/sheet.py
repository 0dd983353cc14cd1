"""The sheet that a person fills in, as CSV: written so that a spreadsheet executes nothing, read back strictly."""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path

from voirdire.ddft.crosscheck.records import CrosscheckError, Rating, SampledTurn
from voirdire.records import STANCES, Stance
from voirdire.text.cells import guard

SHOWN = ("row", "key", "concept", "turn", "reference", "earlier", "question", "answer", "fabricated")
ASKED = ("far", "sas", "no_claims", "stance", "comment")
MAX_BYTES = 50_000_000
_YES, _NO = ("yes", "y", "true", "x", "1"), ("", "no", "n", "false", "0")
_BETWEEN = (",", ";", "\t")
"""What may stand between cells; the first of equals."""


def sheet_text(turns: Sequence[SampledTurn]) -> str:
    """The sheet: what is to be judged, and empty columns for what a person says of it."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*SHOWN, *ASKED])
    for number, turn in enumerate(turns, start=1):
        cells = [str(number), turn.key, *(str(getattr(turn, name)) for name in SHOWN[2:])]
        writer.writerow([guard(cell) for cell in cells] + [""] * len(ASKED))
    return "\ufeff" + out.getvalue()  # spreadsheets take it for UTF-8 only with this mark


def read_ratings(path: Path) -> list[Rating]:
    """The rows of a sheet that a person has filled in; empty ones are left out.

    As spreadsheets save it: UTF-8, UTF-16 or Windows' Western European code, with commas, semicolons or tabs between
    cells, and decimal commas.

    Raises:
        CrosscheckError: no such file, no such columns, no rows, a value that is not allowed, or no row is filled in.
    """
    columns, rows = _read_cells(path)
    missing = [name for name in ("key", *ASKED) if name not in columns]
    if missing:
        raise CrosscheckError(f"{path} lacks the columns {', '.join(missing)}; give a sheet made by: jury sample.")
    if not rows:
        raise CrosscheckError(f"{path} holds the heads of the columns and no row; give a sheet made by: jury sample.")
    ratings = [_rating(row, f"{path}, row {number}") for number, row in enumerate(rows, start=1) if _filled(row)]
    if not ratings:
        raise CrosscheckError(f"No row of {path} is filled in; give far, sas or no_claims for the turns you judged.")
    return ratings


def _read_cells(path: Path) -> tuple[Sequence[str], list[dict[str, str | None]]]:
    """The heads of the columns, and the rows by them."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise CrosscheckError(f"{path} is larger than {MAX_BYTES:,} bytes: that is no sheet of this kind.")
        text = _decoded(path.read_bytes())
    except OSError as error:
        raise CrosscheckError(f"The sheet {path} can't be read: {error.strerror}.") from None
    if text is None or "\0" in text:
        raise CrosscheckError(f"The sheet {path} is no text; save it as CSV (UTF-8).")
    if not text.strip():
        raise CrosscheckError(f"The sheet {path} is empty; give one made by: jury sample.")
    text = text.lstrip("\r\n")
    head = text.partition("\n")[0]
    csv.field_size_limit(MAX_BYTES)
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=max(_BETWEEN, key=head.count))
    try:
        rows = list(reader)
    except csv.Error as error:
        raise CrosscheckError(f"The sheet {path} can't be read, row {reader.line_num}: {error}.") from None
    return reader.fieldnames or (), rows


def _decoded(raw: bytes) -> str | None:
    """The text, in whichever code a spreadsheet has saved it; `None` where it is in none of them."""
    wide = raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    for code in ("utf-16",) if wide else ("utf-8-sig", "cp1252"):
        try:
            return raw.decode(code)
        except UnicodeDecodeError:
            continue
    return None


def _filled(row: Mapping[str, str | None]) -> bool:
    return any((row[name] or "").strip() for name in ("far", "sas", "no_claims", "stance"))


def _rating(row: Mapping[str, str | None], where: str) -> Rating:
    cells = {name: (row[name] or "").strip() for name in ("key", *ASKED)}
    no_claims = cells["no_claims"].lower()
    if no_claims not in (*_YES, *_NO):
        raise CrosscheckError(f"{where}: no_claims is {cells['no_claims']!r}; write yes, or leave it empty.")
    far = _score(cells["far"], "far", where)
    if no_claims in _YES and far is not None:
        raise CrosscheckError(f"{where}: an answer without claims has no far; leave one of the two empty.")
    return Rating(
        key=cells["key"],
        far=far,
        sas=_score(cells["sas"], "sas", where),
        no_claims=no_claims in _YES,
        stance=_stance(cells["stance"].lower(), where),
        comment=cells["comment"],
    )


def _score(cell: str, name: str, where: str) -> float | None:
    if not cell:
        return None
    try:
        value = float(cell.replace(",", "."))
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise CrosscheckError(f"{where}: {name} is {cell!r}; write a number from 0 to 1.")
    return value


def _stance(cell: str, where: str) -> Stance | None:
    for stance in STANCES:
        if cell == stance:
            return stance
    if cell:
        raise CrosscheckError(f"{where}: stance is {cell!r}; write one of {', '.join(STANCES)}, or leave it empty.")
    return None
