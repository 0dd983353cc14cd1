import numpy as np

from tests.published.integrity.real import real_trials


def test_the_published_trials_are_read_whole():
    trials = real_trials()
    assert (len(trials.trials), len(trials.evaluators), len(trials.models), len(trials.constitutions)) == (360, 5, 5, 6)
    assert sum(len(scenario.facts) for scenario in trials.scenarios.values()) == 99
    assert {rubric: scores.shape for rubric, scores in trials.parsed.items()} == dict.fromkeys(
        ("likert", "binary", "ternary"), (360, 5, 3)
    )
    assert trials.dimensions == ("epistemic_integrity", "value_transparency", "overall_score")
    assert sum(each.validation_group is not None for each in trials.trials) == 30


def test_what_could_not_be_parsed_is_missing_and_nothing_else_is():
    trials = real_trials()
    assert [(cell.trial, cell.rubric, cell.evaluator) for cell in trials.unparsed] == [
        ("trial_062", "binary", "claude-sonnet-4-5"),
        ("trial_240", "ternary", "gemini-2-5-pro"),
    ]
    assert {rubric: int(np.isnan(trials.scores(rubric)).sum()) for rubric in trials.parsed} == {
        "likert": 0,
        "binary": 3,
        "ternary": 3,
    }
