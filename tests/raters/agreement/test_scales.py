from __future__ import annotations

import numpy as np
import pytest

from tests.raters._projects import deduction, labelled_project, scored, scored_project, turns_project
from voirdire.raters.agreement import agree, measures

ANN = ["faithful", "faithful", "invented", "reliable", "misleading", "reliable", "faithful", "speculative"]
BEN = ["faithful", "faithful", "invented", "reliable", "speculative", "irrefutable", "faithful", "reliable"]


def of(project, name):
    return next(each for each in agree(project).live.categories if each.name == name)


def test_a_worked_case_by_class():
    found = of(labelled_project({"ann": ANN, "ben": BEN}), "label")
    assert (found.items, found.paired, found.groups) == (8, 8, 8)
    assert found.percent.value == pytest.approx(5 / 8)
    # By class: faithful 3 and 3 of 8, invented 1 and 1, reliable 2 and 2, misleading 1 and 0, speculative 1 and 1,
    # irrefutable 0 and 1.
    expected = (9 + 1 + 4 + 0 + 1 + 0) / 64
    assert found.cohen.value == pytest.approx((5 / 8 - expected) / (1 - expected))
    shares = np.array([6, 2, 4, 1, 2, 1]) / 16
    assert found.fleiss.value == pytest.approx((5 / 8 - sum(shares**2)) / (1 - sum(shares**2)))
    chance = sum(shares * (1 - shares)) / 6  # seven classes, used or not
    assert found.ac.value == pytest.approx((5 / 8 - chance) / (1 - chance))
    # Krippendorff: 6 of 16 values in pairs that differ, against pairs of different values among all 16.
    assert found.alpha.value == pytest.approx(1 - (6 / 16) / (1 - sum(n * (n - 1) for n in (6, 2, 4, 1, 2, 1)) / 240))
    assert found.shares["faithful"] == pytest.approx(6 / 16)


def test_types_requirements_and_tiers_follow_from_the_class():
    project = labelled_project({"ann": ANN, "ben": BEN})
    names = [each.name for each in agree(project).live.categories]
    assert names == [
        "label",
        "type",
        "hallucinated (rational required)",
        "hallucinated (grounded required)",
        "hallucinated (irrefutable required)",
        "tier",
    ]
    assert of(project, "type").percent.value == 1
    assert of(project, "hallucinated (rational required)").percent.value == pytest.approx(7 / 8)  # item 4 differs
    assert of(project, "hallucinated (grounded required)").percent.value == pytest.approx(7 / 8)  # item 7 differs
    assert of(project, "hallucinated (irrefutable required)").percent.value == pytest.approx(7 / 8)  # item 5 differs


def test_tiers_concern_cognitive_statements_only_and_near_misses_count_in_part():
    found = of(labelled_project({"ann": ANN, "ben": BEN}), "tier")
    assert (found.paired, found.ordered) == (4, True)
    assert found.percent.value == pytest.approx(1 / 4)
    # Items 3, 4, 5, 7: tiers 2-2, 0-1, 2-3, 1-2. Linear weights 1, 2/3, 2/3, 2/3.
    observed = (1 + 3 * 2 / 3) / 4
    ann, ben = np.array([1, 1, 2, 0]) / 4, np.array([0, 1, 2, 1]) / 4
    weights = 1 - np.abs(np.arange(4)[:, None] - np.arange(4)) / 3
    expected = float(ann @ weights @ ben)
    assert found.cohen.value == pytest.approx((observed - expected) / (1 - expected))


def test_every_pair_of_raters_has_a_kappa_on_the_items_they_share():
    found = of(
        labelled_project(
            {
                "ann": ["faithful", "invented", "faithful", "invented", None, None],
                "ben": ["faithful", "invented", None, None, "faithful", "invented"],
                "cleo": [None, None, "invented", "faithful", "faithful", "invented"],
            }
        ),
        "label",
    )
    pairs = {pair.raters: (pair.items, pair.kappa) for pair in found.cohen_pairs}
    assert pairs == {("ann", "ben"): (2, 1.0), ("ann", "cleo"): (2, -1.0), ("ben", "cleo"): (2, 1.0)}
    assert found.cohen.value == pytest.approx(1 / 3)
    assert found.percent.value == pytest.approx(2 / 3)


def test_items_with_one_rating_are_counted_but_tell_nothing():
    labels = ["faithful", "invented", "faithful"]
    found = of(labelled_project({"ann": labels, "ben": ["faithful", "invented", None]}), "label")
    assert (found.items, found.paired) == (3, 2)
    assert found.percent.value == 1


