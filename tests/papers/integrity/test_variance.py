import numpy as np
import pytest

from tests.integrity.examples import likert, made_trials, trial
from voirdire.integrity import IntegrityError
from voirdire.papers.integrity.variance import deltas, judge_means, variance

OVERALL = "overall_score"


def crossed(effect):
    """Two models, three scenarios and three constitutions; `effect(model, constitution)` points beyond chance."""
    chance = np.random.default_rng(1)
    rows = []
    for model in ("m1", "m2"):
        for constitution in ("no-constitution", "order", "liberty"):
            for scenario in ("s1", "s2", "s3", "s4"):
                score = 70 + effect(model, constitution) + chance.normal(0, 0.5)
                cells = likert([score] * 3, [score + 2] * 3)
                rows.append(trial(len(rows), cells, model=model, constitution=constitution, scenario=scenario))
    return made_trials(rows)


def test_effects_of_opposite_sign_cancel_in_the_mean_change_and_not_in_the_analysis_of_variance():
    trials = crossed(lambda model, constitution: {"order": 6, "liberty": -6}.get(constitution, 0))
    found = deltas(trials, "likert", OVERALL)
    assert found.all.p > 0.05
    assert found.means["order"] > 5 and found.means["liberty"] < -5
    assert found.paired["order"].p < 1e-6 and found.paired["order"].n == 8
    assert variance(trials, "likert").plain[OVERALL].terms["constitution"].p < 1e-9


def test_an_interaction_is_told_from_main_effects():
    terms = variance(crossed(lambda model, constitution: 5 * (model == "m1" and constitution == "order")), "likert")
    assert terms.plain[OVERALL].terms["model:constitution"].p < 1e-6
    additive = variance(crossed(lambda model, constitution: 5 * (model == "m1")), "likert").plain[OVERALL].terms
    assert additive["model"].p < 1e-9 and additive["model:constitution"].p > 0.01


def test_a_trial_is_the_mean_over_the_judges_who_could_be_read():
    rows = [trial(1, likert([60] * 3, [80] * 3)), trial(2, likert([60] * 3, [-1] * 3))]
    assert judge_means(made_trials(rows), "likert", OVERALL).tolist() == [70, 60]


def test_changes_need_something_to_be_measured_from():
    rows = [
        trial(1, likert([60] * 3, [80] * 3)),
        trial(2, likert([60] * 3, [70] * 3), model="m2", constitution="order"),
    ]
    with pytest.raises(IntegrityError, match="no-constitution"):
        deltas(made_trials(rows), "likert", OVERALL)
