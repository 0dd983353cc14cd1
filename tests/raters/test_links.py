"""The secret links of a project's people."""

import pytest

from tests.raters._tiny import tiny_store
from voirdire.raters.links import change_links, links_of
from voirdire.raters.records import RatersError
from voirdire.raters.store import Store

BASE = "http://127.0.0.1:8600/"


@pytest.fixture
def store(tmp_path):
    with Store.open(tiny_store(tmp_path / "p.db")) as opened:
        yield opened


def addresses(store):
    return {link.name: link.address for link in links_of(store, BASE)}


def test_everybody_has_a_link_of_their_own_the_organiser_first(store):
    links = links_of(store, BASE)
    assert [(link.name, link.role) for link in links] == [
        ("organiser", "organiser"),
        ("Ann", "rater"),
        ("Ben", "rater"),
    ]
    assert links[0].address.startswith("http://127.0.0.1:8600/o/")
    assert links[1].address.startswith("http://127.0.0.1:8600/w/") and links[1].address.endswith("/")
    assert len({link.address for link in links}) == 3


def test_people_are_added_and_the_others_links_stay(store):
    before = addresses(store)
    change_links(store, raters=["Cem"], adjudicators=["Dee"])
    after = addresses(store)
    assert set(after) - set(before) == {"Cem", "Dee"}
    assert {name: after[name] for name in before} == before
    assert [rater.role for rater in store.read.raters()] == ["rater", "rater", "rater", "adjudicator"]


@pytest.mark.parametrize("name", ["Ann", "organiser"])
def test_a_link_is_made_anew_and_the_old_one_ends(store, name):
    before = addresses(store)
    change_links(store, renew=[name])
    after = addresses(store)
    assert [each for each in after if after[each] != before[each]] == [name]


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"raters": ["Cem", "ann"]}, "'ann' is taken"),
        ({"raters": ["Cem"], "renew": ["Nobody"]}, "no rater 'Nobody'; there are Ann, Ben, Cem, organiser"),
        ({"adjudicators": ["Organiser"]}, "is taken"),
    ],
)
def test_all_of_it_is_done_or_nothing(store, changes, says):
    before = addresses(store)
    with pytest.raises(RatersError, match=says):
        change_links(store, **changes)
    assert addresses(store) == before
