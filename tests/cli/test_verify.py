import json
import re

import pytest

from tests.cli.here import voirdire
from voirdire.runs import RunFolder


@pytest.fixture
def run(tmp_path):
    """A run of calls alone, which makes no tables."""
    RunFolder.create(tmp_path / "run", {"instrument": "integrity-facts"}).close()
    return tmp_path / "run"


def test_a_sentence_and_the_head_then_a_line_for_each_thing(run):
    first = " ".join(voirdire("verify", run).stdout.split())
    says = (
        "holds: everything that was looked at is as it was written. Journal head: 1 link, sha256 [0-9a-f]{64} 3 checks"
    )
    assert first.startswith(f"{run} ") and re.search(says, first)
    lines = voirdire("verify", run, "--all").stdout.splitlines()
    lines = lines[lines.index(f"{run} (run of integrity-facts)") :]
    assert lines[1].split() == "ok journal file SQLite's own check finds nothing wrong".split()


def test_the_printed_head_is_taken_back(run):
    (head,) = re.findall("[0-9a-f]{64}", voirdire("verify", run).stdout)
    assert "it is where this journal ends" in voirdire("verify", run, "--head", head, "--all").stdout
    done = voirdire("verify", run, "--head", "0" * 64, check=False)
    assert done.returncode == 1 and "DIFFERS  published head" in done.stdout


def test_json_has_the_same(run):
    (found,) = json.loads(voirdire("verify", run, "--json").stdout)
    assert found["ok"] and found["kind"] == "run of integrity-facts" and len(found["head"]["sha256"]) == 64
    assert {each["status"] for each in found["findings"]} == {"ok"}


def test_an_export_that_was_changed_ends_in_exit_code_1_and_is_not_read_again(run, tmp_path):
    voirdire("export", run, "--to", "jsonl", "-o", tmp_path / "out")
    assert voirdire("verify", tmp_path / "out", "--origin", run).returncode == 0
    with (tmp_path / "out" / "calls.jsonl").open("a") as file:
        file.write("\n")
    done = voirdire("verify", tmp_path / "out", check=False)
    assert done.returncode == 1
    assert f"{tmp_path / 'out'} is not what it was: see calls.jsonl. DIFFERS calls.jsonl" in " ".join(
        done.stdout.split()
    )


def test_changed_exports_are_refused_by_every_command_that_reads_them(tmp_path):
    data = tmp_path / "data.jsonl"
    entry = {"id": "a", "context": "It opened in 1907.", "question": "When?", "answer": "It opened in 1911."}
    data.write_text(json.dumps(entry) + "\n")
    voirdire("export", data, "--to", "jsonl", "-o", tmp_path / "copy.jsonl")
    assert voirdire("detect", tmp_path / "copy.jsonl", "--workers", 1).returncode == 0
    project = tmp_path / "project"
    voirdire("rate", "new", project, "--task", "cognibench", "--from", tmp_path / "copy.jsonl", "--rater", "Ana")
    (tmp_path / "copy.jsonl").write_text((tmp_path / "copy.jsonl").read_text().replace("1907", "1911"))
    for command in (
        ("detect", tmp_path / "copy.jsonl"),
        ("export", tmp_path / "copy.jsonl", "--to", "jsonl", "-o", tmp_path / "again.jsonl"),
        ("cognibench", "stats", tmp_path / "copy.jsonl"),
        ("label", tmp_path / "copy.jsonl", "--labeller", "simulated/steady", "-o", tmp_path / "run"),
        ("cognibench", "bench", tmp_path / "copy.jsonl", "--no-contradiction-suite"),
        ("detectors", "train", "lexical-learned", "--data", tmp_path / "copy.jsonl", "-o", tmp_path / "model"),
        ("integrity", "audit", "--responses", tmp_path / "copy.jsonl", "-o", tmp_path / "run"),
        ("rate", "new", tmp_path / "new", "--task", "cognibench", "--from", tmp_path / "copy.jsonl"),
        ("rate", "import", project, tmp_path / "copy.jsonl"),
    ):
        done = voirdire(*command, check=False)
        assert done.returncode == 1 and "copy.jsonl is not as it was exported: its SHA-256 differs" in done.stderr
    (tmp_path / "copy.jsonl.manifest.json").unlink()
    assert voirdire("detect", tmp_path / "copy.jsonl", "--workers", 1).returncode == 0


def test_scores_of_a_detector_say_of_what_they_were_made(tmp_path):
    data, out = tmp_path / "data.jsonl", tmp_path / "flagged.jsonl"
    data.write_text(json.dumps({"id": "a", "context": "It opened in 1907.", "answer": "It opened in 1911."}) + "\n")
    voirdire("detect", data, "--workers", 1, "-o", out)
    said = json.loads((tmp_path / "flagged.jsonl.manifest.json").read_text())
    assert (said["detector"], said["counts"]["answers"]) == ("lexical", 1) and list(said["sha256"]) == ["data.jsonl"]
    assert voirdire("verify", out).returncode == 0
    out.write_text("")
    assert voirdire("verify", out, check=False).returncode == 1


def test_what_an_altered_file_says_makes_no_lines_of_its_own(run):
    (run / "x\n  ok       hash chain.parquet").write_bytes(b"")
    done = voirdire("verify", run, "--all", check=False)
    assert done.returncode == 1 and sum(line.startswith("  ok ") for line in done.stdout.splitlines()) == 3


def test_what_is_no_run_is_answered_with_one_sentence(tmp_path):
    done = voirdire("verify", tmp_path, check=False)
    assert done.returncode == 1 and done.stderr.startswith(f"voirdire: {tmp_path} is neither the folder of a run")
