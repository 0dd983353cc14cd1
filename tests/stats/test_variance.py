import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from voirdire.stats.variance import Split, split_variance, without_negatives


def drawn(clusters, units, repeats, between, within, rest, seed=0):
    rng = np.random.default_rng(seed)
    return (
        np.sqrt(between) * rng.standard_normal((clusters, 1, 1))
        + np.sqrt(within) * rng.standard_normal((clusters, units, 1))
        + np.sqrt(rest) * rng.standard_normal((clusters, units, repeats))
        + 3.0 * np.arange(units)[:, np.newaxis]  # units are fixed: their own means are no variance
    )


def test_known_components_are_found():
    found = split_variance(drawn(20_000, 4, 3, 0.5, 1.0, 2.0))
    assert found == pytest.approx((0.5, 1.0, 2.0), rel=0.06)


def test_without_repeats_what_units_add_is_part_of_the_rest():
    found = split_variance(drawn(20_000, 4, 1, 0.5, 1.0, 2.0))
    assert found == pytest.approx((0.5, 0.0, 3.0), rel=0.06)


def test_one_unit_leaves_clusters_and_repeats():
    found = split_variance(drawn(20_000, 1, 3, 0.5, 0.0, 2.0))
    assert found == pytest.approx((0.5, 0.0, 2.0), rel=0.06)


def test_a_case_by_hand():
    # Two clusters, two units: deviations from the units' means are (-1, -2) and (1, 2).
    # Variances 2 and 8, covariance 4: between 4, the rest (2 + 8) / 2 - 4 = 1.
    found = split_variance(np.array([[[0.0], [5.0]], [[2.0], [9.0]]]))
    assert found == pytest.approx((4.0, 0.0, 1.0))


@given(clusters=st.integers(2, 6), units=st.integers(1, 4), repeats=st.integers(1, 3), seed=st.integers(0, 1000))
def test_the_parts_add_up_to_the_variance_of_cluster_means(clusters, units, repeats, seed):
    values = np.random.default_rng(seed).standard_normal((clusters, units, repeats))
    between, within, rest = split_variance(values)
    total = between + within / units + rest / (units * repeats)
    assert total == pytest.approx(values.mean(axis=(1, 2)).var(ddof=1))


def test_covariance_with_another_variable_is_what_the_two_share():
    shared = drawn(20_000, 4, 1, 0.5, 0.0, 1.0, seed=1)
    noise = [drawn(20_000, 4, 1, 0.0, 0.0, 2.0, seed=seed) for seed in (2, 3)]
    found = split_variance(shared + noise[0], shared + noise[1])
    assert found == pytest.approx((0.5, 0.0, 1.0), abs=0.1)


def test_one_cluster_is_refused():
    with pytest.raises(ValueError, match="at least two"):
        split_variance(np.zeros((1, 3, 1)))


@pytest.mark.parametrize(
    ("split", "repeats", "cleaned"),
    [
        (Split(1.0, 0.0, 2.0), 1, (1.0, 0.0, 2.0)),
        (Split(-1.0, 0.0, 3.0), 1, (0.0, 0.0, 2.0)),
        (Split(-1.0, 2.0, 3.0), 2, (0.0, 1.0, 3.0)),
        (Split(-1.0, 0.5, 3.0), 2, (0.0, 0.0, 2.5)),
        (Split(1.0, -0.5, 3.0), 2, (1.0, 0.0, 2.5)),
        (Split(0.5, 0.0, -1.0), 1, (0.5, 0.0, 0.0)),
    ],
)
def test_negative_parts_become_0_and_come_off_the_part_below(split, repeats, cleaned):
    assert without_negatives(split, repeats) == pytest.approx(cleaned)
