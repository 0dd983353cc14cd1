import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from voirdire.stats.agreement import intraclass
from voirdire.stats.one_way_icc import icc_draws, one_way_icc


def scores(items, judges, seed):
    chance = np.random.default_rng(seed)
    return chance.normal(0, 1, (items, 1)) + chance.normal(0, 1, (1, judges)) + chance.normal(0, 1, (items, judges))


@settings(max_examples=15)
@given(st.integers(4, 12), st.integers(2, 5), st.integers(0, 1000))
def test_complete_scores_give_what_pingouin_gives(items, judges, seed):
    import pingouin

    ratings = scores(items, judges, seed)
    frame = pd.DataFrame(ratings).reset_index().melt("index")
    table = pingouin.intraclass_corr(frame, "index", "variable", "value")["ICC"].to_list()
    found = one_way_icc(ratings)
    assert found.icc_1_1 == pytest.approx(table[0], abs=1e-9)
    assert found.icc_1_k == pytest.approx(table[3], abs=1e-9)


def test_missing_scores_by_hand():
    # Items (1, 3), (6, 8, 10), (5): MSB = (4·10.25²·… by hand below), MSW = (2 + 8)/3.
    ratings = [[1, 3, math.nan], [6, 8, 10], [5, math.nan, math.nan]]
    mean = 33 / 6
    between = (2 * (2 - mean) ** 2 + 3 * (8 - mean) ** 2 + (5 - mean) ** 2) / 2
    within, m = 10 / 3, (6 - (4 + 9 + 1) / 6) / 2
    assert one_way_icc(ratings).icc_1_1 == pytest.approx((between - within) / (between + (m - 1) * within))


def test_where_nothing_varies_nothing_is_defined():
    assert math.isnan(one_way_icc([[5.0, 5.0], [5.0, 5.0]]).icc_1_1)
    assert math.isnan(one_way_icc([[5.0, 6.0]]).icc_1_1)
    assert math.isnan(one_way_icc([[5.0, math.nan], [math.nan, 6.0]]).icc_1_1)


def test_two_judges_who_always_disagree_share_nothing_and_their_mean_has_no_coefficient():
    found = one_way_icc([[0, 100], [100, 0], [0, 100], [100, 0]])
    assert found.icc_1_1 == -1
    assert math.isnan(found.icc_1_k)


@settings(max_examples=15)
@given(st.integers(4, 10), st.integers(2, 4), st.integers(0, 1000))
def test_a_draw_is_what_intraclass_gives_for_the_drawn_items(items, judges, seed):
    ratings = scores(items, judges, seed)
    places = np.random.default_rng(seed).integers(0, items, (3, items))
    weights = np.array([np.bincount(each, minlength=items) for each in places])
    found = icc_draws(ratings, weights)
    for at, each in enumerate(places):
        expected = intraclass(ratings[each])
        assert found.icc_2_1[at] == pytest.approx(expected.icc_2_1.value, abs=1e-9, nan_ok=True)
        assert found.icc_3_1[at] == pytest.approx(expected.icc_3_1.value, abs=1e-9, nan_ok=True)


def test_a_draw_without_variation_is_undefined():
    ratings = [[100, 100], [100, 100], [0, 100]]
    found = icc_draws(ratings, [[2, 1, 0], [1, 1, 1]])
    assert np.isnan(found.icc_3_1).tolist() == [True, False]


@pytest.mark.parametrize(
    ("ratings", "weights"), [([[1, math.nan]], [[1]]), ([[1, 2], [2, 3]], [[1]]), ([1, 2], [[1, 1]])]
)
def test_incomplete_scores_and_shapes_that_do_not_fit_are_refused(ratings, weights):
    with pytest.raises(ValueError, match="Complete scores"):
        icc_draws(ratings, weights)
