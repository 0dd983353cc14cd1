"""What a rater sees of a statement. Nothing of a question is in it before its turn has come."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from voirdire.raters.records import Mode
from voirdire.raters.tasks.base import Work
from voirdire.raters.tasks.cognibench.guideline import asked, class_of, named_path
from voirdire.raters.tasks.cognibench.ladder import Standing, parting, stand


def view(work: Work) -> dict[str, Any]:
    """The work page as plain data.

    Returns:
        `context`, `history` (of `user`, `assistant`), `question`, `pieces` (the answer, cut in `text` with `focus`),
        `statement`, `place` (from 1), `statements` (how many); `steps`, the questions answered, as they were put, with
        `given` and `said`; `asked`, the question whose turn it is, or `None`; `label`, once settled; `reason`;
        `others`, what other raters say, for adjudicators who may see that.
    """
    body, standing = work.document.body, stand(work.rows, work.settings.mode)
    statement = body["statements"][work.item.place]
    return {
        "mode": work.settings.mode,
        "phase": work.phase,
        "context": body["context"],
        "history": [{"user": user, "assistant": assistant} for user, assistant in body["history"]],
        "question": body["question"],
        "pieces": pieces(body["answer"], body["statements"], work.item.place),
        "statement": statement["text"],
        "place": work.item.place + 1,
        "statements": len(body["statements"]),
        "steps": [
            {**asked(named["question"]), "given": named["answer"], "said": named["says"]}
            for named in named_path(standing.path)
        ],
        "asked": None if standing.question is None else asked(standing.question),
        "label": None if standing.label is None else class_of(standing.label),
        "reason": standing.reason,
        "others": _others(work) if work.phase == "live" else [],
    }


def pieces(answer: str, statements: Any, place: int) -> list[dict[str, Any]]:
    """The whole answer in pieces, in order; the statement at `place` is one piece, and has `focus`.

    Other statements end pieces too, unless they reach into the one in focus.
    """
    focus = (statements[place]["start"], statements[place]["end"])
    ends = {end for each in statements for end in (each["start"], each["end"]) if not focus[0] < end < focus[1]}
    cuts = sorted({0, len(answer)} | ends)
    return [{"text": answer[start:end], "focus": (start, end) == focus} for start, end in pairwise(cuts)]


def feedback(work: Work) -> dict[str, Any] | None:
    """Once a rating is complete: in practice whether it was right, in calibration what others say; `None` elsewhere.

    Returns:
        `given`, the rater's class; `others`, as in `view`; and `key`, `None` where the item has none, otherwise with
        `right`, `label` (its class), `why`; `path`, its steps in words, each with `left`, whether the rater left it
        there; and `left_at`, the short form of that question. Path and `left_at` are `None` without the ladder.
    """
    standing = stand(work.rows, work.settings.mode)
    if standing.label is None or work.phase == "live":
        return None
    return {
        "given": class_of(standing.label),
        "others": _others(work),
        "key": None if work.item.key is None else _compared(work.item.key, standing, work.settings.mode),
    }


def _compared(key: Mapping[str, Any], standing: Standing, mode: Mode) -> dict[str, Any]:
    told = {"right": standing.label == key["label"], "label": class_of(key["label"]), "why": key["why"]}
    if mode == "independent":
        return {**told, "path": None, "left_at": None}
    left = parting(key["path"], standing.path)
    path = [{**step, "left": step["question"] == left} for step in named_path(key["path"])]
    return {**told, "path": path, "left_at": next((step["short"] for step in path if step["left"]), None)}


def _others(work: Work) -> list[dict[str, Any]]:
    return [
        {
            "label": class_of(value["label"]),
            "steps": named_path(value.get("steps", ())),
            "reason": value.get("reason", ""),
        }
        for value in work.others
    ]