def test_without_a_second_rating_everything_is_undefined_and_says_why():
    found = of(labelled_project({"ann": ["faithful", "invented"], "ben": [None, None]}), "label")
    assert all(each.value is None for each in (found.percent, found.cohen, found.fleiss, found.alpha, found.ac))
    assert found.alpha.reason == "No item has been rated by two people."


def test_items_that_two_people_rated_and_did_not_both_grade_are_not_called_unrated():
    found = of(labelled_project({"ann": ["faithful", "reliable"], "ben": ["faithful", "invented"]}), "tier")
    assert found.paired == 0
    assert {each.reason for each in (found.percent, found.cohen, found.fleiss, found.alpha, found.ac)} == {
        "No item has been graded on this scale by two people."
    }


def test_one_class_only_leaves_percent_agreement_and_nothing_beyond_chance():
    found = of(labelled_project({"ann": ["faithful"] * 6, "ben": ["faithful"] * 6}), "label")
    assert found.percent.value == 1
    assert found.percent.low is not None and found.percent.low < 1
    assert {found.cohen.value, found.fleiss.value, found.alpha.value} == {None}
    assert all("of one category" in each.reason for each in (found.cohen, found.fleiss, found.alpha))
    assert found.ac.value == 1  # there are seven classes to choose from: hardly any agreement is chance's


def test_nothing_beyond_chance_is_told_where_only_single_ratings_differ():
    found = of(
        labelled_project({"ann": ["faithful", "faithful", "invented"], "ben": ["faithful", "faithful", None]}), "label"
    )
    assert {found.cohen.value, found.fleiss.value, found.alpha.value} == {None}
    assert found.ac.value == 1


def test_intervals_are_clustered_by_group():
    rng = np.random.default_rng(5)
    ann = [ANN[n] for n in rng.integers(0, 8, 40)]
    ben = [label if answer % 4 else "irrelevant" for answer, label in enumerate(ann)]
    alone = of(labelled_project({"ann": ann, "ben": ben}), "label")
    groups = ["odd" if answer % 4 else f"g{answer}" for answer in range(40)]
    shared = of(labelled_project({"ann": ann, "ben": ben}, groups=groups), "label")
    assert shared.alpha.value == pytest.approx(alone.alpha.value)
    assert (shared.groups, alone.groups) == (11, 40)
    assert shared.alpha.low != pytest.approx(alone.alpha.low)


def test_fewer_than_five_groups_give_no_interval_and_say_so():
    found = agree(labelled_project({"ann": ANN, "ben": BEN}, groups=["a"] * 4 + ["b"] * 4))
    label = found.live.categories[0]
    assert label.alpha.value is not None and label.alpha.low is None
    assert label.alpha.reason == "An interval needs 5 groups, and there are 2."
    assert "No intervals: they need 5 groups, and the items rated twice are of 2." in found.notes


def test_bands_of_responses_are_ordered():
    scores = {"ann": [95, 75, 55, 20], "ben": [95, 55, 55, 35]}
    found = of(scored_project({who: [deduction(score) for score in row] for who, row in scores.items()}), "band")
    assert found.ordered and found.percent.value == pytest.approx(1 / 2)
    assert found.cohen.value > 0.5


def test_turns_are_compared_by_stance_claims_and_the_side_of_the_threshold():
    project = turns_project(
        {
            "ann": [scored(0.9, 0.8, "rejected"), scored(0.6, 0.5, "accepted"), scored(None, 0.5, no_claims=True)],
            "ben": [scored(0.7, 0.8, "rejected"), scored(0.8, 0.5, "questioned"), scored(0.1, 0.5)],
        }
    )
    assert of(project, "stance").percent.value == pytest.approx(1 / 2)
    assert of(project, "no claims").percent.value == pytest.approx(2 / 3)
    far = of(project, "FAR at least 0.7")
    assert (far.paired, far.percent.value) == (2, pytest.approx(1 / 2))


def test_many_groups_are_put_together_in_blocks_and_the_figures_hardly_change(monkeypatch):
    draw = np.random.default_rng(5)
    first = draw.choice(["faithful", "invented", "reliable"], 300)
    second = np.where(draw.random(300) < 0.8, first, draw.choice(["faithful", "invented", "reliable"], 300))
    project = labelled_project({"ann": [str(each) for each in first], "ben": [str(each) for each in second]})
    blocks = of(project, "label")
    monkeypatch.setattr(measures, "MOST_CLUSTERS", 300)
    singly = of(project, "label")
    assert agree(project).live.groups == 300
    assert (blocks.groups, singly.groups) == (60, 300)
    assert blocks.alpha.value == singly.alpha.value
    assert blocks.alpha.high - blocks.alpha.low == pytest.approx(singly.alpha.high - singly.alpha.low, rel=0.3)


