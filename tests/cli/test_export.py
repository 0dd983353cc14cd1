import json

import pytest

from tests.adapters.examples import GULLIBLE, examined
from tests.cli.here import voirdire, voirdire_json
from tests.cognibench.made_data import write_data
from tests.raters.exchange import examples
from tests.support.labelling_server import start_labelling_server
from voirdire.raters.project_loader import read_project


@pytest.fixture
def labelled(tmp_path):
    path = tmp_path / "labelled.jsonl"
    entries = [
        {
            "id": f"a{number}",
            "context": f"Context {number}.",
            "answer": "It is so. It may be.",
            "labels": {"It is so.": "faithful", "It may be.": "speculative"},
        }
        for number in range(10)
    ]
    path.write_text("".join(json.dumps(entry) + "\n" for entry in entries), encoding="utf-8")
    return path


def test_it_says_what_was_written_and_where(labelled, tmp_path):
    said = voirdire("export", labelled, "--to", "sft", "--split", "0.8", "-o", tmp_path / "chats").stdout
    assert "train 8 answers in 8 groups, test 2 answers in 2 groups." in said
    assert "Labels: faithful 10, speculative 10." in said
    for name in ("train.jsonl", "test.jsonl", "manifest.json"):
        assert (tmp_path / "chats" / name).exists()
        assert f"Written: {tmp_path / 'chats' / name}" in said


@pytest.mark.parametrize("target", ["sft", "released", "huggingface", "jsonl"])
def test_every_target_can_be_written_and_described_as_json(labelled, tmp_path, target):
    found = voirdire_json("export", labelled, "--to", target, "-o", tmp_path / target)
    assert (found["target"], found["answers"], found["statements"]) == (target, {"train": 10}, 20)
    assert all(path.startswith(str(tmp_path)) for path in found["files"])


def test_what_is_exported_for_the_hub_and_a_raters_project_are_labelled_data(labelled, tmp_path):
    voirdire("export", labelled, "--to", "huggingface", "--split", "0.8", "-o", tmp_path / "hub")
    project = tmp_path / "labels.voirdire"
    making = ("--task", "cognibench", "--from", labelled, "--rater", "Ana", "--raters-per-item", 1, "--no-practice")
    voirdire("rate", "new", project, *making)
    unsettled = voirdire("cognibench", "bench", project, check=False)
    assert unsettled.stderr == "voirdire: There are no labels in the project: no item is settled yet.\n"
    for item in read_project(project).items.values():
        label = ("faithful", "speculative")[item.place]
        examples.entered(project, "r1", item.id, {"label": label, "steps": examples.steps_to(label), "reason": ""})

    bench = ("--detector", "lexical", "--no-contradiction-suite")
    for data, statements in ((labelled, 20), (tmp_path / "hub", 20), (project, 20)):
        found = voirdire_json("cognibench", "bench", data, *bench)
        assert found["n_statements"] == statements
        calibrated = voirdire_json("detectors", "calibrate", "lexical", "--data", data)
        assert calibrated["chosen"]["threshold"] is not None


def test_whoever_reads_a_project_as_labelled_data_says_which_statements_are_in_dispute_and_left_out(labelled, tmp_path):
    project = tmp_path / "labels.voirdire"
    making = ("--task", "cognibench", "--from", labelled, "--rater", "Ana", "--rater", "Ben", "--no-practice")
    voirdire("rate", "new", project, *making, "--raters-per-item", 2)
    items = list(read_project(project).items.values())
    for place, item in enumerate(items):
        label = ("faithful", "speculative")[item.place]
        for rater, said in (("r1", label), ("r2", "irrelevant" if place in (4, 5, 8) else label)):
            if (rater, place) != ("r2", 9):
                examples.entered(
                    project, rater, item.id, {"label": said, "steps": examples.steps_to(said), "reason": ""}
                )

    dispute = "Statements in dispute, which have no label until an adjudicator settles them"
    waiting = "Statements without a label, since some of their ratings are not there yet"
    bench = ("cognibench", "bench", project, "--detector", "lexical", "--no-contradiction-suite")
    calibrate = ("detectors", "calibrate", "lexical", "--data", project)
    stats = ("cognibench", "stats", project)
    diagnose = ("cognibench", "diagnose", labelled, "--human-labels", project)
    for call, notes in ((bench, "notes"), (calibrate, "remarks"), (stats, "cautions"), (diagnose, "cautions")):
        told = voirdire_json(*call)[notes]
        assert told[0].startswith(dispute) and "unknown direction: 3 (" in told[0]
        assert told[1].startswith(f"{waiting}: 1 (")
        assert dispute in " ".join(voirdire(*call).stdout.split())
    assert voirdire_json(*bench)["n_statements"] == 16


