import math
import struct

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.adapters.verifying.examples import swapped, with_cell
from voirdire.adapters.verify_tables import ColumnDifference, TableDifference, compare_tables
from voirdire.data.parquet import write_parquet
from voirdire.data.rows import RowError

FRAME = pd.DataFrame(
    {
        "dialogue": ["a", "a", "b"],
        "turn": [1, 2, 1],
        "far": [0.5, float("nan"), 1.0],
        "why": ["", None, "=1"],
        "votes": [["x"], [], ["y", "z"]],
        "hallucinated": pd.array([True, None, False], dtype="boolean"),
    }
)


def compared(tmp_path, one, two=FRAME, **options):
    one.to_parquet(tmp_path / "one.parquet", index=False, **options)
    write_parquet(tmp_path / "two.parquet", [two])
    return compare_tables(tmp_path / "one.parquet", tmp_path / "two.parquet")


def test_equal_tables_are_equal_however_they_are_cut_into_groups(tmp_path):
    assert compared(tmp_path, FRAME) is None
    assert compared(tmp_path, FRAME, row_group_size=1) is None


@pytest.mark.parametrize(
    ("column", "value"),
    [("dialogue", "c"), ("turn", 7), ("far", 0.25), ("why", None), ("votes", ["x", "x"]), ("hallucinated", None)],
)
def test_a_changed_cell_is_named_with_its_row(tmp_path, column, value):
    difference = compared(tmp_path, with_cell(FRAME, column, value))
    assert (difference.rows, difference.first.row, difference.first.column) == (1, 1, column)
    assert difference.first.key == "dialogue 'a', turn 1"
    assert difference.sentence().startswith(f"1 row differs, first row 1 (dialogue 'a', turn 1): {column} is ")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda frame: frame.drop(index=1), "it has 2 rows, the journal gives 3; 1 row differs, first row 2"),
        (lambda frame: frame.iloc[:2], "it has 2 rows, the journal gives 3."),
        (lambda frame: pd.concat([frame, frame.iloc[:1]]), "it has 4 rows, the journal gives 3."),
        (swapped, "2 rows differ, first row 1 (dialogue 'a', turn 1): turn is 2, the journal gives 1"),
        (lambda frame: frame.drop(columns="why"), "its columns are not those that this version makes: why (text) is"),
        (lambda frame: frame[[*frame.columns[::-1]]], "they stand in another order"),
        (lambda frame: frame.assign(turn=["1", "2", "1"]), "turn (text), turn (whole number) is missing"),
    ],
)
def test_rows_and_columns_that_were_moved_added_or_taken_away_are_told(tmp_path, change, says):
    assert says in compared(tmp_path, change(FRAME)).sentence()


@given(
    st.floats(allow_nan=True) | st.none(),
    st.floats(allow_nan=True) | st.none(),
)
@example(1.0, math.nextafter(1.0, 2))
@example(0.0, -0.0)
@example(None, math.nan)
def test_floats_are_equal_when_their_bits_are_or_both_are_nan(tmp_path_factory, one, two):
    folder = tmp_path_factory.mktemp("floats")
    for name, value in (("one", one), ("two", two)):
        pq.write_table(pa.table({"x": pa.array([value], pa.float64())}), folder / f"{name}.parquet")
    same = compare_tables(folder / "one.parquet", folder / "two.parquet") is None
    if one is None or two is None:
        assert same == (one is two)
    elif math.isnan(one) or math.isnan(two):
        assert same == (math.isnan(one) and math.isnan(two))
    else:
        assert same == (struct.pack("d", one) == struct.pack("d", two))


def test_long_tables_are_held_against_each_other_in_blocks(tmp_path):
    long = pd.DataFrame({"id": [str(number) for number in range(4_500)], "x": 0.5})
    other = with_cell(long.iloc[::-1].reset_index(drop=True), "x", 0.25).iloc[::-1].reset_index(drop=True)
    difference = compared(tmp_path, other, long, row_group_size=700)
    assert difference == TableDifference(4_500, 4_500, 1, difference.first) and difference.first.row == 4_500


def test_other_columns_are_no_difference_of_rows(tmp_path):
    assert isinstance(compared(tmp_path, FRAME.rename(columns={"far": "sas"})), ColumnDifference)


def test_what_is_no_table_is_said_to_be_none(tmp_path):
    (tmp_path / "one.parquet").write_text("far,sas")
    write_parquet(tmp_path / "two.parquet", [FRAME])
    with pytest.raises(RowError, match="can't be read as Parquet"):
        compare_tables(tmp_path / "one.parquet", tmp_path / "two.parquet")
