import gzip
import json

import pytest

from voirdire.ddft.judge_accuracy import published_turns
from voirdire.ddft.published_records import LayoutError
from voirdire.jury.judge_accuracy.benchmark import PublishedDataError, PublishedTurn

ROW = {
    "model": "o3", "concept": "river", "level": 0.25, "turn": 2, "question": "q", "response": "a\u2028b",
    "judges": {}, "consensus": {"FAR": 0.5, "SAS": None},
}  # fmt: skip


def write(path, *rows):
    path.write_bytes(gzip.compress("\n".join(json.dumps(row) for row in rows).encode()))
    return path


def test_published_turns_are_read_with_missing_scores_and_odd_line_separators(tmp_path):
    (turn,) = published_turns(write(tmp_path / "turns.jsonl.gz", ROW))
    assert turn == PublishedTurn("o3", "river", 0.25, 2, "q", "a\u2028b", 0.5, None)


def test_a_turn_without_any_consensus_has_no_scores(tmp_path):
    (turn,) = published_turns(write(tmp_path / "turns.jsonl.gz", ROW | {"consensus": None}))
    assert (turn.far, turn.sas) == (None, None)


def test_a_bench_on_a_part_of_the_record_is_refused(tmp_path):
    with pytest.raises(PublishedDataError, match="line 2"):
        published_turns(write(tmp_path / "turns.jsonl.gz", ROW, ROW | {"level": "high"}))


def test_a_file_that_does_not_exist_is_named(tmp_path):
    with pytest.raises(LayoutError, match=r"none\.gz"):
        published_turns(tmp_path / "none.gz")
