import numpy as np
import pytest

from tests.evaluation.examples import evaluation_of
from voirdire.evaluation.audit import Audit
from voirdire.evaluation.checks.length import length_association
from voirdire.evaluation.comparison import compare
from voirdire.evaluation.report import conclusion


def test_a_judge_that_prefers_length_fails():
    found = length_association(_judged(slope=2.0))
    assert found.status == "fail"
    assert found.value > 1.5


def test_what_length_does_is_said_of_an_output_of_twice_the_usual_length():
    """2 log-odds, 0.88 of an even pair."""
    found = length_association(_judged(slope=2.0))
    assert found.finding.code == "evaluation_longer_wins"
    assert abs(found.finding["chance"] - 0.88) < 0.04
    assert abs(length_association(_judged(slope=0.0)).finding["chance"] - 0.5) < 0.05
    assert length_association(_judged(slope=-2.0)).finding.code == "evaluation_shorter_wins"


def test_where_no_output_is_twice_as_long_nothing_is_said_of_such_a_one():
    found = length_association(_rated({"a": 60, "b": 60}, spread=0.05, by_length=9.0))
    assert "gets half of the points, one 1.07 times as long gets" in str(found.finding)


def test_outputs_of_about_one_length_tell_nothing_of_length():
    found = length_association(_rated({"a": 60, "b": 60}, spread=0.01, by_length=30.0))
    assert (found.status, found.finding.code) == ("not_measured", "evaluation_lengths_alike")


def test_scores_on_a_scale_whose_ends_are_not_known_follow_length_too():
    rng = np.random.default_rng(0)
    rows = []
    for item in range(150):
        for model in ("a", "b"):
            length = int(rng.integers(70, 250))
            score = float(np.clip(np.rint(length / 30 + rng.normal(0, 1)), 0, 10))
            rows.append({"item": f"i{item}", "model": model, "judge": "j", "score": score, "output": "x" * length})
    found = length_association(evaluation_of(rows, bounds=None))
    assert (found.status, found.finding.code) == ("fail", "evaluation_longer_scores")


def test_a_difference_that_length_makes_is_not_believed_without_a_word():
    """The lengths of one model are drawn a little longer, and little else makes it better."""
    rng = np.random.default_rng(0)
    rows = []
    for item in range(150):
        for model, more in (("long", 30), ("short", 0)):
            length = int(rng.integers(70, 250)) + more
            score = float(np.clip(np.rint(length / 30 + more / 75 + rng.normal(0, 1)), 0, 10))
            rows.append({"item": f"i{item}", "model": model, "judge": "j", "score": score, "output": "x" * length})
    evaluation = evaluation_of(rows, bounds=None)
    found = length_association(evaluation)
    concluded = conclusion(Audit((evaluation,), (found,), (compare(evaluation),), ()))
    assert "only as scored: longer outputs win, and " in concluded and "differ by" not in concluded


def test_scores_that_are_all_the_same_are_the_reason_that_is_given():
    rows = [{"item": f"i{n}", "model": "ab"[n % 2], "score": 5.0, "output": "x" * n} for n in range(40)]
    assert length_association(evaluation_of(rows, bounds=None)).finding.code == "evaluation_scores_alike"


@pytest.mark.parametrize("wrong", [2, 9])
def test_a_few_wrong_outputs_tell_nothing_of_length(wrong):
    """The shortest of 360 are wrong, by chance or not: so few tell nothing, and no score is adjusted."""
    rng = np.random.default_rng(0)
    rows = [
        {"item": f"i{n}", "model": model, "score": 1.0, "output": "x" * int(rng.integers(50, 150))}
        for n in range(120)
        for model in "abc"
    ]
    shortest = sorted(rows, key=lambda row: len(row["output"]))
    for row in shortest[:wrong]:
        row["score"] = 0.0
    evaluation = evaluation_of(rows)
    assert length_association(evaluation).finding.code == "evaluation_few_other_scores"
    assert all(each.length_adjusted is None for each in compare(evaluation).placed)
    for row in shortest[:40]:
        row["score"] = 0.0
    assert length_association(evaluation_of(rows)).status == "warn"


def test_a_judge_that_ignores_length_passes():
    assert length_association(_judged(slope=0.0)).status == "pass"


def test_without_a_judge_length_warns_at_most():
    assert length_association(_judged(slope=2.0, judge=None)).status == "warn"


def test_one_model_without_a_baseline_is_not_measured():
    alone = evaluation_of([{"item": f"i{n}", "score": 1.0, "output": "word " * n} for n in range(9)])
    assert length_association(alone).status == "not_measured"


