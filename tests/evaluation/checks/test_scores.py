import numpy as np
import pytest

from tests.evaluation.examples import choice_rows, evaluation_of, judged_rows, random_scores, scores_of
from voirdire.evaluation.audit import Audit
from voirdire.evaluation.checks.judges import constant_judge
from voirdire.evaluation.checks.outputs import empty_output
from voirdire.evaluation.checks.scores import different_scales, missing_scored, saturation
from voirdire.evaluation.comparison import compare
from voirdire.evaluation.records import Evaluation
from voirdire.evaluation.report import conclusion
from voirdire.evaluation.report.verdict import believed
from voirdire.evaluation.unanswered import is_error

ROWS = judged_rows(8, 3.5, 3.0)


def lost(**cells):
    """A tenth of the outputs with these cells."""
    return evaluation_of(
        [{**row, **cells} if int(row["item"][1:]) % 10 == 0 else row for row in ROWS], bounds=(1.0, 5.0)
    )


def test_sound_scores_pass():
    assert missing_scored(lost()).status == "pass"
    assert missing_scored(evaluation_of(choice_rows(1, 0.5))).status == "pass"


@pytest.mark.parametrize(
    "cells",
    [
        {"verdict": "", "score": 3.0},
        {"verdict": "Error: rate limit exceeded", "score": 1.0},
        {"verdict": "It leaves me undecided.", "score": 3.0},
        {"status": "error", "error": "Timeout", "score": 1.0},
    ],
)
def test_scores_that_rest_on_nothing_are_counted(cells):
    found = missing_scored(lost(**cells))
    assert (found.status, found.value) == ("fail", pytest.approx(0.1))


def test_scores_of_empty_outputs_alone_are_one_defect_which_empty_output_fails_for():
    evaluation = lost(output=None, score=1.0)
    found = missing_scored(evaluation)
    assert (found.status, found.value) == ("warn", pytest.approx(0.1))
    assert str(found.finding).endswith("; they are the outputs that empty_output counts")
    assert empty_output(evaluation).status == "fail"


def test_where_other_scores_rest_on_nothing_too_both_fail():
    rows = [dict(row) for row in lost(output=None, score=1.0).rows.to_dict("records")]
    rows = [{**row, "verdict": "", "score": 3.0} if row["item"] in ("i1", "i2", "i3") else row for row in rows]
    evaluation = evaluation_of([{k: v for k, v in row.items() if v is not None and v == v} for row in rows])
    assert (missing_scored(evaluation).status, empty_output(evaluation).status) == ("fail", "fail")


@pytest.mark.parametrize("steps", [(0.0, 0.5, 1.0), (1.0, 1.5, 2.0), (-1.0, 0.0, 1.0)])
def test_a_tie_and_a_loss_of_a_comparison_are_no_defaults(steps):
    given = np.random.default_rng(0).choice(steps, 240, p=[0.5, 0.1, 0.4])
    rows = [{"item": str(n), "judge": "a", "score": score, "output": f"x{n}"} for n, score in enumerate(given.tolist())]
    assert missing_scored(evaluation_of(rows, bounds=(steps[0], steps[-1]))).status == "pass"


@pytest.mark.parametrize(
    ("verdict", "status"),
    [
        ("Equally good", "pass"),
        ("Equally good: both name the river.", "pass"),
        ("Tie", "pass"),
        ("My final verdict is tie: [[A=B]]", "pass"),
        ("The answer names one of two rivers.\nGRADE: P", "pass"),
        ("Partially correct.", "pass"),
        ("It leaves me undecided.", "fail"),
        ("Equally good answers are rare, and I can't read this one.", "fail"),
    ],
)
def test_a_middle_value_whose_verdict_says_so_is_no_default(verdict, status):
    rng = np.random.default_rng(0)
    rows = [
        {"item": str(n), "judge": "people", "output": f"x{n}"}
        | ({"score": 0.5, "verdict": verdict} if n % 12 == 0 else _preferred(rng.random() < 0.6))
        for n in range(240)
    ]
    assert missing_scored(evaluation_of(rows)).status == status


def _preferred(first):
    return {"score": float(first), "verdict": f"The {'first' if first else 'second'} of the pair is better"}


