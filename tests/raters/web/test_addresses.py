"""Addresses of items are numbers: an id may tell what raters must not know."""

import pytest

from voirdire.raters.flow import deck_of
from voirdire.raters.records import Item, Settings
from voirdire.raters.views import NotYours
from voirdire.raters.web.addresses import Addresses

IDS = ("gpt-x/trap#0", "../../next", "3")


@pytest.fixture
def addresses():
    items = [Item(id=each, document=each) for each in IDS]
    return Addresses("/w/secret", deck_of(items, Settings(task="ddft", title="T")))


def test_an_item_is_found_by_its_number(addresses):
    assert [addresses.item(each) for each in IDS] == [f"/w/secret/item/{number}" for number in (1, 2, 3)]
    assert [addresses.item_at(str(number)) for number in (1, 2, 3)] == list(IDS)
    assert addresses.item(IDS[0], after=IDS[2]) == "/w/secret/item/1?after=3"
    assert addresses.next(after=IDS[1]) == "/w/secret/next?after=2"


@pytest.mark.parametrize("number", ["0", "4", "-1", "+1", " 1", "1.0", "", "x", "²", "١", "9" * 5000, IDS[0]])
def test_what_is_no_number_of_an_item_leads_nowhere(addresses, number):
    assert addresses.item_named(number) is None
    with pytest.raises(NotYours):
        addresses.item_at(number)
