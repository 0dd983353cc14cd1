import json

import pytest

from voirdire.evaluation.formats import FormatError, read_paths

SPEC = {
    "name": "colours:subject=basic,model=acme_tiny",
    "adapter_spec": {"model": "acme/tiny", "method": "multiple_choice_joint", "max_tokens": 1, "temperature": 0.0},
}
STATE = {
    "instance": {
        "id": "id1",
        "input": {"text": "Colour of grass?"},
        "references": [
            {"output": {"text": "red"}, "tags": []},
            {"output": {"text": "green"}, "tags": ["correct"]},
        ],
        "split": "test",
    },
    "train_trial_index": 0,
    "output_mapping": {"A": "red", "B": "green"},
    "request": {"prompt": "Question: Colour of grass?\nA. red\nB. green\nAnswer:"},
    "result": {"success": True, "completions": [{"text": " B", "tokens": [{}], "finish_reason": {"reason": "length"}}]},
}
PERTURBED = {**STATE, "instance": {**STATE["instance"], "perturbation": {"name": "typos"}}}


def _stat(name, mean, **more):
    return {"name": {"name": name, "split": "test", **more}, "mean": mean}


def _run(folder, scores=(("exact_match", 1.0), ("quasi_exact_match", 1.0), ("num_references", 2.0))):
    folder = folder / "colours:subject=basic,model=acme_tiny"
    folder.mkdir()
    instances = [{"instance_id": "id1", "train_trial_index": 0, "stats": [_stat(*each) for each in scores]}]
    stats = [_stat("exact_match", 1.0), _stat("exact_match", 0.2, perturbation={"name": "typos"})]
    other = {**STATE, "instance": {**STATE["instance"], "id": "id2", "split": "valid"}}
    files = {
        "run_spec": SPEC,
        "scenario_state": {"request_states": [STATE, PERTURBED, other]},
        "per_instance_stats": instances,
        "stats": stats,
    }
    for name, content in files.items():
        (folder / f"{name}.json").write_text(json.dumps(content))
    return folder


def test_instances_that_are_no_part_of_the_headline_are_counted(tmp_path):
    (found,) = read_paths([_run(tmp_path)]).evaluations
    assert [str(note) for note in found.notes][1:] == [
        "HELM's headline rests on the split “test”: 1 instance of another split is left out",
        "1 perturbed instance is left out, as HELM's headline does",
    ]


def test_a_run_becomes_an_evaluation_of_what_was_asked_as_it_stands(tmp_path):
    (found,) = read_paths([_run(tmp_path)]).evaluations
    assert (found.name, found.metric, found.models) == ("colours:subject=basic", "exact_match", ("acme/tiny",))
    assert len(found.rows) == 1
    row = found.rows.iloc[0]
    assert (row["score"], row["output"], row["answer"], row["reference"]) == (1.0, " B", "green", "green")
    assert (row["choices"], row["choice"], row["target"], row["stop_reason"]) == (("red", "green"), 1.0, 1.0, "length")
    assert [(each.value, each.source) for each in found.printed] == [(1.0, "stats.json, exact_match, test")]
    assert {name: values.tolist() for name, values in found.other_scores.items()} == {"quasi_exact_match": [1.0]}


def test_a_run_without_a_main_metric_ends_in_a_sentence(tmp_path):
    with pytest.raises(FormatError, match="None of HELM's main metrics"):
        read_paths([_run(tmp_path, scores=(("num_references", 2.0),))])
