import json

import pytest

from tests.cli.here import voirdire, voirdire_json
from tests.cognibench.made_data import write_data
from tests.support.labelling_server import start_labelling_server


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


def test_what_is_there_is_never_written_over(labelled, tmp_path):
    before = labelled.read_bytes()
    done = voirdire("export", labelled, "--to", "jsonl", "-o", labelled, check=False)
    assert done.returncode == 1
    assert "is there already: choose another place to export to." in done.stderr
    assert labelled.read_bytes() == before


def test_a_labelled_run_goes_to_every_target_and_to_detectors(tmp_path):
    with start_labelling_server() as server:
        model = ("--model", "openai-api/labeller", "--base-url", server, "--types", "model")
        run = tmp_path / "run"
        voirdire("cognibench", "label", write_data(tmp_path / "data.jsonl"), *model, "--samples", "3", "-o", run)
    for target in ("sft", "released", "huggingface", "jsonl"):
        found = voirdire_json("export", run, "--to", target, "-o", tmp_path / target)
        assert found["labels"] == {"irrelevant": 2, "faithful": 4, "invented": 2, "speculative": 2}
        assert "run.json" in found["sha256"]
    for source in (run, tmp_path / "jsonl", tmp_path / "released"):
        assert "4 answers, 10 sentences: 10 flagged" in voirdire("detect", source, "--detector", "everything").stdout
