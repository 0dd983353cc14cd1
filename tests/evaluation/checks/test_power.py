from tests.evaluation.made import random_scores, scores_of
from voirdire.evaluation.checks.power import power


def test_few_items_warn_and_name_how_many_it_would_take():
    found = power(scores_of(random_scores(3, 0.60, 0.55, items=60)))
    assert found.status == "warn"
    assert found.details["needed"] > 60


def test_a_gap_that_can_be_seen_passes():
    assert power(scores_of(random_scores(3, 0.9, 0.3, items=400))).status == "pass"


def test_four_times_the_items_see_half_the_difference():
    few, many = (power(scores_of(random_scores(4, 0.7, 0.5, items=n))).value for n in (200, 800))
    assert abs(few / many - 2) < 0.2


def test_one_model_has_no_difference_to_see():
    assert power(scores_of({"m": [1.0, 0.0, 1.0]})).status == "not_measured"
