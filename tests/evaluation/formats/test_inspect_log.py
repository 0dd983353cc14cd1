import json
import zipfile

import pytest

from voirdire.evaluation.formats import FormatError, read_paths

SAMPLE = {
    "id": 7,
    "epoch": 2,
    "input": "Which planet is the largest?",
    "choices": ["Mars", "Jupiter"],
    "target": "B",
    "messages": [
        {"role": "system", "content": "Answer with a letter."},
        {"role": "user", "content": [{"type": "text", "text": "attachment://abc"}]},
        {"role": "assistant", "content": "ANSWER: A"},
    ],
    "attachments": {"abc": "Which planet is the largest?\nA) Mars\nB) Jupiter"},
    "output": {"completion": "ANSWER: A", "choices": [{"stop_reason": "stop"}], "usage": {"output_tokens": 4}},
    "scores": {"choice": {"value": "I", "answer": "A"}},
    "metadata": {"subject": "astronomy"},
}
LOG = {
    "version": 2,
    "status": "success",
    "eval": {
        "task": "planets",
        "model": "acme/small",
        "config": {"epochs": 2, "epochs_reducer": ["max"]},
        "dataset": {"name": "planets", "samples": 40},
        "scorers": [{"name": "choice"}],
        "model_generate_config": {"temperature": 0.5},
    },
    "results": {
        "total_samples": 2,
        "scores": [
            {
                "name": "choice",
                "scorer": "choice",
                "scored_samples": 1,
                "metrics": {"accuracy": {"value": 0.0}, "stderr": {"value": 0.1}},
            }
        ],
    },
    "samples": [SAMPLE],
}


def _read(folder, log):
    (folder / "log.json").write_text(json.dumps(log))
    (found,) = read_paths([folder / "log.json"]).evaluations
    return found


def _sample(**fields):
    return {**LOG, "samples": [{**SAMPLE, **fields}]}


def test_a_sample_becomes_a_row(tmp_path):
    found = _read(tmp_path, LOG)
    row = found.rows.iloc[0]
    assert (found.name, found.metric, found.models, found.bounds) == ("planets", "choice", ("acme/small",), (0.0, 1.0))
    assert (row["item"], row["epoch"], row["score"], row["status"], row["cluster"]) == (
        "7",
        2.0,
        0.0,
        "scored",
        "astronomy",
    )
    assert row["prompt"] == "Answer with a letter.\n\nWhich planet is the largest?\nA) Mars\nB) Jupiter"
    assert (row["output"], row["reference"], row["answer"]) == ("ANSWER: A", "Jupiter", "A")
    assert (row["choices"], row["choice"], row["target"]) == (("Mars", "Jupiter"), 0.0, 1.0)
    assert (row["output_tokens"], row["stop_reason"], row["attempts"]) == (4.0, "stop", 1.0)


def test_what_was_printed_and_the_settings_are_kept(tmp_path):
    found = _read(tmp_path, LOG)
    (printed,) = found.printed
    assert (printed.model, printed.value, printed.se, printed.n) == ("acme/small", 0.0, 0.1, 1)
    settings = found.settings["acme/small"]
    assert (settings["items"], settings["reducer"], settings["temperature"]) == (1, "max", 0.5)


@pytest.mark.parametrize(
    ("value", "score"), [("C", 1.0), ("P", 0.5), ("N", 0.0), ("yes", 1.0), ("0.25", 0.25), (True, 1.0), ("odd", None)]
)
def test_values_count_as_they_do_in_inspect(tmp_path, value, score):
    found = _read(tmp_path, _sample(scores={"choice": {"value": value}})).rows["score"].iloc[0]
    assert found == score or (score is None and found != found)


def test_a_score_of_several_values_gives_the_headline_and_others(tmp_path):
    log = _sample(scores={"choice": {"value": {"choice": 0.5, "style": 0.75}}, "length": {"value": 12}})
    found = _read(tmp_path, log)
    assert found.rows["score"].tolist() == [0.5]
    assert {name: values.tolist() for name, values in found.other_scores.items()} == {
        "choice/style": [0.75],
        "length": [12.0],
    }


@pytest.mark.parametrize(
    ("fields", "status", "error"),
    [
        ({"error": {"message": "TimeoutError()"}, "scores": None}, "error", "TimeoutError()"),
        ({"limit": {"type": "token"}}, "limit", "limit: token"),
        ({"scores": {}}, "missing", None),
        (
            {"scores": {"choice": {"value": "I", "explanation": "Grade not found in model output: hm"}}},
            "unparsed",
            None,
        ),
    ],
)
def test_a_row_says_what_became_of_it(tmp_path, fields, status, error):
    row = _read(tmp_path, _sample(**fields)).rows.iloc[0]
    assert (row["status"], row["error"]) == (status, error)