# Shrout and Fleiss (1979), table 2: six targets, four judges; their table 4 has the correlations.
SHROUT_FLEISS = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]


def judged(columns):
    return {f"j{place}": [None if score is None else deduction(score) for score in column] for place, column in columns}


def of_score(project, name="score"):
    return next(each for each in agree(project).live.scores if each.name == name)


def test_the_classical_example_gives_the_published_correlations():
    found = of_score(scored_project(judged(enumerate(zip(*SHROUT_FLEISS, strict=True)))))
    figures = (found.icc_2_1, found.icc_2_k, found.icc_3_1)
    assert [round(figure.value, 2) for figure in figures] == [0.29, 0.62, 0.71]
    assert all(figure.low < figure.value < figure.high for figure in figures)
    assert (found.paired, found.groups, found.k) == (6, 6, 4)


def test_k_is_what_an_item_has_and_not_how_many_took_part():
    columns = [[10, 50, 90, None, None, 30], [20, 40, None, 80, 10, None], [None, None, 80, 70, 20, 35]]
    found = of_score(scored_project(judged(enumerate(columns))))
    single = found.icc_2_1.value
    assert found.k == 2
    assert found.icc_2_k.value == pytest.approx(2 * single / (1 + single))


def test_leniency_separates_agreement_from_consistency():
    scores = [10, 30, 50, 70, 90]
    found = of_score(scored_project(judged(enumerate([scores, [score + 10 for score in scores]]))))
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
    assert of_score(project, "score").mean_absolute_difference.value == 0
    assert of_score(project, "impression").mean_absolute_difference.value == pytest.approx((20 + 40 + 25) / 3)


def test_scores_that_are_all_equal_have_no_correlation_and_say_why():
    found = of_score(scored_project(judged(enumerate([[70, 70, 70], [70, 70, 70]]))))
    assert found.icc_2_1.value is None
    assert "nothing tells items apart" in found.icc_2_1.reason
    assert found.mean_absolute_difference.value == 0


def test_without_a_second_score_nothing_is_defined():
    found = of_score(scored_project(judged(enumerate([[70, 60], [None, None]]))))
    assert {found.icc_2_1.value, found.icc_2_k.value, found.alpha.value, found.mean_absolute_difference.value} == {None}
    assert found.icc_2_1.reason == "No item has been scored by two people."


def test_a_turn_without_claims_has_no_far_and_keeps_its_sas():
    project = turns_project(
        {
            "ann": [scored(0.9, 0.8), scored(0.2, 0.4), scored(None, 0.1, no_claims=True)],
            "ben": [scored(0.8, 0.7), scored(0.3, 0.5), scored(0.5, 0.2)],
        }
    )
    assert of_score(project, "FAR").paired == 2
    assert of_score(project, "SAS").paired == 3


def test_intervals_stay_within_what_is_possible():
    rough = [[0, 100, 50, 50, 40, 60], [100, 0, 50, 50, 60, 45]]
    near = [[50, 50, 50, 50, 50, 80], [50, 50, 50, 50, 51, 50]]
    for columns in (rough, near):
        found = of_score(scored_project(judged(enumerate(columns))))
        gap = found.mean_absolute_difference
        assert 0 <= gap.low < gap.value < gap.high <= 100
        assert found.icc_2_k.value is None or -1 <= found.icc_2_k.low <= found.icc_2_k.value <= 1
        assert all(-100 <= each.low <= each.high <= 100 for each in found.leniency.values())


def test_a_mean_of_raters_who_order_items_the_other_way_has_no_correlation():
    found = of_score(scored_project(judged(enumerate([[0, 20, 40, 60, 80, 100], [100, 80, 60, 40, 20, 0]]))))
    assert found.icc_2_1.value < -0.5
    assert found.icc_2_k.value is None
    assert "too far below 0" in found.icc_2_k.reason


def test_four_groups_give_no_interval():
    columns = [[10, 50, 90, 30], [20, 40, 80, 35]]
    found = of_score(scored_project(judged(enumerate(columns))))
    assert found.icc_2_1.value is not None
    assert {found.icc_2_1.low, found.icc_2_k.low, found.mean_absolute_difference.low} == {None}
    assert found.icc_2_1.reason == "An interval needs 5 groups, and there are 4."
