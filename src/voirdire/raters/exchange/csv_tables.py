"""Ratings as CSV, safe to open in a spreadsheet, and read as a spreadsheet has saved them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from voirdire.data.cells import csv_text
from voirdire.data.files import FileError
from voirdire.data.json_text import JsonError, parse_json
from voirdire.data.sheets import read_sheet
from voirdire.jury.worth.tables import is_opaque, opaque
from voirdire.raters.exchange.field_checks import (
    FieldError,
    blind_of,
    blind_value_of,
    check_value,
    decision_of,
    item_of,
    role_of,
    seconds_of,
)
from voirdire.raters.exchange.json_lines import name_of, question_fields
from voirdire.raters.exchange.records import (
    ASKED,
    GOLDEN,
    PRACTICE,
    Entry,
    ExchangeError,
    FileRatings,
    PoolChoice,
    chosen_items,
    chosen_ratings,
    exported_name,
    skipped_lines,
)
from voirdire.raters.records import Item, Project, Rating
from voirdire.raters.tasks import task_of
from voirdire.raters.tasks.base import Column, Kind, RatingsExchange, Value

Cells = dict[str, str]
"""Texts by column; "" is a missing value."""
Row = Mapping[str, str]

_UNSETTLED = "Models are codes where an item is not settled yet; export again after that, and they have their names."
_FROM_PLAN = "Models are codes as in the sheet of jury worth --plan: the first 8 digits of their names' SHA-256."
_YES, _NO = ("yes", "y", "true", "x", "1"), ("", "no", "n", "false", "0")


def cells_of(columns: Sequence[Column], fields: Value) -> Cells:
    """The cells of a value's fields."""
    return {name: _cell(kind, fields.get(name)) for name, kind in columns}


def fields_of(columns: Sequence[Column], cells: Row) -> dict[str, Any]:
    """What cells say; those that are empty and no text are left out. A column may be missing.

    Raises:
        FieldError: a cell can't be read.
    """
    read = {name: _read(name, kind, cells[name]) for name, kind in columns if name in cells}
    return {name: value for name, value in read.items() if value is not None}


def as_cell(value: Any) -> str:
    """A value as a cell: "" for what is missing, yes or no, numbers and texts as they are."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _cell(kind: Kind, value: Any) -> str:
    return json.dumps(value, ensure_ascii=False) if kind == "json" and value is not None else as_cell(value)


def _read(name: str, kind: Kind, cell: str) -> Any:
    """What a cell says; `None` where it is empty and no text."""
    if kind == "text":
        return cell
    if kind == "verbatim":
        return cell or None
    if kind == "flag":
        return _flag(name, cell)
    if not cell.strip():
        return None
    if kind == "json":
        return _json(name, cell)
    if kind == "word":
        return cell.strip()
    number = number_of(name, cell)
    return int(number) if kind == "whole" and number.is_integer() else number


def number_of(name: str, cell: str) -> float:
    """A number as people and spreadsheets write it: 80, 0.5, 0,5.

    Raises:
        FieldError: it is none.
    """
    try:
        return float(cell.strip().replace(",", "."))
    except ValueError:
        raise FieldError(name, f"is {cell[:60]!r}, and must be a number") from None


def _flag(name: str, cell: str) -> bool:
    word = cell.strip().lower()
    if word not in (*_YES, *_NO):
        raise FieldError(name, f"is {cell[:60]!r}; write yes or no")
    return word in _YES


def _json(name: str, cell: str) -> Any:
    try:
        return parse_json(cell)
    except JsonError:
        raise FieldError(name, "must be JSON, or empty") from None


RATINGS, QUESTIONS, GOLD = "ratings.csv", "questions.csv", "gold.csv"
ABOUT = ("item", "document", "rater", "role", "blind", "decision", "blind_value", "phase", "at", "seconds")
_OF_A_LIST = ("item", "rater", "number")
_ASKED = ("item", "rater", "text", "at", "afterwards", "reply", "replied_at")
_GOLD = ("item", "document", "how")
_AFTER = ("group", "weight")
"""After a task's columns, before those that describe what was rated."""
_QUOTE = "quote"


