"""`make published-records`: what is made of the two repositories, and what is said where they can't be had."""

import gzip
import json
import subprocess
from dataclasses import replace

import pytest
from scripts import published_records

SAID = {"FAR": 0.5, "SAS": 1.0, "FC": 1.0}
DIALOGUE = {
    "subject_model": "m",
    "concept": "ma",
    "compression_level": 0.0,
    "conversation_log": [
        {"role": "user", "content": "What?"},
        {"role": "assistant", "content": "That.", "evaluation": {"judges": {"j": SAID}, "consensus": SAID}},
    ],
}
TURN = {
    "model": "m",
    "concept": "ma",
    "level": 0.0,
    "turn": 1,
    "question": "What?",
    "response": "That.",
    "judges": {"j": {"FAR": 0.5, "SAS": 1.0}},
    "consensus": {"FAR": 0.5, "SAS": 1.0},
}


def git(folder, *words):
    named = ("-c", "user.name=t", "-c", "user.email=t@t")
    done = subprocess.run(["git", "-C", folder, *named, *words], check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def source(tmp_path):
    """DDFT's source, as a repository on this machine has it."""
    folder = tmp_path / "repository"
    (folder / "ddft_framework/results").mkdir(parents=True)
    (folder / "ddft_framework/results/ddft_m_ma_c00.json").write_text(json.dumps(DIALOGUE))
    git(folder, "init", "-q")
    git(folder, "config", "uploadpack.allowAnySHA1InWant", "true")
    git(folder, "config", "uploadpack.allowFilter", "true")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "results")
    return replace(
        published_records.SOURCES[0],
        url=folder.as_uri(),
        commit=git(folder, "rev-parse", "HEAD"),
        sha256=published_records.digest([TURN]),
    )


def test_dialogues_of_a_commit_become_one_file_of_turns(source, tmp_path):
    published_records.make(source, tmp_path / "out")
    with gzip.open(tmp_path / "out/ddft_published/turns.jsonl.gz", "rt") as lines:
        assert [json.loads(line) for line in lines] == [TURN]


def test_other_records_than_the_tests_were_written_for_are_refused(source, tmp_path):
    with pytest.raises(published_records.RecordsError, match=r"does not hold the records .* Nothing was written"):
        published_records.make(replace(source, sha256="0" * 64), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_where_a_repository_can_not_be_reached_one_sentence_says_so(source, tmp_path, monkeypatch, capsys):
    gone = replace(source, url=(tmp_path / "gone").as_uri())
    monkeypatch.setattr(published_records, "SOURCES", (gone,))
    monkeypatch.setattr(published_records, "OUT", tmp_path / "out")
    assert published_records.main() == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert "could not be fetched" in line and "VOIRDIRE_SHARED" in line


def test_only_labels_of_the_development_half_are_kept(tmp_path):
    kept = published_records.HALF.read_text().split()[0]
    (tmp_path / "dialogues.json").write_text("[]")
    (tmp_path / "labels.json").write_text(json.dumps({kept: {}, "0_en_9": {}}))
    assert published_records.read_half(tmp_path) == {"dialogues": [], "labels": {kept: {}}}
