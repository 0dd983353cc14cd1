import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from voirdire.stats import clustered_share, jackknife_t
from voirdire.stats.clustered import mean_count, mean_score, share, weighted_share

GROUPS = ["a", "a", "b", "b", "c", "c"]


def test_a_share_has_the_clustered_interval():
    found = share([1, 0, 1, 1, 0, 0], GROUPS)

    assert (found.value, found.n, found.groups) == (0.5, 6, 3)
    assert found.interval == clustered_share([1, 2, 0], [2, 2, 2])


def test_a_weighted_share_counts_weights_and_leaves_out_one_group_at_a_time():
    found = weighted_share([1, 0, 1, 1, 0, 1], [5, 5, 1, 1, 4, 4], GROUPS)

    assert found.value == pytest.approx(11 / 20)
    assert found.interval == jackknife_t(11 / 20, [6 / 10, 9 / 18, 7 / 12], scale="logit")


def test_a_mean_score_is_that_of_the_scores_within_0_and_100():
    found = mean_score([100, 70, 85, 0, 95, 40], GROUPS)

    assert found.value == 65.0
    assert 0 < found.interval.low < 65 < found.interval.high < 100


def test_full_marks_throughout_do_not_make_a_point_of_the_interval():
    found = mean_score([100.0] * 20, list(range(20)))

    assert found.value == 100 and found.interval.high == 100 and 80 < found.interval.low < 90
    assert found.interval.method == "exact"


def test_a_mean_of_counts_leaves_out_one_group_at_a_time_and_is_never_below_0():
    found = mean_count([0, 0, 1, 0, 4, 0], GROUPS)

    assert found.value == pytest.approx(5 / 6)
    assert found.interval == jackknife_t(5 / 6, [5 / 4, 4 / 4, 1 / 4], scale="log")
    assert found.interval.low > 0


def test_counts_that_are_all_0_have_no_interval():
    assert mean_count([0, 0, 0], ["a", "b", "c"])[:2] == (0.0, None)
    assert mean_count([], [])[:2] == (None, None)


@pytest.mark.parametrize("groups", [[], ["a"], ["a", "b"]])
def test_fewer_than_three_groups_have_no_interval(groups):
    n = len(groups)

    for found in (share([1] * n, groups), weighted_share([1] * n, [1] * n, groups), mean_score([50] * n, groups)):
        assert found.interval is None and found.groups == n
        assert (found.value is None) == (n == 0)


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 4)), min_size=1, max_size=30))
def test_equal_weights_give_the_plain_share(trials):
    hits, groups = [hit for hit, _ in trials], [group for _, group in trials]

    assert weighted_share(hits, [3] * len(hits), groups).value == pytest.approx(np.mean(hits))
    assert share(hits, groups).value == pytest.approx(np.mean(hits))