def tables(project: Project, *, pool: PoolChoice = "live", names: bool = False, gold: bool = False) -> dict[str, str]:
    """The text of each file, by name: ratings, and what they list; questions and gold where there are any.

    UTF-8 with the mark that spreadsheets know it by; a text that begins like a formula has an apostrophe in front. What
    was rated stands behind the ratings. Models of items that are not settled are codes: people still rate them blind.

    Args:
        project: as it stands.
        pool: whose items.
        names: whether raters are called by their names.
        gold: whether gold is written; lists stand in it as JSON.
    """
    exchange = task_of(project.settings).exchange()
    columns, behind = [column.name for column in exchange.columns], (*_AFTER, *exchange.described)
    ratings = chosen_ratings(project, pool)
    rated = (_rating(project, exchange, each, names) for each in ratings)
    files = {RATINGS: _table((*ABOUT, *columns, *behind), rated)}
    for name, parts in exchange.lists.items():
        rows = (row for rating in ratings for row in _list_rows(project, exchange, name, rating, names))
        quote = (_QUOTE,) if name in exchange.quotes else ()
        files[f"{name}.csv"] = _table((*_OF_A_LIST, *(column.name for column in parts), *quote), rows)
    if questions := list(_question_rows(project, pool, names)):
        files[QUESTIONS] = _table(_ASKED, questions)
    if gold:
        files[GOLD] = _table((*_GOLD, *columns, *exchange.lists, *behind), _gold_rows(project, exchange, pool))
    return files


def code_notes(project: Project, pool: PoolChoice) -> Iterator[str]:
    """Why tables have codes for models, where they do, and how to get their names."""
    exchange = task_of(project.settings).exchange()
    models = [
        (model, item.id in project.gold)
        for item in chosen_items(project, pool)
        for name, model in exchange.describe(project.documents[item.document], item, {}).items()
        if name in exchange.models and model
    ]
    if any(not settled and not is_opaque(model) for model, settled in models):
        yield _UNSETTLED
    if any(is_opaque(model) for model, _ in models):
        yield _FROM_PLAN


def _described(project: Project, exchange: RatingsExchange, item: Item, value: Value) -> Cells:
    """What was rated, and whose it is."""
    document = project.documents[item.document]
    cells = {"group": document.group, "weight": as_cell(document.weight), **exchange.describe(document, item, value)}
    if item.id in project.gold:
        return cells
    return cells | {name: opaque(cells[name]) for name in exchange.models if cells[name] and not is_opaque(cells[name])}


def _rating(project: Project, exchange: RatingsExchange, rating: Rating, names: bool) -> Row:
    about = {
        "item": rating.item,
        "document": project.items[rating.item].document,
        "rater": exported_name(project.raters[rating.rater], names),
        "role": rating.role,
        "blind": as_cell(rating.blind),
        "decision": as_cell(rating.decision),
        "blind_value": _cell("json", rating.blind_value),
        "phase": rating.phase,
        "at": rating.at,
        "seconds": as_cell(rating.seconds),
    }
    described = _described(project, exchange, project.items[rating.item], rating.value)
    return {**about, **cells_of(exchange.columns, exchange.flatten(rating.value)), **described}


def _list_rows(project: Project, exchange: RatingsExchange, name: str, rating: Rating, names: bool) -> Iterator[Row]:
    rater = exported_name(project.raters[rating.rater], names)
    document, quote = project.documents[project.items[rating.item].document], exchange.quotes.get(name)
    for number, each in enumerate(rating.value.get(name) or (), start=1):
        cells = {"item": rating.item, "rater": rater, "number": str(number), **cells_of(exchange.lists[name], each)}
        yield cells if quote is None else {**cells, _QUOTE: quote(document, each)}


def _question_rows(project: Project, pool: PoolChoice, names: bool) -> Iterator[Row]:
    """Questions on the pool's items, and those on none."""
    items = {"", *(item.id for item in chosen_items(project, pool))}
    for each in project.questions:
        if each.item in items:
            cells = {name: as_cell(value) for name, value in question_fields(each).items()}
            yield {"item": each.item, "rater": name_of(project, each.rater, names), **cells}


def _gold_rows(project: Project, exchange: RatingsExchange, pool: PoolChoice) -> Iterator[Row]:
    for item in chosen_items(project, pool):
        if item.id in project.gold:
            _, value, source = project.gold[item.id]
            listed = {name: json.dumps(value.get(name, []), ensure_ascii=False) for name in exchange.lists}
            about = {"item": item.id, "document": item.document, "how": source}
            described = _described(project, exchange, item, value)
            yield {**about, **cells_of(exchange.columns, exchange.flatten(value)), **listed, **described}


