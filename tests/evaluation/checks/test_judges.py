import numpy as np
import pytest

from tests.evaluation.examples import evaluation_of, judged_rows, scores_of
from voirdire.evaluation.checks.judges import constant_judge, copied_judge, self_judging
from voirdire.evaluation.comparison import compare
from voirdire.evaluation.report.verdict import believed

FIRST, SECOND = "anthropic/claude-3-opus", "mistral-large"
ROWS = judged_rows(3, 3.5, 3.0, 2.5)


def judged(rows, **fields):
    return evaluation_of(rows, bounds=(1.0, 5.0), **fields)


def with_second(change, rows=ROWS):
    """The rows, the second judge's changed by what the first said: `change(own, other)` gives cells."""
    first = {(row["item"], row["model"]): row for row in rows if row["judge"] == FIRST}
    return judged(
        [{**row, **change(row, first[row["item"], row["model"]])} if row["judge"] == SECOND else row for row in rows]
    )


@pytest.mark.parametrize("check", [copied_judge, constant_judge, self_judging])
def test_sound_judges_pass(check):
    assert check(judged(ROWS)).status == "pass"


@pytest.mark.parametrize("check", [copied_judge, constant_judge, self_judging])
def test_without_judges_nothing_is_measured(check):
    assert check(scores_of({"m": [1.0, 0.0] * 20})).status == "not_measured"


def test_scorers_that_give_all_outputs_one_score_are_named_where_there_is_no_judge():
    scores = evaluation_of(
        [{"item": f"i{each}", "model": "m", "score": each % 2} for each in range(40)],
        other_scores={"tone": np.ones(40), "length": np.arange(40.0), "few": np.array([1.0] * 9 + [np.nan] * 31)},
    )
    found = constant_judge(scores)
    assert (found.status, found.finding.code) == ("not_measured", "evaluation_no_judge_constant_scores")
    assert dict(found.finding.params) == {"scores": ("tone",)}


def test_judges_who_agree_on_nearly_all_of_five_grades_are_one():
    found = copied_judge(with_second(lambda own, other: {"score": other["score"]}))
    assert (found.status, found.value) == ("fail", 1.0)


def test_a_few_explanations_in_the_same_words_are_copies():
    tenth = with_second(lambda own, other: {"verdict": other["verdict"]} if int(own["item"][1:]) < 10 else {})
    assert copied_judge(tenth).finding.code == "evaluation_copied_words"


def test_missing_verdicts_that_were_filled_from_another_judge_are_found():
    filled = {"verdict": None}
    found = copied_judge(
        with_second(lambda own, other: {**filled, "score": other["score"]} if int(own["item"][1:]) < 20 else {})
    )
    assert found.finding.code == "evaluation_filled_judge"


def test_fine_scores_that_meet_to_the_last_digit_are_copies():
    fine = [{**row, "score": row["score"] - place / 7_919} for place, row in enumerate(ROWS)]
    assert copied_judge(judged(fine)).status == "pass"
    assert copied_judge(with_second(lambda own, other: {"score": other["score"]}, fine)).status == "fail"


def test_a_judge_without_steps_and_one_with_steps_are_not_compared_by_exact_agreement():
    fine = {FIRST: 1 / 7_919, SECOND: 0.0}
    rows = [{**row, "score": row["score"] - place * fine[row["judge"]]} for place, row in enumerate(ROWS)]
    found = copied_judge(judged(rows))
    assert (found.status, found.value) == ("not_measured", None)
    assert str(found.finding).startswith(f"{FIRST} gives hardly any two outputs the same score and {SECOND} scores in")
    third = [{**row, "judge": "gpt"} for row in judged_rows(4, 3.5, 3.0, 2.5) if row["judge"] == SECOND]
    found = copied_judge(judged([*rows, *third]))
    assert (found.status, found.details["pairs"]) == ("pass", 1)


def test_a_copy_in_a_file_of_its_own_is_found():
    own = [row for row in ROWS if row["judge"] == FIRST]
    copy = judged([{**row, "judge": SECOND} for row in own])
    assert copied_judge(judged(own, beside=(copy,))).status == "fail"


