from dataclasses import replace

import numpy as np
import pytest

from tests.evaluation.examples import random_scores, scores_of
from voirdire.evaluation.checks.comparisons import multiple_comparisons, power, unpaired_test
from voirdire.evaluation.comparison import compare
from voirdire.evaluation.records import Printed
from voirdire.evaluation.report.verdict import order

SHIFTS = (("a", 0.0), ("b", 0.6))


def test_few_items_warn_and_name_how_many_it_would_take():
    found = power(scores_of(random_scores(3, 0.60, 0.55, items=60)))
    assert found.status in ("warn", "fail")
    assert found.details["needed"] > 60


def test_a_gap_that_can_be_seen_passes():
    assert power(scores_of(random_scores(3, 0.9, 0.3, items=400))).status == "pass"


def test_four_times_the_items_see_half_the_difference():
    few, many = (power(scores_of(random_scores(4, 0.7, 0.5, items=n))).value for n in (200, 800))
    assert abs(few / many - 2) < 0.2


def test_one_model_has_no_difference_to_see():
    assert power(scores_of({"m": [1.0, 0.0, 1.0]})).status == "not_measured"


def test_shared_difficulty_makes_the_unpaired_error_too_large():
    rng = np.random.default_rng(0)
    hard = 3 * rng.normal(size=200)
    scores = {name: (hard + shift + 0.4 * rng.normal(size=200) > 0).astype(float).tolist() for name, shift in SHIFTS}
    evaluation = scores_of(scores)
    printed = tuple(Printed(name, float(np.mean(own)), 0.035, 200, 3, "results.json") for name, own in scores.items())
    found = unpaired_test(replace(evaluation, printed=printed))
    assert found.status != "pass"
    assert found.value > 1.5
    assert unpaired_test(evaluation).status == "warn", "nobody printed an error that misleads"


@pytest.mark.parametrize(("wins", "sure"), [(4, False), (5, False), (6, True)])
def test_of_few_items_that_differ_no_check_and_no_order_is_surer_than_mcnemars_test(wins, sure):
    a, b = [1.0] * 26 + [0.0] * 14, [1.0] * (26 - wins) + [0.0] * (14 + wins)
    evaluation = scores_of({"a": a, "b": b})
    compared = compare(evaluation)
    assert order(compared) == (
        "Believe the order of both models" if sure else "Believe no single place; places 1 and 2 can't be separated"
    )
    assert ("sure" in str(power(evaluation).finding)) == sure
    assert (compared.pair(0, 1)["low"] > 0) == sure
    assert multiple_comparisons(evaluation).details["nominal"] == sure
    assert unpaired_test(evaluation).status == "warn", "nobody printed an error that misleads"


def test_models_that_share_nothing_lose_nothing_without_pairing():
    found = unpaired_test(scores_of(random_scores(3, 0.8, 0.5, 0.3)))
    assert found.status == "pass"
    assert abs(found.value - 1) < 0.1


def test_single_findings_among_many_equal_models_do_not_survive():
    found = multiple_comparisons(scores_of(random_scores(1, *[0.6] * 12, items=100)))
    assert (found.status, found.value) == ("fail", 1.0)
    assert multiple_comparisons(scores_of(random_scores(1, 0.9, 0.6, 0.3, 0.1))).status == "pass"


def test_what_the_first_two_need_rests_on_their_own_spread():
    alike = random_scores(3, 0.5, items=400)["m0"]
    better = [1.0 if n % 20 == 0 else score for n, score in enumerate(alike)]
    found = power(scores_of({"a": better, "b": alike, "c": random_scores(4, 0.2, items=400)["m0"]}))
    close = power(scores_of({"a": better, "b": alike}))
    assert found.details["needed"] == close.details["needed"]


@pytest.mark.parametrize(
    ("chances", "items", "verdict"),
    [
        ((0.9, 0.3), 400, "which is sure"),
        ((0.70, 0.50), 60, "which is sure here, and which more than one in five evaluations of this size would miss"),
        ((0.68, 0.50), 60, "which is undecided and takes 121 items"),
        ((0.675, *[0.5] * 12), 200, "which is undecided after the correction for 78 pairs"),
    ],
)
def test_power_says_of_the_first_two_what_compare_says(chances, items, verdict):
    evaluation = scores_of(random_scores(3, *chances, items=items))
    found, compared = power(evaluation), compare(evaluation)
    said = str(found.finding)
    assert verdict in said and ("sure" in said) == (compared.pair(0, 1)["p"] <= 0.05)
    assert found.details["first_gap"] == pytest.approx(compared.pair(0, 1)["difference"])
    assert f"by {found.details['first_gap']:.3f}" in said and not (found.status == "fail" and "sure" in said)


def test_five_of_six_items_are_undecided_and_not_for_the_correction():
    found = power(scores_of({"a": [1.0] * 6, "b": [0.0] * 5 + [1.0]}))
    assert (found.status, found.details["needed"]) == ("fail", None)
    assert str(found.finding).endswith("they differ by 0.833, which is undecided")


def test_the_difference_that_is_seen_between_the_first_two_rests_on_their_own_spread():
    alike = random_scores(3, 0.5, items=400)["m0"]
    pair = {"a": [1.0 if n % 20 == 0 else score for n, score in enumerate(alike)], "b": alike}
    noisy = {f"c{n}": random_scores(4 + n, 0.2, items=400)["m0"] for n in range(4)}
    assert power(scores_of(pair | noisy)).value == power(scores_of(pair)).value


def test_first_two_that_score_alike_are_said_to():
    scores = random_scores(3, 0.5, 0.2, items=100)
    found = power(scores_of({"a": scores["m0"], "b": scores["m0"], "c": scores["m1"]}))
    assert "as unlike as the median pair; the first two differ by 0.000 on every item" in str(found.finding)


def test_of_few_pairs_a_difference_that_does_not_survive_is_a_warning():
    found = multiple_comparisons(scores_of(random_scores(2, 0.62, 0.5, 0.52, items=120)))
    assert (found.status, found.details["nominal"], found.details["corrected"]) == ("warn", 1, 0)