def _table(columns: Sequence[str], rows: Iterable[Row]) -> str:
    return "\ufeff" + csv_text([columns, *([row[name] for name in columns] for row in rows)])


Key = tuple[str, str]


def read_table(path: Path, project: Project) -> FileRatings:
    """The ratings of a table: `item`, the task's columns, and, where known, those of `ABOUT`.

    UTF-8 or UTF-16, with commas, semicolons or tabs between cells, decimal points or commas. What ratings list, as
    violations, is read from a file of that name in the same folder, row by row under the item and rater that it belongs
    to; questions and gold beside it are counted and passed over.

    Raises:
        ExchangeError: a file can't be read, or a rating does not fit its item; row and column are named.
    """
    exchange = task_of(project.settings).exchange()
    rows = _rows(path, ("item", exchange.needed))
    lists = {name: _read_list(path.with_name(f"{name}.csv"), parts) for name, parts in exchange.lists.items()}
    entries: list[Entry] = []
    passed = Counter({ASKED: _count(path.with_name(QUESTIONS)), GOLDEN: _count(path.with_name(GOLD))})
    for where, row in rows:
        try:
            item = item_of(project, row["item"])
            if item.pool == "practice":
                passed[PRACTICE] += 1
                continue
            key = row["item"], row.get("rater", "")
            listed = {name: each.pop(key, []) for name, each in lists.items()}
            entries.append(_entry(where, row, listed, project, exchange))
        except FieldError as error:
            raise ExchangeError(f"{where}: {error}.") from None
    for name, each in lists.items():
        _check_used(path, name, each, project)
    return FileRatings(entries, skipped_lines(passed))


def _check_used(path: Path, name: str, rows: Mapping[Key, list[Row]], project: Project) -> None:
    unused = {key for key in rows if project.items.get(key[0]) is None or project.items[key[0]].pool == "live"}
    if unused:
        item, rater = sorted(unused)[0]
        raise ExchangeError(f"{path.with_name(f'{name}.csv')} has {name} of {item} by {rater!r}, {path} no rating.")


def _entry(where: str, row: Row, lists: Mapping[str, list[Row]], project: Project, exchange: RatingsExchange) -> Entry:
    item, fields = item_of(project, row["item"]), fields_of(exchange.columns, row)
    listed = {name: [fields_of(exchange.lists[name], each) for each in rows] for name, rows in lists.items()}
    return Entry(
        where=where,
        item=row["item"],
        rater=row.get("rater") or None,
        value=check_value({**exchange.gather(fields), **listed}, project, item),
        role=role_of(row.get("role") or None),
        blind=blind_of(row.get("blind") or None),
        decision=decision_of(row.get("decision") or None),
        blind_value=blind_value_of(_read("blind_value", "json", row.get("blind_value", "")), project, item),
        seconds=seconds_of("seconds", number_of("seconds", row["seconds"]) if row.get("seconds") else None),
        at=row.get("at") or None,
    )


def _count(path: Path) -> int:
    """Rows below the head; none where there is no such file."""
    return sum(1 for _ in _rows(path, ())) if path.exists() else 0


def _read_list(path: Path, columns: Sequence[Column]) -> dict[Key, list[Row]]:
    """By item and rater, in their order; none where there is no such file."""
    result: dict[Key, list[Row]] = {}
    if path.exists():
        for _, row in _rows(path, ("item", columns[0].name)):
            result.setdefault((row["item"], row.get("rater", "")), []).append(row)
    return result


def _rows(path: Path, needed: Sequence[str]) -> Iterator[tuple[str, Row]]:
    """(where, cells by column) of every row.

    Raises:
        ExchangeError: the file can't be read, lacks a column, or a row has too many cells or too few.
    """
    try:
        columns, rows = read_sheet(path, nul=True)
    except FileError as error:
        raise ExchangeError(str(error)) from None
    missing = [name for name in needed if name not in columns]
    if missing:
        raise ExchangeError(f"{path} lacks the columns {', '.join(missing)}; those of an export are expected.")
    for number, cells in rows:
        yield f"{path}, row {number}", dict(zip(columns, cells, strict=True))
