from dataclasses import replace

import pytest

from tests.evaluation.examples import random_scores, scores_of
from voirdire.evaluation.audit import Audit
from voirdire.evaluation.checks import Check
from voirdire.evaluation.comparison import compare
from voirdire.evaluation.headline import headlines
from voirdire.evaluation.report import conclusion
from voirdire.reason_codes import reason


def test_models_far_apart_have_one_place_each_and_alike_ones_share_theirs():
    found = compare(scores_of(random_scores(5, 0.95, 0.6, 0.3, 0.3, items=500)))
    assert [(each.model, each.best, each.worst) for each in found.placed[:2]] == [("m0", 1, 1), ("m1", 2, 2)]
    assert {(each.best, each.worst) for each in found.placed[2:]} == {(3, 4)}
    assert (found.believed, found.tied) == (2, ((3, 4),))


def test_the_sentence_says_which_order_to_believe():
    evaluation = scores_of(random_scores(5, 0.95, 0.6, 0.3, 0.3, items=500))
    found = compare(evaluation)
    assert conclusion(Audit((evaluation,), (), (found,), ())) == (
        "Believe the order of the first 2; places 3 and 4 can't be separated; 0 of 0 checks fail."
    )


def test_items_of_few_clusters_are_the_unit_and_many_clusters_are():
    scores = random_scores(6, 0.6, 0.5, items=120)
    assert compare(scores_of(scores, cluster=[str(n % 4) for n in range(120)])).unit == "item"
    assert compare(scores_of(scores, cluster=[str(n % 40) for n in range(120)])).unit == "cluster"


def test_a_difference_is_taken_on_the_items_that_both_have():
    found = compare(scores_of({"a": [1.0, 1.0, 1.0, 0.0], "b": [0.0, 1.0, 1.0, None]}))
    assert found.pairs.shared[0, 1] == 3
    assert abs(found.pairs.difference).tolist()[0][1] == pytest.approx(1 / 3)


def test_places_that_length_has_won_are_said_with_the_order():
    evaluation = scores_of(random_scores(5, 0.95, 0.6, 0.3, items=500))
    found = compare(evaluation)
    at_equal_length = {1: 2, 2: 1, 3: 3}
    placed = tuple(
        replace(each, length_adjusted=0.5, length_adjusted_places=(at_equal_length[each.place],) * 2)
        for each in found.placed
    )
    swapped = replace(found, placed=placed)
    sways = Check("length_association", "fail", evaluation.name, reason("evaluation_longer_wins", odds=9.0), 9.0)
    said = conclusion(Audit((evaluation,), (sways,), (swapped,), ()))
    assert "at equal length 1 of these 3 keeps its place" in said


def test_a_model_that_is_surely_better_on_shared_items_comes_first_whatever_its_mean():
    hard = [item % 4 == 0 for item in range(200)]
    better = [0.3 + 0.1 * (item % 3) - 0.25 * is_hard for item, is_hard in enumerate(hard)]
    without_hard = [None if is_hard else score - 0.02 for score, is_hard in zip(better, hard, strict=True)]
    found = compare(scores_of({"drops": without_hard, "whole": better}))
    assert [(each.model, each.best, each.worst) for each in found.placed] == [("whole", 1, 1), ("drops", 2, 2)]
    assert found.placed[0].headline.value < found.placed[1].headline.value
    assert found.believed == 2 and found.tied == ()


def test_the_error_beside_an_interval_is_of_its_unit():
    scores = [float(cluster % 2) for cluster in range(20) for _ in range(10)]
    many, few = (scores_of({"m": scores}, cluster=[f"c{place // size}" for place in range(200)]) for size in (10, 40))
    assert headlines(many)["m"].interval_se == headlines(many)["m"].clustered_se
    assert headlines(few)["m"].clustered_se is not None
    assert headlines(few)["m"].interval_se == headlines(few)["m"].se
