"""Small-sample association: hand-worked orders, scipy's exact tests, and every undefined case."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from voirdire.stats import detectable_correlation, exact_correlation, one_way_anova

KINDS = ("pearson", "spearman", "kendall")
SCORES = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=3, max_size=7)


def by_scipy(kind, x, y):
    return {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}[kind](x, y).statistic


def varied(pairs):
    x, y = np.array(pairs, dtype=float).T
    return (x, y) if np.ptp(x) > 0 and np.ptp(y) > 0 else None


@pytest.mark.parametrize(("kind", "value", "p"), [("spearman", 0.8, 8 / 24), ("kendall", 2 / 3, 8 / 24)])
def test_four_pairs_worked_by_hand(kind, value, p):
    """One neighbouring swap of four: of 24 orders 1 is perfect and 3 as good; as many are as bad."""
    found = exact_correlation([1, 2, 3, 4], [1, 3, 2, 4], kind=kind)

    assert (found.value, found.p, found.smallest_p) == pytest.approx((value, p, 2 / 24))
    assert (found.n, found.exact) == (4, True)


def test_a_perfect_order_of_four_can_not_be_significant_and_has_no_interval():
    found = exact_correlation([1, 2, 3, 4], [10, 20, 30, 40], kind="spearman")

    assert found.p == found.smallest_p == pytest.approx(2 / 24)
    assert found.p_asymptotic == 0
    assert math.isnan(found.low)


@given(SCORES, st.sampled_from(KINDS))
def test_value_and_p_are_those_of_all_orders_with_ties(pairs, kind):
    if (columns := varied(pairs)) is None:
        return
    x, y = columns

    found = exact_correlation(x, y, kind=kind)

    assert found.value == pytest.approx(by_scipy(kind, x, y), abs=1e-9)
    if len(x) <= 5:
        every = np.abs([by_scipy(kind, x, order) for order in itertools.permutations(y)])
        assert found.p == pytest.approx(np.mean(every >= abs(found.value) - 1e-9))
        assert found.smallest_p == pytest.approx(np.mean(every >= every.max() - 1e-9))


@given(SCORES, st.sampled_from(KINDS))
def test_p_lies_between_the_smallest_and_one_and_does_not_care_which_side_is_which(pairs, kind):
    if (columns := varied(pairs)) is None:
        return
    x, y = columns

    one, other, turned = (exact_correlation(a, b, kind=kind) for a, b in ((x, y), (y, x), (-x, y)))

    assert 0 < one.smallest_p <= one.p <= 1
    assert other[:1] + other[3:] == pytest.approx(one[:1] + one[3:], abs=1e-9)
    assert turned.p == pytest.approx(one.p)
    assert turned.value == pytest.approx(-one.value, abs=1e-9)


@pytest.mark.parametrize("kind", ["spearman", "kendall"])
def test_p_of_nine_pairs_is_scipys_exact_one(kind):
    x, y = np.random.default_rng(3).normal(size=(2, 9))

    found = exact_correlation(x, y, kind=kind)

    if kind == "kendall":
        expected = stats.kendalltau(x, y, method="exact").pvalue
    else:
        reached = stats.permutation_test(
            (x[:6],), lambda a: stats.spearmanr(a, y[:6]).statistic, permutation_type="pairings", n_resamples=np.inf
        )
        found, expected = exact_correlation(x[:6], y[:6], kind=kind), reached.pvalue
    assert found.p == pytest.approx(expected)
    assert found.exact


@pytest.mark.parametrize("kind", KINDS)
def test_beyond_nine_pairs_random_orders_come_close_to_the_asymptotic_p(kind):
    rng = np.random.default_rng(4)
    x = rng.normal(size=25)
    y = 0.4 * x + rng.normal(size=25)

    found = exact_correlation(x, y, kind=kind)

    assert not found.exact
    assert found.smallest_p == 1 / 100_000
    assert found.p == pytest.approx(found.p_asymptotic, abs=0.005)
    assert found == exact_correlation(x, y, kind=kind)


def test_a_random_p_is_never_zero():
    found = exact_correlation(range(30), range(30), kind="spearman", draws=999)

    assert found.p == found.smallest_p == 1 / 1000


def test_a_p_from_t_is_too_small_for_nine_ranks():
    x, y = range(1, 10), [7, 9, 8, 6, 3, 5, 4, 1, 2]

    found = exact_correlation(x, y, kind="spearman")

    assert found.p_asymptotic == pytest.approx(stats.spearmanr(x, y).pvalue)
    assert found.p > 1.1 * found.p_asymptotic


def test_intervals_worked_by_hand():
    x, y = [1, 2, 3, 4, 5, 6, 7, 8], [2, 1, 4, 3, 6, 5, 8, 7]
    pearson, rank, tau = (exact_correlation(x, y, kind=kind) for kind in KINDS)
    z = stats.norm.ppf(0.975)

    for found, spread in ((pearson, 1 / 5), (rank, (1 + rank.value**2 / 2) / 5), (tau, 0.437 / 4)):
        half = z * math.sqrt(spread)
        ends = math.tanh(math.atanh(found.value) - half), math.tanh(math.atanh(found.value) + half)
        assert (found.low, found.high) == pytest.approx(ends)
    assert stats.pearsonr(x, y).confidence_interval() == pytest.approx((pearson.low, pearson.high))


def test_pairs_with_an_unknown_value_are_left_out():
    x, y = [1, 2, 3, 4, 9, np.nan], [1, 3, 2, 4, np.nan, 0]

    assert exact_correlation(x, y, kind="kendall").n == 4
    assert exact_correlation(x, y, kind="pearson")[3:] == exact_correlation(x[:4], y[:4], kind="pearson")[3:]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("x", "y"), [([1, 1, 1, 1], [1, 2, 3, 4]), ([1, 2], [1, 2]), ([], [])])
def test_a_constant_side_or_too_few_pairs_are_undefined(kind, x, y):
    found = exact_correlation(x, y, kind=kind)

    assert np.isnan([found.value, found.low, found.p, found.p_asymptotic, found.smallest_p]).all()
    assert found.n == len(x)


def test_three_pairs_have_a_p_and_no_interval():
    found = exact_correlation([1, 2, 3], [1, 2, 3], kind="spearman")

    assert found.p == pytest.approx(2 / 6)
    assert math.isnan(found.low)


def test_unequal_lengths_and_unknown_kinds_are_refused():
    with pytest.raises(ValueError, match="equal length"):
        exact_correlation([1, 2, 3], [1, 2], kind="pearson")
    with pytest.raises(ValueError, match="kendall"):
        exact_correlation([1, 2, 3], [1, 2, 3], kind="cosine")


def test_the_detectable_correlation_is_found_with_the_power_it_names():
    r = detectable_correlation(9)
    x, e = np.random.default_rng(5).normal(size=(2, 2000, 9))
    y = r * x + math.sqrt(1 - r * r) * e

    found = np.mean([stats.pearsonr(a, b).pvalue < 0.05 for a, b in zip(x, y, strict=True)])

    assert r == pytest.approx(0.8, abs=0.001)
    assert found == pytest.approx(0.82, abs=0.03)  # a little more than named: Fisher's z at n = 9
    assert math.isnan(detectable_correlation(3))


def test_anova_is_scipys_and_pingouins():
    import pingouin

    rng = np.random.default_rng(6)
    groups = np.repeat(list("abcd"), (5, 8, 3, 9))
    values = rng.normal(size=25) + (groups == "a")

    found = one_way_anova(values, groups)

    expected = stats.f_oneway(*[values[groups == group] for group in "abcd"])
    table = pingouin.anova(pd.DataFrame({"y": values, "g": groups}), dv="y", between="g", detailed=True)
    assert (found.F, found.p) == pytest.approx(expected)
    assert found.eta_squared == pytest.approx(table["np2"][0])
    assert (found.df_between, found.df_within, found.n) == (3, 21, 25)
    assert found.p_permutation == pytest.approx(found.p, abs=0.03)
    assert found.eta_low <= found.eta_squared <= found.eta_high


def test_anova_of_six_values_goes_through_all_orders():
    values, groups = [1.0, 2.0, 3.0, 4.0, 5.0, 9.0], list("aabbcc")

    found = one_way_anova(values, groups)

    every = [stats.f_oneway(*np.reshape(order, (3, 2))).statistic for order in itertools.permutations(values)]
    assert found.exact
    assert found.p_permutation == pytest.approx(np.mean(np.array(every) >= found.F - 1e-9))
    assert found.omega_squared == pytest.approx((7.75 * 4 - 2 * 3.0) / (40 + 3.0))


def test_blocks_take_out_what_they_explain():
    import pingouin

    rng = np.random.default_rng(7)
    groups, blocks = np.tile(list("abcde"), 8), np.repeat(range(8), 5)
    values = rng.normal(size=40) + 20.0 * blocks + 1.5 * (groups == "c")

    apart, within = one_way_anova(values, groups), one_way_anova(values, groups, blocks=blocks)

    frame = pd.DataFrame({"y": values, "g": groups, "b": blocks})
    expected = pingouin.rm_anova(frame, dv="y", within="g", subject="b", detailed=True)
    assert within.F == pytest.approx(expected["F"][0])
    assert within.eta_squared == pytest.approx(expected["SS"][0] / expected["SS"].sum())
    assert within.p_permutation < 0.05 < apart.p_permutation


def test_the_interval_of_eta_squared_covers_the_truth():
    """Four groups of 15, means spread with variance 0.25 around noise of 1: eta² = 0.2."""
    rng, groups = np.random.default_rng(8), np.repeat(range(4), 15)
    means = np.array([-1.0, -1.0, 1.0, 1.0]) * 0.5
    studies = [one_way_anova(rng.normal(size=60) + means[groups], groups, draws=9) for _ in range(150)]

    assert np.mean([each.eta_low <= 0.2 <= each.eta_high for each in studies]) == pytest.approx(0.95, abs=0.05)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 9)), min_size=4, max_size=7))
def test_shifting_and_scaling_change_nothing(rows):
    groups, values = [group for group, _ in rows], np.array([value for _, value in rows], dtype=float)

    one, other = one_way_anova(values, groups), one_way_anova(5 - 3 * values, groups)

    assert one.p_permutation == pytest.approx(other.p_permutation, nan_ok=True)
    assert one.eta_squared == pytest.approx(other.eta_squared, nan_ok=True, abs=1e-9)


def test_groups_of_one_take_part_and_are_counted():
    found = one_way_anova([1, 2, 4, 5, 9], list("aabbc"))

    assert found.singletons == 1
    assert found.F == pytest.approx(stats.f_oneway([1, 2], [4, 5], [9]).statistic)


@pytest.mark.parametrize(
    ("values", "groups"),
    [([], []), ([1, 2, 3], list("aaa")), ([1, 2, 3], list("abc")), ([0.3] * 6, list("aabbcc"))],
)
def test_anova_without_groups_or_variance_is_undefined(values, groups):
    found = one_way_anova(values, groups)

    assert math.isnan(found.F) and math.isnan(found.p) and math.isnan(found.p_permutation)


def test_unknown_values_are_left_out_of_an_anova():
    assert one_way_anova([1, 2, 3, 5, np.nan], list("aabbc")) == one_way_anova([1, 2, 3, 5], list("aabb"))
    with pytest.raises(ValueError, match="group"):
        one_way_anova([1, 2], ["a"])


@given(st.lists(st.tuples(st.sampled_from("abcd"), st.floats(-5, 5)), min_size=4, max_size=30))
def test_without_blocks_an_anova_is_that_of_a_single_block(rows):
    groups, values = [group for group, _ in rows], np.array([round(value, 3) for _, value in rows])

    alone, one_block = (one_way_anova(values, groups, blocks=blocks, draws=1) for blocks in (None, np.zeros(len(rows))))

    for name in ("F", "p", "eta_squared", "omega_squared", "df_between", "df_within", "eta_low", "eta_high"):
        assert getattr(alone, name) == pytest.approx(getattr(one_block, name), rel=1e-6, abs=1e-9, nan_ok=True), name
