"""The work page of a guided task as plain data: texts in pieces, with what is marked in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from voirdire.raters.records import ORGANISER
from voirdire.raters.tasks.base import Value, Work
from voirdire.raters.tasks.guided.guide import HEADINGS, SKIP, UNSURE
from voirdire.raters.tasks.guided.values import MAX_REASON, OUTPUT, MarkedSpan, RatingState, state_of
from voirdire.text.code import code_stretches

if TYPE_CHECKING:
    from voirdire.raters.tasks.guided.task import GuidedTask

LONG = 3_000
"""Characters of a context from which on it can be searched."""
_QUOTE = 120
_PAIR = ("Answer A", "Answer B")
_OWN_PAIR = ("First of the pair", "Second of the pair")
"""To the organiser; raters see it in orders of their own."""


class Piece(NamedTuple):
    """A stretch of a text that looks alike."""

    text: str
    labels: tuple[str, ...]
    """What the rater has marked it as; "" for evidence."""
    flag: str | None
    """What a detector says of it."""
    code: bool
    """Whether it is code, or of a table, whose columns must line up."""


def pieces(text: str, marks: Iterable[MarkedSpan] = (), flags: Iterable[Mapping[str, Any]] = ()) -> list[Piece]:
    """A text cut wherever something begins or ends."""
    marks, flags = list(marks), list(flags)
    ends = {each.start for each in marks} | {each.end for each in marks}
    ends |= {flag[name] for flag in flags for name in ("start", "end")}
    code = code_stretches(text)
    ends.update(chain.from_iterable(code))
    cuts = sorted({0, len(text)} | {end for end in ends if 0 < end < len(text)})
    return [
        Piece(
            text[start:end],
            tuple(dict.fromkeys(mark.label for mark in marks if mark.start <= start and end <= mark.end)),
            next((flag["says"] for flag in flags if flag["start"] <= start and end <= flag["end"]), None),
            any(first <= start and end <= last for first, last in code),
        )
        for start, end in pairwise(cuts)
    ]


def view(task: GuidedTask, work: Work) -> dict[str, Any]:
    """What `rating_page.html` shows.

    Returns:
        `question`; `context`, `history`, `prompt`, `options` and `reference` as far as the guide shows them (prompt and
        reference in pieces), with `headings` and `context_name`; `whole`, the answer that a sentence is of; `answers`,
        what is rated: each with `heading`, `part` and `pieces`; `buttons`; `scale`; `labels`; `marks` with `quote`;
        `chosen`, the answer that stands, and what it `says`; `others`; and what may be done: `unsure`, `skip`,
        `evidence`.
    """
    state, body, guide = state_of(work.rows), work.document.body, task.guide
    texts, shown = task.texts(work.document), guide.show
    value = task.value(work)
    return {
        "question": guide.question,
        "kind": guide.kind,
        "headings": {**HEADINGS, **guide.headings},
        "context_name": guide.context_name,
        "context": [
            {"number": number, "pieces": pieces(text, _of_part(state, f"passage-{number}"))}
            for number, text in enumerate(body["passages"] if "context" in shown else (), start=1)
        ],
        "long": sum(map(len, body["passages"])) > LONG,
        "history": [{"user": user, "assistant": assistant} for user, assistant in body["history"]]
        if "history" in shown
        else [],
        "prompt": pieces(body["prompt"]) if "prompt" in shown and body["prompt"] else [],
        "whole": pieces(body.get("whole", "")),
        "options": body["choices"] if "choices" in shown else [],
        "reference": pieces(body["reference"]) if "reference" in shown and body["reference"] else [],
        "answers": _answers(task, work, state),
        "buttons": [{**each, "chosen": each["answer"] == _chosen(task, work, state)} for each in task.choices(work)],
        "scale": guide.scale,
        "chosen": state.answer,
        "says": None if value is None else task.quoted_in_words(work.document, value),
        "reason": state.reason,
        "max_reason": MAX_REASON,
        "labels": guide.labels,
        "marks": [_mark(task, mark, texts) for mark in state.marks],
        "marks_output": bool(task.mark_labels(OUTPUT)),
        "unsure": {"key": guide.keys[UNSURE], "chosen": state.status == "unsure"} if guide.unsure else None,
        "skip": {"key": guide.keys[SKIP], "chosen": state.status == "skipped"} if guide.skip else None,
        "evidence": guide.evidence and bool(body["passages"]) and "context" in shown,
        "others": [_other(task, work, other, state) for other in work.others] if work.phase == "live" else [],
    }


def _answers(task: GuidedTask, work: Work, state: RatingState) -> list[dict[str, Any]]:
    body = work.document.body
    if body["outputs"]:
        one, other = body["outputs"]
        shown = [one, other] if task.order(work)[0] == "first" else [other, one]
        return [
            {"heading": name, "part": None, "pieces": pieces(text)}
            for name, text in zip(_OWN_PAIR if work.rater == ORGANISER else _PAIR, shown, strict=True)
        ]
    marked = pieces(body["output"], _of_part(state, OUTPUT), body["flags"])
    heading = "Sentence" if body.get("whole") or task.nouns.item == "sentence" else "Answer"
    return [{"heading": heading, "part": OUTPUT if task.mark_labels(OUTPUT) else None, "pieces": marked}]


def _chosen(task: GuidedTask, work: Work, state: RatingState) -> str | None:
    """The button that stands for the answer given."""
    if state.answer is None:
        return None
    if state.answer in task.order(work) and work.document.body["outputs"]:
        return "ab"[task.order(work).index(state.answer)]
    return f"{state.answer:g}" if isinstance(state.answer, float | int) else str(state.answer)


def _other(task: GuidedTask, work: Work, value: Value, state: RatingState) -> dict[str, Any]:
    """What somebody else says, and which of their marks can be taken over."""
    mine = {mark[:4] for mark in state.marks}
    marks = (MarkedSpan(OUTPUT, span["start"], span["end"], span["label"]) for span in value.get("spans", ()))
    texts = task.texts(work.document)
    return {
        **task.other_in_words(work, value),
        "marks": [
            {**_mark(task, mark, texts), "start": mark.start, "label": mark.label}
            for mark in marks
            if mark[:4] not in mine
        ],
    }


def _of_part(state: RatingState, part: str) -> Sequence[MarkedSpan]:
    return [mark for mark in state.marks if mark.part == part]


def _mark(task: GuidedTask, mark: MarkedSpan, texts: Mapping[str, str]) -> dict[str, Any]:
    quote = " ".join(texts.get(mark.part, "")[mark.start : mark.end].split())
    return {
        "seq": mark.seq,
        "text": task.guide.label(mark.label).text if mark.label else "Evidence",
        "quote": quote if len(quote) <= _QUOTE else f"{quote[:_QUOTE]}…",
        "part": mark.part,
        "end": mark.end,
    }
