"""Addresses of items are numbers: an id may tell what raters must not know."""

from __future__ import annotations

import pytest

from tests.raters._tiny import Play
from voirdire.raters.flow import queue_of
from voirdire.raters.records import Item, Settings
from voirdire.raters.service import NotAssigned
from voirdire.raters.web.rating import Addresses, Place, all_rated, finished_items, overview, place_of

IDS = ("gpt-x/trap#0", "../../next", "3")


@pytest.fixture
def addresses():
    items = [Item(id=each, document=each) for each in IDS]
    return Addresses("/w/secret", queue_of(items, Settings(task="ddft", title="T")))


def test_an_item_is_found_by_its_number(addresses):
    assert [addresses.item(each) for each in IDS] == [f"/w/secret/item/{number}" for number in (1, 2, 3)]
    assert [addresses.item_at(str(number)) for number in (1, 2, 3)] == list(IDS)
    assert addresses.item(IDS[0], after=IDS[2]) == "/w/secret/item/1?after=3"
    assert addresses.next(after=IDS[1]) == "/w/secret/next?after=2"


@pytest.mark.parametrize("number", ["0", "4", "-1", "+1", " 1", "1.0", "", "x", "²", "١", "9" * 5000, IDS[0]])
def test_what_is_no_number_of_an_item_leads_nowhere(addresses, number):
    assert addresses.item_named(number) is None
    with pytest.raises(NotAssigned):
        addresses.item_at(number)


@pytest.fixture
def play(tmp_path):
    opened = []

    def start(**project):
        opened.append(Play(tmp_path / "p.db", **project))
        return opened[-1]

    yield start
    for each in opened:
        each.store.close()


def counts(played, name):
    found = overview(played.service, played.who(name))
    return found.rated, found.in_hand, found.may_come, found.items


def test_what_may_still_come_is_what_too_few_others_have(play):
    played = play(raters=("Ann", "Ben"), live=3, each=2, raters_per_item=1)
    assert counts(played, "Ann") == (0, 0, 6, 6)
    played.next("Ben")
    assert counts(played, "Ann") == (0, 0, 4, 6), "Ben has two of them"
    played.next("Ann")
    played.rate("Ann", "d1#0")
    assert counts(played, "Ann") == (1, 1, 2, 6)
    played.rate_all("Ann")
    assert counts(played, "Ann") == (4, 0, 0, 6)


def test_where_all_rate_all_everything_comes(play):
    played = play(raters=("Ann", "Ben"), live=2, each=2, raters_per_item=2)
    played.rate_all("Ben")
    assert counts(played, "Ann") == (0, 0, 4, 4)
    assert overview(played.service, played.who("Ann")).certain


def test_items_that_can_not_be_changed_any_more_are_told_apart_in_the_list(play):
    played = play(raters=("Ann", "Ben"), adjudicators=("Cem",), live=4, each=1, raters_per_item=2)
    played.rate_all("Ann")
    addresses = Addresses("/w/s", played.service.viewer.queue)

    def closed():
        items = finished_items(played.service, played.who("Ann"), addresses)
        return [each.closed for each in reversed(items)]

    for words in ("b b", "a a", "b b"):  # Ben differs on the first and the third; nobody has decided yet
        item = played.next("Ben")
        played.rate("Ben", item, words=words)
    assert closed() == [False] * 4
    played.next("Cem")
    assert closed() == [True, True, True, False], "the list does not tell where Ben differs"
    played.rate_all("Ben")
    assert closed() == [True, True, True, False], "what was completed since may still be undone"
    played.rate("Cem", "d0#0")
    assert closed() == [True] * 4


def test_what_is_for_calibration_comes_to_everybody(play):
    played = play(raters=("Ann", "Ben"), live=2, each=2, raters_per_item=1, calibration=1)
    played.rate_all("Ben")
    assert counts(played, "Ann") == (0, 0, 2, 4)


def test_nobody_knows_what_will_come_to_an_adjudicator(play):
    played = play(adjudicators=("Cem",))
    assert counts(played, "Cem") == (0, 0, None, 4)


def test_an_adjudicator_is_told_how_many_items_wait(play):
    played = play(raters=("Ann", "Ben"), adjudicators=("Cem",), live=2, each=1, raters_per_item=2)
    assert overview(played.service, played.who("Cem")).waiting == 0
    played.rate_all("Ann")
    assert not all_rated(played.service)
    played.rate_all("Ben", words="b b")
    assert all_rated(played.service)
    assert overview(played.service, played.who("Cem")).waiting == 2
    assert overview(played.service, played.who("Ann")).waiting is None


def test_a_rater_is_told_how_long_an_item_takes(play):
    played = play()
    assert overview(played.service, played.who("Ann")).pace == ("1 s", "1 s")


def place(played, name, item):
    return place_of(played.service, played.who(name), played.service.viewer.item(item))


def test_an_items_number_counts_over_all_that_its_rater_gets(play):
    played = play(raters=("Ann", "Ben"), live=3, each=2, practice=2, raters_per_item=2)
    assert place(played, "Ann", "p1#0") == Place(2, 2, False)
    played.rate("Ann", "p0#0"), played.rate("Ann", "p1#0")
    played.rate_all("Ann")
    assert [place(played, "Ann", f"d{document}#{part}").number for document in range(3) for part in range(2)] == [
        *range(1, 7)
    ]
    assert place(played, "Ann", "d2#1") == Place(6, 6, False)


def test_an_adjudicator_who_reopens_a_decided_item_is_not_told_that_later_ones_wait(play):
    played = play(raters=("Ann", "Ben"), adjudicators=("Cem",), live=3, each=1, raters_per_item=2)
    played.rate_all("Ann")
    played.rate_all("Ben", words="b b")
    assert place(played, "Cem", played.next("Cem")).waiting == 2
    played.rate_all("Cem")
    assert [place(played, "Cem", f"d{document}#0").waiting for document in range(3)] == [0, 0, 0]


def test_where_others_may_be_faster_it_is_the_most_that_may_come(play):
    played = play(raters=("Ann", "Ben", "Eve"), live=3, each=2, raters_per_item=1)
    assert not overview(played.service, played.who("Ann")).certain
    played.next("Ann")
    assert place(played, "Ann", "d0#1") == Place(2, 6, True)
    played.next("Ben")
    assert place(played, "Ann", "d0#1") == Place(2, 4, True)
    played.next("Eve")
    assert place(played, "Ann", "d0#1") == Place(2, 2, False)


def test_an_adjudicator_is_told_no_total_that_moves_but_how_many_more_wait(play):
    played = play(raters=("Ann", "Ben"), adjudicators=("Cem",), live=3, each=1, raters_per_item=2)
    played.rate_all("Ann")
    played.rate("Ben", played.next("Ben"), "b b")
    first = played.next("Cem")
    assert place(played, "Cem", first) == Place(1, None, False, 0)
    played.rate_all("Ben", words="b b")
    assert place(played, "Cem", first) == Place(1, None, False, 2)