def test_a_judge_with_one_score_fails_beside_one_who_tells_outputs_apart():
    found = constant_judge(with_second(lambda own, other: {"score": 4.0}))
    assert (found.status, found.details["statuses"]) == ("fail", {FIRST: "pass", SECOND: "fail"})


def test_a_judge_who_gives_each_model_its_score_fails():
    fixed = [{**row, "score": 2.0 + int(row["model"][1:])} for row in ROWS if row["judge"] == FIRST]
    assert constant_judge(judged(fixed)).finding.code == "evaluation_judge_by_model"


def test_one_explanation_for_unlike_outputs_fails():
    same = "A good answer that covers the question. Rating: see the score."
    assert constant_judge(judged([{**row, "verdict": same} for row in ROWS])).status == "fail"


def test_a_judge_of_the_family_warns_and_the_model_itself_fails():
    names = {"m0": "claude-2", "m1": "gpt-4", "m2": "llama-2"}
    family = self_judging(judged([{**row, "model": names[row["model"]]} for row in ROWS]))
    assert (family.status, family.models) == ("warn", ("claude-2",))
    itself = self_judging(judged([{**row, "model": {**names, "m0": FIRST}[row["model"]]} for row in ROWS]))
    assert (itself.status, itself.models[0]) == ("fail", FIRST)


def of_two_families(added, judges=("gpt-4o", "claude-3-opus"), narrow=1.0, best=6.0):
    """Two judges of the same outputs, of whom the first adds so much to the model of its family, the second best."""
    rng = np.random.default_rng(0)
    means = {"llama-3": best, "gpt-4o-mini": 5.5, "mistral-7b": 4.0}
    return evaluation_of(
        {
            "item": f"i{n}",
            "model": model,
            "judge": judge,
            "score": (mean + rng.normal() + added * (judge == "gpt-4o" and model == "gpt-4o-mini"))
            * (narrow if judge == "gpt-4o" else 1.0),
        }
        for n in range(100)
        for model, mean in means.items()
        for judge in judges
    )


def test_a_judge_that_lifts_its_own_family_over_others_fails_and_the_place_is_not_believed():
    evaluation = of_two_families(3.0)
    found = self_judging(evaluation)
    low, high = found.details["interval"]
    assert (found.status, found.details["moved"]) == ("fail", ["gpt-4o-mini"])
    assert low < 3.0 < high and low < found.details["shift"] < high
    assert "under claude-3-opus the order is another" in str(found.finding)
    assert believed(compare(evaluation), [found]).startswith("Don't believe the place of gpt-4o-mini (self_judging")


def test_a_lead_that_is_sure_only_with_the_familys_own_judge_is_not_believed():
    evaluation = of_two_families(1.2, best=5.0)
    found = self_judging(evaluation)
    assert (found.status, found.details["moved"]) == ("fail", ["gpt-4o-mini"])
    assert "without it gpt-4o-mini would not surely lead" in str(found.finding)
    assert believed(compare(evaluation), [found]).startswith("Don't believe the place of gpt-4o-mini (self_judging")


@pytest.mark.parametrize("added", [0.0, -3.0])
def test_a_judge_that_does_not_lift_its_own_family_over_others_only_warns(added):
    found = self_judging(of_two_families(added))
    assert (found.status, found.details["moved"]) == ("warn", [])
    assert (found.details["interval"][0] <= 0) and found.details["shift"] == pytest.approx(added, abs=0.5)


def test_without_another_judge_of_the_same_outputs_or_the_same_scale_no_shift_is_known():
    alone = self_judging(of_two_families(3.0, judges=("gpt-4o",)))
    assert (alone.status, alone.details["shift"]) == ("warn", None)
    assert self_judging(of_two_families(3.0, narrow=0.1)).details["shift"] is None


def test_a_judge_that_the_settings_name_counts():
    rows = [{**row, "model": "gpt-4o", "judge": None} for row in ROWS if row["judge"] == FIRST]
    assert (
        self_judging(judged(rows, settings={"gpt-4o": {"task_args.grader_model": "openai/gpt-4.1"}})).status == "warn"
    )


