"""The order of a project, its phases, and who holds what."""

from voirdire.raters.flow import deck_of, held
from voirdire.raters.records import Item, Row, Settings

ITEMS = [
    Item(id="p", document="P", pool="practice"),
    Item(id="b1", document="B", place=1),
    Item(id="a0", document="A"),
    Item(id="b0", document="B", place=0),
]


def deck(calibration=0):
    return deck_of(ITEMS, Settings(task="ddft", title="T", calibration=calibration))


def row(seq, kind, by, item="", **body):
    return Row(seq=seq, token=str(seq), at="", rater=by, item=item, kind=kind, body=body)


def test_live_documents_keep_their_order_and_their_items_their_places():
    found = deck()
    assert [item.id for item in found.practice] == ["p"]
    assert found.live == ("B", "A")
    assert [item.id for item in found.items["B"]] == ["b0", "b1"]
    assert found.numbers == {"p": 1, "b1": 2, "a0": 3, "b0": 4}
    assert [found.order[number - 1] for number in found.numbers.values()] == list(found.numbers)


def test_the_first_live_documents_are_for_calibration():
    found = deck(calibration=1)
    assert [found.phase_of(item) for item in ITEMS] == ["practice", "calibration", "live", "calibration"]
    assert [deck().phase_of(item) for item in ITEMS] == ["practice", "live", "live", "live"]


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
    assert held(rows) == {"r1": (("B", ""),), "r2": (("A", ""),), "r3": (("B", "b0"),)}
