"""When two ratings of a turn differ, and what several come to."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.raters.tasks.ddft.turns import RATED
from voirdire.raters.tasks.ddft.values import STEPS, differ, settle
from voirdire.records import STANCES

RATINGS = st.builds(
    lambda far, sas, claims, stance: {
        "far": far if claims else None,
        "sas": sas,
        "no_claims": not claims,
        "stance": stance,
        "comment": "",
    },
    st.sampled_from(STEPS),
    st.sampled_from(STEPS),
    st.booleans(),
    st.sampled_from(STANCES),
)


@pytest.mark.parametrize(
    ("change", "wanted"),
    [
        ({}, False),
        ({"comment": "other"}, False),
        ({"far": 0.8}, False),
        ({"far": 0.7}, True),
        ({"sas": 0.7}, False),
        ({"sas": 0.6}, True),
        ({"stance": "questioned"}, True),
        ({"no_claims": True, "far": None}, True),
    ],
)
def test_a_third_person_is_asked_beyond_a_band_or_for_another_stance_or_claims(change, wanted):
    assert differ(RATED, RATED | change) is wanted
    assert differ(RATED | change, RATED) is wanted


@given(st.sampled_from(STEPS), st.sampled_from(STEPS))
def test_two_tenths_apart_is_not_yet_a_difference_whatever_the_numbers(one, other):
    apart = abs(round(10 * one) - round(10 * other))
    assert differ(RATED | {"far": one}, RATED | {"far": other}) is (apart > 2)


def test_a_key_says_itself_how_far_a_rating_may_lie_from_it():
    assert differ(RATED, RATED | {"far": 0.8, "within": {"far": 0.1}})
    assert not differ(RATED, RATED | {"far": 0.6, "within": {"far": 0.4}})


def test_three_ratings_come_to_medians_and_majorities():
    three = [
        RATED | {"far": 0.2, "sas": 0.5},
        RATED | {"far": 0.9, "sas": 1.0, "stance": "accepted"},
        RATED | {"far": 0.4},
    ]
    assert settle(three) == {"far": 0.4, "sas": 0.9, "no_claims": False, "stance": "rejected", "comment": ""}


def test_the_median_of_far_is_over_those_who_found_claims():
    none = RATED | {"far": None, "no_claims": True}
    assert settle([RATED | {"far": 0.2}, none, RATED | {"far": 0.4}])["far"] == 0.3
    assert settle([none, none, RATED])["far"] is None


def test_without_a_majority_nothing_is_settled():
    assert settle([RATED | {"stance": stance} for stance in STANCES]) is None
    assert settle([RATED, RATED | {"no_claims": True, "far": None}]) is None


@given(st.lists(RATINGS, min_size=1, max_size=5))
def test_what_is_settled_lies_within_what_was_said(ratings):
    settled = settle(ratings)
    if settled is not None:
        assert min(each["sas"] for each in ratings) <= settled["sas"] <= max(each["sas"] for each in ratings)
        assert (settled["far"] is None) == settled["no_claims"]
        assert sum(each["stance"] == settled["stance"] for each in ratings) * 2 > len(ratings)


@given(RATINGS)
def test_a_rating_does_not_differ_from_itself_and_settles_to_itself(rating):
    assert not differ(rating, rating)
    assert settle([rating, rating]) == rating