def panel(combine):
    """Two judges who score apart, and a third whose scores follow from theirs; all beside other models."""
    rng = np.random.default_rng(1)
    one, two = rng.integers(1, 11, 80).astype(float), rng.integers(1, 11, 80).astype(float)
    return scored({"a": one, "b": two, "c": np.array([combine(*pair) for pair in zip(one, two, strict=True)])})


def scored(given):
    """Outputs with the scores of each judge."""
    return judged(
        {"item": f"i{n}", "judge": judge, "score": float(score), "output": f"words {n}"}
        for judge, scores in given.items()
        for n, score in enumerate(scores)
    )


@pytest.mark.parametrize(
    "combine, code",
    [
        (max, "evaluation_highest_judge"),
        (min, "evaluation_lowest_judge"),
        (lambda one, two: 0.4 + 0.8 * one, "evaluation_rescaled_judge"),
    ],
)
def test_a_judge_whose_scores_follow_from_others_is_a_copy(combine, code):
    found = copied_judge(panel(combine)).finding
    assert (found.code, found["second"]) == (code, "c")


@pytest.mark.parametrize("turn", [1, -1])
@pytest.mark.parametrize("seed", range(5))
def test_good_judges_beside_one_who_is_too_strict_or_too_lenient_are_no_copies(seed, turn):
    """Where a third judge is always below them, or above, two who agree well give the highest, or the lowest."""
    rng = np.random.default_rng(seed)
    one = rng.choice([1, 2, 3, 4, 5, 6], 200, p=[0.06, 0.06, 0.06, 0.06, 0.06, 0.7])
    two = np.where(rng.random(200) < 0.87, one, rng.integers(1, 7, 200))
    third = np.maximum(np.minimum(one, two) - rng.integers(1, 4, 200), 0)
    assert copied_judge(scored({"a": turn * one, "b": turn * two, "c": turn * third})).status == "pass"


def test_three_judges_who_score_apart_are_no_copies():
    rng = np.random.default_rng(5)
    assert copied_judge(panel(lambda one, two: float(rng.integers(1, 11)))).status == "pass"


def test_a_judge_who_hardly_moves_fails_beside_one_who_does():
    still = with_second(lambda own, other: {"score": 4.0 + int(own["item"][1:]) % 3 / 100})
    assert constant_judge(still).finding.code == "evaluation_judge_still"


def test_a_judge_who_gives_one_model_a_middle_score_whatever_it_wrote_fails():
    fixed = with_second(lambda own, other: {"score": 3.0} if own["model"] == "m0" else {})
    assert constant_judge(fixed).finding.code == "evaluation_judge_of_one_model"
    best = with_second(lambda own, other: {"score": 5.0} if own["model"] == "m0" else {})  # it may be that good
    assert constant_judge(best).status == "pass"


def test_a_grade_beside_the_verdict_that_never_moves_is_a_constant_judge():
    rows = [row for row in ROWS if row["judge"] == FIRST]
    still = evaluation_of(rows, bounds=(1.0, 5.0), other_scores={"style": np.full(len(rows), 3.0)})
    assert constant_judge(still).details["statuses"] == {FIRST: "pass", "style": "fail"}
    met = evaluation_of(rows, bounds=(1.0, 5.0), other_scores={"format": np.full(len(rows), 5.0)})
    assert constant_judge(met).status == "pass"


def test_a_judge_in_a_file_of_its_own_is_named_with_it():
    own = [row for row in ROWS if row["judge"] == FIRST]
    copy = judged([{**row, "judge": SECOND} for row in own], name="second")
    assert f"{SECOND} (second)" in str(copied_judge(judged(own, beside=(copy,))).finding)


