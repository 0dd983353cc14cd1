import math

import numpy as np
import pytest

from tests.integrity.examples import likert, made_trials, trial
from voirdire.papers.integrity.agreement import dimension_correlation

PAIR = ("likert", "epistemic_integrity", "value_transparency")


def drawn(leniency, seed=0, n=200):
    """Trials whose dimensions have nothing in common but each judge's leniency."""
    chance = np.random.default_rng(seed)
    rows = []
    for number in range(n):
        cells = [[*np.clip(60 + lenient + chance.normal(0, 3, 2), 0, 100), 60] for lenient in leniency]
        rows.append(trial(number, likert(*cells)))
    return made_trials(rows, evaluators="abcde"[: len(leniency)])


def test_leniency_alone_correlates_the_pooled_scores_and_nothing_else():
    found = dimension_correlation(drawn((0, 8, 16, 24)), *PAIR)
    assert found.pooled.r > 0.8
    assert abs(found.centred_r) < 0.1 and abs(found.trial_means.r) < 0.15 and abs(found.mean_evaluator_r) < 0.1
    assert found.between_evaluator_means_r > 0.99
    assert found.centred_bootstrap.low < 0 < found.centred_bootstrap.high


def test_without_leniency_nothing_is_driven():
    found = dimension_correlation(drawn((0, 0, 0)), *PAIR)
    assert abs(found.pooled.r) < 0.1
    assert found.pooled_bootstrap.low < found.pooled.r < found.pooled_bootstrap.high


def test_a_judge_without_variation_has_no_correlation_and_does_not_stop_the_others():
    rows = [trial(n, likert([90, 60 + n, 75], [60 + n, 80 - n, 70])) for n in range(10)]
    found = dimension_correlation(made_trials(rows), *PAIR)
    assert math.isnan(found.per_evaluator["a"].r)
    assert found.mean_evaluator_r == pytest.approx(-1.0)


def test_an_unparsed_reply_is_no_pair():
    rows = [trial(n, likert([60 + n, 50 + n, 55], [70, 60 + n % 3, 65])) for n in range(10)]
    rows[0]["scores"] = likert([-1, -1, -1], [70, 60, 65])
    assert dimension_correlation(made_trials(rows), *PAIR).pooled.n == 19
