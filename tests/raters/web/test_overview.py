"""What a rater is told of their own work."""

import pytest

from tests.raters._tiny import Play
from voirdire.raters.web.overview import overview


@pytest.fixture
def play(tmp_path):
    opened = []

    def start(**project):
        opened.append(Play(tmp_path / "p.db", **project))
        return opened[-1]

    yield start
    for each in opened:
        each.store.close()


def counts(desk, name):
    found = overview(desk.desk, desk.who(name))
    return found.rated, found.in_hand, found.may_come, found.items


def test_what_may_still_come_is_what_too_few_others_have(play):
    desk = play(raters=("Ann", "Ben"), live=3, each=2, raters_per_item=1)
    assert counts(desk, "Ann") == (0, 0, 6, 6)
    desk.next("Ben")
    assert counts(desk, "Ann") == (0, 0, 4, 6), "Ben has two of them"
    desk.next("Ann")
    desk.rate("Ann", "d1#0")
    assert counts(desk, "Ann") == (1, 1, 2, 6)
    desk.rate_all("Ann")
    assert counts(desk, "Ann") == (4, 0, 0, 6)


def test_where_all_rate_all_everything_comes(play):
    desk = play(raters=("Ann", "Ben"), live=2, each=2, raters_per_item=2)
    desk.rate_all("Ben")
    assert counts(desk, "Ann") == (0, 0, 4, 4)


def test_what_is_for_calibration_comes_to_everybody(play):
    desk = play(raters=("Ann", "Ben"), live=2, each=2, raters_per_item=1, calibration=1)
    desk.rate_all("Ben")
    assert counts(desk, "Ann") == (0, 0, 2, 4)


def test_nobody_knows_what_will_come_to_an_adjudicator(play):
    desk = play(adjudicators=("Cem",))
    assert counts(desk, "Cem") == (0, 0, None, 4)


def test_an_adjudicator_is_told_how_many_items_wait(play):
    desk = play(raters=("Ann", "Ben"), adjudicators=("Cem",), live=2, each=1, raters_per_item=2)
    assert overview(desk.desk, desk.who("Cem")).waiting == 0
    desk.rate_all("Ann")
    desk.rate_all("Ben", words="b b")
    assert overview(desk.desk, desk.who("Cem")).waiting == 2
    assert overview(desk.desk, desk.who("Ann")).waiting is None
