import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

from voirdire.stats.nominal import nominal_agreement


@settings(max_examples=25)
@given(st.integers(5, 15), st.integers(2, 5), st.integers(2, 4), st.integers(0, 1000))
def test_kappa_is_what_statsmodels_gives(items, judges, categories, seed):
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
