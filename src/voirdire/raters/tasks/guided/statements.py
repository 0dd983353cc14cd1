"""Marked words and labels as labels of sentences: what `cognibench bench` and `detectors calibrate` read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from voirdire.cognibench.formats import write_jsonl
from voirdire.detectors.records import Answer, Exchange, Label, Statement
from voirdire.raters.exchange.records import ExportPlan
from voirdire.raters.records import Project
from voirdire.raters.tasks.base import SettledItem
from voirdire.raters.tasks.guided.people import settled_items
from voirdire.text.sentences import cut_answer

FILE = "answers.jsonl"


def write(project: Project, plan: ExportPlan, folder: Path) -> list[str]:
    """Write the answers with a label for each sentence; what they can't hold, in sentences.

    Raises:
        ExchangeError: nothing is settled.
    """
    write_jsonl(labelled_answers(project, plan), folder / FILE)
    return ["A sentence in which any words are marked is labelled invented, any other faithful."]


def labelled_answers(project: Project, plan: ExportPlan | None = None) -> Sequence[Answer]:
    """The settled answers: a sentence in which any words are marked is "invented", any other "faithful".

    Raises:
        ExchangeError: nothing is settled.
    """
    return [_answer(settled, _marked(settled)) for settled in settled_items(project, plan)]


def rated_statements(project: Project, *, good: float, bad: float) -> Sequence[Answer]:
    """The settled answers, each a statement: "faithful" with the number `good`, "invented" with `bad`; others not.

    Raises:
        ExchangeError: nothing is settled.
    """
    labels: dict[float | None, Label] = {good: "faithful", bad: "invented"}
    return [
        _answer(settled, (Statement(text, 0, len(text), labels[settled.number]),))
        for settled in settled_items(project)
        if settled.number in labels and (text := settled.document.body["output"])
    ]


def _marked(settled: SettledItem) -> tuple[Statement, ...]:
    marked = [(span["start"], span["end"]) for span in settled.value["spans"]]
    return tuple(
        Statement(
            each.text,
            each.start,
            each.end,
            "invented" if any(start < each.end and each.start < end for start, end in marked) else "faithful",
        )
        for each in cut_answer(settled.document.body["output"])
    )


def _answer(settled: SettledItem, statements: tuple[Statement, ...]) -> Answer:
    body, source = settled.document.body, settled.document.source
    return Answer(
        id=settled.document.id,
        dialogue=settled.document.id,
        group=settled.document.group,
        context="\n\n".join(body["passages"]),
        question=body["prompt"],
        text=body["output"],
        statements=statements,
        history=tuple(Exchange(*each) for each in body["history"]),
        turn=len(body["history"]),
        model=source.get("model"),
    )
