"""Values of ratings as flat cells and back: columns per task, lists of violations apart."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from voirdire.data.json_text import JsonError, parse_json
from voirdire.raters.exchange.checking import FieldError
from voirdire.raters.records import TaskName

Cells = dict[str, str]
"""Texts by column; "" is a missing value."""

COLUMNS: Mapping[TaskName, tuple[str, ...]] = {
    "cognibench": ("label", "reason", "steps"),
    "integrity": (
        "holistic",
        "score",
        "band",
        "ambiguous",
        "note",
        "second_look_missed",
        "second_look_twice",
        "second_look_values",
        "second_look_note",
        "second_look_score_before",
    ),
    "ddft": ("far", "sas", "no_claims", "stance", "comment"),
}
VIOLATION_COLUMNS = ("type", "sentence", "span", "fact", "reason", "ambiguous", "note", "penalty")

_TEXTS = frozenset({"reason", "note", "comment", "second_look_note"})
_AS_IT_IS = frozenset({"span", "fact"})
_LOOK = "second_look_"
_YES, _NO = ("yes", "y", "true", "x", "1"), ("", "no", "n", "false", "0")


def flattened(task: TaskName, value: Mapping[str, Any]) -> Cells:
    """The cells of a value; violations are left to `violation_cells`."""
    look = value.get("second_look") or {}
    flat = {**value, **{f"{_LOOK}{name}": each for name, each in look.items()}}
    return {name: _cell(name, flat.get(name)) for name in COLUMNS[task]}


def violation_cells(value: Mapping[str, Any]) -> list[Cells]:
    """The cells of each violation of a value."""
    return [{name: _cell(name, each.get(name)) for name in VIOLATION_COLUMNS} for each in value.get("violations") or ()]


def value_of(task: TaskName, cells: Mapping[str, str], violations: list[Mapping[str, str]]) -> dict[str, Any]:
    """The value that cells stand for, not yet checked against its item.

    Args:
        task: whose columns they are.
        cells: by column; a column may be missing.
        violations: of the rating, each by column.

    Raises:
        FieldError: a cell can't be read.
    """
    found = _present(cells, COLUMNS[task])
    if task != "integrity":
        return found
    own = {name: each for name, each in found.items() if not name.startswith(_LOOK)}
    look = {name.removeprefix(_LOOK): each for name, each in found.items() if name.startswith(_LOOK)}
    listed = [_present(each, VIOLATION_COLUMNS) for each in violations]
    return {**own, "violations": listed, "second_look": look if "score_before" in look else None}


def _present(cells: Mapping[str, str], columns: tuple[str, ...]) -> dict[str, Any]:
    read = {name: _read(name, cells[name]) for name in columns if name in cells}
    return {name: value for name, value in read.items() if value is not None}


def as_cell(value: Any) -> str:
    """A value as a cell: "" for what is missing, yes or no, numbers and texts as they are."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _cell(name: str, value: Any) -> str:
    return json.dumps(value, ensure_ascii=False) if name == "steps" and value is not None else as_cell(value)


def _read(name: str, cell: str) -> Any:
    """What a cell says; `None` where it is empty and no text."""
    if name in _TEXTS:
        return cell
    if name in _AS_IT_IS:
        return cell or None
    return _READERS.get(name, _word)(name, cell) if cell.strip() or name in _FLAGS else None


def _word(name: str, cell: str) -> str:
    return cell.strip()


def number_of(name: str, cell: str) -> float | int:
    """A number as people and spreadsheets write it: 80, 0.5, 0,5.

    Raises:
        FieldError: it is none.
    """
    try:
        value = float(cell.strip().replace(",", "."))
    except ValueError:
        raise FieldError(name, f"is {cell[:60]!r}, and must be a number") from None
    return int(value) if value.is_integer() and name not in ("far", "sas", "seconds") else value


def _flag(name: str, cell: str) -> bool:
    word = cell.strip().lower()
    if word not in (*_YES, *_NO):
        raise FieldError(name, f"is {cell[:60]!r}; write yes or no")
    return word in _YES


def _steps(name: str, cell: str) -> Any:
    try:
        return parse_json(cell)
    except JsonError:
        raise FieldError(name, "must be a JSON list of questions and answers, or empty") from None


_FLAGS = frozenset({"ambiguous", "no_claims", "second_look_missed", "second_look_twice", "second_look_values"})
_NUMBERS = frozenset({"holistic", "score", "sentence", "penalty", "far", "sas", "second_look_score_before"})
_READERS: Mapping[str, Callable[[str, str], Any]] = {
    **dict.fromkeys(_FLAGS, _flag),
    **dict.fromkeys(_NUMBERS, number_of),
    "steps": _steps,
}
