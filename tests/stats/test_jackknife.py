import math

import numpy as np
import pytest
from scipy import stats as scipy_stats

from voirdire.stats import krippendorff_alpha
from voirdire.stats.agreement import pearson
from voirdire.stats.jackknife import jackknife_estimate


def test_the_mean_of_items_that_are_their_own_clusters_has_the_t_interval():
    values = np.array([1.0, 4.0, 2.0, 8.0, 5.0])
    found = jackknife_estimate(lambda kept: float(values[kept].mean()), np.arange(5))
    expected = scipy_stats.t.interval(0.95, 4, values.mean(), scipy_stats.sem(values))
    assert (found.low, found.high) == pytest.approx(expected)


def test_items_of_a_cluster_are_left_out_together():
    values = np.repeat([1.0, 4.0, 2.0, 8.0], 10)
    apart = jackknife_estimate(lambda kept: float(values[kept].mean()), np.arange(40))
    together = jackknife_estimate(lambda kept: float(values[kept].mean()), np.repeat(list("abcd"), 10))
    assert together.high - together.low > 3 * (apart.high - apart.low)


def test_an_agreement_has_the_interval_of_its_own_function():
    ratings = np.random.default_rng(1).integers(0, 2, (30, 2)).astype(float)
    ratings[:22, 1] = ratings[:22, 0]
    clusters = np.arange(30) % 6
    whole = np.zeros(30, dtype=int)

    def alpha(kept):
        return krippendorff_alpha(ratings[kept], "nominal", whole[kept]).value

    found = jackknife_estimate(alpha, clusters, shape="agreement")
    assert found == pytest.approx(krippendorff_alpha(ratings, "nominal", clusters))


def test_ends_of_a_correlation_stay_within_one():
    rng = np.random.default_rng(2)
    x = rng.normal(size=12)
    y = x + rng.normal(size=12) / 20
    found = jackknife_estimate(lambda kept: pearson(x[kept], y[kept]), np.arange(12), shape="correlation")
    assert -1 < found.low < found.value < found.high < 1


def test_ends_of_a_share_stay_within_nought_and_one():
    hits = np.array([0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0])
    found = jackknife_estimate(lambda kept: float(hits[kept].mean()), np.arange(8), shape="share")
    assert 0 < found.low < found.value < found.high < 1


@pytest.mark.parametrize("clusters", [[], ["a", "a", "b", "b"]])
def test_without_three_clusters_there_is_no_interval(clusters):
    found = jackknife_estimate(lambda kept: float(kept.sum()) or math.nan, clusters)
    assert math.isnan(found.low) and math.isnan(found.high)
