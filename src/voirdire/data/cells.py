"""Cells of a CSV file that a spreadsheet shows as text, and that come back as they were."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence

_GUARD = "'"
_UNSEEN = "\x00-\x20\x7f-\xa0\xad\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff"
_FORMULA = re.compile(rf"[\t\r\n]|[{_UNSEEN}'\"`´‘’‚“”„«»＇＂]*[=+\-@＝＋－＠﹢﹣﹫﹦−]")
"""Also behind what some programs strip first: white space, what is not seen, and quotation marks."""
_NUMBER = re.compile(r"[+-]?(?:\d+(?:[.,]\d+)*|\.\d+)(?:[eE][+-]?\d+)?\s*%?", re.ASCII)

Cell = str | int | float | bool | None


def guard(text: str) -> str:
    """The text with an apostrophe in front, if it begins like a formula, or like one that was guarded.

    A text that is a plain number ("-0.5", "+3 %") stays: no program computes anything there.
    """
    return _GUARD + text if _is_formula(text.lstrip(_GUARD)) else text


def unguard(cell: str) -> str:
    """The text that `guard` was given."""
    return cell[1:] if cell.startswith(_GUARD) and _is_formula(cell.lstrip(_GUARD)) else cell


def csv_text(rows: Iterable[Sequence[Cell]]) -> str:
    """Rows as CSV (RFC 4180) that no spreadsheet computes anything in: every text is guarded, numbers stay numbers.

    Truth values become true and false, `None` an empty cell.
    """
    out = io.StringIO()
    # RFC 4180's line end: with another one, a carriage return within a text is not quoted.
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerows([_cell(cell) for cell in row] for row in rows)
    return out.getvalue()


def _cell(cell: Cell) -> Cell:
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return guard(cell) if isinstance(cell, str) else cell


def _is_formula(text: str) -> bool:
    return _FORMULA.match(text) is not None and _NUMBER.fullmatch(text) is None
