"""What is written can be read here and elsewhere, in the same types; a file reaches nothing but itself."""

import subprocess
import sys
import tempfile

import duckdb
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from voirdire.data.parquet import database, join_parquet, open_parquet, open_writer, write_parquet, writer
from voirdire.data.parquet.database import open_database
from voirdire.data.rows import FilePart, RowError, parquet_rows

FRAME = pd.DataFrame(
    {
        "text": pd.array(["a", None, "c\0"], dtype="string"),
        "name": ["x", "y", None],
        "count": pd.array([1, None, 2**40], dtype="Int64"),
        "turn": [1, 2, 3],
        "flag": pd.array([True, None, False], dtype="boolean"),
        "score": [0.5, float("nan"), -0.0],
        "votes": [["x"], [], None],
        "none": [None, None, None],
    }
)
KINDS = {"text": "string", "count": "Int64", "flag": "boolean", "score": "float64", "turn": "int64"}


def test_a_table_is_read_with_the_types_it_was_written_with_here_and_by_pandas(tmp_path):
    write_parquet(tmp_path / "a.parquet", [FRAME])
    with open_parquet(tmp_path / "a.parquet") as file:
        here = file.frame()
    for found in (here, pd.read_parquet(tmp_path / "a.parquet")):
        assert {name: found[name].dtype.name for name in KINDS} == KINDS
        assert found["text"].fillna("-").tolist() == ["a", "-", "c\0"]
        assert found["count"].fillna(-1).tolist() == [1, -1, 2**40]
        assert [None if each is None else list(each) for each in found["votes"]] == [["x"], [], None]
        assert found["score"].isna().tolist() == [False, True, False]
        assert found["none"].isna().all()


def test_every_column_may_lack_values_whatever_the_first_rows_hold(tmp_path):
    write_parquet(tmp_path / "a.parquet", [FRAME.iloc[:1], FRAME.iloc[1:]])
    with open_writer(tmp_path / "b.parquet", {"id": "VARCHAR", "list": 'STRUCT("user" VARCHAR)[]'}) as writer:
        writer.write([{"id": "a", "list": [{"user": "u"}]}])
    for name in ("a", "b"):
        assert all(field.nullable for field in pq.read_schema(tmp_path / f"{name}.parquet"))
    assert pq.read_table(tmp_path / "b.parquet").to_pylist() == [{"id": "a", "list": [{"user": "u"}]}]


def test_the_same_tables_give_the_same_bytes(tmp_path):
    for name in ("a", "b"):
        write_parquet(tmp_path / name, [FRAME, FRAME])
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize("limit", [{"_GROUP": 4}, {"_GROUP_SIZE": 6}])
def test_many_rows_or_long_ones_are_put_aside_and_come_back_in_order_as_they_were(tmp_path, monkeypatch, limit):
    pieces = [FRAME.assign(turn=[place, place + 1, place + 2]) for place in range(0, 30, 3)]
    write_parquet(tmp_path / "whole", pieces)
    columns = {"n": "BIGINT", "text": "VARCHAR", "list": "VARCHAR[]"}
    rows = [{"n": place, "text": "abc", "list": [str(place)]} for place in range(2_500)]
    for name, number in limit.items():
        monkeypatch.setattr(writer, name, number)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "aside"))
    (tmp_path / "aside").mkdir()
    write_parquet(tmp_path / "parts", pieces)
    with open_writer(tmp_path / "rows", columns, lambda: {b"note": b"kept"}) as opened:
        opened.write(rows)
    whole, parts = (pq.read_table(tmp_path / name) for name in ("whole", "parts"))
    assert parts.equals(whole) and parts.schema.equals(whole.schema, check_metadata=True)
    assert pq.read_table(tmp_path / "rows").to_pylist() == rows
    assert pq.read_schema(tmp_path / "rows").metadata == {b"note": b"kept"}
    assert not list((tmp_path / "aside").iterdir())


def test_a_piece_of_another_type_is_refused_and_no_number_is_cut(tmp_path):
    with pytest.raises(TypeError, match="turn holds DOUBLE, and began as BIGINT"):
        write_parquet(tmp_path / "a.parquet", [pd.DataFrame({"turn": [1]}), pd.DataFrame({"turn": [1.5]})])


def test_half_a_character_costs_no_table(tmp_path):
    write_parquet(tmp_path / "a.parquet", [pd.DataFrame({"text": pd.Series(["a\ud800", "b"], dtype=object)})])
    assert pq.read_table(tmp_path / "a.parquet").to_pylist() == [{"text": "a\ufffd"}, {"text": "b"}]


