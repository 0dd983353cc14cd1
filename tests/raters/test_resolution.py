"""What an item is taken to be: agreed, by majority, or adjudicated."""

import pytest

from tests.raters._tiny import TINY
from voirdire.raters.records import Rating, Settings
from voirdire.raters.resolution import gold_of, is_disputed, settled


def said(*words):
    return [{"words": [word, word]} for word in words]


def settings(gold="majority", raters_per_item=2):
    return Settings(task="ddft", title="T", gold=gold, raters_per_item=raters_per_item)


@pytest.mark.parametrize(
    ("gold", "wanted", "first", "third", "expected"),
    [
        ("majority", 2, "a", "", None),
        ("majority", 2, "aa", "", ("a", "agreed")),
        ("adjudicated", 2, "aa", "b", ("a", "agreed")),
        ("majority", 1, "a", "", ("a", "agreed")),
        ("majority", 2, "ab", "", None),
        ("majority", 2, "ab", "a", ("a", "majority")),
        ("majority", 2, "ab", "c", ("c", "adjudicated")),
        ("adjudicated", 2, "ab", "", None),
        ("adjudicated", 2, "ab", "c", ("c", "adjudicated")),
        ("majority", 3, "aab", "", ("a", "majority")),
        ("majority", 3, "abc", "", None),
        ("majority", 3, "abc", "b", ("b", "adjudicated")),
        ("majority", 3, "ab", "a", None),
        ("adjudicated", 3, "aab", "", None),
        ("adjudicated", 3, "aab", "b", ("b", "adjudicated")),
        ("majority", 2, "aab", "", ("a", "majority")),
        ("majority", 2, "aabb", "", None),
        ("majority", 2, "", "a", None),
    ],
)
def test_how_an_item_is_settled(gold, wanted, first, third, expected):
    found = settled(TINY, settings(gold, wanted), said(*first), said(*third))
    assert (found and (found[0]["words"][0], found[1])) == expected


@pytest.mark.parametrize(
    ("gold", "wanted", "first", "disputed"),
    [
        ("majority", 2, "a", False),
        ("majority", 2, "aa", False),
        ("majority", 2, "ab", True),
        ("majority", 3, "aab", False),
        ("adjudicated", 3, "aab", True),
        ("majority", 3, "abc", True),
        ("majority", 3, "ab", False),
        ("majority", 1, "", False),
    ],
)
def test_when_a_third_person_is_needed(gold, wanted, first, disputed):
    assert is_disputed(TINY, settings(gold, wanted), said(*first)) is disputed


def test_only_live_items_have_a_gold_rating():
    def rating(item, rater, word, **more):
        return Rating(item=item, rater=rater, value=said(word)[0], at="", seconds=0.0, **more)

    ratings = [
        rating("p", "r1", "a", pool="practice"),
        rating("p", "r2", "a", pool="practice"),
        *(rating("i", rater, word) for rater, word in (("r1", "a"), ("r2", "b"))),
        rating("i", "r3", "b", role="adjudicator"),
    ]
    gold = gold_of(TINY, settings(), ratings)
    assert set(gold) == {"i"} and gold["i"].value == said("b")[0] and gold["i"].how == "majority"