def pair_of_judges(seed, n, differ, right=0.8, noise=0.0, steps=2):
    """Two judges of the same outputs: the second gives other scores to so many, and all others with some noise."""
    rng = np.random.default_rng(seed)
    one = (rng.random(n) < right).astype(float) if steps == 2 else rng.integers(1, steps + 1, n).astype(float)
    two = one * (1 + noise * rng.normal(size=n))
    turned = rng.choice(n, differ, replace=False)
    two[turned] = 1.0 - one[turned] if steps == 2 else 1.0 + one[turned] % steps
    return judged(
        {"item": f"i{item}", "judge": judge, "score": float(score), "output": f"words {item}"}
        for judge, scores in {"a": one, "b": two}.items()
        for item, score in enumerate(scores)
    )


@pytest.mark.parametrize(
    "evaluation",
    [
        pair_of_judges(1, 600, 4),  # 0.7 % of right and wrong, of which four fifths are right
        pair_of_judges(1, 600, 4, right=0.12),
        pair_of_judges(1, 300, 0, noise=0.007, steps=5),
        pair_of_judges(1, 300, 0, noise=0.007, steps=1000),
    ],
)
def test_a_copy_with_a_little_noise_is_a_warning(evaluation):
    found = copied_judge(evaluation)
    assert (found.status, found.finding.code) == ("warn", "evaluation_near_copy") and found.value >= 0.99
    assert "which independent judges rarely do" in str(found.finding) and found.quotes


@pytest.mark.parametrize("seed", range(20))
def test_honest_judges_who_agree_very_well_are_no_copies(seed):
    rng = np.random.default_rng(seed)
    for n in (60, 200, 1_000):
        differ = int(rng.binomial(n, 0.04))
        assert copied_judge(pair_of_judges(seed, n, differ)).status == "pass"
    assert copied_judge(pair_of_judges(seed, 600, 2, right=0.97)).status == "pass"  # nearly all are right: cheap
    assert copied_judge(pair_of_judges(seed, 300, 0, noise=0.1, steps=1000)).status == "pass"


def panel_of_far(seed, items, second, easy=0.0, noise=0.05):
    """Three judges who read a share with an error and round it to tenths; easy items are plainly right or wrong. The
    second's scores are made of the first's and its own."""
    rng = np.random.default_rng(seed)
    true = np.where(rng.random(items) < easy, np.round(rng.random(items)), rng.uniform(0.1, 0.9, items))
    read = [true + noise * rng.normal(size=items) * (true % 1 > 0) for _ in range(3)]
    first, own, third = (np.round(np.clip(each, 0, 1), 1) for each in read)
    scores = {"a": first, "b": second(first, own), "c": third}
    rows = [
        {"item": f"i{item}", "judge": judge, "score": float(score), "output": f"words {item}"}
        for judge, given in scores.items()
        for item, score in enumerate(given)
    ]
    return evaluation_of(rows, bounds=(0.0, 1.0))


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize(("easy", "noise"), [(0.0, 0.03), (0.85, 0.05)])
def test_judges_on_a_grid_of_tenths_are_no_copies_however_easy_the_items(seed, easy, noise):
    for items in (60, 200):
        assert copied_judge(panel_of_far(seed, items, lambda first, own: own, easy, noise)).status == "pass"


def test_a_constant_more_within_the_ends_of_the_scale_is_a_near_copy():
    found = copied_judge(panel_of_far(1, 200, lambda first, own: np.minimum(first + 0.05, 1.0), 0.6))
    assert (found.status, found.finding.code) == ("warn", "evaluation_alike_where_rare")
    assert "or a constant apart" in str(found.finding) and found.quotes and found.n < 200


def test_where_it_is_known_what_a_judge_adds_to_its_family_that_is_the_value():
    found = self_judging(of_two_families(3.0))
    assert found.value == found.details["shift"]
    assert "measured beside claude-3-opus" in str(found.finding)
    alone = self_judging(of_two_families(3.0, judges=("gpt-4o",)))
    assert alone.value == 1.0


def test_only_models_of_the_judges_own_family_are_counted_as_such():
    names = {"m0": "claude-2", "m1": "mistral-7b", "m2": "llama-2"}
    found = self_judging(judged([{**row, "model": names[row["model"]]} for row in ROWS]))
    assert "scores 1 of 3 models of its own family" in str(found.finding)
