"""Intervals, against cases worked by hand and against simulation."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from voirdire.stats import bootstrap_weights, clustered_share, jackknife_t, percentile, share_interval
from voirdire.stats.intervals import seeded_weights

T7 = 2.3646242510  # 97.5 % quantile of t with 7 degrees of freedom


def left_out_means(values):
    values = np.asarray(values, dtype=float)
    return (values.sum() - values) / (values.size - 1)


def test_jackknife_of_a_mean_is_the_t_interval_of_its_clusters():
    clusters = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]

    found = jackknife_t(4.5, left_out_means(clusters))

    half = T7 * np.std(clusters, ddof=1) / math.sqrt(8)
    assert found.low == pytest.approx(4.5 - half)
    assert found.high == pytest.approx(4.5 + half)
    assert (found.level, found.method) == (0.95, "jackknife-t")


def test_a_logit_interval_is_symmetric_in_log_odds():
    clusters = [0.9, 0.8, 0.95, 0.85, 0.9, 0.7, 1.0, 0.9]
    mean = float(np.mean(clusters))

    found = jackknife_t(mean, left_out_means(clusters), scale="logit")

    def log_odds(p):
        return math.log(p / (1 - p))

    assert log_odds(found.high) - log_odds(mean) == pytest.approx(log_odds(mean) - log_odds(found.low))
    se = np.std(clusters, ddof=1) / math.sqrt(8)
    assert log_odds(found.high) - log_odds(mean) == pytest.approx(T7 * se / (mean * (1 - mean)))


def test_a_log_interval_is_symmetric_in_ratios():
    found = jackknife_t(2.0, left_out_means([1.0, 2.0, 3.0, 2.0]), scale="log")

    assert found.high / 2.0 == pytest.approx(2.0 / found.low)
    assert found.low > 0


def test_one_cluster_at_the_ceiling_when_left_out_does_no_harm():
    found = jackknife_t(0.975, left_out_means([1, 1, 1, 1, 1, 1, 1, 0.8]), scale="logit")

    assert 0.5 < found.low < 0.975 < found.high < 1


def test_scores_that_are_all_perfect_get_the_exact_bound_of_as_many_trials():
    found = jackknife_t(1.0, [1.0] * 8, scale="logit", trials=40)

    assert found.method == "exact"
    assert found.low == pytest.approx(0.025 ** (1 / 40))
    assert found.high == 1.0


def test_without_variation_or_trials_there_is_no_interval():
    with pytest.raises(ValueError, match="no variance"):
        jackknife_t(0.5, [0.5] * 8)


def test_a_statistic_that_is_undefined_without_a_cluster_has_no_interval():
    with pytest.raises(ValueError, match="undefined"):
        jackknife_t(0.5, [0.5, 0.4, float("nan")])


@pytest.mark.parametrize(("estimate", "scale"), [(0.0, "logit"), (1.2, "logit"), (0.0, "log")])
def test_an_estimate_outside_its_scale_is_refused(estimate, scale):
    with pytest.raises(ValueError, match="scale"):
        jackknife_t(estimate, [0.1, 0.2, 0.3], scale=scale)


def test_two_clusters_are_too_few():
    with pytest.raises(ValueError, match="at least 3"):
        jackknife_t(0.5, [0.4, 0.6])
    with pytest.raises(ValueError, match="at least 3"):
        clustered_share([1, 2, 0], [5, 5, 0])


def test_reach_is_added_as_root_of_the_sum_of_squares():
    clusters = left_out_means([1.0, 2.0, 3.0, 4.0])
    plain = jackknife_t(2.5, clusters)

    reached = jackknife_t(2.5, clusters, reach=(0.0, 3.0))

    assert reached.low == pytest.approx(plain.low)
    assert reached.high - 2.5 == pytest.approx(math.hypot(plain.high - 2.5, 3.0))


def test_near_1_a_reach_moves_an_end_no_further_than_itself_and_the_clusters_do_together():
    clusters = [0.99, 0.991, 0.992, 0.993, 0.994]
    plain = jackknife_t(0.992, clusters, scale="logit")

    reached = jackknife_t(0.992, clusters, scale="logit", reach=(0.034, 0.02))

    assert 0.992 - reached.low == pytest.approx(math.hypot(0.992 - plain.low, 0.034))
    assert reached.high == 1.0


@given(st.lists(st.floats(0, 1), min_size=3, max_size=20))
def test_an_interval_of_a_mean_of_shares_holds_the_mean_and_stays_in_range(clusters):
    mean = float(np.mean(clusters))

    found = jackknife_t(mean, left_out_means(clusters), scale="logit", trials=len(clusters))

    assert 0 <= found.low <= mean + 1e-9
    assert mean - 1e-9 <= found.high <= 1


# --- shares ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "successes", "low", "high"),
    [
        ("exact", 37, 0.7961, 0.9843),
        ("jeffreys", 37, 0.8132, 0.9784),
        ("wilson", 37, 0.8014, 0.9742),
        ("exact", 40, 0.9119, 1.0),
        ("jeffreys", 0, 0.0, 0.0605),
        ("wilson", 0, 0.0, 0.0876),
    ],
)
def test_binomial_intervals_of_40_trials(method, successes, low, high):
    found = share_interval(successes, 40, method=method)

    assert (round(found.low, 4), round(found.high, 4)) == (low, high)
    assert found.method == method


@given(st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_exact_interval_is_scipys(case):
    successes, trials = case

    found = share_interval(successes, trials, method="exact")

    expected = stats.binomtest(successes, trials).proportion_ci(method="exact")
    assert found[:2] == pytest.approx((expected.low, expected.high), abs=1e-9)


def test_a_share_of_nothing_is_refused():
    with pytest.raises(ValueError, match="trials > 0"):
        share_interval(0, 0)


def test_a_clustered_share_worked_by_hand():
    found = clustered_share([5, 5, 4, 3], [5, 5, 5, 5])

    # Cluster shares 1, 1, .8, .6: mean .85, variance of the mean .11/(4·3); weights 3 and 2, df 25/3.
    centre = (17 + 1 / 3) / (20 + 2 / 3)
    variance = (3 * 0.11 / 12 + 2 * centre * (1 - centre) / 20) / 5
    half = stats.t.ppf(0.975, 25 / 3) * math.sqrt(variance) / (centre * (1 - centre))
    log_odds = math.log(centre / (1 - centre))
    assert found.low == pytest.approx(1 / (1 + math.exp(half - log_odds)))
    assert found.high == pytest.approx(1 / (1 + math.exp(-half - log_odds)))


def test_when_all_trials_succeed_the_exact_interval_stands_in():
    assert clustered_share([5] * 8, [5] * 8) == share_interval(40, 40, method="exact")
    assert clustered_share([0] * 8, [5] * 8) == share_interval(0, 40, method="exact")


def test_clusters_without_a_trial_change_nothing():
    assert clustered_share([3, 2, 4, 0], [5, 5, 5, 0]) == clustered_share([3, 2, 4], [5, 5, 5])


def test_clusters_that_differ_widen_the_interval():
    alike = clustered_share([3, 2, 3, 2, 3, 2, 3, 2], [5] * 8)
    apart = clustered_share([5, 0, 5, 0, 5, 0, 5, 0], [5] * 8)

    assert apart.high - apart.low > 1.5 * (alike.high - alike.low)


@given(st.lists(st.integers(0, 10), min_size=3, max_size=12))
def test_a_clustered_share_turns_over_with_success_and_failure(halves):
    successes, trials = np.array(halves) / 2, np.full(len(halves), 5.0)

    found, turned = clustered_share(successes, trials), clustered_share(trials - successes, trials)

    assert (found.low, found.high) == pytest.approx((1 - turned.high, 1 - turned.low))
    assert 0 <= found.low < found.high <= 1


@pytest.mark.parametrize("share", [0.2, 0.5, 0.9, 0.98])
def test_a_clustered_share_covers_as_often_as_it_says(share):
    successes = np.random.default_rng(3).binomial(5, share, size=(1500, 8))

    hits = [low <= share <= high for low, high, *_ in (clustered_share(row, [5] * 8) for row in successes)]

    assert 0.93 <= np.mean(hits) <= 0.985


# --- bootstrap ------------------------------------------------------------------------------------------


def test_percentiles_leave_undefined_draws_out():
    draws = np.r_[np.linspace(0, 1, 1001), [np.nan] * 50]

    assert percentile(draws)[:2] == pytest.approx((0.025, 0.975))


def test_percentiles_of_nothing_are_refused():
    with pytest.raises(ValueError, match="No bootstrap draw"):
        percentile([np.nan, np.nan])


def test_bootstrap_weights_count_as_many_clusters_as_there_are():
    weights = bootstrap_weights(8, 2000, np.random.default_rng(0))

    assert weights.shape == (2000, 8)
    assert (weights.sum(axis=1) == 8).all()
    assert weights.mean(axis=0) == pytest.approx(np.ones(8), abs=0.1)


def test_weights_of_a_seed_are_those_of_its_generator_and_can_not_be_changed():
    for clusters, seed in ((5, 4), (8, 0), (5, 4)):
        weights = seeded_weights(clusters, 10, seed)
        assert (weights == bootstrap_weights(clusters, 10, np.random.default_rng(seed))).all()
        with pytest.raises(ValueError, match="read-only"):
            weights[0, 0] = 1


def test_bootstrap_weights_repeat_by_seed():
    first, second = (bootstrap_weights(5, 10, np.random.default_rng(4)) for _ in range(2))

    assert (first == second).all()
