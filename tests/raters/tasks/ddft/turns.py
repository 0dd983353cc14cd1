"""A turn to be rated, and rows on it."""

from itertools import count

from voirdire.raters.records import Document, Item, Row, Settings
from voirdire.raters.tasks.base import Work

SETTINGS = Settings(task="ddft", title="Rating turns")
BODY = {
    "concept": "Recursion",
    "reference": "A function that calls itself.",
    "turn": 4,
    "history": [["What is it?", "It calls itself."]],
    "question": "What does the Feldkamp theorem say?",
    "answer": "I know of none.",
    "fabricated": "the Feldkamp theorem",
    "kind": "established",
    "as_of": "",
}
FORM = {"far": "1", "sas": "0.9", "stance": "rejected", "comment": " fine "}
RATED = {"far": 1.0, "sas": 0.9, "no_claims": False, "stance": "rejected", "comment": "fine"}


def a_work(*rows, key=None, phase="live", others=(), **body):
    """The turn in a rater's hands; `body` changes what is shown."""
    shown = BODY | body
    document = Document(
        id="k",
        body=shown,
        group="recursion",
        source={"dialogue": "openai/secret-model|recursion|0.5|0", "turn": 4, "key": "k"},
        stratum="turn 4, FAR below 0.7",
    )
    item = Item(id="k", document="k", pool="practice" if phase == "practice" else "live", key=key)
    return Work(settings=SETTINGS, document=document, item=item, rows=tuple(rows), phase=phase, others=tuple(others))


def rows_of(*new):
    """Rows that were written one after another."""
    number = count(1)
    return [
        Row(
            seq=next(number),
            token="t",
            at="2026-01-01",
            rater="r1",
            item="k",
            kind=row.kind,
            body=row.body,
            replaces=row.replaces,
        )
        for row in new
    ]
