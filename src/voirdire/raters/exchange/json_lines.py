"""Ratings as JSON Lines, written and read; and the record of everything that was done."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from voirdire.data.json_text import JsonError, parse_json
from voirdire.data.rows import RowError, text_lines
from voirdire.raters.exchange.field_checks import (
    FieldError,
    blind_of,
    blind_value_of,
    check_names,
    check_value,
    decision_of,
    item_of,
    mapping,
    one_of,
    role_of,
    seconds_of,
    sequence,
    text,
)
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
    rounded,
    skipped_lines,
)
from voirdire.raters.records import ORGANISER, Project, Question, Rating
from voirdire.raters.tasks import task_of
from voirdire.raters.tasks.base import RatingsExchange

RATING, QUESTION, GOLD = "rating", "question", "gold"


def rating_lines(
    project: Project, *, pool: PoolChoice = "live", names: bool = False, gold: bool = False
) -> Iterator[str]:
    """A line for every rating, then for every question that stands on none of them, then for gold."""
    ratings = chosen_ratings(project, pool)
    exchange = task_of(project.settings).exchange()
    questions_of = questions_by_rating(project)
    for rating in ratings:
        yield line(_rating(project, exchange, rating, questions_of.get((rating.rater, rating.item), []), names))
    rated = {(rating.rater, rating.item) for rating in ratings}
    places = {item.id: item.document for item in chosen_items(project, pool)}
    for key, questions in questions_of.items():
        if key not in rated and (not key[1] or key[1] in places):
            yield from (line(_question_line(project, question, names)) for question in questions)
    if gold:
        for item, document in places.items():
            if item in project.gold:
                settled = project.gold[item]
                yield line(
                    {"kind": GOLD, "item": item, "document": document, "value": settled.value, "how": settled.how}
                )


def log_lines(project: Project, *, names: bool = False) -> Iterator[str]:
    """A line for every row of the append-only table: who did what and when, and what it took the place of."""
    for row in project.rows:
        yield line(
            {
                "seq": row.seq,
                "at": row.at,
                "rater": name_of(project, row.rater, names),
                "item": row.item,
                "kind": row.kind,
                "body": row.body,
                "replaces": row.replaces,
                "seconds": rounded(row.seconds),
            }
        )


def question_fields(question: Question) -> dict[str, Any]:
    """A question and its reply, as JSON."""
    return {
        "text": question.text,
        "at": question.at,
        "afterwards": question.afterwards,
        "reply": question.reply,
        "replied_at": question.replied_at,
    }


def questions_by_rating(project: Project) -> dict[tuple[str, str], list[Question]]:
    """What was asked, by who asked it and on which item ("" for none)."""
    result: dict[tuple[str, str], list[Question]] = {}
    for question in project.questions:
        result.setdefault((question.rater, question.item), []).append(question)
    return result


def name_of(project: Project, rater: str, names: bool) -> str:
    """What whoever wrote a row is called: the organiser is no rater."""
    return rater if rater == ORGANISER or rater not in project.raters else exported_name(project.raters[rater], names)


def line(value: Mapping[str, Any]) -> str:
    """One object, as a line. NaN is no JSON."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False) + "\n"


def _rating(
    project: Project, exchange: RatingsExchange, rating: Rating, questions: Iterable[Question], names: bool
) -> dict[str, Any]:
    item = project.items[rating.item]
    return {
        "kind": RATING,
        "item": rating.item,
        "document": item.document,
        "shown": exchange.rated_texts(project.documents[item.document], item),
        "rater": exported_name(project.raters[rating.rater], names),
        "role": rating.role,
        "blind": rating.blind,
        "decision": rating.decision,
        "blind_value": rating.blind_value,
        "phase": rating.phase,
        "value": rating.value,
        "seconds": rating.seconds,
        "at": rating.at,
        "questions": [question_fields(each) for each in questions],
    }


def _question_line(project: Project, question: Question, names: bool) -> dict[str, Any]:
    return {
        "kind": QUESTION,
        "item": question.item,
        "rater": name_of(project, question.rater, names),
        **question_fields(question),
    }


_FIELDS = (
    "kind",
    "item",
    "document",
    "shown",  # for whoever reads the file; the project has it
    "rater",
    "role",
    "blind",
    "decision",
    "blind_value",
    "phase",
    "value",
    "seconds",
    "at",
    "questions",
)
MAX_LINE = 20_000_000
"""Characters of a rating, texts and all."""
_PASSED = {GOLD: GOLDEN, QUESTION: ASKED}


def read_lines(path: Path, project: Project) -> FileRatings:
    """The ratings of a file: `{"item", "value", "rater"?, …}`, one a line, with the fields of `_FIELDS`.

    Raises:
        ExchangeError: the file can't be read, or a rating does not fit its item; line and field are named.
    """
    entries: list[Entry] = []
    passed: Counter[str] = Counter()
    for where, line in _lines(path):
        try:
            fields = _parsed(line)
            entry = _entry(where, fields, project)
            passed[ASKED] += len(sequence("questions", fields.get("questions", [])))
        except FieldError as error:
            raise ExchangeError(f"{where}: {error}.") from None
        if isinstance(entry, Entry):
            entries.append(entry)
        else:
            passed[entry] += 1
    return FileRatings(entries, skipped_lines(passed))


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


def _entry(where: str, fields: Mapping[str, Any], project: Project) -> Entry | str:
    """A rating; or why it is passed over."""
    kind = one_of("kind", fields.get("kind", RATING), (RATING, *_PASSED))
    if kind in _PASSED:
        return _PASSED[kind]
    check_names(fields, _FIELDS)
    item = item_of(project, fields.get("item"))
    if fields.get("document", item.document) != item.document:
        raise FieldError("document", f"is not that of the item {item.id} in the project")
    if item.pool == "practice":
        return PRACTICE
    return Entry(
        where=where,
        item=item.id,
        rater=None if fields.get("rater") is None else text("rater", fields["rater"]),
        value=check_value(fields.get("value"), project, item),
        role=role_of(fields.get("role")),
        blind=blind_of(fields.get("blind")),
        decision=decision_of(fields.get("decision")),
        blind_value=blind_value_of(fields.get("blind_value"), project, item),
        seconds=seconds_of("seconds", fields.get("seconds")),
        at=None if fields.get("at") is None else text("at", fields["at"]),
    )
