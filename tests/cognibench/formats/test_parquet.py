import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from voirdire.cognibench.formats import iter_answers, layout_of
from voirdire.cognibench.records import CognibenchError
from voirdire.data.rows import FilePart, parquet_rows

ENTRIES = [
    {"id": "a", "context": "It is red.", "question": "What?", "answer": "It is red. It is blue."},
    {
        "context": "It is old.",
        "turns": [
            {"user": "How old?", "assistant": "It is old."},
            {"user": "So?", "assistant": "It is."},
        ],
    },
    {"id": "s", "context": "x", "answer": "One. Two.", "statements": [{"start": 0, "end": 4, "label": "faithful"}]},
]


def test_answers_are_those_of_the_same_lines(tmp_path):
    schema = pa.schema(
        [
            ("id", pa.string()),
            ("context", pa.string()),
            ("question", pa.string()),
            ("answer", pa.string()),
            ("turns", pa.list_(pa.struct([("user", pa.string()), ("assistant", pa.string())]))),
            (
                "statements",
                pa.list_(pa.struct([("start", pa.int64()), ("end", pa.int64()), ("label", pa.string())])),
            ),
        ]
    )
    pq.write_table(pa.Table.from_pylist(ENTRIES, schema), tmp_path / "data.parquet", row_group_size=2)
    (tmp_path / "data.jsonl").write_text("\n".join(map(json.dumps, ENTRIES)))
    assert layout_of(tmp_path / "data.parquet") == "parquet"
    assert list(iter_answers(tmp_path / "data.parquet")) == list(iter_answers(tmp_path / "data.jsonl"))


def test_ids_of_a_column_that_lacks_one_are_whole_numbers_and_the_line_where_there_is_none(tmp_path):
    columns = {"id": [7.0, float("nan"), None], "context": ["c"] * 3, "answer": ["A."] * 3}
    pq.write_table(pa.table(columns), tmp_path / "data.parquet")
    (tmp_path / "data.jsonl").write_text('{"id": 7.0, "context": "c", "answer": "A."}\n')

    assert [each.id for each in iter_answers(tmp_path / "data.parquet")] == ["7", "2", "3"]
    assert [each.id for each in iter_answers(tmp_path / "data.jsonl")] == ["7"]


def test_a_part_of_the_rows_is_read_wherever_the_row_groups_end(tmp_path):
    pq.write_table(pa.table({"n": list(range(1000))}), tmp_path / "n.parquet", row_group_size=300)
    for start, stop in ((0, 1000), (250, 650), (299, 301), (999, 1000), (600, 600)):
        found = [
            (number, row["n"]) for number, row in parquet_rows(tmp_path / "n.parquet", FilePart(start, stop, start + 1))
        ]
        assert found == [(n + 1, n) for n in range(start, stop)]


def test_a_row_that_is_no_answer_is_named(tmp_path):
    pq.write_table(pa.table({"context": ["c", "d"], "answer": ["Yes.", None]}), tmp_path / "data.parquet")
    with pytest.raises(CognibenchError, match=r"data\.parquet, row 2: it has no answer"):
        list(iter_answers(tmp_path / "data.parquet"))


def test_what_is_no_parquet_is_refused_with_a_sentence(tmp_path):
    (tmp_path / "data.parquet").write_text("{}")
    with pytest.raises(CognibenchError, match=r"data\.parquet can't be read as Parquet: "):
        list(iter_answers(tmp_path / "data.parquet"))
