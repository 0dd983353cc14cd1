import pytest

from tests.raters._projects import deduction, scored, scored_project, turns_project
from voirdire.raters.agreement import agree

# Shrout and Fleiss (1979), table 2: six targets, four judges; their table 4 has the correlations.
SHROUT_FLEISS = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]


def judged(columns):
    return {f"j{place}": [None if score is None else deduction(score) for score in column] for place, column in columns}


def of(project, name="score"):
    return next(each for each in agree(project).live.scores if each.name == name)


def test_the_classical_example_gives_the_published_correlations():
    found = of(scored_project(judged(enumerate(zip(*SHROUT_FLEISS, strict=True)))))
    figures = (found.icc_2_1, found.icc_2_k, found.icc_3_1)
    assert [round(figure.value, 2) for figure in figures] == [0.29, 0.62, 0.71]
    assert all(figure.low < figure.value < figure.high for figure in figures)
    assert (found.paired, found.groups, found.k) == (6, 6, 4)


def test_k_is_what_an_item_has_and_not_how_many_took_part():
    columns = [[10, 50, 90, None, None, 30], [20, 40, None, 80, 10, None], [None, None, 80, 70, 20, 35]]
    found = of(scored_project(judged(enumerate(columns))))
    single = found.icc_2_1.value
    assert found.k == 2
    assert found.icc_2_k.value == pytest.approx(2 * single / (1 + single))


def test_leniency_separates_agreement_from_consistency():
    scores = [10, 30, 50, 70, 90]
    found = of(scored_project(judged(enumerate([scores, [score + 10 for score in scores]]))))
    assert found.icc_3_1.value == pytest.approx(1)
    assert found.icc_2_1.value < 1
    assert found.mean_absolute_difference.value == pytest.approx(10)
    assert found.leniency["j1"].value == pytest.approx(10)
    (pair,) = found.pairs
    assert (pair.items, pair.pearson, pair.mean_absolute_difference) == (5, pytest.approx(1), 10)


def test_first_impressions_are_compared_too():
    project = scored_project(
        {
            "ann": [deduction(80, holistic=80), deduction(60, holistic=50), deduction(40, holistic=45)],
            "ben": [deduction(80, holistic=60), deduction(60, holistic=90), deduction(40, holistic=20)],
        }
    )
    assert of(project, "score").mean_absolute_difference.value == 0
    assert of(project, "impression").mean_absolute_difference.value == pytest.approx((20 + 40 + 25) / 3)


def test_scores_that_are_all_equal_have_no_correlation_and_say_why():
    found = of(scored_project(judged(enumerate([[70, 70, 70], [70, 70, 70]]))))
    assert found.icc_2_1.value is None
    assert "nothing tells items apart" in found.icc_2_1.reason
    assert found.mean_absolute_difference.value == 0


def test_without_a_second_score_nothing_is_defined():
    found = of(scored_project(judged(enumerate([[70, 60], [None, None]]))))
    assert {found.icc_2_1.value, found.icc_2_k.value, found.alpha.value, found.mean_absolute_difference.value} == {None}
    assert found.icc_2_1.reason == "No item has been scored by two people."


def test_a_turn_without_claims_has_no_far_and_keeps_its_sas():
    project = turns_project(
        {
            "ann": [scored(0.9, 0.8), scored(0.2, 0.4), scored(None, 0.1, no_claims=True)],
            "ben": [scored(0.8, 0.7), scored(0.3, 0.5), scored(0.5, 0.2)],
        }
    )
    assert of(project, "FAR").paired == 2
    assert of(project, "SAS").paired == 3


def test_intervals_stay_within_what_is_possible():
    rough = [[0, 100, 50, 50, 40, 60], [100, 0, 50, 50, 60, 45]]
    near = [[50, 50, 50, 50, 50, 80], [50, 50, 50, 50, 51, 50]]
    for columns in (rough, near):
        found = of(scored_project(judged(enumerate(columns))))
        gap = found.mean_absolute_difference
        assert 0 <= gap.low < gap.value < gap.high <= 100
        assert found.icc_2_k.value is None or -1 <= found.icc_2_k.low <= found.icc_2_k.value <= 1
        assert all(-100 <= each.low <= each.high <= 100 for each in found.leniency.values())


def test_a_mean_of_raters_who_order_items_the_other_way_has_no_correlation():
    found = of(scored_project(judged(enumerate([[0, 20, 40, 60, 80, 100], [100, 80, 60, 40, 20, 0]]))))
    assert found.icc_2_1.value < -0.5
    assert found.icc_2_k.value is None
    assert "too far below 0" in found.icc_2_k.reason


def test_four_groups_give_no_interval():
    columns = [[10, 50, 90, 30], [20, 40, 80, 35]]
    found = of(scored_project(judged(enumerate(columns))))
    assert found.icc_2_1.value is not None
    assert {found.icc_2_1.low, found.icc_2_k.low, found.mean_absolute_difference.low} == {None}
    assert found.icc_2_1.reason == "An interval needs 5 groups, and there are 4."
