"""Ratings from JSON Lines, as `lines` writes them or as anybody else does: an item, a rater, a value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from voirdire.data.json_text import JsonError, parse_json
from voirdire.data.rows import RowError, text_lines
from voirdire.raters.exchange.checking import (
    FieldError,
    check_names,
    check_value,
    item_of,
    mapping,
    one_of,
    role_of,
    seconds_of,
    sequence,
    text,
)
from voirdire.raters.exchange.lines import GOLD, QUESTION, RATING
from voirdire.raters.exchange.records import ASKED, GOLDEN, PRACTICE, Entry, ExchangeError, Read, told
from voirdire.raters.records import Project

_FIELDS = (
    "kind",
    "item",
    "document",
    "shown",  # for whoever reads the file; the project has it
    "rater",
    "role",
    "blind",
    "pool",
    "phase",
    "value",
    "seconds",
    "at",
    "questions",
)
MAX_LINE = 20_000_000
"""Characters of a rating, texts and all."""
_PASSED = {GOLD: GOLDEN, QUESTION: ASKED}


def read_lines(path: Path, project: Project) -> Read:
    """The ratings of a file: `{"item", "value", "rater"?, "role"?, "seconds"?, "at"?}`, one a line.

    Args:
        path: of the file.
        project: whose items they are of.

    Raises:
        ExchangeError: the file can't be read, or a rating does not fit its item; line and field are named.
    """
    entries: list[Entry] = []
    passed: Counter[str] = Counter()
    for where, line in _lines(path):
        try:
            given = _parsed(line)
            found = _entry(where, given, project)
            passed[ASKED] += len(sequence("questions", given.get("questions", [])))
        except FieldError as error:
            raise ExchangeError(f"{where}: {error}.") from None
        if isinstance(found, Entry):
            entries.append(found)
        else:
            passed[found] += 1
    return Read(entries, told(passed))


def _lines(path: Path) -> Iterator[tuple[str, str]]:
    """(where, text) of each line that holds something."""
    try:
        for number, line in text_lines(path, MAX_LINE):
            yield f"{path}, line {number}", line
    except RowError as error:
        raise ExchangeError(str(error)) from error


def _parsed(line: str) -> Mapping[str, Any]:
    try:
        return mapping("it", parse_json(line, halves="keep"))
    except JsonError as error:
        raise FieldError("it", f"holds no JSON: {error}") from None


def _entry(where: str, given: Mapping[str, Any], project: Project) -> Entry | str:
    """A rating; or why it is passed over."""
    kind = one_of("kind", given.get("kind", RATING), (RATING, *_PASSED))
    if kind in _PASSED:
        return _PASSED[kind]
    check_names(given, _FIELDS)
    item = item_of(project, given.get("item"))
    if given.get("document", item.document) != item.document:
        raise FieldError("document", f"is not that of the item {item.id} in the project")
    if item.pool == "practice":
        return PRACTICE
    return Entry(
        where=where,
        item=item.id,
        rater=None if given.get("rater") is None else text("rater", given["rater"]),
        value=check_value(given.get("value"), project, item),
        role=role_of(given.get("role")),
        seconds=seconds_of("seconds", given.get("seconds")),
        at=None if given.get("at") is None else text("at", given["at"]),
    )
