"""Spearman's rho: scipy's value, an interval that contains it, and every undefined case."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from voirdire.stats import spearman
from voirdire.stats.correlation import clustered_pearson

SCORES = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=3, max_size=40)


def test_rho_and_interval_worked_by_hand():
    found = spearman([1, 2, 3, 4, 5, 6], [2, 1, 4, 3, 6, 5])

    rho = 1 - 6 * 6 / (6 * 35)
    half = 1.959963985 * math.sqrt((1 + rho**2 / 2) / 3)
    assert found.rho == pytest.approx(rho)
    assert (found.low, found.high) == pytest.approx(
        (math.tanh(math.atanh(rho) - half), math.tanh(math.atanh(rho) + half))
    )
    assert found.n == 6


@given(SCORES)
def test_rho_and_p_are_scipys_with_ties(pairs):
    x, y = np.array(pairs, dtype=float).T
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        return

    found, expected = spearman(x, y), stats.spearmanr(x, y)

    assert found.rho == pytest.approx(expected.statistic, abs=1e-9)
    assert found.p == pytest.approx(expected.pvalue, abs=1e-6)


def test_pairs_with_an_unknown_value_are_left_out():
    x, y = [1, 2, 3, 4, 9, np.nan], [1, 3, 2, 4, np.nan, 0]

    assert spearman(x, y) == spearman(x[:4], y[:4])
    assert spearman(x, y).n == 4


@pytest.mark.parametrize(("x", "y"), [([1, 1, 1, 1], [1, 2, 3, 4]), ([1, 2], [1, 2]), ([], [])])
def test_a_constant_side_or_too_few_pairs_give_no_rho(x, y):
    found = spearman(x, y)

    assert math.isnan(found.rho) and math.isnan(found.p) and math.isnan(found.low)
    assert found.n == len(x)


def test_lists_of_different_length_are_refused():
    with pytest.raises(ValueError, match="equal length"):
        spearman([1, 2, 3], [1, 2])


def test_perfect_order_has_p_zero():
    assert spearman([1, 2, 3, 4], [10, 20, 30, 40])[:4] == (1.0, 1.0, 1.0, 0.0)


def test_the_interval_covers_the_true_rho_of_independent_pairs():
    rng = np.random.default_rng(1)
    r = 0.6
    truth = 6 / math.pi * math.asin(r / 2)
    x = rng.standard_normal((400, 60))
    y = r * x + math.sqrt(1 - r * r) * rng.standard_normal((400, 60))

    hits = [low <= truth <= high for _, low, high, *_ in map(spearman, x, y)]

    assert np.mean(hits) == pytest.approx(0.95, abs=0.03)


def test_groups_widen_the_interval_when_pairs_repeat_one_another():
    rng = np.random.default_rng(2)
    x, y = np.repeat(rng.standard_normal((2, 20)), 10, axis=1)
    labels = np.repeat([f"dialogue {i}" for i in range(20)], 10)

    apart, clustered = spearman(x, y), spearman(x, y, groups=labels)

    assert clustered.rho == apart.rho
    assert clustered.high - clustered.low > 2 * (apart.high - apart.low)
    assert clustered.low <= clustered.rho <= clustered.high


def test_a_draw_of_clusters_equals_spearman_of_the_repeated_pairs():
    """The bootstrap's weighted ranks are those of a list in which a cluster drawn twice stands twice."""
    from voirdire.stats.correlation import _weighted_spearman

    rng = np.random.default_rng(5)
    x, y, labels = rng.integers(0, 6, 30).astype(float), rng.integers(0, 6, 30).astype(float), np.repeat(range(6), 5)
    weights = np.array([2, 0, 1, 3, 0, 1])

    found = _weighted_spearman(x, y, labels, weights[np.newaxis].astype(float))[0]

    copies = weights[labels]
    assert found == pytest.approx(stats.spearmanr(np.repeat(x, copies), np.repeat(y, copies)).statistic)


def test_one_group_gives_no_interval():
    found = spearman([1, 2, 3, 4], [1, 3, 2, 4], groups=["a"] * 4)

    assert found.rho == pytest.approx(0.8)
    assert math.isnan(found.low)


def test_pearson_worked_by_hand():
    r, low, high = clustered_pearson([0, 0, 1, 1, 2], [0, 1, 1, 2, 2], range(5))
    assert r == pytest.approx(np.corrcoef([0, 0, 1, 1, 2], [0, 1, 1, 2, 2])[0, 1])
    z = math.atanh(min(r, 0.8))  # five pairs can't show more than 1 - 1/5
    half = stats.t.ppf(0.975, 4) * math.sqrt(1 / 2)
    assert (low, high) == pytest.approx((math.tanh(z - half), math.tanh(z + half)), abs=0.02)


def test_weights_that_are_all_the_same_change_nothing():
    rng = np.random.default_rng(1)
    x = rng.random(60)
    y = x + 0.5 * rng.random(60)
    weighted = clustered_pearson(x, y, range(60), np.full(60, 2.0))
    assert weighted == pytest.approx(clustered_pearson(x, y, range(60)))


def test_pairs_that_are_copies_of_one_another_tell_no_more_than_one():
    rng = np.random.default_rng(2)
    x = rng.standard_normal(60) ** 3  # a few pairs weigh much, so that the jackknife sees more than 1/(n - 3)
    y = x * (rng.random(60) < 0.5) + rng.standard_normal(60)
    once = clustered_pearson(x, y, range(60))
    copies = clustered_pearson(np.tile(x, 4), np.tile(y, 4), np.tile(np.arange(60), 4))
    apart = clustered_pearson(np.tile(x, 4), np.tile(y, 4), range(240))
    assert copies[0] == pytest.approx(once[0])
    assert copies[2] - copies[1] == pytest.approx(once[2] - once[1], rel=0.05)
    assert apart[2] - apart[1] < 0.7 * (once[2] - once[1])


def test_pearson_is_undefined_where_one_side_is_constant():
    assert all(map(math.isnan, clustered_pearson([1, 1, 1, 1], [1, 2, 3, 4], range(4))))
    r, low, _ = clustered_pearson([1, 2, 3], [1, 2, 4], range(3))
    assert r > 0.9 and math.isnan(low)


def test_a_perfect_pearson_still_has_an_interval_and_lies_in_it():
    r, low, high = clustered_pearson(range(40), range(40), range(40))
    assert r == pytest.approx(1)
    assert 0.9 < low < r == high
