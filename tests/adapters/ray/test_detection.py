import json
import sys
from importlib import resources

import pyarrow.parquet as pq
import pytest

from tests.adapters.ray.examples import entries, write_lines, write_parquet
from tests.cli.here import voirdire
from voirdire.adapters.ray import Here, ScaleError, detect_shards
from voirdire.cognibench.detection_workers import DetectTask
from voirdire.detectors import DetectorOptions


class Counting(Here):
    """Counts the shards that are worked on; after `end`, nothing works any more."""

    def __init__(self, end=1000):
        self.shards, self.end = 0, end

    def map(self, worker, tasks):
        for said in super().map(worker, tasks):
            self.shards += 1
            yield said
            if self.shards == self.end:
                raise KeyboardInterrupt


def rows(path):
    return pq.read_table(path).to_pylist()


def spread(source, out, executor=None, task=None, shard_rows=5):
    return detect_shards(source, out, task or DetectTask("lexical"), lambda: executor or Here(), shard_rows=shard_rows)


@pytest.mark.parametrize("write", [write_lines, write_parquet])
def test_shards_hold_the_rows_that_one_process_writes(tmp_path, write):
    source = write(tmp_path / ("data.parquet" if write is write_parquet else "data.jsonl"))
    found = spread(source, tmp_path / "out")
    voirdire("detect", source, "-o", tmp_path / "here.parquet")
    assert found.shards == 5
    assert [row for each in sorted((tmp_path / "out").glob("shard-*")) for row in rows(each)] == rows(
        tmp_path / "here.parquet"
    )
    assert sorted(rows(tmp_path / "out"), key=str) == sorted(rows(tmp_path / "here.parquet"), key=str)


def test_counts_and_problems_are_those_of_one_process(tmp_path):
    some = [{**entry, "id": "same", "labels": {"Nowhere.": True}} for entry in entries(7) if "answer" in entry]
    source = write_lines(tmp_path / "data.jsonl", some)
    here = voirdire("detect", source, "-o", tmp_path / "here.jsonl")
    found = spread(source, tmp_path / "out", shard_rows=100)
    assert here.stdout.startswith(f"{found.count.flagged} of {found.count.statements} sentences are flagged")
    assert here.stderr.splitlines() == [f"Note: {each}" for each in found.notes()]


def test_ids_that_stand_in_several_shards_are_told(tmp_path):
    some = [{**entry, "id": "same"} for entry in entries(4)]
    found = spread(write_lines(tmp_path / "data.jsonl", some), tmp_path / "out", shard_rows=1)
    assert found.notes() == [
        "Ids that stand in several shards, where one process gives each a number: 3 (same, same, same)."
    ]


def test_a_second_command_works_on_what_is_missing_alone(tmp_path):
    source, first, second = write_lines(tmp_path / "data.jsonl"), Counting(end=2), Counting()
    with pytest.raises(KeyboardInterrupt):
        spread(source, tmp_path / "out", first)
    found = spread(source, tmp_path / "out", second)
    assert (first.shards, second.shards, found.skipped, found.shards) == (2, 3, 2, 5)
    assert found.count.answers == 27
    assert spread(source, tmp_path / "out", Counting(end=0)).skipped == 5


@pytest.mark.parametrize(
    ("task", "shard_rows", "says"),
    [
        (DetectTask("everything"), 5, 'detector: "lexical" there, "everything" now'),
        (DetectTask("lexical", DetectorOptions(threshold=0.5)), 5, "options: "),
        (DetectTask("lexical"), 6, "shard_rows: 5 there, 6 now"),
    ],
)
def test_shards_that_were_begun_otherwise_are_not_gone_on_with(tmp_path, task, shard_rows, says):
    source = write_lines(tmp_path / "data.jsonl")
    spread(source, tmp_path / "out")
    with pytest.raises(ScaleError, match=says):
        spread(source, tmp_path / "out", task=task, shard_rows=shard_rows)


def test_a_detector_that_was_trained_anew_is_another_one(tmp_path):
    source, folder = write_lines(tmp_path / "data.jsonl"), tmp_path / "trained"
    folder.mkdir()
    packaged = resources.files("voirdire") / "data" / "detectors"
    kept = next(each for each in packaged.iterdir() if each.is_dir() and "lexical" in each.name)
    for each in kept.iterdir():
        (folder / each.name).write_bytes(each.read_bytes())
    task = DetectTask(f"lexical-learned:{folder}")
    spread(source, tmp_path / "out", task=task)
    (folder / "note.txt").write_text("trained again")
    with pytest.raises(ScaleError, match="model_sha256"):
        spread(source, tmp_path / "out", task=task)


def test_other_data_are_refused_and_the_same_under_another_time_are_not(tmp_path):
    source = write_lines(tmp_path / "data.jsonl")
    spread(source, tmp_path / "out")
    said = source.read_text()
    source.unlink()
    source.write_text(said)
    assert spread(source, tmp_path / "out").skipped == 5
    source.write_text(said.replace("Lamp 7", "Lamp 8"))
    with pytest.raises(ScaleError, match=r"begun with other data than data\.jsonl holds now"):
        spread(source, tmp_path / "out")


def test_a_fault_in_the_data_is_a_sentence_and_earlier_shards_stay(tmp_path):
    source = write_lines(tmp_path / "data.jsonl", [*entries(9), {"context": "c"}])
    with pytest.raises(ScaleError, match=r"line 11: it has no answer"):
        spread(source, tmp_path / "out")
    assert len(list((tmp_path / "out").glob("shard-*.parquet"))) == 2


def test_a_folder_with_something_else_in_it_is_refused(tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.txt").write_text("")
    with pytest.raises(ScaleError, match="holds something else than shards"):
        spread(write_lines(tmp_path / "data.jsonl"), tmp_path / "out")


def test_a_detector_that_asks_a_model_is_sent_to_the_labeller(tmp_path):
    with pytest.raises(ScaleError, match="label --engine ray"):
        spread(write_lines(tmp_path / "data.jsonl"), tmp_path / "out", task=DetectTask("llm:openai/gpt-5.1"))


def test_the_command_names_what_is_missing(tmp_path, monkeypatch):
    source = write_lines(tmp_path / "data.jsonl")
    done = voirdire("detect", source, "--engine", "ray", check=False)
    assert (done.returncode, "name it with -o OUT" in done.stderr) == (1, True)
    monkeypatch.setitem(sys.modules, "ray", None)
    done = voirdire("detect", source, "--engine", "ray", "-o", tmp_path / "out", check=False)
    assert done.returncode == 1
    assert (
        done.stderr == "voirdire: --engine ray needs ray.data, which is not installed: pip install 'voirdire[ray]'.\n"
    )


def test_what_a_worker_is_told_is_plain_json(tmp_path):
    told = []

    class Listening(Here):
        def map(self, worker, tasks):
            told.extend(tasks)
            return super().map(worker, tasks)

    spread(write_lines(tmp_path / "data.jsonl"), tmp_path / "out", Listening())
    assert [json.loads(json.dumps(task)) for task in told] == told
