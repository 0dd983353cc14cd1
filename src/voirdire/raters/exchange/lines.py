"""JSON Lines: ratings, questions and gold; and the record of everything that was done."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from voirdire.raters.exchange.records import Which, called, chosen_items, chosen_ratings, rounded
from voirdire.raters.records import ORGANISER, Project, Question, Rating

RATING, QUESTION, GOLD = "rating", "question", "gold"


def rating_lines(project: Project, *, pool: Which = "live", names: bool = False, gold: bool = False) -> Iterator[str]:
    """A line for every rating, then for every question that stands on none of them, then for gold.

    Args:
        project: as it stands.
        pool: whose items.
        names: whether raters are called by their names.
        gold: whether gold is written.
    """
    ratings = chosen_ratings(project, pool)
    asked = questions_by_rating(project)
    for rating in ratings:
        yield line(_rating(project, rating, asked.get((rating.rater, rating.item), []), names))
    rated = {(rating.rater, rating.item) for rating in ratings}
    places = {item.id: item.document for item in chosen_items(project, pool)}
    for key, questions in asked.items():
        if key not in rated and (not key[1] or key[1] in places):
            yield from (line(_lone(project, question, names)) for question in questions)
    if gold:
        for item, document in places.items():
            if item in project.gold:
                found = project.gold[item]
                yield line({"kind": GOLD, "item": item, "document": document, "value": found.value, "how": found.how})


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
    found: dict[tuple[str, str], list[Question]] = {}
    for question in project.questions:
        found.setdefault((question.rater, question.item), []).append(question)
    return found


def name_of(project: Project, rater: str, names: bool) -> str:
    """What whoever wrote a row is called: the organiser is no rater."""
    return rater if rater == ORGANISER or rater not in project.raters else called(project.raters[rater], names)


def line(value: Mapping[str, Any]) -> str:
    """One object, as a line. NaN is no JSON."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False) + "\n"


def _rating(project: Project, rating: Rating, questions: Iterable[Question], names: bool) -> dict[str, Any]:
    return {
        "kind": RATING,
        "item": rating.item,
        "document": project.items[rating.item].document,
        "shown": _shown(project, rating.item),
        "rater": called(project.raters[rating.rater], names),
        "role": rating.role,
        "blind": rating.blind,
        "pool": rating.pool,
        "phase": rating.phase,
        "value": rating.value,
        "seconds": rating.seconds,
        "at": rating.at,
        "questions": [question_fields(each) for each in questions],
    }


def _shown(project: Project, name: str) -> dict[str, Any]:
    """What the rater had before them: the document's texts, and of a statement its own."""
    item = project.items[name]
    body = dict(project.documents[item.document].body)
    if project.settings.task != "cognibench":
        return body
    return {**body.pop("statements")[item.place], **body}


def _lone(project: Project, question: Question, names: bool) -> dict[str, Any]:
    return {
        "kind": QUESTION,
        "item": question.item,
        "rater": name_of(project, question.rater, names),
        **question_fields(question),
    }
