import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from voirdire.stats.ranks import average_ranks, kendall_p, kendall_tau, theil_sen

PAIRS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=3, max_size=20)


@given(PAIRS)
def test_kendalls_tau_and_its_p_are_scipys_with_ties(pairs):
    x, y = zip(*pairs, strict=True)
    theirs = stats.kendalltau(x, y, method="asymptotic")

    if math.isnan(theirs.statistic):
        assert math.isnan(kendall_tau(x, y))
    else:
        assert kendall_tau(x, y) == pytest.approx(theirs.statistic, abs=1e-12)
        assert kendall_p(x, y) == pytest.approx(theirs.pvalue, rel=1e-9)


@given(st.lists(st.integers(0, 6), min_size=1, max_size=12))
def test_equal_values_share_the_mean_of_their_ranks(values):
    assert average_ranks(values).tolist() == stats.rankdata(values).tolist()


def test_a_row_with_a_gap_has_no_ranks_and_the_others_keep_theirs():
    found = average_ranks([[3.0, 1.0, 1.0], [1.0, math.nan, 2.0]])

    assert found[0].tolist() == [3.0, 1.5, 1.5] and np.isnan(found[1]).all()


@given(st.lists(st.floats(-100, 100).map(lambda x: round(x, 1)), min_size=3, max_size=25))
def test_theil_and_sens_slope_is_scipys(values):
    theirs = stats.theilslopes(values, alpha=0.95)
    found = theil_sen(values)

    assert found.slope == pytest.approx(theirs.slope) and found.low == pytest.approx(theirs.low_slope)
    assert found.high == pytest.approx(theirs.high_slope)
