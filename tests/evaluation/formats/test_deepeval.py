import json

import pytest

from voirdire.evaluation.checks.answers import baseline, unparsed
from voirdire.evaluation.checks.judges import constant_judge, copied_judge
from voirdire.evaluation.formats import FormatError, read_paths


def _case(name, score, success, /, **more):
    data = {
        "name": "Faithfulness",
        "threshold": 0.5,
        "success": success,
        "score": score,
        "reason": "Because.",
        "evaluationModel": "gpt-4.1",
        **more,
    }
    return {
        "name": name,
        "input": f"Question of {name}?",
        "actualOutput": "An answer.",
        "expectedOutput": "The answer.",
        "success": success,
        "metricsData": [data],
    }


def _file(folder, *cases, wrapped=False):
    run = {
        "testFile": "test_rag.py",
        "testCases": list(cases),
        "metricsScores": [{"metric": "Faithfulness", "scores": [], "passes": 1, "fails": 1, "errors": 0}],
        "hyperparameters": {"model": "acme/small", "chunk size": 512},
    }
    (folder / "run.json").write_text(json.dumps({"testRunData": run} if wrapped else run))
    return read_paths([folder / "run.json"]).evaluations


@pytest.mark.parametrize("wrapped", [False, True])
def test_a_metric_is_an_evaluation_with_its_judge(tmp_path, wrapped):
    (found,) = _file(tmp_path, _case("a", 0.9, True), _case("b", 0.1, False), wrapped=wrapped)
    assert (found.name, found.models, found.judges) == ("test_rag.py, Faithfulness", ("acme/small",), ("gpt-4.1",))
    assert found.rows["score"].tolist() == [1.0, 0.0]
    assert found.other_scores["score"].tolist() == [0.9, 0.1]
    row = found.rows.iloc[0]
    assert (row["item"], row["prompt"], row["output"], row["reference"], row["verdict"]) == (
        "a",
        "Question of a?",
        "An answer.",
        "The answer.",
        "Because.",
    )
    assert [(each.value, each.n) for each in found.printed] == [(0.5, 2)]
    assert found.settings == {"acme/small": {"chunk size": 512}}


def test_a_metric_that_failed_to_run_is_an_error_without_a_score(tmp_path):
    (found,) = _file(tmp_path, _case("a", None, False, error="Timeout"))
    row = found.rows.iloc[0]
    assert (row["status"], row["error"], row["score"] == row["score"]) == ("error", "Timeout", False)


def test_a_run_without_metrics_ends_in_a_sentence(tmp_path):
    with pytest.raises(FormatError, match="no case has the data of a metric"):
        _file(tmp_path, {"name": "a", "input": "x"})


def test_runs_of_models_over_one_data_set_are_one_evaluation(tmp_path):
    for model in ("small", "large"):
        run = {
            "identifier": f"run of {model}",
            "datasetAlias": "capitals",
            "testCases": [_case("a", 0.9, True)],
            "hyperparameters": {"model": model},
        }
        (tmp_path / f"{model}.json").write_text(json.dumps(run))
    (found,) = read_paths([tmp_path]).evaluations
    assert (found.name, found.models) == ("capitals, Faithfulness", ("large", "small"))


def test_cases_that_passed_are_a_headline_of_the_only_metric(tmp_path):
    run = {"testCases": [_case("a", 0.9, True), _case("b", 0.1, False)], "testPassed": 2, "testFailed": 0}
    (tmp_path / "run.json").write_text(json.dumps(run))
    (found,) = read_paths([tmp_path / "run.json"]).evaluations
    assert [(each.value, each.source) for each in found.printed] == [(1.0, "run.json, testPassed")]


def test_the_note_says_that_the_headline_is_a_pass_rate(tmp_path):
    (found,) = _file(tmp_path, _case("a", 0.9, True))
    assert "The headline is a pass rate" in found.notes[0].sentence


@pytest.mark.parametrize(
    ("metric", "judge", "expected"),
    [
        ("Answer Relevancy", "gpt-4.1", "not_measured"),
        ("Hallucination", "gpt-4.1", "not_measured"),
        ("Correctness [GEval]", "gpt-4.1", "fail"),
        ("Exact Match", None, "fail"),
    ],
)
def test_only_metrics_that_compare_with_the_reference_are_held_against_it(tmp_path, metric, judge, expected):
    """An output that ends in the expected answer may be irrelevant; it may not be incorrect."""
    cases = [_case(f"c{n}", 0.2, False, name=metric, evaluationModel=judge) for n in range(30)]
    (found,) = _file(tmp_path, *({**case, "actualOutput": "Answer: 42", "expectedOutput": "42"} for case in cases))
    assert unparsed(found).status == expected
    assert (baseline(found).status == "not_measured") == (expected == "not_measured")


def test_a_judge_is_looked_at_by_the_scores_it_gave_and_not_by_who_passed(tmp_path):
    cases = [_case(f"c{n}", 0.6 + n / 100, True) for n in range(30)]
    (found,) = _file(tmp_path, *cases)
    assert constant_judge(found).status == "pass" and constant_judge(found).value < 0.1
    assert copied_judge(found).status == "not_measured"
    (found,) = _file(tmp_path, *(_case(f"c{n}", 0.7, n % 2 == 0) for n in range(30)))
    assert constant_judge(found).status == "fail"
