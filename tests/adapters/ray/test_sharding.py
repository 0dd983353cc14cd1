import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.adapters.ray.examples import entries, write_lines, write_parquet
from voirdire.adapters.ray import ScaleError, Spread, workers
from voirdire.adapters.ray.workers import split_file
from voirdire.cognibench.formats import read_entries


def read(path, parts):
    return [(each.number, dict(each.fields)) for part in parts for each in read_entries(path, part)]


@pytest.mark.parametrize("write", [write_lines, write_parquet])
@pytest.mark.parametrize("rows", [1, 5, 23, 1000])
def test_parts_together_are_the_whole_with_the_same_numbers(tmp_path, write, rows):
    path = write(tmp_path / ("data.parquet" if write is write_parquet else "data.jsonl"))
    whole = [(each.number, dict(each.fields)) for each in read_entries(path)]
    assert len(whole) == 23
    assert read(path, split_file(path, rows).parts) == whole


@given(st.lists(st.sampled_from(["a", "bb", "", " ", "ü" * 9]), min_size=1, max_size=30), st.integers(1, 7))
def test_lines_are_cut_alike_wherever_the_blocks_of_the_file_end(tmp_path_factory, words, rows):
    path = tmp_path_factory.mktemp("cut") / "data.jsonl"
    path.write_bytes("\r\n".join(json.dumps({"w": word}) if word.strip() else word for word in words).encode())
    whole = [(each.number, dict(each.fields)) for each in read_entries(path)]
    for block in (1, 3, 64):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(workers, "_BLOCK", block)
            parts = split_file(path, rows).parts if path.stat().st_size else ()
        assert read(path, parts) == whole


def test_a_mark_at_the_beginning_of_the_file_belongs_to_no_line(tmp_path):
    path = tmp_path / "data.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + b"\n".join(json.dumps(each).encode() for each in entries(3)))
    assert [number for number, _ in read(path, split_file(path, 1).parts)] == [1, 2, 3]


def test_a_faulty_line_is_named_by_its_number_in_the_file(tmp_path):
    path = tmp_path / "data.jsonl"
    path.write_text('{"a": 1}\n{"a": 1}\nno JSON\n')
    (faulty,) = [each for part in split_file(path, 2).parts[1:] for each in read_entries(path, part)]
    assert faulty.where.endswith("data.jsonl, line 3") and str(faulty.fault).startswith("it is no JSON")


@pytest.mark.parametrize(
    ("name", "says"),
    [("one.json", "is one JSON document"), ("empty.jsonl", "holds no rows"), (".", "is no file")],
)
def test_what_cannot_be_cut_is_refused(tmp_path, name, says):
    path = tmp_path / name
    if name != ".":
        path.write_text("")
    with pytest.raises(ScaleError, match=says):
        split_file(path, 10)


def test_a_shard_has_at_least_a_row():
    with pytest.raises(ScaleError, match="shard_rows 0"):
        Spread(shard_rows=0)


def test_a_client_of_a_cluster_is_sent_to_the_cluster():
    with pytest.raises(ScaleError, match="Ray Data does not run through a Ray client"):
        Spread("ray://head:10001")
