import krippendorff
import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from voirdire.stats.agreement import (
    cohen_kappa,
    effective_raters,
    gwet_ac,
    intraclass,
    item_spread,
    krippendorff_alpha,
    leniency,
    leniency_shift,
    mean_absolute_difference,
    pairwise,
    pearson,
)
from voirdire.stats.crossed_ratings import components, without_each

NAN = float("nan")

# Shrout and Fleiss (1979), table 2: six targets, four judges.
SHROUT_FLEISS = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]


def crossed(rng, items, judges, *, judge_sd=0.5):
    """Scores whose items and errors have variance 1."""
    return rng.normal(0, 1, (items, 1)) + rng.normal(0, judge_sd, (1, judges)) + rng.normal(0, 1, (items, judges))


def with_holes(rng, ratings, share):
    return np.where(rng.random(ratings.shape) < share, np.nan, ratings)


def tables(items=(3, 10), judges=(2, 4), missing=False):
    cells = st.integers(0, 20).map(lambda n: n / 20)
    shapes = st.tuples(st.integers(*items), st.integers(*judges))
    return arrays(np.float64, shapes, elements=st.one_of(cells, st.just(NAN)) if missing else cells)


def values_of(found):
    return [each.value for each in found[:4]]


# --- intraclass correlations ---


def test_the_classical_example_gives_the_published_iccs():
    found = intraclass(SHROUT_FLEISS)  # their table 4
    assert [round(value, 2) for value in values_of(found)] == [0.29, 0.62, 0.71, 0.91]
    assert (found.items, found.judges, found.complete, found.method) == (6, 4, 6, "F")


@pytest.mark.parametrize(("items", "judges", "judge_sd"), [(40, 4, 0.5), (12, 2, 0.0), (150, 6, 2.0)])
def test_complete_scores_give_pingouins_iccs_and_intervals(monkeypatch, items, judges, judge_sd):
    import pingouin

    monkeypatch.setitem(pingouin.options, "round.column.CI95", 12)
    ratings = crossed(np.random.default_rng(items), items, judges, judge_sd=judge_sd)
    long = pd.DataFrame(ratings).reset_index().melt("index")
    expected = pingouin.intraclass_corr(long, "index", "variable", "value").set_index("Type")
    found = intraclass(ratings)
    for name, estimate in zip(("ICC(A,1)", "ICC(A,k)", "ICC(C,1)", "ICC(C,k)"), found[:4], strict=True):
        assert estimate.value == pytest.approx(expected.loc[name, "ICC"], abs=1e-9)
        assert [estimate.low, estimate.high] == pytest.approx(list(expected.loc[name, "CI95"]), abs=1e-9)


def test_with_missing_scores_the_components_are_unbiased_where_listwise_deletion_has_nothing_left():
    rng = np.random.default_rng(7)
    found, complete = [], []
    for _ in range(300):
        ratings = with_holes(rng, crossed(rng, 25, 8, judge_sd=0.7), 0.3)
        found.append(components(ratings))
        complete.append(intraclass(ratings, clusters=np.arange(25) % 4).complete)
    mean, error = np.mean(found, axis=0), np.std(found, axis=0) / np.sqrt(len(found))
    assert np.all(np.abs(mean - [1.0, 0.49, 1.0]) < 4 * error)
    assert np.mean(complete) < 2


def test_a_few_missing_scores_hardly_move_the_iccs_and_the_interval_holds_them():
    rng = np.random.default_rng(3)
    ratings = crossed(rng, 300, 5)
    incomplete = with_holes(rng, ratings, 0.3)
    whole, holed = intraclass(ratings), intraclass(incomplete)
    assert values_of(holed) == pytest.approx(values_of(whole), abs=0.05)
    assert holed.items == (~np.isnan(incomplete)).any(axis=1).sum()
    assert holed.method == "jackknife-t over items"
    for estimate in holed[:4]:
        assert estimate.low < estimate.value < estimate.high


@given(tables(), st.integers(0, 3), st.integers(1, 20))
def test_a_constant_added_to_one_judge_lowers_nothing_but_absolute_agreement(ratings, judge, shift):
    found = intraclass(ratings)
    assume(found.icc_3_1.value > 0.01)
    moved = ratings.copy()
    moved[:, judge % ratings.shape[1]] += 100 * shift
    assert intraclass(moved).icc_3_1.value == pytest.approx(found.icc_3_1.value, abs=1e-6)
    assert intraclass(moved).icc_2_1.value < found.icc_2_1.value


