import json
import re
import sys

import pytest

from tests.cli.here import voirdire, voirdire_json
from tests.detectors.training.examples import answer, answers
from voirdire.cognibench.formats import write_jsonl


@pytest.fixture
def labelled(tmp_path):
    path = tmp_path / "labelled.jsonl"
    write_jsonl([answer(n, ("faithful", "invented", "reliable")) for n in range(8)], path)
    return path


def test_calibrating_gives_a_threshold_and_what_it_is_worth_on_others(labelled, tmp_path):
    out = tmp_path / "calibration.json"
    found = voirdire_json("detectors", "calibrate", "lexical", "--data", labelled, "-o", out)
    assert json.loads(out.read_text()) == found
    assert (found["detector"], found["n_groups"], found["n_statements"]) == ("lexical", 8, 24)
    assert found["cross_validated"]["f1"] <= found["chosen"]["in_sample"]["f1"]
    short = " ".join(voirdire("detectors", "calibrate", "lexical", "--data", labelled).stdout.split())
    assert "F1, precision and recall count words, so a long sentence weighs more." in short
    said = voirdire(
        "detectors", "calibrate", "lexical", "--data", labelled, "--objective", "recall=0.9", "--all"
    ).stdout
    assert re.search(r"flags \d+\.\d % of the scored sentences, as detect counts them\.", " ".join(said.split()))
    assert "--threshold 0." in said and "every sentence flagged" in said
    assert "chosen without the answers judged" in said and "Only 8 contexts" in said
    assert "not computed" in said, "leaving out a context changes nothing"


@pytest.mark.parametrize("name", ["labelled.jsonl", "link.jsonl", "other.jsonl", "p.voirdire", "notes.json"])
def test_a_calibration_replaces_nothing_but_an_earlier_one(labelled, tmp_path, name):
    (tmp_path / "link.jsonl").symlink_to(labelled)
    (tmp_path / "other.jsonl").write_text('{"id": 1}\n{"id": 2}\n')
    (tmp_path / "p.voirdire").write_bytes(b"SQLite format 3\0\xff")
    (tmp_path / "notes.json").write_text('{"mine": 1}')
    before = (tmp_path / name).read_bytes()
    done = voirdire("detectors", "calibrate", "lexical", "--data", labelled, "-o", tmp_path / name, check=False)
    assert done.returncode == 1 and (tmp_path / name).read_bytes() == before
    says = "is being read" if name in ("labelled.jsonl", "link.jsonl") else "already exists and holds something other"
    assert says in done.stderr and "Traceback" not in done.stderr


def test_a_calibration_replaces_an_earlier_one(labelled, tmp_path):
    for _ in range(2):
        voirdire("detectors", "calibrate", "lexical", "--data", labelled, "-o", tmp_path / "calibration.json")


def test_scores_can_be_read_as_probabilities(labelled):
    said = voirdire(
        "detectors", "calibrate", "lexical", "--data", labelled, "--probabilities", "isotonic", "--all"
    ).stdout
    assert "Expected calibration error" in said


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["lexical", "--objective", "best"], "The objective 'best' is unknown"),
        (["no-such"], "There is no detector 'no-such'"),
        (["lexical", "--probabilities", "beta"], "isotonic or platt"),
    ],
)
def test_a_wrong_request_is_answered_with_one_sentence(labelled, arguments, says):
    done = voirdire("detectors", "calibrate", *arguments, "--data", labelled, check=False)
    assert done.returncode == 1
    assert says in done.stderr and "Traceback" not in done.stderr


