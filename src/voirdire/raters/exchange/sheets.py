"""Ratings from CSV, as `tables` writes them or as a spreadsheet has saved them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from voirdire.data.files import FileError
from voirdire.data.sheets import read_sheet
from voirdire.raters.exchange.checking import FieldError, check_value, item_of, role_of, seconds_of
from voirdire.raters.exchange.flat import number_of, value_of
from voirdire.raters.exchange.records import ASKED, GOLDEN, PRACTICE, Entry, ExchangeError, Read, told
from voirdire.raters.exchange.tables import GOLD, QUESTIONS, VIOLATIONS
from voirdire.raters.records import Project
from voirdire.text.cells import unguard

_FIRST: Mapping[str, str] = {"cognibench": "label", "integrity": "holistic", "ddft": "far"}
"""The column without which a table holds no ratings of a task."""

Row = Mapping[str, str]
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
    violations = _violations(path.with_name(VIOLATIONS)) if project.settings.task == "integrity" else {}
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


def _violations(path: Path) -> dict[Key, list[Row]]:
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
