"""Swap tests, Holm, effects and ranks: by hand, against scipy and statsmodels, and by their properties."""

import math
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from voirdire.stats import holm, paired_effect, rank_probabilities, sign_flip, superiority, swap_test

DIFFERENCES = st.lists(st.integers(-20, 20).map(lambda whole: whole / 4), min_size=1, max_size=8)
P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=12)


def test_a_sign_flip_worked_by_hand():
    # Of the eight sums of ±3 ±2 ±1 the size is at least 4 in four: 6, 4 and their negatives.
    found = sign_flip([3.0, 2.0, -1.0])

    assert found.p == 4 / 8
    assert (found.swaps, found.exact, found.smallest_p) == (8, True, 2 / 8)


@given(DIFFERENCES.filter(lambda differences: len(differences) > 1))
def test_an_exact_sign_flip_is_scipys_permutation_test_of_the_mean(differences):
    expected = stats.permutation_test(
        (np.array(differences), np.zeros(len(differences))),
        lambda a, b, axis: np.mean(a - b, axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=np.inf,
    )
    assert sign_flip(differences).p == pytest.approx(expected.pvalue)


@given(DIFFERENCES)
def test_no_p_is_smaller_than_the_smallest_the_test_can_give(differences):
    found = sign_flip(differences)
    assert found.smallest_p <= found.p <= 1


def test_the_smallest_p_is_reached_when_all_units_point_one_way():
    assert sign_flip([0.5] * 8).p == sign_flip([0.5] * 8).smallest_p == 2 / 256


def test_many_units_are_swapped_at_random_and_the_observed_counts_as_one():
    found = sign_flip(np.full(20, 1.0), draws=999, seed=1)

    assert found.p == found.smallest_p == 1 / 1000  # no random swap of 20 equal signs leaves them equal
    assert (found.swaps, found.exact) == (999, False)


def test_random_swaps_come_near_the_exact_p():
    differences = np.random.default_rng(4).normal(0.5, 1, 12)

    def mean(swaps):
        return (1.0 - 2.0 * swaps) @ differences / 12

    exact, random = swap_test(mean, 12), swap_test(mean, 12, exact_units=0, draws=20_000)
    assert random.p == pytest.approx(exact.p, abs=4 * math.sqrt(exact.p * (1 - exact.p) / 20_000))


def test_equal_chances_are_rejected_no_more_often_than_alpha():
    rng = np.random.default_rng(11)
    p = np.array([sign_flip(rng.standard_t(3, 8)).p for _ in range(2000)])
    assert (p <= 0.05).mean() < 0.05 + 3 * math.sqrt(0.05 * 0.95 / 2000)


def test_swaps_that_leave_the_statistic_undefined_are_counted_and_never_lower_p():
    def fragile(swaps):
        return np.where(swaps.sum(axis=1) == 1, np.nan, (1.0 - 2.0 * swaps) @ np.array([1.0, 2.0, 3.0]))

    found = swap_test(fragile, 3)
    assert found.undefined == 3
    assert found.p == (2 + 3) / 8


def test_a_test_without_units_is_an_error():
    with pytest.raises(ValueError, match="at least one unit"):
        sign_flip([])


def test_a_statistic_that_is_undefined_as_observed_is_an_error():
    with pytest.raises(ValueError, match="undefined for what was observed"):
        sign_flip([1.0, math.nan])


@given(P_VALUES)
def test_holm_is_that_of_statsmodels(p):
    from statsmodels.stats.multitest import multipletests

    with patch("gc.collect"):  # statsmodels collects garbage in every call, of all that the tests hold
        expected = multipletests(p, method="holm")[1]
    assert holm(p) == pytest.approx(expected)


def test_holm_leaves_out_what_was_not_tested():
    found = holm([0.02, math.nan, 0.01])

    assert found[[0, 2]] == pytest.approx([0.02, 0.02])
    assert math.isnan(found[1])


@given(st.lists(st.floats(0.01, 0.99), min_size=2, max_size=8), st.integers(0, 7))
def test_another_smaller_p_never_makes_a_corrected_p_larger(p, which):
    smaller = list(p)
    smaller[which % len(p)] /= 3
    assert (holm(smaller) <= holm(p) + 1e-12).all()


def test_ranks_counted_by_hand_with_a_tie_shared():
    found = rank_probabilities([[3.0, 1.0, 2.0, math.nan], [2.0, 1.0, 4.0, 1.0], [1.0, 0.0, 3.0, 1.0]])

    assert found.probabilities == pytest.approx(np.array([[1.5, 0.5, 1.0], [1.5, 1.5, 0.0], [0.0, 1.0, 2.0]]) / 3)
    assert found.expected == pytest.approx([5.5 / 3, 4.5 / 3, 8 / 3])
    assert found.undefined == 1


@given(st.integers(1, 5), st.integers(1, 20), st.integers(0, 2**32 - 1))
def test_every_model_has_a_rank_and_every_rank_a_model(models, draws, seed):
    found = rank_probabilities(np.random.default_rng(seed).integers(0, 3, (models, draws)).astype(float))

    assert found.probabilities.sum(axis=0) == pytest.approx(np.ones(models))
    assert found.probabilities.sum(axis=1) == pytest.approx(np.ones(models))


def test_ranks_need_a_draw_in_which_all_are_defined():
    with pytest.raises(ValueError, match="no bootstrap draw"):
        rank_probabilities([[1.0, math.nan], [math.nan, 1.0]])


def test_the_effect_of_a_mean_is_its_mean_over_its_standard_deviation():
    differences = np.array([0.3, 0.1, 0.2, -0.1, 0.4])
    left_out = (differences.sum() - differences) / 4

    expected = differences.mean() / differences.std(ddof=1)
    assert paired_effect(differences.mean(), left_out) == pytest.approx(expected)


@pytest.mark.parametrize("left_out", [[0.2], [0.2, math.nan], [0.2, 0.2, 0.2]])
def test_there_is_no_effect_size_without_variation_that_is_known(left_out):
    assert math.isnan(paired_effect(0.2, left_out))


def test_superiority_counts_ties_half_and_leaves_out_the_unknown():
    assert superiority([1, 2, 3, math.nan], [0, 2, 4, 0]) == pytest.approx(0.5)
    assert superiority([1, 1], [0, 1]) == pytest.approx(0.75)
    assert math.isnan(superiority([math.nan], [1.0]))
