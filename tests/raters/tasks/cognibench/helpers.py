"""Statements in a rater's hands, and rows as the store writes them."""

from voirdire.raters.records import Document, Item, Row, Settings
from voirdire.raters.tasks.base import Work
from voirdire.raters.tasks.cognibench.task import TASK

ANSWER = "Hello! The mill was built in 1802. It must have been loud."
STATEMENTS = [
    {"text": "Hello!", "start": 0, "end": 6},
    {"text": "The mill was built in 1802.", "start": 7, "end": 34},
    {"text": "It must have been loud.", "start": 35, "end": 58},
]
BODY = {
    "context": "The mill at Orrin was built in 1802.",
    "question": "What is the mill?",
    "answer": ANSWER,
    "history": [["Who asks?", "I do."]],
    "statements": STATEMENTS,
}


def step(seq, question, answer, **more):
    return row(seq, "step", {"question": question, "answer": answer, **more})


def row(seq, kind, body, replaces=None):
    return Row(seq=seq, token=f"t{seq}", at="2025-11-22T10:00:00Z", rater="r1", item="a#1", kind=kind, body=body,
               replaces=replaces)  # fmt: skip


def in_hand(rows=(), *, mode="sequential", phase="live", key=None, others=(), place=1):
    return Work(
        settings=Settings(task="cognibench", title="Test", mode=mode),
        document=Document(id="a", body=BODY, group="g", source={"answer": "a", "path": "secret.jsonl"}),
        item=Item(id=f"a#{place}", document="a", place=place, pool="live" if phase == "live" else "practice", key=key),
        rows=tuple(rows),
        phase=phase,
        others=tuple(others),
    )


def sent(work, action, **form):
    """The same item after an action."""
    new = TASK.take(work, action, form)
    written = row(1 + max((each.seq for each in work.rows), default=0), new.kind, new.body, new.replaces)
    return Work(
        settings=work.settings,
        document=work.document,
        item=work.item,
        rows=(*work.rows, written),
        phase=work.phase,
        others=work.others,
    )


def answered(path, **more):
    """An item with these (question, answer) given through the task."""
    work = in_hand(**more)
    for question, answer in path:
        work = sent(work, "answer", question=question, answer=answer)
    return work
