"""Which rows stand, once undone ones are taken away."""

from __future__ import annotations

import pytest

from voirdire.raters.records import Question, Row
from voirdire.raters.rows import current_rows, last_of, questions_of, undone_last, unsent_text


def rows(*told):
    """Rows by number: "say", or "undo 2" of the second."""
    return [
        Row(
            seq=seq,
            token="",
            at="",
            rater="r1",
            item="i",
            kind=each.split()[0],
            body={},
            replaces=int(each.split()[1]) if " " in each else None,
        )
        for seq, each in enumerate(told, start=1)
    ]


@pytest.mark.parametrize(
    ("told", "stand", "last"),
    [
        ([], [], 0),
        (["say", "say"], [1, 2], 2),
        (["say", "say", "undo 2"], [1], 3),
        (["say", "say", "undo 2", "undo 1"], [], 4),
        (["say", "undo 1", "say"], [3], 3),
        (["say", "question", "reply 2"], [1], 1),
        (["assign", "say 1"], [2], 2),
    ],
)
def test_what_stands(told, stand, last):
    found = rows(*told)
    assert [row.seq for row in current_rows(found)] == stand
    assert last_of(found) == last


def row(seq, kind, rater, replaces=None, **body):
    return Row(seq=seq, token="", at=f"at {seq}", rater=rater, item="i", kind=kind, body=body, replaces=replaces)


def test_of_several_replies_the_last_stands():
    rows = [
        row(1, "question", "r1", text="Which?", afterwards=False),
        row(2, "question", "r2", text="And then?", afterwards=True),
        row(3, "reply", "organiser", 1, text="This."),
        row(4, "say", "r1"),
        row(5, "reply", "organiser", 1, text="That."),
    ]
    assert questions_of(rows) == (
        Question(
            seq=1, rater="r1", item="i", text="Which?", at="at 1", afterwards=False, reply="That.", replied_at="at 5"
        ),
        Question(seq=2, rater="r2", item="i", text="And then?", at="at 2", afterwards=True),
    )


@pytest.mark.parametrize(
    ("told", "undone"),
    [
        ([], None),
        (["say"], None),
        (["say", "undo 1"], 1),
        (["say", "say 1", "undo 2", "question"], 2),
        (["say", "undo 1", "say"], None),
    ],
)
def test_what_was_undone_last_until_something_else_is_done(told, undone):
    found = undone_last(rows(*told))
    assert (found and found.seq) == undone


def test_a_text_that_was_undone_is_unsent_until_another_answer_takes_one():
    told = [row(1, "answer", "r1", reason="Why."), row(2, "undo", "r1", 1)]
    marked = [*told, row(3, "mark", "r1", label="wrong"), row(4, "mark", "r1", label="wrong"), row(5, "undo", "r1", 4)]
    for rows in (told, marked):
        found = unsent_text(rows)
        assert found is not None and found.body["reason"] == "Why."
    for rows in ([], told[:1], marked[2:], [*marked, row(6, "answer", "r1", reason="")]):
        assert unsent_text(rows) is None
