"""BCa and studentised intervals: against scipy, by hand, and how often they contain a mean."""

import math

import numpy as np
import pytest
from scipy import special, stats

from voirdire.stats import bca, bootstrap_weights, studentised

SAMPLE = np.array([1.0, 1.2, 0.7, 3.9, 2.2, 0.4, 1.1, 6.0])
"""Skewed, so that bias and acceleration matter."""


def left_out_means(values):
    return (values.sum() - values) / (values.size - 1)


def weights_of(k, draws=4000, seed=3):
    return bootstrap_weights(k, draws, np.random.default_rng(seed))


def studentised_mean(values, weights, scale="identity"):
    """The studentised interval of a mean, with everything it needs."""
    totals, k = weights @ values, values.size
    less = (totals[:, np.newaxis] - values) / (k - 1)
    return studentised(values.mean(), left_out_means(values), totals / k, less, weights, scale=scale)


def test_bca_is_scipys_on_the_same_draws():
    expected = stats.bootstrap((SAMPLE,), np.mean, method="BCa", n_resamples=4000, rng=np.random.default_rng(1))

    found = bca(SAMPLE.mean(), expected.bootstrap_distribution, left_out_means(SAMPLE))

    assert found[:2] == pytest.approx(tuple(expected.confidence_interval))
    assert (found.level, found.method) == (0.95, "bca")


def test_bca_of_symmetric_draws_is_the_percentile_interval():
    draws = np.linspace(-1, 1, 2001)

    found = bca(0.0, draws, [0.1, -0.1, 0.2, -0.2])

    assert found[:2] == pytest.approx(tuple(np.quantile(draws, [0.025, 0.975])))


def test_draws_that_are_undefined_are_left_out_of_bca():
    draws = weights_of(8) @ SAMPLE / 8
    with_gaps = np.concatenate([draws, np.full(500, math.nan)])

    assert bca(2.0, with_gaps, left_out_means(SAMPLE)) == bca(2.0, draws, left_out_means(SAMPLE))


def test_a_studentised_interval_worked_out_draw_by_draw():
    weights = weights_of(8, draws=300)
    ratios = []
    for row in weights.astype(int):
        drawn = np.repeat(SAMPLE, row)
        se = drawn.std(ddof=1) / math.sqrt(8)  # for a mean, the jackknife's standard error
        if se > 0:
            ratios.append((drawn.mean() - SAMPLE.mean()) / se)
    se = SAMPLE.std(ddof=1) / math.sqrt(8)
    low, high = SAMPLE.mean() - se * np.quantile(ratios, [0.975, 0.025])

    found = studentised_mean(SAMPLE, weights)

    assert found[:2] == pytest.approx((low, high))
    assert found.method == "studentised"


def test_a_studentised_interval_stays_within_its_scale():
    shares = np.array([0.99, 0.9, 0.97, 0.6, 0.95, 1.0, 0.98, 0.93])

    found = studentised_mean(shares, weights_of(8), scale="logit")
    positive = studentised_mean(SAMPLE, weights_of(8), scale="log")

    assert 0 < found.low < shares.mean() < found.high < 1
    assert 0 < positive.low < SAMPLE.mean() < positive.high


def test_on_the_logit_scale_distances_are_in_log_odds():
    shares = np.array([0.5, 0.6, 0.4, 0.55, 0.45, 0.5, 0.65, 0.35])
    weights = weights_of(8)
    drawn = weights @ shares / 8
    less = ((weights @ shares)[:, np.newaxis] - shares) / 7
    spread = np.sqrt(7 / 8 * (weights * (less - (weights * less).sum(1, keepdims=True) / 8) ** 2).sum(1))
    usable = spread > 1e-12
    ratios = special.logit(drawn[usable]) * drawn[usable] * (1 - drawn[usable]) / spread[usable]
    se = shares.std(ddof=1) / math.sqrt(8) / 0.25

    found = studentised_mean(shares, weights, scale="logit")

    assert found.low == pytest.approx(special.expit(-se * np.quantile(ratios, 0.975)))


def test_studentised_contains_a_skewed_mean_more_often_than_bca_does():
    rng = np.random.default_rng(5)
    hits = {"bca": 0, "studentised": 0}
    for _ in range(400):
        values = rng.exponential(1.0, 10)
        weights = bootstrap_weights(10, 300, rng)
        for found in (
            bca(values.mean(), weights @ values / 10, left_out_means(values)),
            studentised_mean(values, weights),
        ):
            hits[found.method] += found.low <= 1.0 <= found.high
    assert hits["studentised"] / 400 > 0.90 > hits["bca"] / 400


@pytest.mark.parametrize(
    ("estimate", "draws", "left_out", "says"),
    [
        (1.0, np.arange(100), [1.0, 2.0], "at least 3 clusters"),
        (1.0, np.arange(100), [1.0, 2.0, math.nan], "undefined"),
        (1.0, np.arange(5), [1.0, 2.0, 3.0], "Only 5 bootstrap draws"),
        (-1.0, np.arange(100), [1.0, 2.0, 3.0], "one side"),
        (50.0, np.arange(100), [1.0, 1.0, 1.0], "no acceleration"),
    ],
)
def test_bca_says_what_it_lacks(estimate, draws, left_out, says):
    with pytest.raises(ValueError, match=says):
        bca(estimate, draws, left_out)


@pytest.mark.parametrize(
    ("values", "scale", "says"),
    [
        (np.array([1.0, 2.0]), "identity", "at least 3 clusters"),
        (np.array([1.0, 1.0, 1.0]), "identity", "no variance"),
        (np.array([1.0, 2.0, 3.0]), "logit", "outside the logit scale"),
        (np.array([-1.0, -2.0, 3.0]), "log", "outside the log scale"),
    ],
)
def test_studentised_says_what_it_lacks(values, scale, says):
    with pytest.raises(ValueError, match=says):
        studentised_mean(values, weights_of(values.size), scale=scale)