def test_fine_scores_that_meet_on_one_value_are_a_default():
    fine = np.random.default_rng(1).random(300)
    fine[::10] = 0.5
    rows = [{"item": str(n), "judge": "a", "score": float(each)} for n, each in enumerate(fine)]
    assert missing_scored(evaluation_of(rows)).status == "fail"


def test_without_scores_nothing_is_measured():
    assert missing_scored(evaluation_of([{"item": "a", "status": "error"}])).status == "not_measured"


def test_items_that_all_models_solve_tell_nothing():
    assert saturation(scores_of(random_scores(1, 0.99, 0.99, 0.985))).status == "fail"
    assert saturation(scores_of(random_scores(1, 0.9, 0.7, 0.5))).status == "pass"


def test_one_model_at_the_end_of_the_scale_is_saturated():
    assert saturation(scores_of({"m": [1.0] * 100})).status == "fail"
    assert saturation(scores_of({"m": [1.0] * 80 + [0.0] * 20})).status == "pass"


@pytest.mark.parametrize("output", ["541 is a prime number.", "505 seats.", "404 people", "500 metres", "429 euros"])
def test_an_answer_that_begins_with_a_number_is_no_failed_call(output):
    assert not is_error(output)


@pytest.mark.parametrize("output", ["503 Service Unavailable", "429: Too Many Requests", "500 - Internal Server Error"])
def test_the_words_of_a_server_are(output):
    assert is_error(output)


def test_a_short_answer_is_no_failed_call():
    for text in ("Napoleon", "512", "Failure to thrive", "Nonetheless, yes"):
        rows = [{"item": str(n), "score": 0.0, "output": text if n < 9 else f"answer {n}"} for n in range(40)]
        assert missing_scored(evaluation_of(rows)).value == 0.0
    rows = [{"item": str(n), "score": 0.0, "output": "None" if n < 9 else f"answer {n}"} for n in range(40)]
    assert missing_scored(evaluation_of(rows)).value == pytest.approx(9 / 40)


def test_a_tool_that_could_not_read_its_judge_scored_nothing():
    found = missing_scored(lost(verdict="Evaluation LLM outputted an invalid JSON. Try another.", score=1.0))
    assert (found.status, found.value) == ("fail", pytest.approx(0.1))


def test_the_one_value_off_the_scale_of_a_judge_is_a_default_where_it_is_one_models():
    scores = {
        "a": [3.5 if n % 10 == 0 else 1.0 + n % 5 for n in range(100)],
        "b": [5.0 - n % 5 for n in range(100)],
    }
    found = missing_scored(scores_of(scores, judge=["j"] * 100))
    assert (found.value, found.details["default"], found.models) == (pytest.approx(0.1), 3.5, ("a",))
    habit = {**scores, "b": scores["a"]}  # the judge gives it to every model
    assert missing_scored(scores_of(habit, judge=["j"] * 100)).status == "pass"


@pytest.mark.parametrize(("by", "status"), [(1.0, "pass"), (2.0, "pass"), (10.0, "fail"), (20.0, "fail")])
def test_scores_of_two_models_lie_on_different_scales_where_one_is_as_many_times_as_wide(by, status):
    rows = [{**row, "score": row["score"] * (by if row["model"] == "m1" else 1)} for row in judged_rows(1, 3.5, 3.0)]
    found = different_scales(evaluation_of(rows, bounds=None))
    assert found.status == status
    if status == "fail":
        assert (found.models, found.value) == (("m1", "m0"), by)
        assert str(found.finding).startswith(f"m1 is scored up to {5 * by:g} and m0 up to 5, with a spread")


def test_a_share_beside_percent_is_another_scale_and_a_weak_model_is_not():
    right = random_scores(0, 0.7, 0.5)
    percent = {"m0": right["m0"], "m1": [100 * score for score in right["m1"]]}
    assert different_scales(scores_of(percent)).models == ("m1", "m0")
    assert different_scales(scores_of(random_scores(0, 0.95, 0.02))).status == "pass"
    rng = np.random.default_rng(0)
    weak = {"m0": rng.integers(60, 100, 60).tolist(), "m1": rng.integers(0, 30, 60).tolist()}
    assert different_scales(scores_of(weak)).status == "pass"