def test_one_answer_is_one_answer(labelled, tmp_path):
    labelled.write_text(labelled.read_text(encoding="utf-8").splitlines()[0] + "\n", encoding="utf-8")
    said = voirdire("export", labelled, "--to", "sft", "-o", tmp_path / "chats.jsonl").stdout
    assert "1 answer in 1 group." in said


def test_what_is_there_is_never_written_over(labelled, tmp_path):
    before = labelled.read_bytes()
    done = voirdire("export", labelled, "--to", "jsonl", "-o", labelled, check=False)
    assert done.returncode == 1
    assert "already exists: choose another place to export to." in done.stderr
    assert labelled.read_bytes() == before


def test_a_labelled_run_goes_to_every_target_and_to_detectors(tmp_path):
    with start_labelling_server() as server:
        model = ("--labeller", "openai-api/labeller", "--base-url", server, "--types", "model")
        run = tmp_path / "run"
        voirdire("label", write_data(tmp_path / "data.jsonl"), *model, "--votes", "3", "-o", run)
    for target in ("sft", "released", "huggingface", "jsonl"):
        found = voirdire_json("export", run, "--to", target, "-o", tmp_path / target)
        assert found["labels"] == {"irrelevant": 2, "faithful": 4, "invented": 2, "speculative": 2}
        assert "run.json" in found["sha256"]
    for source in (run, tmp_path / "jsonl", tmp_path / "released"):
        said = voirdire("detect", source, "--detector", "everything").stdout
        assert (
            said.startswith("8 of 8 sentences are flagged (100.0 %), in 4 of 4 answers")
            and "Not checked: 2 sentences without a claim" in said
        )


@pytest.fixture(scope="module")
def examinations(tmp_path_factory):
    """Two models on the same traps, a run each."""
    folder = tmp_path_factory.mktemp("examinations")
    models = ("simulated/subject?reject=0.8", GULLIBLE)
    return [examined(folder / str(n), model, concepts="recursion,phoneme") for n, model in enumerate(models)]


def test_the_tables_of_a_cross_examination_are_counted_and_named(examinations, tmp_path):
    done = voirdire("export", examinations[0], "--to", "csv", "-o", tmp_path / "tables")
    assert "turns 30 rows, verdicts 30 rows, scores 30 rows, metrics 25 rows, calls 60 rows." in done.stdout
    assert f"Written: {tmp_path / 'tables' / 'turns.csv'}" in done.stdout
    assert "begins like a formula" in done.stderr


def test_training_data_are_made_of_several_runs_with_a_control_arm(examinations, tmp_path):
    said = voirdire("export", *examinations, "--to", "dpo", "-o", tmp_path / "pairs").stdout
    assert "verification: pairs train " in said and "of 12 answers at turn 4" in said
    assert "knowledge: pairs train " in said
    found = voirdire_json("export", *examinations, "--to", "dpo", "--arm", "verification", "-o", tmp_path / "again")
    assert found["arms"]["verification"]["rows"]["train"] > 0 and list(found["arms"]) == ["verification"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--to", "xml"), "can be exported to parquet, csv, jsonl, huggingface, dpo, sft, inspect, not to 'xml'."),
        (("--to", "csv", "--arm", "both"), "--arm is for dpo and sft of ddft runs"),
        (("--to", "csv", "--jury", "nobody"), "No jury 'nobody' has judged"),
    ],
)
def test_what_does_not_fit_ends_in_one_sentence(examinations, tmp_path, arguments, says):
    done = voirdire("export", examinations[0], *arguments, "-o", tmp_path / "out", check=False)
    assert done.returncode == 1 and says in done.stderr and "Traceback" not in done.stderr
    assert not (tmp_path / "out").exists()


def test_a_data_set_that_is_not_there_is_named(tmp_path):
    done = voirdire("export", tmp_path / "none.jsonl", "--to", "jsonl", "-o", tmp_path / "out", check=False)
    assert done.returncode == 1 and "does not exist" in done.stderr
