import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from voirdire.stats.nominal import fleiss_kappa as fleiss_estimate
from voirdire.stats.nominal import item_agreement, nominal_agreement


@given(st.integers(5, 15), st.integers(2, 5), st.integers(2, 4), st.integers(0, 1000))
def test_kappa_is_what_statsmodels_gives(items, judges, categories, seed):
    from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

    ratings = np.random.default_rng(seed).integers(0, categories, (items, judges))
    ratings[0, :2] = 0, 1
    found = nominal_agreement(ratings)
    assert found.fleiss_kappa == pytest.approx(fleiss_kappa(aggregate_raters(ratings)[0]))
    assert sum(found.prevalence) == pytest.approx(1)


def test_a_worked_case():
    # Three of four items unanimous; agreement (1 + 1 + 1 + 1/3)/4; shares 10/12 and 2/12.
    found = nominal_agreement([[1, 1, 1], [1, 1, 1], [1, 1, 1], [1, 0, 0]])
    agreement, expected, gwet = 10 / 12, (10 / 12) ** 2 + (2 / 12) ** 2, 2 * (10 / 12) * (2 / 12)
    assert found.categories == (0.0, 1.0)
    assert found.pairwise_agreement == pytest.approx(agreement)
    assert found.fleiss_kappa == pytest.approx((agreement - expected) / (1 - expected))
    assert found.gwet_ac1.value == pytest.approx((agreement - gwet) / (1 - gwet))
    assert found.unanimous_share == pytest.approx(3 / 4)


def test_the_rarer_the_other_category_the_farther_kappa_falls_below_ac1():
    ratings = np.ones((200, 3))
    ratings[0, 0] = ratings[1, 1] = ratings[2, 2] = 0
    found = nominal_agreement(ratings)
    assert found.pairwise_agreement > 0.98 and found.gwet_ac1.value > 0.98
    assert found.fleiss_kappa < 0


def test_items_with_one_score_count_for_prevalence_only():
    found = nominal_agreement([[1, 1], [1, 0], [0, math.nan]])
    assert found.pairwise_agreement == pytest.approx(0.5)
    assert found.prevalence == pytest.approx((2 / 5, 3 / 5))


def test_one_category_only_leaves_the_coefficients_undefined():
    found = nominal_agreement([[1, 1], [1, 1]])
    assert (found.pairwise_agreement, found.unanimous_share) == (1, 1)
    assert math.isnan(found.fleiss_kappa) and math.isnan(found.gwet_ac1.value)


def test_without_an_item_scored_twice_nothing_is_agreed_on():
    found = nominal_agreement([[1, math.nan], [math.nan, 0]])
    assert math.isnan(found.pairwise_agreement) and math.isnan(found.fleiss_kappa)


def test_fleiss_kappa_with_missing_ratings_weighs_items_alike():
    # Shares are means over items, as in Gwet's form: item 3 counts as much as the others though it has one rating.
    found = fleiss_estimate([[1, 1], [1, 0], [0, math.nan]])
    shares = np.array([(0 + 0.5 + 1) / 3, (1 + 0.5 + 0) / 3])
    expected = float(np.sum(shares**2))
    assert found.value == pytest.approx((0.5 - expected) / (1 - expected))


def test_fleiss_kappa_has_an_interval_over_clusters():
    ratings = np.random.default_rng(3).integers(0, 3, (40, 3)).astype(float)
    ratings[:, 1] = ratings[:, 0]
    found = fleiss_estimate(ratings, clusters=np.arange(40) % 8)
    assert found.low < found.value < found.high
    assert found.value == pytest.approx(nominal_agreement(ratings).fleiss_kappa)


def test_fleiss_kappa_is_undefined_for_one_category():
    assert math.isnan(fleiss_estimate([[1, 1], [1, 1]]).value)


def test_agreement_on_each_item_is_the_share_of_agreeing_pairs():
    found = item_agreement([[1, 1, 1], [1, 1, 0], [1, 0, math.nan], [1, math.nan, math.nan]])
    assert found[:3] == pytest.approx([1, 1 / 3, 0])
    assert math.isnan(found[3])
