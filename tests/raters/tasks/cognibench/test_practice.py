from collections import Counter

import pytest

from tests.raters.tasks.cognibench.helpers import row
from voirdire.detectors.records import LABELS
from voirdire.raters.flow import practice_result
from voirdire.raters.records import Settings
from voirdire.raters.tasks.base import Work
from voirdire.raters.tasks.cognibench.guideline import practice, question_view
from voirdire.raters.tasks.cognibench.task import TASK
from voirdire.text.sentences import split_sentences

MADE = practice()
DOCUMENTS = {document.id: document for document in MADE.documents}


def test_every_class_is_practised_twice():
    assert Counter(item.key["label"] for item in MADE.items) == dict.fromkeys(LABELS, 2)


@pytest.mark.parametrize("item", MADE.items, ids=lambda item: item.id)
def test_whoever_answers_as_the_key_does_arrives_at_its_label(item):
    rows = tuple(
        row(seq, "step", {"question": question, "answer": answer})
        for seq, (question, answer) in enumerate(item.key["path"], start=1)
    )
    settings = Settings(task="cognibench", title="")
    work = Work(settings=settings, document=DOCUMENTS[item.document], item=item, rows=rows, phase="practice")
    assert TASK.value(work)["label"] == item.key["label"]
    assert TASK.feedback(work)["key"]["right"] and item.key["why"].endswith(".")


@pytest.mark.parametrize("document", MADE.documents, ids=lambda document: document.id)
def test_practice_statements_are_the_sentences_of_their_answer(document):
    body = document.body
    cut = [{"text": each.text, "start": each.start, "end": each.end} for each in split_sentences(body["answer"])]
    assert body["statements"] == cut


def test_no_key_is_in_what_is_shown_of_a_practice_answer():
    for document in MADE.documents:
        assert set(document.body) == {"context", "question", "answer", "history", "statements"}


def test_the_project_counts_a_key_as_right_by_its_label():
    values = {item.id: {"label": item.key["label"], "steps": [], "reason": ""} for item in MADE.items}
    wrong = [item.id for item in MADE.items if item.key["label"] == "faithful"]
    values |= {each: {"label": "invented", "steps": [], "reason": ""} for each in wrong}
    found = practice_result(Settings(task="cognibench", title="", pass_share=0.8), MADE.items, values, TASK.differ)
    assert (found.right, found.asked, found.needed, found.passed) == (12, 14, 12, True)


def test_every_question_has_an_answer_for_every_key():
    for question in ("irrelevant", "type", "faithful", "rational", "grounded", "irrefutable", "label"):
        choices = question_view(question)["choices"]
        assert all(len(choice["key"]) == 1 and choice["text"] and choice["help"] for choice in choices)
        assert len({choice["key"] for choice in choices}) == len(choices)