@pytest.mark.parametrize(
    ("scale", "fields"),
    [(150.0, {}), (45.0, {"higher_is_better": False}), (1.0, {"higher_is_better": False})],
)
def test_a_worse_model_is_on_no_other_scale_where_a_scale_has_no_end(scale, fields):
    rng = np.random.default_rng(0)
    scores = {"m0": scale * rng.gamma(4, 0.25, 60), "m1": scale / 8 * rng.gamma(4, 0.25, 60)}
    rows = scores_of({model: own.tolist() for model, own in scores.items()}).rows
    assert different_scales(Evaluation("made", "made", "score", rows, bounds=None, **fields)).status == "pass"


def _on_two_scales():
    """A judge who gives 1 to 5, and one who gives 0 to 100, neither of whom has a default."""
    rows = judged_rows(3, 3.6, 3.2, judges=("mistral-large", "gemini-pro"))
    rng = np.random.default_rng(0)
    wide = [{**row, "score": float(min(100, 20 * row["score"] - rng.integers(0, 18)))} for row in rows]
    return evaluation_of(
        [high if row["judge"] == "gemini-pro" else row for row, high in zip(rows, wide, strict=True)], bounds=None
    )


def test_of_judges_on_different_scales_no_order_is_believed():
    evaluation = _on_two_scales()
    check = different_scales(evaluation)
    assert (check.status, check.models, check.details["judges"]) == ("fail", (), ["gemini-pro", "mistral-large"])
    assert str(check.finding).startswith("gemini-pro gives scores up to 100 and mistral-large up to 5")
    found = Audit((evaluation,), (check,), (compare(evaluation),), ())
    assert conclusion(found).startswith(
        "Believe no order: the judges gemini-pro and mistral-large score on different scales; 1 of 1 check"
    )


@pytest.mark.parametrize("check", [missing_scored, constant_judge])
def test_judges_on_different_scales_are_looked_at_each_on_its_own(check):
    assert check(_on_two_scales()).status == "pass"


def test_of_models_on_different_scales_no_order_is_believed():
    rows = [{**row, "score": row["score"] * (10 if row["model"] == "m1" else 1)} for row in judged_rows(1, 3.5, 3.0)]
    evaluation = evaluation_of(rows, bounds=None)
    found = Audit((evaluation,), (different_scales(evaluation),), (compare(evaluation),), ())
    assert conclusion(found).startswith("Believe no order: m1 and m0 are scored on different scales; 1 of 1 check")


def summaries(lost, *, share=0.2):
    """Fine scores of three models, some of one of them replaced by the value of a failure."""
    rng = np.random.default_rng(4)
    scores = {
        f"m{place}": np.clip(rng.normal(mean, 0.13, 120), 0.05, 1.0) for place, mean in enumerate((0.7, 0.6, 0.45))
    }
    scores["m1"][rng.random(120) < share] = lost
    return scores_of({model: own.round(4).tolist() for model, own in scores.items()})


@pytest.mark.parametrize("lost", [-1.0, 0.0, 2.0])
def test_a_value_apart_from_all_other_scores_of_one_model_rests_on_nothing(lost):
    found = missing_scored(summaries(lost))
    assert (found.status, found.models, found.details["default"]) == ("fail", ("m1",), lost)


@pytest.mark.parametrize(("seldom", "status"), [(0.08, "fail"), (0.3, "pass")])
def test_a_few_scores_of_minus_one_among_right_and_wrong_rest_on_nothing_in_whatever_models(seldom, status):
    draw = np.random.default_rng(7)
    rates = {f"m{n}": [seldom, 0.45, 0.55 - seldom] for n in range(3)}
    scores = {model: draw.choice([-1.0, 0.0, 1.0], 150, p=share).tolist() for model, share in rates.items()}
    found = missing_scored(scores_of(scores))
    assert (found.status, found.details["default"]) == (status, -1.0 if status == "fail" else None)


def test_low_scores_that_are_earned_are_no_defaults():
    assert missing_scored(summaries(0.6, share=0.0)).status == "pass"
    rng = np.random.default_rng(6)
    shared = {f"m{n}": np.where(rng.random(120) < 0.2, 0.0, rng.random(120)).tolist() for n in range(3)}
    assert missing_scored(scores_of(shared)).status == "pass"