def test_files_are_joined_in_order_with_the_columns_of_all(tmp_path):
    write_parquet(tmp_path / "[1].parquet", [pd.DataFrame({"id": ["a", "b"], "n": [1, 2]})])
    pq.write_table(pa.table({"id": ["c"], "n": pa.array([None], pa.null())}), tmp_path / "2.parquet")
    assert join_parquet([tmp_path / "[1].parquet", tmp_path / "2.parquet"], tmp_path / "out.parquet") == 3
    assert pq.read_table(tmp_path / "out.parquet").to_pydict() == {"id": ["a", "b", "c"], "n": [1, 2, None]}


def test_a_file_that_can_not_be_written_is_an_error_of_the_system(tmp_path):
    with pytest.raises(OSError, match="No such file"):
        write_parquet(tmp_path / "nowhere" / "a.parquet", [FRAME])


@pytest.mark.parametrize("name", ["a[1].parquet", "*.parquet", "?.parquet", "k=v'.parquet", 'x"y.parquet'])
def test_a_name_is_a_name_and_no_pattern(tmp_path, name):
    write_parquet(tmp_path / "other.parquet", [pd.DataFrame({"other": [1]})])
    write_parquet(tmp_path / name, [pd.DataFrame({"id": ["a"]})])
    assert list(parquet_rows(tmp_path / name)) == [(1, {"id": "a"})]


@pytest.mark.parametrize("start", [0, 250, 299, 900])
def test_a_part_has_its_rows_and_their_numbers(tmp_path, start):
    pq.write_table(pa.table({"n": list(range(1_000))}), tmp_path / "a.parquet", row_group_size=300)
    found = list(parquet_rows(tmp_path / "a.parquet", FilePart(start, start + 100, start + 1)))
    assert found == [(number + 1, {"n": number}) for number in range(start, start + 100)]


def test_columns_keep_their_names_where_they_differ_only_in_case(tmp_path):
    pq.write_table(pa.table({"a": [1], "A": [2]}), tmp_path / "a.parquet")
    assert list(parquet_rows(tmp_path / "a.parquet")) == [(1, {"a": 1, "A": 2})]


@pytest.mark.parametrize("storage", ["python", "pyarrow"])
@pytest.mark.parametrize("kind", ["str", "string"])
def test_equal_texts_of_a_column_are_one_object_whatever_else_is_installed(tmp_path, storage, kind):
    with pd.option_context("mode.string_storage", storage):
        names = pd.Series(["".join(["m", "odel"]) for _ in range(9)], dtype=kind)
        write_parquet(tmp_path / "a.parquet", [pd.DataFrame({"model": names})])
        with open_parquet(tmp_path / "a.parquet") as file:
            column = file.frame()["model"]
    assert column.dtype == kind
    assert len({id(text) for text in column.to_numpy(object)}) == 1


@pytest.fixture
def little_memory(monkeypatch):
    monkeypatch.setattr(database, "MEMORY", "20MB")
    database._started.cache_clear()
    yield
    database._started.cache_clear()


@pytest.mark.usefixtures("little_memory")
def test_a_page_that_is_larger_than_its_file_says_is_an_error_and_costs_no_memory(tmp_path):
    pq.write_table(pa.table({"a": ["x" * 40_000_000]}), tmp_path / "a.parquet", compression="zstd")
    with pytest.raises(RowError, match="it takes more than 20MB of memory"):
        list(parquet_rows(tmp_path / "a.parquet"))


@pytest.mark.parametrize(
    "query",
    [
        "FROM read_parquet('https://example.org/a.parquet')",
        "LOAD httpfs",
        "SET enable_external_access = true",
        "SELECT * FROM secret",
    ],
)
def test_the_database_reaches_no_network_no_extension_and_no_variable(query):
    secret = pd.DataFrame({"a": [1]})
    with open_database() as connection, pytest.raises(duckdb.Error):
        connection.execute(query).fetchall()
    assert len(secret) == 1


def test_no_command_needs_pyarrow(tmp_path):
    write_parquet(tmp_path / "a.parquet", [pd.DataFrame({"id": ["a"]})])
    code = (
        "import sys; sys.modules['pyarrow'] = None; from pathlib import Path\n"
        "from voirdire.data.rows import parquet_rows\n"
        "print(list(parquet_rows(Path(sys.argv[1]))))"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path / "a.parquet")], capture_output=True, text=True)
    assert (done.stdout.strip(), done.stderr) == ("[(1, {'id': 'a'})]", "")
