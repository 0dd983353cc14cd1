"""Whether the first place rests on one judge. Judges here have no family: names tell nothing of whom they favour."""

import numpy as np
import pytest

from tests.evaluation.examples import evaluation_of
from voirdire.evaluation.checks.panels import lone_judge
from voirdire.evaluation.comparison import compare
from voirdire.evaluation.report.verdict import believed


def of_judges(seed, *, added, means, judges=("ruth", "saul"), items=120, **fields):
    """Scores of models by judges; the first judge adds so much to model "b"."""
    rng = np.random.default_rng(seed)
    own = {model: rng.normal(mean, 1, items) for model, mean in means.items()}
    rows = [
        {
            "item": f"i{n}",
            "model": model,
            "judge": judge,
            "score": quality[n] + rng.normal(0, 0.7) + added * (judge == judges[0] and model == "b"),
        }
        for n in range(items)
        for model, quality in own.items()
        for judge in judges
    ]
    return evaluation_of(rows, **fields)


def test_a_judge_that_alone_makes_the_winner_fails_and_the_places_are_not_believed():
    evaluation = of_judges(3, added=2.0, means={"a": 5.3, "b": 5.0, "c": 3.0})
    found = lone_judge(evaluation)
    assert (found.status, found.models, found.details["judges"]) == ("fail", ("b", "a"), ["ruth"])
    assert str(found.finding).startswith("ruth alone makes b lead a: ruth has it ahead by ")
    assert found.value == pytest.approx(2.0, abs=0.4)
    assert believed(compare(evaluation), [found]).startswith("Don't believe the places of b and a (lone_judge fails)")


def test_a_lead_that_the_others_do_not_see_for_sure_is_a_warning():
    evaluation = of_judges(3, added=1.2, means={"a": 5.0, "b": 5.15})
    found = lone_judge(evaluation)
    assert (found.status, found.finding.code, found.models) == ("warn", "evaluation_lead_of_one", ("b",))


def test_with_three_judges_one_is_held_against_the_two_others():
    evaluation = of_judges(2, added=3.0, means={"a": 5.3, "b": 5.0}, judges=("ruth", "saul", "tamar"))
    found = lone_judge(evaluation)
    assert (found.status, found.details["judges"]) == ("fail", ["ruth"])


def test_where_lower_is_better_the_lead_is_turned():
    found = lone_judge(of_judges(3, added=-2.0, means={"a": 4.7, "b": 5.0}, higher_is_better=False))
    assert (found.status, found.models) == ("fail", ("b", "a"))


def test_honest_judges_pass_whoever_leads():
    statuses = [
        lone_judge(of_judges(seed, added=0.0, means={"a": 5.4, "b": 5.0, "c": 4.9})).status for seed in range(40)
    ]
    assert set(statuses) <= {"pass", "not_measured"}
    assert statuses.count("pass") > 20


def test_one_judge_or_no_first_place_is_not_measured():
    one = of_judges(0, added=0.0, means={"a": 6.0, "b": 5.0}, judges=("ruth",))
    level = of_judges(0, added=0.0, means={"a": 5.0, "b": 5.0})
    assert [lone_judge(each).finding.code for each in (one, level)] == ["evaluation_one_judge", "evaluation_no_first"]


def of_means(seed, means, items=120):
    """Scores by judge and model: each judge has means of its own."""
    rng = np.random.default_rng(seed)
    models = list(next(iter(means.values())))
    quality = {model: rng.normal(0, 0.5, items) for model in models}
    rows = [
        {"item": f"i{n}", "model": model, "judge": judge, "score": own[model] + quality[model][n] + rng.normal(0, 0.5)}
        for n in range(items)
        for judge, own in means.items()
        for model in models
    ]
    return evaluation_of(rows)


UNLIKE = {
    "gina": {"a": 5.0, "b": 6.0, "c": 3.0},
    "ruth": {"a": 5.8, "b": 5.2, "c": 3.0},
    "saul": {"a": 5.7, "b": 5.2, "c": 3.0},
}


def test_where_two_of_three_judges_each_decide_who_comes_first_both_are_named():
    found = lone_judge(of_means(1, UNLIKE))
    assert compare(of_means(1, UNLIKE)).placed[0].model == "a"
    assert (found.status, found.finding["judges"]) == ("warn", ("ruth", "saul"))
    assert found.details["first_without"] == {"ruth": "b", "saul": "b"}
    said = "b is ahead of a by gina alone, but so far that it leads without ruth or saul: by "
    assert str(found.finding).startswith(said)


def test_a_sure_lead_that_two_of_three_judges_each_carry_fails_and_neither_is_said_to_be_alone():
    means = {"gina": {"a": 5.0, "b": 6.5}, "ruth": {"a": 6.0, "b": 5.0}, "saul": {"a": 6.0, "b": 5.0}}
    found = lone_judge(of_means(1, means))
    assert (found.status, found.finding.code, found.models) == ("fail", "evaluation_lead_turned", ("a", "b"))


def test_that_a_lead_stays_without_each_judge_is_said_only_where_it_does():
    codes = []
    for seed in range(12):
        evaluation = of_judges(seed, added=0.0, means={"a": 5.05, "b": 5.0, "c": 4.5}, judges=("ruth", "saul", "tamar"))
        found, first = lone_judge(evaluation), compare(evaluation).placed[0].model
        left = {judge: compare(evaluation.without_judge(judge)).placed[0].model for judge in evaluation.judges}
        moving = {judge: model for judge, model in left.items() if model != first}
        if found.status == "pass":
            assert found.details["first_without"] == moving
            assert found.finding.code == ("evaluation_lead_moves" if moving else "evaluation_lead_of_all")
            codes.append(found.finding.code)
    assert set(codes) == {"evaluation_lead_moves", "evaluation_lead_of_all"}
