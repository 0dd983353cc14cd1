import gzip
import json
import shutil

import pytest

from tests.adapters.verifying.examples import found, rewritten, status_of, with_cell
from tests.cognibench.grounded import FERRY
from tests.jury.scripted import ScriptedAsker, reply
from voirdire.adapters.ray import Here, audit_shards
from voirdire.adapters.verify import verify
from voirdire.adapters.verify_journals import VerifyError
from voirdire.cognibench.formats import write_jsonl
from voirdire.cognibench.generation.plan import GenerationPlan, hold_dialogue, manifest_of
from voirdire.cognibench.generation.session import read_generated
from voirdire.ddft.judge_accuracy import bench_judge
from voirdire.integrity.plan import AuditPlan
from voirdire.runs import RunFolder, RunOptions, run_blocking

# --- dialogues ---


@pytest.fixture
def dialogues(tmp_path):
    path = tmp_path / "dialogues"
    plan = GenerationPlan(tmp_path / "none", models=("script/m",), turns=2)
    asker = ScriptedAsker([reply("Until 1964."), reply("A bridge came.")])
    with RunFolder.create(path, manifest_of(plan, [FERRY])) as folder:
        asked = hold_dialogue(FERRY, ("When?", "Why?"), "script/m", plan.settings, asker, folder.journal)
        run_blocking(asked)
        (path / "references.jsonl").write_text(json.dumps(FERRY.as_dict()) + "\n")
    write_jsonl(read_generated(path), path / "dialogues.jsonl")
    return path


def test_dialogues_are_made_again(dialogues):
    assert found(dialogues) == ({}, True)
    text = (dialogues / "dialogues.jsonl").read_text()
    (dialogues / "dialogues.jsonl").write_text(text.replace("bridge", "tunnel"))
    assert found(dialogues)[0] == {"dialogues.jsonl": "it is not what the journal gives, first in line 2."}
    (dialogues / "dialogues.jsonl").unlink()
    assert found(dialogues)[0]["dialogues.jsonl"].startswith("it is missing")


def test_the_references_of_dialogues_are_held_against_run_json(dialogues):
    text = (dialogues / "references.jsonl").read_text()
    (dialogues / "references.jsonl").write_text(text.replace("ferry", "tram"))
    assert status_of(dialogues, "references.jsonl") == "differs"


# --- the bench of judges ---


def bench(tmp_path, judge):
    row = {
        **{"model": "o3", "concept": "recursion", "level": 0.5, "turn": 1, "question": "What is it?"},
        **{"response": "A function that calls itself.", "judges": {}, "consensus": {"FAR": 0.5, "SAS": 0.5}},
    }
    rows = "\n".join(json.dumps({**row, "turn": turn}) for turn in (1, 2))
    (tmp_path / "turns.jsonl.gz").write_bytes(gzip.compress(rows.encode()))
    run_blocking(bench_judge(tmp_path / "turns.jsonl.gz", judge, tmp_path / "bench"))
    return tmp_path / "bench"


def test_verdicts_of_a_bench_are_read_again_from_the_judges_replies(tmp_path):
    path = bench(tmp_path, "simulated/judge")
    assert found(path) == ({}, True)
    first, second = (path / "verdicts.jsonl").read_text().splitlines()
    line = json.loads(first)
    line["verdict"]["sas"] = 1 - line["verdict"]["sas"] / 2
    (path / "verdicts.jsonl").write_text(f"{json.dumps(line)}\n{second}\n")
    said, well = found(path)
    assert not well and said["verdicts.jsonl"].startswith("1 of 2 verdicts is not what the journal's replies say")


def test_a_verdict_that_was_taken_out_of_a_bench_is_missed(tmp_path):
    path = bench(tmp_path, "simulated/judge")
    _, second = (path / "verdicts.jsonl").read_text().splitlines()
    (path / "verdicts.jsonl").write_text(f"{second}\n")
    (done,) = verify([path])
    assert not done.ok and any(
        each.message.startswith("1 turn that the judge answered has no verdict") for each in done.findings
    )
    (path / "verdicts.jsonl").unlink()
    said, well = found(path)
    assert not well and said["verdicts.jsonl"].startswith("2 turns that the judge answered have no verdict in it")


def test_of_a_judge_that_reads_answers_the_verdicts_are_not_compared(tmp_path):
    said, well = found(bench(tmp_path, "reference"))
    assert well and "which the run does not keep: not compared" in said["verdicts.jsonl"]


# --- shards ---


@pytest.fixture(scope="module")
def spread(tmp_path_factory):
    """An audit in two shards: to copy from."""
    path = tmp_path_factory.mktemp("spread")
    lines = [{"id": f"r{year}", "response": f"The bridge opened in {year}."} for year in range(1905, 1908)]
    (path / "r.jsonl").write_text("\n".join(json.dumps(line) for line in lines))
    (path / "facts.txt").write_text("The bridge opened in 1907.\n")
    plan = AuditPlan(path / "r.jsonl", facts=path / "facts.txt")
    audit_shards(plan, path / "out", Here, shard_rows=2, options=RunOptions())
    return path / "out"


@pytest.fixture
def shards(spread, tmp_path):
    return shutil.copytree(spread, tmp_path / "out")


def test_shards_and_what_was_joined_of_them_are_verified(shards):
    (done,) = verify([shards])
    assert done.ok and done.kind == "run in 2 shards"
    assert [each.what for each in done.findings if "shard" in each.what] == ["shard 00000", "shard 00001"]


def test_a_joined_table_that_differs_from_its_shards_is_named(shards):
    rewritten(shards / "responses.parquet", lambda frame: with_cell(frame, "score", 100))
    said, well = found(shards)
    assert not well and list(said) == ["responses.parquet"]
    assert "(id 'r1905'): score is 100" in said["responses.parquet"]


def test_a_shard_that_was_altered_is_named(shards):
    rewritten(shards / "shards" / "00000" / "responses.parquet", lambda frame: with_cell(frame, "score", 100))
    (shards / "audits.parquet").unlink()
    said, _ = found(shards)
    assert "score is 100" in said["shard 00000, responses.parquet"] and "audits.parquet" in said
    assert "responses.parquet" in said  # of the whole: its shard gives another one


def test_shards_of_detections_have_no_journal(tmp_path):
    (tmp_path / "_manifest.json").write_text("{}")
    with pytest.raises(VerifyError, match="shards without journals"):
        verify([tmp_path])