def test_the_plan_of_an_encoder_needs_neither_model_nor_torch(labelled, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    asked = ["detectors", "train", "encoder", "--data", labelled, "--base", "some/encoder", "-o", tmp_path / "new"]
    plan = voirdire_json(*asked, "--dry-run", "--batch-size", "4", "--epochs", "2", "--folds", "4")
    assert (plan["pairs"], plan["unsupported"], plan["trainings"]) == (24, 8, 5)
    assert plan["steps"] == 2 * (4 * 5 + 6)
    assert "4-fold cross-validation" in voirdire(*asked, "--dry-run", "--folds", "4").stdout
    done = voirdire(*asked, check=False)
    assert done.returncode == 1 and "voirdire[train]" in done.stderr
    assert not (tmp_path / "new").exists()


def test_the_threshold_on_top_is_the_one_that_does_better_on_other_answers():
    from voirdire.detectors import OneByOne
    from voirdire.detectors.report import calibration_document
    from voirdire.detectors.training.calibrating import calibrate_detector
    from voirdire.reports.formats.terminal import to_terminal

    class Loved(OneByOne):
        name, threshold = "loved", 0.5

        def flag(self, context, sentences, dialogue=()):
            return [0.6 if "loved" in each else 0.2 for each in sentences]

    shown = to_terminal(calibration_document(calibrate_detector(Loved(), answers(12))))

    assert shown.startswith("Keep --threshold 0.500, the default of loved: its F1 is ")
    assert "The default does as well: keep it." in shown


def test_fields_with_other_names_are_calibrated_on_and_an_error_says_how_to_name_them(tmp_path):
    entries = []
    for number in range(8):
        opened = f"The tower of town {number} opened in 1889."
        labels = {opened: "supported", "It closed in 1950.": "unsupported"}
        entries.append({"chunks": [opened], "reply": f"{opened} It closed in 1950.", "labels": labels})
    path = tmp_path / "own.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in entries))
    calibrate = ("detectors", "calibrate", "lexical", "--data", path)
    done = voirdire(*calibrate, check=False)
    said = " ".join(done.stderr.split())
    assert done.returncode == 1 and "say so with --map: there are chunks, reply, labels." in said
    assert "--skip-bad" not in said, "it has no such option"
    assert voirdire_json(*calibrate, "--map", "context=chunks,answer=reply")["n_statements"] == 16


def test_a_table_with_a_sentence_and_its_label_in_each_row_is_calibrated_on(tmp_path):
    path, sentences = tmp_path / "own.csv", []
    for number in range(8):
        context = f"The tower of town {number} opened in 1889."
        sentences += [(context, context, "supported"), (context, "It closed in 1950.", "unsupported")]
    calibrate = ("detectors", "calibrate", "lexical", "--data", path)
    path.write_text("context,answer,label\n" + "".join(f'"{a}","{b}",{c}\n' for a, b, c in sentences))
    found = voirdire_json(*calibrate)
    assert (found["n_statements"], found["n_hallucinated"], found["n_groups"]) == (16, 8, 8)
    said = voirdire(*calibrate).stdout
    assert "finds 8 of 8 wrong sentences and flags 0 of 8 right ones" in " ".join(said.split())


@pytest.mark.parametrize(("answer", "label"), [("It opened. It closed.", "unsupported"), ("It opened.", "billing")])
def test_a_label_that_names_no_sentence_or_means_something_else_is_left_and_the_simplest_way_is_named(
    tmp_path, answer, label
):
    path = tmp_path / "own.csv"
    path.write_text("context,answer,label\n" + f"The tower opened.,{answer},{label}\n" * 8)
    done = voirdire("detectors", "calibrate", "lexical", "--data", path, check=False)
    says = "a CSV with the columns context, answer (one sentence in each row) and label (supported or unsupported)"
    assert done.returncode == 1 and says in " ".join(done.stderr.split())


def test_names_of_fields_are_refused_for_data_whose_fields_are_known(tmp_path):
    (tmp_path / "response.jsonl").write_text("")
    names = ("--data", tmp_path, "--map", "context=chunks")
    done = voirdire("detectors", "calibrate", "lexical", *names, check=False)
    assert done.returncode == 1 and "--map names the fields of a file of answers" in " ".join(done.stderr.split())