@given(tables(missing=True), st.randoms(use_true_random=False))
def test_neither_the_order_of_items_nor_that_of_judges_matters(ratings, random):
    rows, columns = list(range(ratings.shape[0])), list(range(ratings.shape[1]))
    random.shuffle(rows)
    random.shuffle(columns)
    mixed = ratings[np.ix_(rows, columns)]
    assert values_of(intraclass(mixed)) == pytest.approx(values_of(intraclass(ratings)), abs=1e-8, nan_ok=True)
    for measurement in ("interval", "ordinal", "nominal"):
        one, other = (krippendorff_alpha(each, measurement).value for each in (ratings, mixed))
        assert one == pytest.approx(other, nan_ok=True)


@given(tables(missing=True))
def test_no_coefficient_exceeds_one(ratings):
    found = [krippendorff_alpha(ratings, "interval"), gwet_ac(ratings, cuts=(0.7,), weights=None)]
    for estimate in found:
        assert not estimate.value > 1 + 1e-9
        assert not estimate.high > 1 + 1e-9
    assert not intraclass(ratings).icc_3_1.value > 1 + 1e-9


def test_an_icc_below_zero_is_not_cut_off():
    assert intraclass([[0, 1], [1, 0], [0, 1], [1, 0]]).icc_3_1.value == pytest.approx(-1)


@pytest.mark.parametrize("ratings", [[[1, 1], [1, 1]], [[0.5, NAN], [NAN, 0.4]], [[1, NAN], [2, NAN]], [[1, 2]]])
def test_without_variation_or_shared_items_an_icc_is_undefined(ratings):
    assert np.isnan(values_of(intraclass(ratings))).all()


