"""Tables of ratings as CSV, safe to open in a spreadsheet."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from voirdire.raters.exchange.flat import COLUMNS, VIOLATION_COLUMNS, as_cell, flattened, violation_cells
from voirdire.raters.exchange.lines import name_of, question_fields
from voirdire.raters.exchange.records import Which, called, chosen_items, chosen_ratings
from voirdire.raters.records import Project, Rating
from voirdire.text.cells import csv_text

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
