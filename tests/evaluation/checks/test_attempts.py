import pytest

from tests.evaluation.examples import choice_rows, evaluation_of
from voirdire.evaluation.checks.aggregates import headline_recomputed
from voirdire.evaluation.checks.attempts import best_of, repeated_identical
from voirdire.evaluation.records import Printed

TRIES = [{**row, "epoch": float(epoch)} for epoch in (1, 2, 3) for row in choice_rows(epoch, 0.6, items=60)]


def test_one_try_passes_and_has_no_repetitions():
    once = evaluation_of(choice_rows(1, 0.6))
    assert best_of(once).status == "pass"
    assert repeated_identical(once).status == "not_measured"


def test_repetitions_that_differ_pass():
    assert repeated_identical(evaluation_of(TRIES)).status == "pass"
    of_several = best_of(evaluation_of(TRIES))
    assert of_several.status == "pass"
    assert " were tried several times" in str(of_several.finding)
    assert "2 of 120 pairs" in str(best_of(evaluation_of([*choice_rows(1, 0.6), *choice_rows(1, 0.6)[:2]])).finding)


def test_copied_repetitions_fail():
    copies = [{**row, "epoch": float(epoch)} for epoch in (1, 2, 3) for row in choice_rows(1, 0.6, items=60)]
    found = repeated_identical(evaluation_of(copies))
    assert (found.status, found.value) == ("fail", 1.0)


def test_a_headline_of_the_best_try_follows_and_is_named():
    best = {}
    for row in TRIES:
        best[row["item"]] = max(best.get(row["item"], 0.0), row["score"])
    printed = (Printed("m0", sum(best.values()) / 60, None, 60, 12, "log"),)
    found = best_of(evaluation_of(TRIES, printed=printed))
    assert (found.status, found.finding.code) == ("fail", "evaluation_printed_best")
    assert headline_recomputed(evaluation_of(TRIES, printed=printed)).details["rules"] == {"m0": "best"}


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"metric": "pass@5"}, "fail"),
        ({"metric": "pass@1"}, "pass"),
        ({"settings": {"m0": {"reducer": "max"}}}, "fail"),
        ({"settings": {"m0": {"reducer": "mean"}}}, "pass"),
    ],
)
def test_metrics_and_reducers_that_take_the_best_fail(fields, status):
    assert best_of(evaluation_of(choice_rows(1, 0.6), **fields)).status == status


def test_items_tried_until_right_fail():
    """Only the model that was tried again is named, and the share is its own."""
    rows = [{**row, "epoch": 1.0} for row in choice_rows(1, 0.6, 0.6)]
    again = [{**row, "epoch": 2.0, "score": 1.0} for row in rows if row["model"] == "m0" and not row["score"]]
    found = best_of(evaluation_of(rows + again))
    assert (found.status, found.finding.code, found.models) == ("fail", "evaluation_until_right", ("m0",))
    assert found.value == len(again) / 120


def test_many_retries_are_told():
    rows = [{**row, "attempts": 1.0 + (int(row["item"][1:]) % 5 == 0)} for row in choice_rows(1, 0.6)]
    assert best_of(evaluation_of(rows)).status == "fail"


def test_one_row_an_item_that_is_not_always_of_the_same_repetition_was_picked():
    whole = [{"item": f"i{n}", "model": "a", "epoch": epoch, "score": 1.0} for n in range(30) for epoch in (1.0, 2.0)]
    picked = [{"item": f"i{n}", "model": "b", "epoch": 1.0 + n % 2, "score": 1.0} for n in range(30)]
    found = best_of(evaluation_of(whole + picked))
    assert (found.status, found.finding.code, found.models) == ("warn", "evaluation_one_kept", ("b",))
    first = [{**row, "epoch": 1.0} for row in picked]
    assert best_of(evaluation_of(first)).status == "pass"


def test_what_the_best_try_adds_is_said_of_the_models_that_took_it():
    once = [{**row, "model": f"other{n}"} for n in range(3) for row in choice_rows(1, 0.6, items=60)]
    best = sum(max(row["score"] for row in TRIES if row["item"] == f"i{n}") for n in range(60)) / 60
    found = best_of(evaluation_of([*TRIES, *once], printed=(Printed("m0", best, None, 60, 12, "log"),)))
    assert found.details["gain"] > 0.2


def test_another_judge_is_no_other_try():
    rows = [{"item": str(n), "model": "both", "judge": judge, "score": n % 3} for n in range(30) for judge in "ab"]
    rows += [{"item": str(n), "model": model, "judge": model, "score": n % 2} for n in range(30) for model in "ab"]
    assert best_of(evaluation_of(rows)).status == "pass"


def test_the_copies_of_the_model_with_most_are_the_figure_and_the_sentence():
    text = "The river follows the old road through the valley, number"
    rows = [
        {"item": f"i{n}", "model": model, "epoch": epoch, "score": 1.0, "output": f"{text} {n} {n % 2 * epoch * own}."}
        for n in range(30)
        for own, model in enumerate("ab")
        for epoch in (1.0, 2.0)
    ]
    found = repeated_identical(evaluation_of(rows))
    assert found.value == found.finding["share"] == 1.0 and found.details["shares"]["b"] == 0.5
