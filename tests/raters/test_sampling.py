"""Drawing by strata: sizes, weights, and that weighted totals are right."""

from __future__ import annotations

import math
import statistics
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voirdire.raters.records import RatersError
from voirdire.raters.sampling import allocate, simple, stratified, terciles

UNITS = [f"u{number}" for number in range(30)]
STRATA = ["a"] * 20 + ["b"] * 9 + ["c"]


def test_a_hand_worked_draw():
    drawn = stratified(UNITS, STRATA, 6, seed=1)
    assert Counter(each.stratum for each in drawn) == {"a": 3, "b": 2, "c": 1}
    assert {(each.stratum, each.weight) for each in drawn} == {("a", 20 / 3), ("b", 4.5), ("c", 1.0)}


def test_equal_allocation_takes_as_many_of_each_as_there_are():
    assert allocate({"a": 20, "b": 9, "c": 1}, 9, "equal") == {"a": 4, "b": 4, "c": 1}


@given(
    st.dictionaries(st.text(max_size=3), st.integers(1, 40), min_size=1, max_size=6),
    st.integers(0, 100),
    st.sampled_from(["proportional", "equal"]),
    st.integers(0, 5),
)
def test_every_stratum_is_drawn_from_and_spoken_for_in_full(sizes, more, allocation, seed):
    strata = [stratum for stratum, size in sizes.items() for _ in range(size)]
    units = [str(number) for number in range(len(strata))]
    n = len(sizes) + more
    drawn = stratified(units, strata, n, seed, allocation)
    assert len(drawn) == min(n, len(units)) == len({each.unit for each in drawn})
    assert all(strata[int(each.unit)] == each.stratum for each in drawn)
    for stratum, size in sizes.items():
        assert math.isclose(sum(each.weight for each in drawn if each.stratum == stratum), size)


@given(st.lists(st.integers(1, 40), min_size=1, max_size=6), st.integers(0, 100))
def test_proportional_shares_are_off_by_less_than_one_where_none_needs_help(sizes, more):
    n = len(sizes) + more
    given = allocate({str(place): size for place, size in enumerate(sizes)}, n)
    total = sum(sizes)
    if n < total and all(n * size / total >= 1 for size in sizes):
        assert all(abs(given[str(place)] - n * size / total) < len(sizes) for place, size in enumerate(sizes))


def test_the_seed_settles_members_and_order():
    once = stratified(UNITS, STRATA, 10, seed=7)
    assert once == stratified(UNITS, STRATA, 10, seed=7)
    assert once != stratified(UNITS, STRATA, 10, seed=8)
    assert [each.unit for each in simple(UNITS, 30, seed=1)] != UNITS


def test_weighted_means_over_samples_estimate_the_mean_of_all():
    truth = statistics.mean(range(30))
    means = [
        sum(each.weight * int(each.unit[1:]) for each in stratified(UNITS, STRATA, 7, seed, "equal")) / 30
        for seed in range(400)
    ]
    assert abs(statistics.mean(means) - truth) < 0.3  # unweighted, the last ones alone would pull it up by 4


@pytest.mark.parametrize(
    ("units", "n", "says"), [([], 3, "nothing to draw"), (UNITS, 0, "at least 1"), (UNITS, 2, "all 3 kinds")]
)
def test_a_draw_that_cannot_be_is_refused(units, n, says):
    with pytest.raises(RatersError, match=says):
        stratified(units, STRATA[: len(units)], n, seed=1)


def test_thirds_go_by_order_and_ties_stay_together():
    assert terciles([5.0, 1.0, 3.0]) == ["high", "low", "middle"]
    assert terciles([0.0, 0.0, 0.0, 0.0, 9.0, 1.0]) == ["low", "low", "low", "low", "high", "high"]
    assert terciles([math.nan, 2.0, math.nan]) == ["unknown", "low", "unknown"]
    assert terciles([math.nan]) == ["unknown"]


@given(st.lists(st.floats(0, 50), min_size=3, unique=True))
def test_thirds_of_unequal_values_are_even(values):
    counts = Counter(terciles(values))
    assert max(counts.values()) - min(counts.values()) <= 1
    assert len(counts) == 3
