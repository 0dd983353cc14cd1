"""Questions to the organiser, with their replies."""

from voirdire.raters.questions import questions_of
from voirdire.raters.records import Question, Row


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