def test_the_grader_is_the_judge_and_its_explanation_the_verdict(tmp_path):
    scores = [{**LOG["results"]["scores"][0], "params": {"grader_model": {"model": "acme/judge"}}}]
    log = {**_sample(scores={"choice": {"value": "C", "explanation": "Right."}}), "results": {"scores": scores}}
    found = _read(tmp_path, log)
    assert (found.judges, found.rows["verdict"].iloc[0]) == (("acme/judge",), "Right.")


def test_what_a_scorer_of_code_explains_is_no_verdict_of_a_judge(tmp_path):
    found = _read(tmp_path, _sample(scores={"choice": {"value": "C", "explanation": "B is marked."}}))
    assert (found.judges, found.has("verdict")) == ((), False)
    assert found.rows["explanation"].iloc[0] == "B is marked."


def test_graders_that_vote_are_named_together(tmp_path):
    scores = [{**LOG["results"]["scores"][0], "params": {"model": ["acme/judge", "other/judge"]}}]
    found = _read(tmp_path, {**_sample(), "results": {"scores": scores}})
    assert found.judges == ("acme/judge, other/judge",)


def test_a_printed_error_by_cluster_names_the_clusters(tmp_path):
    metrics = {"accuracy": {"value": 0.0}, "stderr": {"value": 0.1, "params": {"cluster": "page"}}}
    scores = [{**LOG["results"]["scores"][0], "metrics": metrics}]
    found = _read(tmp_path, {**_sample(metadata={"page": 3, "subject": "x"}), "results": {"scores": scores}})
    assert found.rows["cluster"].tolist() == ["3"]
    assert "is clustered by page" in str(found.notes[-1])


def test_a_log_without_samples_keeps_its_headline(tmp_path):
    found = _read(tmp_path, {name: value for name, value in LOG.items() if name != "samples"})
    assert (len(found.rows), found.models, found.printed[0].value) == (0, ("acme/small",), 0.0)
    assert found.notes[-1].code == "evaluation_no_rows"


def _archive(path, log=LOG, samples=(SAMPLE,)):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", json.dumps({name: value for name, value in log.items() if name != "samples"}))
        for number, sample in enumerate(samples):
            archive.writestr(f"samples/{number}_epoch_1.json", json.dumps(sample))


def test_an_archive_is_read_as_the_json_log_is(tmp_path):
    _archive(tmp_path / "log.eval")
    (found,) = read_paths([tmp_path / "log.eval"]).evaluations
    assert found.rows.equals(_read(tmp_path, LOG).rows)
    assert found.printed[0].value == 0.0


def test_a_damaged_archive_ends_in_a_sentence(tmp_path):
    _archive(tmp_path / "log.eval")
    raw = (tmp_path / "log.eval").read_bytes()
    (tmp_path / "log.eval").write_bytes(raw[: len(raw) // 2])
    with pytest.raises(FormatError, match="damaged archive"):
        read_paths([tmp_path / "log.eval"])


def test_nan_is_no_score(tmp_path):
    text = json.dumps(_sample(scores={"choice": {"value": float("nan")}}))
    (tmp_path / "log.json").write_text(text)
    (found,) = read_paths([tmp_path]).evaluations
    assert found.rows["status"].tolist() == ["missing"]


def test_a_part_whose_name_says_so_is_better_when_lower(tmp_path):
    log = {**_sample(scores={"cognibench": {"value": {"hallucinated": 0.25, "statements": 4}}}), "results": {}}
    assert (_read(tmp_path, log).metric, _read(tmp_path, log).higher_is_better) == ("hallucinated", False)


def test_scores_of_several_parts_without_the_headlines_name_are_read_by_their_first_part(tmp_path):
    """As the logs of voirdire's own runs have them: the headline (ER) is computed from whole dialogues."""
    metrics = {"ER": {"value": 0.65}, "ER_low": {"value": 0.5}}
    values = [{"stance": "accepted", "far": far, "sas": 0.75} for far in (None, 0.9)]
    log = {
        **LOG,
        "results": {"scores": [{"name": "ddft", "scorer": "ddft", "scored_samples": 2, "metrics": metrics}]},
        "samples": [{**SAMPLE, "id": n, "scores": {"ddft": {"value": value}}} for n, value in enumerate(values)],
    }
    found = _read(tmp_path, log)
    assert (found.metric, found.rows["score"].dropna().tolist(), found.printed) == ("far", [0.9], ())
    assert {name: values.tolist() for name, values in found.other_scores.items()} == {"ddft/sas": [0.75, 0.75]}
    (note,) = [each for each in found.notes if each.code == "evaluation_first_part"]
    assert str(note) == (
        "A score is far, the first of far, sas: what is printed (ER) is computed from more than that, and is not "
        "compared"
    )


def test_an_output_that_stands_in_its_message_alone_is_read(tmp_path):
    message = {"message": {"role": "assistant", "content": [{"type": "text", "text": "ANSWER: B"}]}}
    assert _read(tmp_path, _sample(output={"choices": [message]})).rows["output"].tolist() == ["ANSWER: B"]
    assert not _read(tmp_path, _sample(output={})).has("output")