@pytest.mark.parametrize(("lost", "status"), [(0.0, "fail"), (1.0, "pass"), (99.0, "fail")])
def test_a_value_off_a_scale_of_a_few_steps(lost, status):
    rng = np.random.default_rng(2)
    steps = {f"m{place}": np.clip(rng.normal(mean, 1.3, 100).round(), 3, 10) for place, mean in enumerate((8, 6, 5))}
    steps["m2"][:2] = min(lost + 1, 10)
    steps["m1"][rng.random(100) < 0.12] = lost
    rows = (
        {"item": f"i{n}", "judge": "a", "model": model, "score": score}
        for model, own in steps.items()
        for n, score in enumerate(own.tolist())
    )
    assert missing_scored(evaluation_of(rows)).status == status


def test_one_scale_is_said_of_the_models_and_judges_that_were_compared():
    constant = {**random_scores(0, 0.6, 0.5), "m2": [1.0] * 200}
    found = str(different_scales(scores_of(constant)).finding)
    assert found.startswith("the scores of 2 of 3 models lie on one scale") and "m2" in found
    judges = different_scales(evaluation_of(judged_rows(1, 3.5), bounds=(1.0, 5.0)))
    assert str(judges.finding) == "the scores of 2 judges lie on one scale"


@pytest.mark.parametrize(
    ("steps", "slip", "status"),
    [((0, 1), 11, "fail"), ((1, 2, 3, 4, 5), 55, "fail"), ((0, 1), 2, "pass"), ((0, 1, 2), 9, "pass")],
)
def test_a_score_far_above_a_usual_scale_is_a_slip_of_the_pen(steps, slip, status):
    given = np.random.default_rng(0).choice(steps, (2, 150)).astype(float)
    given[1, 7] = slip
    evaluation = scores_of({"m0": given[0].tolist(), "m1": given[1].tolist()})
    found = different_scales(evaluation)
    assert found.status == status
    if status == "fail":
        assert believed(compare(evaluation), [found]) == "Believe no order: 1 score of m1 lies far off the scale"
        assert (found.models, [each.text for each in found.quotes]) == (("m1",), [f"score {slip}"])


@pytest.mark.parametrize(("score", "status"), [(1.0, "warn"), (0.0, "pass")])
def test_an_empty_output_that_a_judge_rewards_rests_on_nothing(score, status):
    rows = [
        {"item": str(n), "judge": "a", "output": "" if n < 20 else f"Text {n}", "score": score if n < 20 else n % 2}
        for n in range(100)
    ]
    assert missing_scored(evaluation_of(rows)).status == status


def _rounded(*steps):
    """Scores of three judges on three models, each of whom rounds to steps of its own."""
    rng = np.random.default_rng(0)
    good = np.clip(rng.normal(0.6, 0.15, (3, 60)), 0, 1)
    return [
        {"model": f"m{model}", "item": f"i{item}", "judge": f"judge {number}", "score": step * round(seen / step)}
        for model in range(3)
        for item in range(60)
        for number, step in enumerate(steps)
        for seen in [float(np.clip(good[model, item] + rng.normal(0, 0.07), 0, 1))]
    ]


@pytest.mark.parametrize("steps", [(0.01, 0.01, 0.1), (0.01, 0.01, 0.25)])
def test_a_judge_who_rounds_more_than_others_gives_no_defaults(steps):
    assert missing_scored(evaluation_of(_rounded(*steps))).status == "pass"


def test_of_several_values_that_stand_out_one_is_told_with_its_own_rows():
    scores = np.round(np.random.default_rng(1).uniform(0, 1, 300), 4)
    scores[:40], scores[40:70] = 0.5, 0.7
    rows = [{"model": "m", "item": f"i{n}", "judge": "j", "score": score} for n, score in enumerate(scores)]
    found = missing_scored(evaluation_of(rows))
    assert (found.details["at_a_default"], found.details["default"]) == (40, 0.5)


def test_a_default_of_one_judge_on_a_tenth_of_one_model_s_items_is_found():
    rows = _rounded(0.01, 0.01, 0.01)
    of_one = [row for row in rows if (row["model"], row["judge"]) == ("m1", "judge 1")]
    for row in of_one[::10]:
        row["score"] = 0.5
    found = missing_scored(evaluation_of(rows))
    assert (found.status, found.details["default"]) == ("warn", 0.5)
