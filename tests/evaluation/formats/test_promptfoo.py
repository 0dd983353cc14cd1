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


def test_a_headline_that_names_a_provider_by_its_id_is_that_of_its_label(tmp_path):
    provider = {"id": "acme:small", "label": "small"}
    (found,) = _file(tmp_path, *(_result(n, "", n == 0) | {"provider": provider} for n in range(2)))
    assert [(each.model, each.value) for each in found.printed] == [("small", 0.5)]


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


def test_prompts_that_each_went_to_a_provider_of_their_own_are_one_evaluation(tmp_path):
    other = {"prompt": {"raw": "Be brief. Capital?", "label": "Be brief. {{country}}?"}}
    (found,) = _file(tmp_path, _result(0, "acme:small", True), _result(0, "acme:large", True, **other))
    assert (found.name, found.models) == ("Capitals", ("acme:large", "acme:small"))


def test_a_repeated_test_is_one_item_whatever_its_number(tmp_path):
    again = {"vars": {"country": "land 0"}}
    results = (_result(0, "acme:small", True), _result(1, "acme:small", False, **again))
    (found,) = _file(tmp_path, *results, config={"evaluateOptions": {"repeat": 2}})
    assert (found.items, found.rows["epoch"].tolist()) == (("0",), [1.0, 2.0])


def test_a_verdict_is_what_the_graders_wrote_not_that_all_passed(tmp_path):
    rubric = {"type": "llm-rubric", "value": "Is it right?"}
    graded = {
        "pass": True,
        "reason": "All assertions passed",
        "componentResults": [
            {"reason": "Could not extract JSON", "assertion": rubric},
            {"reason": "Contains it", "assertion": {"type": "contains"}},
        ],
    }
    (found,) = _file(tmp_path, _result(0, "acme:small", True, testCase={"assert": [rubric]}, gradingResult=graded))
    assert found.rows["verdict"].tolist() == ["Could not extract JSON"]
