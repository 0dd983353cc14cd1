import json

import pytest

from voirdire.evaluation.formats import read_paths
from voirdire.evaluation.formats.columns import named_columns, parse_map

WHOLE = {
    "schema_version": "0.3.0",
    "evaluation_id": "source/acme_small/1",
    "retrieved_timestamp": "1",
    "source_metadata": {"source_type": "evaluation_run"},
    "eval_library": {"name": "inspect_ai", "version": "0.3"},
    "model_info": {"name": "small", "id": "acme/small"},
    "evaluation_results": [
        {
            "evaluation_result_id": "source.sums",
            "evaluation_name": "sums",
            "source_data": {"dataset_name": "sums"},
            "metric_config": {
                "metric_id": "accuracy",
                "lower_is_better": False,
                "score_type": "binary",
                "llm_scoring": {"judges": [{"model_info": {"id": "acme/judge"}}], "input_prompt": "Right?"},
            },
            "score_details": {
                "score": 0.5,
                "uncertainty": {"standard_error": {"value": 0.5}, "num_samples": 2},
            },
            "generation_config": {"generation_args": {"temperature": 0.5}},
        }
    ],
    "detailed_evaluation_results": {"format": "jsonl", "file_path": "data/a/b/x_samples.jsonl", "total_rows": 2},
}


def _line(sample, score, **more):
    return {
        "evaluation_result_id": "source.sums",
        "sample_id": sample,
        "input": {"raw": "1 + 1 =", "formatted": "Q: 1 + 1 =", "reference": ["2"], "choices": ["1", "2"]},
        "output": {"raw": ["It is 2."]},
        "answer_attribution": [{"extracted_value": "2", "is_terminal": True}],
        "evaluation": {"score": score, "is_correct": score == 1},
        "token_usage": {"output_tokens": 5},
        "metadata": {"subject": "arithmetic"},
        **more,
    }


def _write(folder, *lines):
    (folder / "x.json").write_text(json.dumps(WHOLE))
    if lines:
        (folder / "x_samples.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (found,) = read_paths([folder]).evaluations
    return found


def test_an_aggregate_and_its_instances_are_one_evaluation(tmp_path):
    found = _write(tmp_path, _line("a", 1.0), _line("b", 0.0, error="timeout"))
    assert (found.name, found.metric, found.models, found.judges) == (
        "sums",
        "accuracy",
        ("acme/small",),
        ("acme/judge",),
    )
    assert (found.rows["score"].tolist(), found.rows["status"].tolist()) == ([1.0, 0.0], ["scored", "error"])
    row = found.rows.iloc[0]
    assert (row["prompt"], row["output"], row["reference"], row["answer"]) == ("Q: 1 + 1 =", "It is 2.", "2", "2")
    assert (row["choice"], row["target"], row["cluster"], row["output_tokens"]) == (1.0, 1.0, "arithmetic", 5.0)
    (printed,) = found.printed
    assert (printed.value, printed.se, printed.n) == (0.5, 0.5, 2)
    assert (found.settings["acme/small"]["items"], found.settings["acme/small"]["temperature"]) == (2, 0.5)
    assert len(found.files) == 2


def test_an_aggregate_alone_keeps_its_headline(tmp_path):
    found = _write(tmp_path)
    assert (len(found.rows), found.printed[0].value, found.notes[0].code) == (0, 0.5, "evaluation_no_rows")


def test_that_lower_is_better_is_said_as_the_aggregate_says_it(tmp_path):
    (result,) = WHOLE["evaluation_results"]
    told = {**result, "metric_config": {**result["metric_config"], "lower_is_better": True}}
    (tmp_path / "x.json").write_text(json.dumps({**WHOLE, "evaluation_results": [told]}))
    (found,) = read_paths([tmp_path]).evaluations
    assert not found.higher_is_better
    assert str(found.notes[0]) == "Lower is better, as the file says of accuracy"


@pytest.mark.parametrize(
    ("metric", "lower", "higher_is_better", "note"),
    [
        ("accuracy", False, True, None),
        ("word_error_rate", True, False, "evaluation_lower_in_file"),
        ("word_error_rate", None, False, "evaluation_lower_by_name"),
        ("word_error_rate", False, True, "evaluation_higher_though_named"),
    ],
)
def test_the_file_says_which_scores_are_better_or_else_the_metrics_name(
    tmp_path, monkeypatch, metric, lower, higher_is_better, note
):
    config = WHOLE["evaluation_results"][0]["metric_config"]
    monkeypatch.setitem(config, "metric_id", metric)
    if lower is None:
        monkeypatch.delitem(config, "lower_is_better")
    else:
        monkeypatch.setitem(config, "lower_is_better", lower)
    found = _write(tmp_path, _line("a", 1.0))
    codes = {each.code for each in found.notes}
    assert (found.higher_is_better, note in codes if note else not codes) == (higher_is_better, True)


def test_what_the_user_says_of_the_direction_holds_for_any_format(tmp_path):
    with named_columns(parse_map("better=lower")):
        found = _write(tmp_path, _line("a", 1.0))
    assert (found.higher_is_better, [each.code for each in found.notes]) == (False, ["evaluation_lower_as_told"])
