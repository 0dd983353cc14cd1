"""What several raters' labels of an item come to."""

import pytest

from voirdire.jury.worth.several_raters import Label, settle, usual_number


def third(says, **more):
    return Label(says, adjudicator=True, **more)


@pytest.mark.parametrize(
    ("labels", "label", "why"),
    [
        ([Label("good"), Label("good")], "good", None),
        ([Label("good"), Label("bad")], "", "open"),
        ([Label("good"), Label("bad"), Label("bad")], "bad", None),
        ([Label("good"), Label("bad"), third("bad")], "bad", None),
        ([Label("good"), Label("bad"), third("half")], "", "open"),
        ([Label("good"), Label("bad"), third("half", decided=True)], "half", None),
        ([Label("good"), Label("good"), third("bad", decided=True)], "good", None),
        ([Label(""), Label("")], "", "open"),
        ([Label(""), Label(""), third("good")], "", "open"),
        ([Label(""), Label(""), third("good", decided=True)], "good", None),
        ([Label(""), Label(""), third("", decided=True)], "", "no label"),
        ([Label("good"), Label("")], "", "open"),
        ([Label("good")], "", "few"),
    ],
)
def test_two_raters_and_a_third_person(labels, label, why):
    assert settle(labels, needed=2) == (label, why)


def test_how_many_raters_an_item_has_is_told_by_most_that_have_several():
    one, two, three = ([Label("good")] * count for count in (1, 2, 3))
    assert usual_number([one, one]) == 1
    assert usual_number([one, one, one, two, two, three]) == 2
