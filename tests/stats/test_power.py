import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import nct, t

from voirdire.stats.power import (
    clusters_for_swaps,
    clusters_needed,
    paired_power,
    simulated_power,
    smallest_difference,
)

SIZES = st.floats(0.05, 1.5)
CLUSTERS = st.integers(3, 200)


@given(SIZES, CLUSTERS, st.sampled_from([0.05, 0.01]))
def test_power_is_that_of_the_non_central_t(size, k, alpha):
    edge, shift = t.ppf(1 - alpha / 2, k - 1), size * math.sqrt(k)
    expected = 1 - nct.cdf(edge, k - 1, shift) + nct.cdf(-edge, k - 1, shift)
    if math.isfinite(expected):
        assert paired_power(size, 1.0, k, alpha=alpha) == pytest.approx(expected, abs=1e-4)


def test_without_a_difference_the_power_is_alpha():
    assert paired_power(0.0, 1.0, [3, 8, 50], alpha=0.01) == pytest.approx([0.01] * 3, abs=1e-4)


def test_what_never_varies_is_always_told():
    assert paired_power(0.01, 0.0, 3) == pytest.approx(1.0)


def test_large_shifts_have_a_power_too():
    assert paired_power(100.0, 1.0, 8, alpha=1e-6) == pytest.approx(1.0)


@given(SIZES, CLUSTERS)
def test_the_sign_of_a_difference_does_not_matter_and_more_clusters_help(size, k):
    assert paired_power(-size, 1.0, k) == paired_power(size, 1.0, k)
    assert paired_power(size, 1.0, k + 5) >= paired_power(size, 1.0, k)


@given(SIZES, st.floats(0.5, 0.95))
def test_the_needed_clusters_reach_the_power_and_one_fewer_do_not(size, power):
    k = clusters_needed(size, 1.0, power=power)
    assert paired_power(size, 1.0, k) >= power
    assert k == 3 or paired_power(size, 1.0, k - 1) < power


def test_too_many_clusters_are_none():
    assert clusters_needed(0.001, 1.0, most=500) is None


@given(st.floats(0.01, 100.0), CLUSTERS, st.floats(0.3, 0.99))
def test_the_smallest_difference_has_just_that_power(variance, k, power):
    difference = smallest_difference(variance, k, power=power)
    assert paired_power(difference, variance, k) == pytest.approx(power, abs=1e-6)


def test_what_does_not_vary_has_no_smallest_difference():
    assert smallest_difference(0.0, 5) == 0.0


def test_six_clusters_are_the_fewest_that_swapping_can_tell_at_five_percent():
    # 2 / 2^5 = 0.0625, 2 / 2^6 = 0.031
    assert clusters_for_swaps(0.05) == 6
    assert clusters_for_swaps(0.05 / 36) == 11


@pytest.mark.parametrize("shape", [(8, 5, 3), (15, 3, 1)])
def test_simulated_studies_have_the_power_of_the_formula(shape):
    variances = (0.3, 1.0, 0.5)
    variance = 0.3 + 1.0 / shape[1] + 0.5 / (shape[1] * shape[2])
    difference = smallest_difference(variance, shape[0], power=0.7)
    found = simulated_power(difference, variances, shape, studies=4000)
    assert found.interval == pytest.approx(0.7, abs=0.04)
    assert found.swap_test == pytest.approx(0.7, abs=0.06)


def test_simulated_studies_without_a_difference_are_rarely_told_apart():
    found = simulated_power(0.0, (1.0,), (8,), studies=4000)
    assert found.interval == pytest.approx(0.05, abs=0.015)
    assert found.swap_test == pytest.approx(0.05, abs=0.02)


def test_five_clusters_never_pass_the_swap_test_at_five_percent():
    assert simulated_power(10.0, (1.0,), (5,), studies=200).swap_test == 0.0
    assert np.isclose(simulated_power(10.0, (1.0,), (6,), studies=200).swap_test, 1.0)
