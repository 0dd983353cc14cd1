"""The order of a project, its phases, and who holds what."""

from __future__ import annotations

import pytest

from tests.raters._tiny import TINY
from voirdire.raters.flow import assignments_of, practice_result, queue_of, retakes_of, since_retake
from voirdire.raters.records import Item, Row, Settings

ITEMS = [
    Item(id="p", document="P", pool="practice"),
    Item(id="b1", document="B", place=1),
    Item(id="a0", document="A"),
    Item(id="b0", document="B", place=0),
]


def queue(calibration=0):
    return queue_of(ITEMS, Settings(task="ddft", title="T", calibration=calibration))


def row(seq, kind, by, item="", **body):
    return Row(seq=seq, token=str(seq), at="", rater=by, item=item, kind=kind, body=body)


def test_live_documents_keep_their_order_and_their_items_their_places():
    found = queue()
    assert [item.id for item in found.practice] == ["p"]
    assert found.live == ("B", "A")
    assert [item.id for item in found.items["B"]] == ["b0", "b1"]
    assert found.numbers == {"p": 1, "b1": 2, "a0": 3, "b0": 4}
    assert [found.order[number - 1] for number in found.numbers.values()] == list(found.numbers)


def test_the_first_live_documents_are_for_calibration():
    found = queue(calibration=1)
    assert [found.phase_of(item) for item in ITEMS] == ["practice", "calibration", "live", "calibration"]
    assert [queue().phase_of(item) for item in ITEMS] == ["practice", "live", "live", "live"]


def test_whoever_was_handed_something_holds_it_until_it_is_taken_back():
    rows = [
        row(1, "assign", "r1", document="A"),
        row(2, "assign", "r1", document="B"),
        row(3, "assign", "r2", document="A"),
        row(4, "assign", "r3", "b0", document="B"),
        row(5, "release", "organiser", rater="r1", document="A"),
        row(6, "release", "organiser", rater="r9", document="A"),
        row(7, "say", "r1", "b0"),
    ]
    assert assignments_of(rows) == {"r1": (("B", ""),), "r2": (("A", ""),), "r3": (("B", "b0"),)}


KEY = {"words": ["a", "a"]}


def stands(marks, share=0.8):
    """How somebody stands after ratings that are right (1), wrong (0) or missing (-)."""
    practice = [Item(id=f"p{place}", document="P", pool="practice", key=KEY) for place in range(len(marks))]
    values = {f"p{place}": KEY if mark == "1" else {"words": []} for place, mark in enumerate(marks) if mark != "-"}
    return practice_result(Settings(task="ddft", title="T", pass_share=share), practice, values, TINY.differ)


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
