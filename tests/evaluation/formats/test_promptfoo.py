import json

import pytest

from voirdire.evaluation.formats import FormatError, read_paths


def _result(test, provider, success, output="Paris", **more):
    return {
        "testIdx": test,
        "promptIdx": 0,
        "provider": {"id": provider, "label": ""},
        "prompt": {"raw": f"Capital number {test}?", "label": "Capital of {{country}}?"},
        "vars": {"country": f"land {test}"},
        "testCase": {"assert": [{"type": "contains", "value": "Paris"}], "metadata": {"topic": "cities"}},
        "response": {"output": output, "tokenUsage": {"completion": 3}, "finishReason": "stop"},
        "success": success,
        "score": 0.25,
        "namedScores": {"style": 0.5},
        "failureReason": 0 if success else 1,
        "gradingResult": {"pass": success, "reason": "Expected Paris"},
        **more,
    }


def _file(folder, *results, **more):
    head = {
        "raw": "Capital of {{country}}?",
        "label": "Capital of {{country}}?",
        "provider": "acme:small",
        "metrics": {"testPassCount": 1, "testFailCount": 1, "testErrorCount": 0},
    }
    whole = {
        "evalId": "eval-abc",
        "results": {"version": 3, "prompts": [head], "results": list(results)},
        "config": {"description": "Capitals", "providers": [{"id": "acme:small", "config": {"temperature": 0}}]},
        **more,
    }
    (folder / "results.json").write_text(json.dumps(whole))
    return read_paths([folder / "results.json"]).evaluations


def test_tests_become_items_and_providers_models(tmp_path):
    (found,) = _file(tmp_path, _result(0, "acme:small", True), _result(1, "acme:small", False, "Rome"))
    assert (found.name, found.metric, found.models, found.items) == (
        "Capitals",
        "pass_rate",
        ("acme:small",),
        ("0", "1"),
    )
    assert found.rows["score"].tolist() == [1.0, 0.0]
    row = found.rows.iloc[1]
    assert (row["prompt"], row["output"], row["reference"], row["cluster"]) == (
        "Capital number 1?",
        "Rome",
        "Paris",
        "cities",
    )
    assert (row["output_tokens"], row["stop_reason"], row["verdict"]) == (3.0, "stop", None)
    assert {name: values.tolist() for name, values in found.other_scores.items()} == {
        "score": [0.25, 0.25],
        "style": [0.5, 0.5],
    }
    assert [(each.model, each.value, each.n) for each in found.printed] == [("acme:small", 0.5, 2)]
    assert found.settings["acme:small"] == {"temperature": 0, "prompt_template": "Capital of {{country}}?"}


def test_a_rubric_has_a_judge_and_a_verdict(tmp_path):
    test = {"assert": [{"type": "llm-rubric", "value": "Names a city.", "provider": "acme:judge"}]}
    (found,) = _file(tmp_path, _result(0, "acme:small", True, testCase=test))
    assert (found.judges, found.rows["verdict"].iloc[0]) == (("acme:judge",), "Expected Paris")


def test_a_test_that_could_not_be_made_is_an_error(tmp_path):
    (found,) = _file(
        tmp_path, _result(0, "acme:small", False, failureReason=2, error="429 Too Many Requests", response={})
    )
    row = found.rows.iloc[0]
    assert (row["status"], row["error"], row["score"]) == ("error", "429 Too Many Requests", 0.0)


def test_each_prompt_is_an_evaluation(tmp_path):
    other = {"raw": "x", "label": "Another prompt"}
    found = _file(tmp_path, _result(0, "acme:small", True), _result(0, "acme:small", False, prompt=other))
    assert [each.name for each in found] == ["Capitals (Capital of {{country}}?)", "Capitals (Another prompt)"]


def test_a_file_without_results_ends_in_a_sentence(tmp_path):
    with pytest.raises(FormatError, match="it has no results"):
        _file(tmp_path)