def test_models_of_one_quality_are_equal_at_equal_length():
    found = length_association(_judged(slope=2.0)).details["adjusted"]
    assert abs(found["long"] - found["short"]) < 0.1


def test_an_order_that_length_alone_makes_fails_and_is_not_believed_without_a_word():
    """Each model writes at a length of its own, so the slope is less than three errors from 0; no item tells more."""
    evaluation = _by_length_alone()
    found = length_association(evaluation)
    assert found.status == "fail" and found.finding.code == "evaluation_longer_wins"
    assert 1.96 < found.details["slope"] / found.details["se"] < 3
    concluded = conclusion(Audit((evaluation,), (found,), (compare(evaluation),), ()))
    assert concluded.startswith(
        "Believe the order of all 3 models only as scored: longer outputs win, and the lengths of long, middle, short "
        "hardly overlap, so nothing tells the order at equal length"
    )


def test_models_whose_lengths_hardly_overlap_have_no_score_at_equal_length():
    found = compare(_rated({"a": 90, "b": 80, "c": 20}))
    assert {each.model: each.length_adjusted is None for each in found.placed} == {"a": False, "b": False, "c": True}
    assert [each.length_adjusted_place for each in found.placed] == [None] * 3
    assert str(found.not_at_equal_length) == "the lengths of c hardly overlap with those of other models"


def test_models_whose_lengths_overlap_with_those_of_one_between_them_have_one():
    found = compare(_rated({"a": 90, "b": 62, "c": 44}))
    assert all(each.length_adjusted is not None for each in found.placed)


def test_lengths_that_hardly_overlap_and_may_do_much_are_not_measured():
    evaluation = _rated({"a": 90, "b": 40}, spread=0.03, by_length=0.0)
    found = length_association(evaluation)
    assert (found.status, str(found.finding)) == ("not_measured", "the lengths of a, b hardly overlap")
    concluded = conclusion(Audit((evaluation,), (found,), (compare(evaluation),), ()))
    assert (
        " only as scored: the lengths of a, b hardly overlap, so nothing tells the order at equal length" in concluded
    )


def _rated(words, spread=0.25, by_length=1.0):
    """Ratings from 1 to 5 of models with these mean lengths, which follow the log of the length."""
    rng = np.random.default_rng(0)
    rows = []
    for item in range(300):
        for place, (model, mean) in enumerate(words.items()):
            length = max(4.0, rng.normal(mean, spread * mean))
            score = 3.5 - 0.4 * place + by_length * np.log(length / 60) + rng.normal(0, 0.5)
            cells = {"item": f"i{item}", "model": model, "judge": "j", "output": "x" * round(6 * length)}
            rows.append({**cells, "score": float(np.clip(np.rint(score), 1, 5))})
    return evaluation_of(rows, bounds=(1.0, 5.0))


def test_what_is_not_measured_has_no_score_at_equal_length():
    """Each model's outputs have one length: what length does can't be told from what the model does."""
    rows = [
        {"item": f"i{item}", "model": model, "judge": "j", "score": float(item % 3 < wins), "output": "x" * length}
        for model, wins, length in (("a", 1, 100), ("b", 2, 300))
        for item in range(60)
    ]
    evaluation = evaluation_of(rows)
    assert length_association(evaluation).status == "not_measured"
    assert [each.length_adjusted for each in compare(evaluation).placed] == [None, None]


def _by_length_alone():
    rng = np.random.default_rng(0)
    rows = []
    for item in range(150):
        for model, low, high in (("long", 900, 1600), ("middle", 300, 700), ("short", 100, 300)):
            length = int(rng.integers(low, high))
            score = float(rng.random() < 0.5 + 0.3 * np.tanh((length - 550) / 200))
            cells = {"item": f"i{item}", "model": model, "judge": "j", "score": score, "output": "x" * length}
            rows.append({**cells, "baseline": "b", "baseline_output": "x" * 550})
    return evaluation_of(rows)


def _judged(slope, judge="j"):
    return evaluation_of(_judged_rows(slope, judge))


def _judged_rows(slope, judge="j"):
    """Two models of one quality, one of which writes more; an output twice as long wins by `slope` log-odds."""
    rng = np.random.default_rng(0)
    rows = []
    for item in range(400):
        lengths = {"long": int(rng.integers(300, 900)), "short": int(rng.integers(100, 700))}
        for model, length in lengths.items():
            odds = slope / 0.6 * np.tanh(np.log(length / 500))
            score = float(rng.random() < 1 / (1 + np.exp(-odds)))
            cells = {"item": f"i{item}", "model": model, "judge": judge, "score": score, "output": "x" * length}
            rows.append({**cells, "baseline": "b", "baseline_output": "x" * 500})
    return rows


