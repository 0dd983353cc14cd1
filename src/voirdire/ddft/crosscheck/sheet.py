"""The sheet that a person fills in, as CSV: written so that a spreadsheet executes nothing, read back strictly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from voirdire.data.files import FileError
from voirdire.data.sheets import read_sheet
from voirdire.ddft.crosscheck.records import CrosscheckError, Rating, SampledTurn
from voirdire.models.secrets import without_known_secrets
from voirdire.records import STANCES, Stance
from voirdire.text.cells import csv_text, unguard

SHOWN = ("row", "key", "concept", "turn", "reference", "earlier", "question", "answer", "fabricated")
ASKED = ("far", "sas", "no_claims", "stance", "comment")
MAX_BYTES = 50_000_000
_YES, _NO = ("yes", "y", "true", "x", "1"), ("", "no", "n", "false", "0")
_CODES = ("utf-8-sig", "cp1252")


def sheet_text(turns: Sequence[SampledTurn]) -> str:
    """The sheet without known secrets: what is to be judged, and empty columns for what a person says of it."""
    rows = (
        [number, turn.key, *(getattr(turn, name) for name in SHOWN[2:]), *[""] * len(ASKED)]
        for number, turn in enumerate(without_known_secrets(turns), start=1)
    )
    return "\ufeff" + csv_text([[*SHOWN, *ASKED], *rows])  # spreadsheets take it for UTF-8 only with this mark


def read_ratings(path: Path) -> list[Rating]:
    """The rows of a sheet that a person has filled in; empty ones are left out.

    As spreadsheets save it: UTF-8, UTF-16 or Windows' Western European code, with commas, semicolons or tabs between
    cells, and decimal commas.

    Raises:
        CrosscheckError: no such file, no such columns, no rows, a value that is not allowed, or no row is filled in.
    """
    try:
        columns, rows = read_sheet(path, MAX_BYTES, codes=_CODES, padded=True)
    except FileError as error:
        raise CrosscheckError(f"{error} Give a sheet made by: jury sample.") from None
    missing = [name for name in ("key", *ASKED) if name not in columns]
    if missing:
        raise CrosscheckError(f"{path} lacks the columns {', '.join(missing)}; give a sheet made by: jury sample.")
    if not rows:
        raise CrosscheckError(f"{path} holds the heads of the columns and no row; give a sheet made by: jury sample.")
    named = [(number - 1, dict(zip(columns, cells, strict=True))) for number, cells in rows]
    ratings = [_rating(row, f"{path}, row {number}") for number, row in named if _filled(row)]
    if not ratings:
        raise CrosscheckError(f"No row of {path} is filled in; give far, sas or no_claims for the turns you judged.")
    return ratings


def _filled(row: Mapping[str, str]) -> bool:
    return any(row[name].strip() for name in ("far", "sas", "no_claims", "stance"))


def _rating(row: Mapping[str, str], where: str) -> Rating:
    cells = {name: row[name].strip() for name in ("key", *ASKED)}
    no_claims = cells["no_claims"].lower()
    if no_claims not in (*_YES, *_NO):
        raise CrosscheckError(f"{where}: no_claims is {cells['no_claims']!r}; write yes, or leave it empty.")
    far = _score(cells["far"], "far", where)
    if no_claims in _YES and far is not None:
        raise CrosscheckError(f"{where}: an answer without claims has no far; leave one of the two empty.")
    return Rating(
        key=unguard(cells["key"]),
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
