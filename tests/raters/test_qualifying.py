"""Who has passed the practice items."""

import pytest

from tests.raters._tiny import TINY
from voirdire.raters.qualifying import qualified, retakes_of, since_retake
from voirdire.raters.records import Item, Row, Settings

KEY = {"words": ["a", "a"]}


def stands(marks, share=0.8):
    """How somebody stands after ratings that are right (1), wrong (0) or missing (-)."""
    practice = [Item(id=f"p{place}", document="P", pool="practice", key=KEY) for place in range(len(marks))]
    values = {f"p{place}": KEY if mark == "1" else {"words": []} for place, mark in enumerate(marks) if mark != "-"}
    return qualified(Settings(task="ddft", title="T", pass_share=share), practice, values, TINY.differ)


@pytest.mark.parametrize(
    ("marks", "share", "needed", "passed"),
    [
        ("11110", 0.8, 4, True),
        ("11100", 0.8, 4, False),
        ("1111-", 0.8, 4, False),
        ("111", 0.8, 3, True),
        ("110", 0.67, 3, False),
        ("1110000000", 0.3, 3, True),
        ("00", 0.0, 0, True),
        ("1", 1.0, 1, True),
        ("", 0.8, 0, True),
    ],
)
def test_all_must_be_rated_and_enough_be_right(marks, share, needed, passed):
    found = stands(marks, share)
    assert (found.needed, found.passed) == (needed, passed)
    assert (found.right, found.done, found.asked) == (marks.count("1"), len(marks) - marks.count("-"), len(marks))


def test_what_was_rated_before_a_retake_counts_no_more():
    rows = [
        Row(seq=seq, token="", at="", rater=rater, item="", kind=kind, body={})
        for seq, (rater, kind) in enumerate(
            [("r1", "say"), ("r1", "retake"), ("r2", "retake"), ("r1", "say"), ("r1", "retake"), ("r1", "say")], start=1
        )
    ]
    assert retakes_of(rows) == {"r1": [2, 5], "r2": [3]}
    assert [row.seq for row in since_retake(rows, [2, 5])] == [6]
    assert since_retake(rows, []) == rows
