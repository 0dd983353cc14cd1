import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from voirdire.cognibench.dynamics.estimates import mean, quotient, share, slope
from voirdire.stats.intervals import clustered_share

GROUPED = st.lists(st.tuples(st.sampled_from("abcdef"), st.booleans()), min_size=1, max_size=40)


def test_a_share_has_its_count_its_groups_and_the_clustered_interval():
    found = share([True, False, True, True], ["a", "b", "c", "c"])

    assert (found.value, found.hits, found.n, found.groups) == (0.75, 3.0, 4, 3)
    assert found.interval == clustered_share([1, 0, 2], [1, 1, 2])


def test_with_fewer_than_three_groups_there_is_a_value_and_no_interval():
    found = share([True, False], ["a", "b"])

    assert found.value == 0.5
    assert found.interval is None


def test_nothing_has_no_share_and_no_mean():
    assert share([], []).value is None
    assert mean([], []).value is None
    assert slope([], [], []).value is None


@given(GROUPED)
def test_a_share_is_that_of_its_trials_and_lies_in_its_interval(rows):
    groups, hits = zip(*rows, strict=True)
    found = share(hits, groups)

    assert found.value == pytest.approx(sum(hits) / len(hits))
    if found.interval is not None:
        assert 0 <= found.interval.low <= found.interval.high <= 1


def test_a_mean_is_of_values_and_not_of_groups():
    assert mean([1.0, 1.0, 4.0], ["a", "a", "b"]).value == 2.0


def test_a_means_interval_is_the_jackknife_over_groups():
    found = mean([1.0, 2.0, 3.0], ["a", "b", "c"])
    # Left out one by one: 2.5, 2, 1.5; squared error 2/3 · 0.5 = 1/3; t with 2 degrees of freedom 4.3027; by half: 2.
    reach = math.exp(4.30265273 * math.sqrt(1 / 3) / 2)

    assert found.interval.low == pytest.approx(2 / reach)
    assert found.interval.high == pytest.approx(2 * reach)


def test_a_quotient_over_nothing_is_undefined():
    assert quotient([1.0, 0.0], [0.0, 0.0], ["a", "b"]).value is None


@given(st.lists(st.tuples(st.integers(0, 5), st.floats(-9, 9), st.sampled_from("abcd")), min_size=2, max_size=30))
def test_a_slope_is_the_least_squares_one(rows):
    x, y, groups = zip(*rows, strict=True)
    found = slope(x, y, groups)

    if len(set(x)) == 1:
        assert found.value is None
    else:
        assert found.value == pytest.approx(np.polyfit(x, y, 1)[0], abs=1e-8)


def test_plain_values_hold_no_nan():
    assert slope([1, 1], [0, 1], ["a", "b"]).as_dict() == {
        "value": None,
        "count": None,
        "n": 2,
        "groups": 2,
        "low": None,
        "high": None,
        "method": None,
    }