def test_an_error_message_is_no_short_output():
    """A third of one model's outputs are an error that counts as 0; length does nothing to the others."""
    evaluation = _unswayed(failed=0.3)
    found = length_association(evaluation)
    assert found.status == "pass"
    assert found.n == sum(not str(text).startswith("Error") for text in evaluation.rows["output"])


def test_where_length_sways_nothing_no_score_at_equal_length_is_given():
    assert [each.length_adjusted for each in compare(_unswayed()).placed] == [None, None]


def test_a_score_at_equal_length_is_of_the_same_rows_as_the_score_and_has_an_interval():
    """Half of one model's calls failed and count as 0: at equal length they still do."""
    rows = [
        {**row, "output": "API error: 429", "status": "error", "score": 0.0}
        if row["model"] == "short" and int(row["item"][1:]) % 2
        else row
        for row in _judged_rows(slope=2.0)
    ]
    short = next(each for each in compare(evaluation_of(rows)).placed if each.model == "short")
    assert short.length_adjusted < 0.5
    low, high = short.length_adjusted_interval
    assert low < short.length_adjusted < high and high - low > 3.9 * short.headline.se


def _unswayed(failed=0.0):
    rng = np.random.default_rng(3)
    rows = []
    for item in range(200):
        for model, chance in (("good", 0.8), ("poor", 0.4)):
            cells = {"item": f"i{item}", "model": model, "output": "word " * int(rng.integers(20, 60))}
            cells["score"] = float(rng.random() < chance)
            if model == "good" and rng.random() < failed:
                cells |= {"output": "Error: 429 Too Many Requests", "score": 0.0}
            rows.append(cells)
    return evaluation_of(rows)


def test_a_place_at_equal_length_is_one_that_surely_differs_from_the_others():
    found = compare(_rated({"a": 66, "b": 60, "c": 40}))
    assert [each.length_adjusted_place for each in found.placed] == [1, 2, 3]
    rng = np.random.default_rng(5)
    rows = []
    for item in range(150):
        for model, mean in (("long", 170), ("short", 130)):
            length = int(np.clip(rng.normal(mean, 40), 40, 300))
            score = float(np.clip(np.rint(length / 30 + rng.normal(0, 1)), 0, 10))
            rows.append({"item": f"i{item}", "model": model, "judge": "j", "score": score, "output": "x " * length})
    even = compare(evaluation_of(rows, bounds=(0.0, 10.0)))
    assert even.believed == 2 and [each.length_adjusted_place for each in even.placed] == [None, None]


def test_letters_and_numbers_have_no_length():
    rng = np.random.default_rng(0)
    rows = [
        {"item": str(n), "model": model, "score": float(rng.random() < 0.5), "output": str(rng.integers(5, 2000))}
        for n in range(60)
        for model in "ab"
    ]
    assert length_association(evaluation_of(rows)).finding.code == "evaluation_bare_outputs"


def _by_judges(slopes, items=120):
    """Scores from 1 to 7 of two models; each judge likes length by its own slope, in points for twice the length."""
    rng = np.random.default_rng(0)
    rows = []
    for item in range(items):
        for model in ("a", "b"):
            length = int(rng.integers(70, 250))
            for judge, slope in slopes.items():
                score = float(np.clip(np.rint(4 + slope * np.log2(length / 150) + rng.normal(0, 1)), 1, 7))
                output = f"{item}{model}" + "x" * length
                rows.append({"item": f"i{item}", "model": model, "judge": judge, "score": score, "output": output})
    return evaluation_of(rows, bounds=None)


def test_a_judge_that_alone_rewards_length_is_named_though_the_mean_over_judges_hides_it():
    found = length_association(_by_judges({"ruth": 1.2, "saul": -0.5, "tamar": -0.5}))
    assert (found.status, list(found.details["odds_by_judge_alone"])) == ("warn", ["ruth"])
    assert str(found.finding).startswith("length decides little: ")
    assert "; the judges surely differ: by itself ruth gives it " in str(found.finding)


def test_judges_who_like_length_alike_or_not_at_all_are_not_named():
    for slope, status in ((0.0, "pass"), (1.0, "fail")):
        found = length_association(_by_judges(dict.fromkeys(("ruth", "saul", "tamar"), slope)))
        assert (found.status, found.details["odds_by_judge_alone"]) == (status, {})
