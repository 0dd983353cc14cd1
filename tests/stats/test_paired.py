import numpy as np
import pytest
from scipy import stats

from voirdire.stats.paired import all_pairs, rank_sets


def test_with_every_column_its_own_cluster_it_is_the_paired_t_test():
    rng = np.random.default_rng(2)
    a, b = rng.normal(size=40), rng.normal(0.4, size=40)
    found, expected = all_pairs([a, b], np.arange(40)), stats.ttest_rel(a, b)
    assert found.p[0, 1] == pytest.approx(expected.pvalue)
    assert (found.low[0, 1], found.high[0, 1]) == pytest.approx(tuple(expected.confidence_interval()))
    assert found.difference[0, 1] == -found.difference[1, 0]


def test_whole_clusters_count_once():
    a, b = np.array([3.0, 1.0, 2.0, 5.0]), np.zeros(4)
    alone = all_pairs([a, b], np.arange(4))
    tripled = all_pairs([np.repeat(a, 3), np.repeat(b, 3)], np.repeat(np.arange(4), 3))
    assert tripled.se[0, 1] == pytest.approx(alone.se[0, 1])
    assert tripled.clusters[0, 1] == 4


def test_missing_values_leave_the_pair_and_fewer_than_three_clusters_no_error():
    found = all_pairs([[1.0, 2.0, np.nan, 4.0], [0.0, np.nan, 3.0, 1.0]], np.arange(4))
    assert (found.shared[0, 1], np.isnan(found.p[0, 1])) == (2, True)


def test_places_are_open_where_nothing_is_sure():
    base = np.random.default_rng(3).normal(size=60)
    found = rank_sets(all_pairs([base + 5, base * 0.9, base], np.arange(60)))
    assert found.tolist() == [[1, 1], [2, 3], [2, 3]]


@pytest.mark.parametrize(("wins", "losses"), [(4, 0), (5, 0), (6, 0), (0, 7), (9, 2), (10, 1), (30, 14), (3, 3)])
@pytest.mark.parametrize("items", [40, 300])
def test_of_right_or_wrong_items_p_and_interval_agree_with_mcnemars_exact_test(wins, losses, items):
    rest = [0.0] * (items - wins - losses if items > wins + losses else 0)
    a, b = [1.0] * wins + [0.0] * losses + rest, [0.0] * wins + [1.0] * losses + rest
    found = all_pairs([a, b], np.arange(len(a)))
    p = stats.binomtest(wins, wins + losses).pvalue
    assert found.p[0, 1] == found.p_alone[1, 0] == pytest.approx(p)
    assert (found.low[0, 1] > 0 or found.high[0, 1] < 0) == (p <= 0.05)
    assert found.low[0, 1] == pytest.approx(-found.high[1, 0])
    assert found.low[0, 1] <= found.difference[0, 1] <= found.high[0, 1]