def test_clusters_are_left_out_as_a_whole_and_fewer_than_three_give_no_interval():
    rng = np.random.default_rng(5)
    ratings = np.repeat(crossed(rng, 20, 3), 5, axis=0)  # every item five times: 20 independent ones, not 100
    by_cluster, by_item = intraclass(ratings, clusters=np.arange(100) // 5), intraclass(with_holes(rng, ratings, 0.01))
    width = by_cluster.icc_3_1.high - by_cluster.icc_3_1.low
    assert width > 1.5 * (by_item.icc_3_1.high - by_item.icc_3_1.low)
    assert np.isnan(intraclass(ratings, clusters=np.arange(100) % 2).icc_2_1.low)


# --- Krippendorff's alpha ---


@pytest.mark.parametrize("measurement", ["interval", "ordinal", "nominal"])
@given(ratings=tables(items=(2, 12), judges=(2, 5), missing=True))
def test_alpha_equals_that_of_the_package(measurement, ratings):
    known = ~np.isnan(ratings)
    paired = ratings[known.sum(axis=1) >= 2]
    assume(np.unique(paired[~np.isnan(paired)]).size > 1)
    expected = krippendorff.alpha(paired.T, level_of_measurement=measurement)
    assert krippendorff_alpha(ratings, measurement).value == pytest.approx(expected, abs=1e-9)


def test_alpha_without_two_different_paired_scores_is_undefined():
    assert np.isnan(krippendorff_alpha([[1, 1], [1, NAN]], "interval").value)
    assert np.isnan(krippendorff_alpha([[1, NAN], [NAN, 2]], "nominal").value)


# --- kappa and AC ---


def ratings_of(table):
    """Two judges' categories from a table of counts."""
    rows = [(i, j) for i, row in enumerate(table) for j, count in enumerate(row) for _ in range(count)]
    return np.array(rows, dtype=float)


def test_kappa_of_a_table_worked_by_hand():
    a, b = ratings_of([[20, 5], [10, 15]]).T
    # Po = 35/50; Pe = 25/50 · 30/50 + 25/50 · 20/50 = 0.5
    assert cohen_kappa(a, b, cuts=(0.5,), weights=None) == pytest.approx(0.4)


def test_weighted_kappa_of_a_table_worked_by_hand():
    a, b = ratings_of([[4, 1, 1], [1, 4, 1], [1, 1, 4]]).T
    # All margins are 1/3. Linear: observed loss (4 · 0.5 + 2 · 1)/18 = 2/9, expected (4 · 0.5 + 2 · 1)/9 = 4/9.
    assert cohen_kappa(a, b, cuts=(0.5, 1.5), weights="linear") == pytest.approx(0.5)
    # Quadratic: observed (4 · 0.25 + 2)/18 = 1/6, expected (4 · 0.25 + 2)/9 = 1/3.
    assert cohen_kappa(a, b, cuts=(0.5, 1.5), weights="quadratic") == pytest.approx(0.5)
    # Unweighted: (12/18 - 1/3)/(1 - 1/3).
    assert cohen_kappa(a, b, cuts=(0.5, 1.5), weights=None) == pytest.approx(0.5)


def test_one_far_disagreement_costs_a_weighted_kappa_more_than_a_near_one():
    near, far = ratings_of([[5, 1, 0], [0, 5, 0], [0, 0, 5]]), ratings_of([[5, 0, 1], [0, 5, 0], [0, 0, 5]])
    for weights in ("linear", "quadratic"):
        one, other = (cohen_kappa(*each.T, cuts=(0.5, 1.5), weights=weights) for each in (near, far))
        assert one > other


def test_where_nearly_all_are_of_one_category_kappa_collapses_and_ac1_does_not():
    # 118 yes-yes, 5 and 2 mixed, no no-no: Po = 0.944; Gwet's Pe = 2 · 0.972 · 0.028.
    ratings = ratings_of([[0, 2], [5, 118]])
    assert cohen_kappa(*ratings.T, cuts=(0.5,), weights=None) == pytest.approx(-0.0234, abs=5e-5)
    assert gwet_ac(ratings, cuts=(0.5,), weights=None).value == pytest.approx((0.944 - 0.054432) / (1 - 0.054432))


def test_ac_of_three_judges_with_missing_scores_worked_by_hand():
    ratings = [[1, 1, 0], [1, 1, NAN], [0, NAN, 0], [1, NAN, NAN]]
    # Pa over three items: 1/3, 1, 1; p of category 1 over four items: (2/3 + 1 + 0 + 1)/4 = 2/3; Pe = 2 · 2/3 · 1/3.
    assert gwet_ac(ratings, cuts=(0.5,), weights=None).value == pytest.approx((7 / 9 - 4 / 9) / (1 - 4 / 9))


def test_weighted_ac_counts_near_misses_in_part():
    ratings = ratings_of([[4, 1, 1], [1, 4, 1], [1, 1, 4]])
    # Linear weights sum to 3 + 4 · 0.5 = 5; Pe = 5/6 · 3 · 1/3 · 2/3 = 5/9; Pa = 1 - 2/9.
    found = gwet_ac(ratings, cuts=(0.5, 1.5), weights="linear").value
    assert found == pytest.approx((7 / 9 - 5 / 9) / (1 - 5 / 9))


def test_a_score_that_equals_a_cut_belongs_above_it_also_after_rounding():
    assert cohen_kappa([0.1 * 7, 0.2], [0.7, 0.2], cuts=(0.7,), weights=None) == 1
    assert cohen_kappa([0.7, 0.69], [0.7, 0.2], cuts=(0.7,), weights=None) == 1


def test_kappa_without_a_shared_item_or_a_second_category_is_undefined():
    assert np.isnan(cohen_kappa([NAN, 1.0], [1.0, NAN], cuts=(0.5,), weights=None))
    assert np.isnan(cohen_kappa([1.0, 1.0], [1.0, 1.0], cuts=(0.5,), weights=None))


@pytest.mark.parametrize("cuts", [(), (0.7, 0.4), (0.5, 0.5)])
def test_cuts_that_do_not_rise_are_refused(cuts):
    with pytest.raises(ValueError, match="Cuts must rise"):
        gwet_ac([[1, 0]], cuts=cuts, weights=None)


# --- pairs, spread, leniency ---


def test_pairs_use_the_items_both_have_scored():
    ratings = np.array([[0.0, 0.5, 1.0], [1.0, 1.0, NAN], [0.5, NAN, 1.0], [0.2, 0.3, 1.0]])
    assert pairwise(ratings, lambda a, _: len(a)).tolist() == [[4, 3, 3], [3, 3, 2], [3, 2, 3]]
    assert pairwise(ratings, mean_absolute_difference)[0, 1] == pytest.approx((0.5 + 0 + 0.1) / 3)
    correlation = pairwise(ratings, pearson)
    assert np.isnan(correlation[0, 2])  # the third judge is constant
    assert correlation[0, 1] == correlation[1, 0] == pytest.approx(np.corrcoef([0, 1, 0.2], [0.5, 1, 0.3])[0, 1])


def test_the_spread_leaves_out_items_with_one_score_and_rounds_means_before_they_meet_a_bound():
    mean, sd = item_spread([[0.9, 0.9, 0.9], [0.0, 1.0, NAN], [0.4, NAN, NAN]])
    assert mean.tolist() == [0.9, 0.5]
    assert sd == pytest.approx([0, 0.5])
    assert item_spread([[0.0, 1.0]], ddof=1).sd == pytest.approx([np.sqrt(0.5)])


def test_leniency_is_the_difference_of_means_where_scores_are_complete():
    rng = np.random.default_rng(2)
    ratings = rng.random((30, 4))
    means = ratings.mean(axis=0)
    expected = [means[j] - np.delete(means, j).mean() for j in range(4)]
    assert [each.value for each in leniency(ratings)] == pytest.approx(expected)


def test_leniency_is_not_thrown_off_by_who_scored_the_harder_items():
    truth = np.linspace(0, 1, 20)
    ratings = truth[:, np.newaxis] + np.array([0.1, 0.0, -0.1])
    ratings[:10, 0] = np.nan  # the most lenient judge saw the better half only
    ratings[12:, 2] = np.nan
    assert [each.value for each in leniency(ratings)] == pytest.approx([0.15, 0, -0.15])


def test_judges_without_a_chain_of_shared_items_cannot_be_compared():
    assert all(np.isnan(each.value) for each in leniency([[1, NAN], [NAN, 0.5], [0.2, NAN]]))


def test_a_shift_of_leniency_is_found_whatever_the_quality_of_the_items():
    rng = np.random.default_rng(4)
    among = np.arange(240) % 3 == 0
    ratings = rng.random((240, 1)) + 0.5 * among[:, np.newaxis] + rng.normal(0, 0.05, (240, 3))
    ratings[:, 1] += 0.2
    ratings[among, 1] += 0.1
    found = leniency_shift(with_holes(rng, ratings, 0.1), 1, among, np.arange(240) // 30)
    assert found.low < 0.1 < found.high
    assert found.high - found.low < 0.08


# --- independent judges ---


def judged(rng, correlation, items=800, judges=3):
    """Scores whose errors share part of their variance: in the first two judges alone."""
    truth, errors = rng.normal(0, 2, items), rng.normal(0, 1, (items, judges))
    errors[:, 1] = correlation * errors[:, 0] + np.sqrt(1 - correlation**2) * errors[:, 1]
    return truth, truth[:, np.newaxis] + errors


def test_with_the_truth_known_the_number_of_judges_follows_from_the_correlation_of_their_errors():
    rng = np.random.default_rng(6)
    truth, ratings = judged(rng, 0.9)
    found = effective_raters(ratings + np.array([0.3, -0.5, 0.0]), truth=truth)
    expected = 3 / (1 + 2 * 0.9 / 3)
    assert (found.basis, found.reason) == ("truth", None)
    assert found.raters.value == pytest.approx(expected, rel=0.05)
    assert found.raters.low < expected < found.raters.high


def test_an_error_that_all_judges_share_is_seen_with_the_truth_only():
    rng = np.random.default_rng(8)
    truth, ratings = judged(rng, 0.0)
    shared = ratings + rng.normal(0, 3, (800, 1))
    assert effective_raters(shared, truth=truth).raters.value < 1.2
    assert effective_raters(shared).raters.high > 2.9


def test_without_the_truth_independent_judges_are_not_called_dependent_and_near_copies_are():
    rng = np.random.default_rng(9)
    bounds = {0.0: [], 0.9: []}
    for correlation, found in bounds.items():
        for _ in range(40):
            _, ratings = judged(rng, correlation)
            found.append(effective_raters(ratings, clusters=np.arange(800) // 100).raters)
    assert np.mean([bound.high >= 2.99 for bound in bounds[0.0]]) > 0.9
    assert np.median([bound.value for bound in bounds[0.9]]) == pytest.approx(3 / 1.6, rel=0.07)
    assert np.mean([bound.high >= 3 / 1.6 for bound in bounds[0.9]]) > 0.9


def odd_tables(count):
    """Small tables of every odd kind: ties, two values, one value, a judge who hardly uses the scale, gaps."""
    rng = np.random.default_rng(115)
    for number in range(count):
        items, judges = rng.integers(1, 14), rng.integers(2, 5)
        table = rng.random((items, judges))
        match number % 6:
            case 1:
                table = np.round(table, 1)
            case 2:
                table = (table > 0.5).astype(float)
            case 3:
                table = np.full((items, judges), rng.choice([0, 0.5, 1]))
            case 4:
                table[:, 0] = 0.5 + 0.02 * (table[:, 1] - 0.5)
            case 5:
                table = table[:, :1] + rng.normal(0, 0.05, (items, judges)) * rng.random(judges)
        if rng.random() < 0.4:
            table[rng.random((items, judges)) < 0.3] = np.nan
        clusters = rng.integers(0, max(1, rng.integers(1, 6)), items) if rng.random() < 0.7 else None
        yield table, rng.random(items), clusters


def measured(table, truth, clusters):
    """Every coefficient of a table."""
    icc = intraclass(table, clusters=clusters)
    yield from (icc.icc_2_1, icc.icc_2_k, icc.icc_3_1, icc.icc_3_k)
    yield from (krippendorff_alpha(table, measure, clusters) for measure in ("interval", "ordinal", "nominal"))
    yield from (gwet_ac(table, cuts=(0.3, 0.7), weights=weights, clusters=clusters) for weights in (None, "quadratic"))
    yield effective_raters(table, clusters=clusters).raters
    yield effective_raters(table, truth=truth, clusters=clusters).raters
    yield from leniency(table, clusters)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_every_estimate_lies_within_its_interval_or_has_none():
    for table, truth, clusters in odd_tables(40):
        for value, low, high in measured(table, truth, clusters):
            assert not np.isinf([value, low, high]).any()
            assert np.isnan([low, high]).all() or low - 1e-9 <= value <= high + 1e-9, (value, low, high)


def test_a_judge_who_uses_less_of_the_scale_leaves_the_number_of_independent_judges_unmeasured():
    rng = np.random.default_rng(4)
    others = np.clip(rng.random((40, 1)) + rng.normal(0, 0.1, (40, 2)), 0, 1)
    lazy = 0.5 + 0.1 * (others[:, :1] - 0.5)
    found = effective_raters(np.hstack([lazy, others]), clusters=np.arange(40) // 5)
    assert np.isnan(found.raters).all()
    assert "differ in how much of the scale they use (standard deviations 0.0" in found.reason


def test_judges_who_agree_closely_are_not_said_to_hardly_spread():
    rng = np.random.default_rng(7)
    answers = rng.choice([0.1, 0.3, 0.6, 0.9, 0.95], 80)
    ratings = answers[:, None] * [1.0, 0.9, 1.02] + rng.normal(0, 0.015, (80, 3))
    found = effective_raters(ratings, clusters=np.arange(80) // 10)
    assert np.isnan(found.raters).all()
    narrow, wide = sorted(ratings.std(axis=0, ddof=1))[::2]
    assert f"standard deviations {narrow:.3f} and {wide:.3f}, correlation 1.00" in found.reason
    assert "spread" not in found.reason


def test_judges_who_are_copies_have_no_errors_to_compare():
    scores = np.random.default_rng(1).random(40)
    found = effective_raters(np.column_stack([scores] * 3), clusters=np.arange(40) // 5)
    assert found.reason == "two judges give all but the same scores, which leaves no errors to compare"


def test_what_cannot_be_known_says_why():
    two = effective_raters(np.random.default_rng(1).random((20, 2)))
    assert np.isnan(two.raters.value)
    assert "three judges" in two.reason
    exact = effective_raters([[0.1, 0.2], [0.5, 0.6], [0.7, 0.8]], truth=[0.1, 0.5, 0.7])
    assert "do not vary" in exact.reason


@pytest.mark.parametrize("wrong", [lambda: intraclass([1, 2]), lambda: leniency([[1, 2]], [1, 2])])
def test_shapes_that_do_not_fit_are_refused(wrong):
    with pytest.raises(ValueError, match=r"items|cluster"):
        wrong()


def test_judges_who_order_the_items_the_other_way_round_have_an_icc_without_an_interval():
    found = intraclass([[0, 30], [15, 15], [30, 0]])
    assert found.icc_2_1.value == pytest.approx(-3.0)
    assert np.isnan([found.icc_2_1.low, found.icc_2_1.high]).all()


def test_an_interval_of_few_clusters_does_not_leave_the_range_of_the_coefficient():
    ratings = [[0, 1], [1, 0], [0, 0], [1, 1], [0, 1], [1, 1]]
    found = gwet_ac(ratings, cuts=[0.5], weights=None, clusters=[0, 0, 1, 1, 2, 2])
    assert -1 <= found.low < found.value < found.high <= 1


@given(tables(items=(4, 12), judges=(2, 4), missing=True), st.data())
def test_components_without_each_cluster_are_those_of_the_other_items(scores, data):
    clusters = np.array(data.draw(st.lists(st.integers(0, 3), min_size=len(scores), max_size=len(scores))))
    clusters = np.unique(clusters, return_inverse=True)[1]

    found = without_each(scores, clusters)

    expected = [components(scores[clusters != number]) for number in range(clusters.max() + 1)]
    assert np.allclose(found, expected, rtol=1e-7, atol=1e-7, equal_nan=True)
