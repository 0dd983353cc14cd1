"""Which paths a list of a folder shows as results, and which files belong to each."""

import json

from tests.evaluation.formats.test_every_eval_ever import WHOLE
from tests.evaluation.formats.test_lm_eval import DATE, RESULTS, SUMS
from tests.raters.tasks.guided.test_sources import log
from voirdire.data.manifests import write_manifest
from voirdire.evaluation.formats import files_of, read_paths
from voirdire.instruments import listed_data

ANNOTATION = {"instruction": "i", "output_1": "a", "output_2": "b", "generator_2": "m", "preference": 2.0}


def test_samples_belong_to_the_results_of_their_date(tmp_path):
    for name in (f"results_{DATE}.json", "results_2025-01-01T00-00-00.0.json"):
        (tmp_path / name).write_text(json.dumps(RESULTS))
    samples = tmp_path / f"samples_sums_{DATE}.jsonl"
    samples.write_text("".join(json.dumps(each) + "\n" for each in SUMS))

    assert files_of(tmp_path / f"results_{DATE}.json") == (tmp_path / f"results_{DATE}.json", samples)
    assert files_of(tmp_path / "results_2025-01-01T00-00-00.0.json") == (
        tmp_path / "results_2025-01-01T00-00-00.0.json",
    )
    assert files_of(samples) == (samples,)


def test_lines_belong_to_their_aggregate_and_leaderboards_to_annotations(tmp_path):
    (tmp_path / "x.json").write_text(json.dumps(WHOLE))
    (tmp_path / "x_samples.jsonl").write_text("")
    (tmp_path / "annotations.json").write_text(json.dumps([ANNOTATION]))
    (tmp_path / "leaderboard.csv").write_text(",win_rate\nm,50\n")

    assert files_of(tmp_path / "x.json") == (tmp_path / "x.json", tmp_path / "x_samples.jsonl")
    assert files_of(tmp_path / "annotations.json") == (tmp_path / "annotations.json", tmp_path / "leaderboard.csv")


def test_a_folder_that_is_one_log_has_its_files_and_what_is_no_results_has_none(tmp_path):
    for name in ("run_spec.json", "scenario_state.json", "per_instance_stats.json"):
        (tmp_path / name).write_text("{}")
    (tmp_path / "notes.md").write_text("# Notes")
    (tmp_path / "answers.csv").write_text("id,context,answer,score\n1,c,a,1\n")
    (tmp_path / "eval.schema.json").write_text(json.dumps({"$schema": "s", "properties": WHOLE}))

    assert len(files_of(tmp_path)) == 6
    others = ("notes.md", "answers.csv", "eval.schema.json", "none.csv")
    assert [files_of(tmp_path / name) for name in others] == [()] * 4
    assert listed_data(tmp_path).instrument == "evaluation" and listed_data(tmp_path / "notes.md") == ("", ())


def test_scores_that_were_exported_with_logs_count_once_and_are_read_where_they_are_named(tmp_path):
    scores = tmp_path / "scores.json"
    scores.write_text(json.dumps([{"id": str(n), "value": 1.0} for n in range(3)]))
    write_manifest(tmp_path, {})
    assert [each.files[0].path for each in read_paths([tmp_path]).evaluations] == [scores], "no log says the same"
    log(tmp_path / "log.json", "maker/strong")
    write_manifest(tmp_path, {})
    found = read_paths([tmp_path])
    assert [each.files[0].path.name for each in found.evaluations] == ["log.json"]
    assert [each.path for each in found.unread] == [scores]
    assert found.unread[0].why_not.endswith(
        "scores.json says what the logs say that it was exported with; name it alone to have it read."
    )
    assert read_paths([scores]).evaluations
