"""Ratings as CSV, safe to open in a spreadsheet, and read as a spreadsheet has saved them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from voirdire.data.files import FileError
from voirdire.data.json_text import JsonError, parse_json
from voirdire.data.sheets import read_sheet
from voirdire.raters.exchange.checking import FieldError, check_value, item_of, role_of, seconds_of
from voirdire.raters.exchange.json_lines import name_of, question_fields
from voirdire.raters.exchange.records import (
    ASKED,
    GOLDEN,
    PRACTICE,
    Entry,
    ExchangeError,
    Read,
    Which,
    called,
    chosen_items,
    chosen_ratings,
    told,
)
from voirdire.raters.records import Project, Rating, TaskName
from voirdire.text.cells import csv_text, unguard

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


RATINGS, VIOLATIONS, QUESTIONS, GOLD = "ratings.csv", "violations.csv", "questions.csv", "gold.csv"
ABOUT = ("item", "document", "rater", "role", "blind", "pool", "phase", "at", "seconds")
VIOLATION_OF = ("item", "rater", "number")
_ASKED = ("item", "rater", "text", "at", "afterwards", "reply", "replied_at")
_GOLD = ("item", "document", "how")

Row = Mapping[str, str]


def tables(project: Project, *, pool: Which = "live", names: bool = False, gold: bool = False) -> dict[str, str]:
    """The text of each file, by name: ratings, of integrity also violations; questions and gold where there are any.

    UTF-8 with the mark that spreadsheets know it by; a text that begins like a formula has an apostrophe in front.

    Args:
        project: as it stands.
        pool: whose items.
        names: whether raters are called by their names.
        gold: whether gold is written; violations stand in it as JSON.
    """
    task = project.settings.task
    ratings = chosen_ratings(project, pool)
    found = {RATINGS: _table((*ABOUT, *COLUMNS[task]), (_rating(project, each, names) for each in ratings))}
    listed: tuple[str, ...] = ()
    if task == "integrity":
        listed = ("violations",)
        rows = (row for rating in ratings for row in _violations(project, rating, names))
        found[VIOLATIONS] = _table((*VIOLATION_OF, *VIOLATION_COLUMNS), rows)
    if asked := list(_questions(project, pool, names)):
        found[QUESTIONS] = _table(_ASKED, asked)
    if gold:
        found[GOLD] = _table((*_GOLD, *COLUMNS[task], *listed), _golden(project, pool))
    return found


def _rating(project: Project, rating: Rating, names: bool) -> Row:
    about = {
        "item": rating.item,
        "document": project.items[rating.item].document,
        "rater": called(project.raters[rating.rater], names),
        "role": rating.role,
        "blind": as_cell(rating.blind),
        "pool": rating.pool,
        "phase": rating.phase,
        "at": rating.at,
        "seconds": as_cell(rating.seconds),
    }
    return {**about, **flattened(project.settings.task, rating.value)}


def _violations(project: Project, rating: Rating, names: bool) -> Iterator[Row]:
    rater = called(project.raters[rating.rater], names)
    for number, cells in enumerate(violation_cells(rating.value), start=1):
        yield {"item": rating.item, "rater": rater, "number": str(number), **cells}


def _questions(project: Project, pool: Which, names: bool) -> Iterator[Row]:
    """Questions on the pool's items, and those on none."""
    items = {"", *(item.id for item in chosen_items(project, pool))}
    for each in project.questions:
        if each.item in items:
            cells = {name: as_cell(value) for name, value in question_fields(each).items()}
            yield {"item": each.item, "rater": name_of(project, each.rater, names), **cells}


def _golden(project: Project, pool: Which) -> Iterator[Row]:
    for item in chosen_items(project, pool):
        if item.id in project.gold:
            _, value, how = project.gold[item.id]
            cells: dict[str, Any] = flattened(project.settings.task, value)
            listed = json.dumps(value.get("violations", []), ensure_ascii=False)
            yield {"item": item.id, "document": item.document, "how": how, **cells, "violations": listed}


def _table(columns: Sequence[str], rows: Iterable[Row]) -> str:
    return "\ufeff" + csv_text([columns, *([row[name] for name in columns] for row in rows)])


_FIRST: Mapping[str, str] = {"cognibench": "label", "integrity": "holistic", "ddft": "far"}
"""The column without which a table holds no ratings of a task."""

Key = tuple[str, str]


def read_table(path: Path, project: Project) -> Read:
    """The ratings of a table with the columns `item`, those of the task, and `rater`, `role`, `seconds`, `at` if known.

    UTF-8 or UTF-16, with commas, semicolons or tabs between cells, decimal points or commas. Violations are read from
    `violations.csv` in the same folder, row by row under the item and rater that they belong to; questions and gold
    beside it are counted and passed over.

    Args:
        path: of the table.
        project: whose items they are of.

    Raises:
        ExchangeError: a file can't be read, or a rating does not fit its item; row and column are named.
    """
    rows = _rows(path, ("item", _FIRST[project.settings.task]))
    violations = _read_violations(path.with_name(VIOLATIONS)) if project.settings.task == "integrity" else {}
    entries: list[Entry] = []
    passed = Counter({ASKED: _count(path.with_name(QUESTIONS)), GOLDEN: _count(path.with_name(GOLD))})
    for where, row in rows:
        try:
            item = item_of(project, row["item"])
            if item.pool == "practice":
                passed[PRACTICE] += 1
                continue
            listed = violations.pop((row["item"], row.get("rater", "")), [])
            entries.append(_entry(where, row, listed, project))
        except FieldError as error:
            raise ExchangeError(f"{where}: {error}.") from None
    left = {key for key in violations if project.items.get(key[0]) is None or project.items[key[0]].pool == "live"}
    if left:
        item_id, rater = sorted(left)[0]
        raise ExchangeError(f"{path.with_name(VIOLATIONS)} has violations of {item_id} by {rater!r}, {path} no rating.")
    return Read(entries, told(passed))


def _entry(where: str, row: Row, violations: list[Row], project: Project) -> Entry:
    value = value_of(project.settings.task, row, violations)
    return Entry(
        where=where,
        item=row["item"],
        rater=row.get("rater") or None,
        value=check_value(value, project, item_of(project, row["item"])),
        role=role_of(row.get("role") or None),
        seconds=seconds_of("seconds", number_of("seconds", row["seconds"]) if row.get("seconds") else None),
        at=row.get("at") or None,
    )


def _count(path: Path) -> int:
    """Rows below the head; none where there is no such file."""
    return sum(1 for _ in _rows(path, ())) if path.exists() else 0


def _read_violations(path: Path) -> dict[Key, list[Row]]:
    """By item and rater, in their order; none where there is no such file."""
    found: dict[Key, list[Row]] = {}
    if path.exists():
        for _, row in _rows(path, ("item", "type")):
            found.setdefault((row["item"], row.get("rater", "")), []).append(row)
    return found


def _rows(path: Path, needed: Sequence[str]) -> Iterator[tuple[str, Row]]:
    """(where, cells by column) of every row.

    Raises:
        ExchangeError: the file can't be read, lacks a column, or a row has too many cells or too few.
    """
    try:
        columns, rows = read_sheet(path, nul=True)
    except FileError as error:
        raise ExchangeError(str(error)) from None
    columns = list(map(unguard, columns))
    missing = [name for name in needed if name not in columns]
    if missing:
        raise ExchangeError(f"{path} lacks the columns {', '.join(missing)}; those of an export are expected.")
    for number, cells in rows:
        yield f"{path}, row {number}", dict(zip(columns, map(unguard, cells), strict=True))
