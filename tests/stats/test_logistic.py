import numpy as np
import pytest
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression

from voirdire.stats.logistic import isotonic, logistic_regression, sigmoid


def drawn(seed, n=200):
    rng = np.random.default_rng(seed)
    scores = np.round(rng.random(n), 2)
    return scores, rng.random(n) < scores


@pytest.mark.parametrize("inverse_penalty", [0.01, 1e6])
def test_a_logistic_regression_is_that_of_scikit_learn(inverse_penalty):
    scores, target = drawn(0)
    features = np.column_stack([scores, scores**2, np.random.default_rng(1).normal(0, 1, scores.size)])
    found = logistic_regression(features, target, inverse_penalty)
    theirs = LogisticRegression(C=inverse_penalty, solver="newton-cholesky", tol=1e-12).fit(features, target)
    assert found.weights == pytest.approx(theirs.coef_[0], rel=1e-6)
    assert found.intercept == pytest.approx(theirs.intercept_[0], rel=1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_an_isotonic_fit_is_that_of_scikit_learn(seed):
    scores, target = drawn(seed)
    theirs = IsotonicRegression().fit(scores, target.astype(float))
    found = isotonic(scores, target)
    assert found.x.tolist() == theirs.X_thresholds_.tolist()
    assert found.y == pytest.approx(theirs.y_thresholds_, abs=1e-15)


def test_an_isotonic_fit_to_one_score_is_the_share_that_came_true():
    found = isotonic(np.array([0.5, 0.5, 0.5, 0.5]), np.array([True, False, False, False]))
    assert (found.x.tolist(), found.y.tolist()) == ([0.5], [0.25])


def test_a_sigmoid_does_not_depend_on_the_unit_of_the_scores():
    scores, target = drawn(0)
    near, far = sigmoid(scores, target), sigmoid(scores * 1_000, target)
    assert far.weights[0] * 1_000 == pytest.approx(near.weights[0], rel=1e-3)
    assert far.intercept == pytest.approx(near.intercept, rel=1e-3)


def test_a_sigmoid_of_scores_that_say_nothing_gives_the_share_by_platts_targets():
    found = sigmoid(np.zeros(10), np.arange(10) < 4)
    share = (4 * 5 / 6 + 6 * 1 / 8) / 10
    assert found.intercept == pytest.approx(np.log(share / (1 - share)), abs=1e-5)
