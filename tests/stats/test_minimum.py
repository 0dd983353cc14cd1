import numpy as np
import pytest
from scipy.optimize import minimize, rosen, rosen_der

from voirdire.stats.minimum import lowest


def test_a_bowl_is_lowest_at_its_centre():
    weights, centre = np.array([1.0, 100.0, 0.01]), np.array([3.0, -2.0, 5.0])

    def loss(at):
        return float((weights * (at - centre) ** 2).sum()), 2 * weights * (at - centre)

    assert lowest(loss, np.zeros(3), 200, gradient=1e-10) == pytest.approx(centre, abs=1e-6)


def test_it_ends_where_scipy_does():
    rng = np.random.default_rng(3)
    columns, target = rng.normal(size=(300, 12)), rng.random(300)

    def loss(at):
        odds = columns @ at
        slope = columns.T @ (1 / (1 + np.exp(-odds)) - target) + at
        return float((np.logaddexp(0, odds) - target * odds).sum() + at @ at / 2), slope

    theirs = minimize(loss, np.zeros(12), jac=True, method="L-BFGS-B", options={"gtol": 1e-9, "ftol": 1e-16}).x
    assert lowest(loss, np.zeros(12), 500, gradient=1e-9) == pytest.approx(theirs, abs=1e-6)


def test_a_curved_valley_is_followed():
    found = lowest(lambda at: (float(rosen(at)), rosen_der(at)), np.array([-1.2, 1.0]), 500, gradient=1e-8)

    assert found == pytest.approx([1.0, 1.0], abs=1e-6)


def test_where_nothing_slopes_it_stays():
    assert lowest(lambda at: (0.0, np.zeros(2)), np.array([1.0, 2.0]), 10, gradient=0.0).tolist() == [1.0, 2.0]
