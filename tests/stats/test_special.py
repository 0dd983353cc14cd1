"""Distribution functions: scipy's values within 1e-10 of each, ends, inverses of each other, shapes."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special as scipys

from voirdire.stats import special

PROBABILITIES = [1e-12, 1e-6, 0.001, 0.025, 0.2, 0.4999, 0.5, 0.51, 0.8, 0.975, 0.999, 1 - 1e-9]
SIZES = [0.5, 1, 1.5, 2, 3.7, 10, 55.5, 400, 3000]
FREEDOMS = [1, 1.3, 2, 3, 7, 29.4, 120, 5000, 1e6]
CASES = {
    "ndtr": [[-38, -9, -1, -0.1, 0, 0.3, 2, 7]],
    "ndtri": [PROBABILITIES],
    "expit": [[-800, -50, -1, 0, 1e-9, 3, 40, 800]],
    "logit": [PROBABILITIES],
    "betaincinv": [SIZES, SIZES, PROBABILITIES],
    "stdtr": [FREEDOMS, [-60, -3, -0.5, 0, 1e-6, 1, 2.2, 12]],
    "stdtrit": [FREEDOMS, PROBABILITIES],
    "fdtrc": [FREEDOMS[:-1], FREEDOMS[:-1], [0.01, 0.7, 1, 3, 40]],
    "fdtri": [FREEDOMS[:-1], FREEDOMS[:-1], PROBABILITIES[2:-1]],
    "bdtr": [[0, 1, 4.5, 9], [10, 40], [1e-6, 0.05, 0.5, 0.97]],
    "bdtrc": [[0, 1, 4.5, 9], [10, 40], [1e-6, 0.05, 0.5, 0.97]],
    "pdtrc": [[0, 1, 7, 30], [0.01, 1, 6.5, 60]],
    "ncfdtr": [[1, 4, 20], [3, 30, 200], [0, 0.5, 7, 90], [0.2, 1, 5]],
    "gammaincc": [SIZES, [0.01, 0.5, 3, 20, 500]],
    "gammaincinv": [SIZES, PROBABILITIES],
}


@pytest.mark.parametrize("name", CASES)
def test_values_are_scipys(name):
    arguments = np.array(list(itertools.product(*CASES[name]))).T
    found, expected = getattr(special, name)(*arguments), getattr(scipys, name)(*arguments)

    known = (np.abs(expected) > 1e-290) & np.isfinite(expected)
    assert known.mean() > 0.75
    np.testing.assert_allclose(found[known], expected[known], rtol=1e-10, atol=1e-15)


@given(st.floats(0.5, 1e5), st.floats(0.5, 1e5), st.floats(1e-10, 1 - 1e-10))
def test_the_inverse_of_the_beta_function_undoes_it(a, b, p):
    x = special.betaincinv(a, b, p)
    assert scipys.betainc(a, b, x) == pytest.approx(p, rel=1e-7, abs=1e-9)


@given(st.floats(1, 1e12), st.floats(0.001, 0.999))
def test_students_quantile_undoes_its_distribution(df, p):
    assert special.stdtr(df, special.stdtrit(df, p)) == pytest.approx(p, rel=1e-9)


def test_with_endless_degrees_of_freedom_student_is_normal():
    assert special.stdtrit(math.inf, 0.975) == special.ndtri(0.975)
    assert special.stdtrit(1e12, 0.975) == pytest.approx(special.ndtri(0.975), rel=1e-10)


@pytest.mark.parametrize("quantile", [special.ndtri, lambda p: special.stdtrit(3, p), special.logit])
def test_0_and_1_are_reached_nowhere_and_other_numbers_are_no_probability(quantile):
    assert (quantile(0.0), quantile(1.0)) == (-math.inf, math.inf)
    assert math.isnan(quantile(1.5)) and math.isnan(quantile(math.nan))


def test_positive_distributions_begin_at_0():
    assert (special.fdtri(2, 3, 0.0), special.gammaincinv(2, 0.0), special.betaincinv(2, 3, 0.0)) == (0, 0, 0)
    assert (special.fdtri(2, 3, 1.0), special.betaincinv(2, 3, 1.0)) == (math.inf, 1)
    assert special.fdtrc(2, 3, math.inf) == 0


def test_numbers_give_a_float_and_arrays_their_common_shape():
    assert isinstance(special.stdtrit(4, 0.9), float) and isinstance(special.expit(0), float)
    assert special.stdtrit(np.array([[3.0], [4.0]]), [0.1, 0.2, 0.9]).shape == (2, 3)
    assert special.gammaincinv(np.ones((2, 1)), np.array([0.5])).shape == (2, 1)


@pytest.mark.parametrize("a", [1e-300, 3e-26, 1e-3])
def test_a_quantile_too_small_for_a_float_is_0(a):
    assert special.betaincinv(a, 4.0, 0.025) == 0.0


def test_a_binomial_count_below_0_or_at_its_most_leaves_no_doubt():
    assert (special.bdtr(-1, 5, 0.3), special.bdtrc(-1, 5, 0.3)) == (0, 1)
    assert (special.bdtr(5, 5, 0.3), special.bdtrc(5, 5, 0.3)) == (1, 0)
    assert (special.bdtr(2, 5, 0.0), special.bdtrc(2, 5, 1.0)) == (1, 1)
