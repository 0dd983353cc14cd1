import csv
from dataclasses import replace
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reports.formats.examples import made, readings
from voirdire.data.cells import unguard
from voirdire.documents.document import Cell, Column, Section, Table
from voirdire.reports.formats.csv_files import to_csv


def rows(text):
    return list(csv.reader(StringIO(text, newline="")))


def test_every_table_becomes_a_file_with_values_not_with_what_is_shown():
    files = to_csv(made())

    assert list(files) == ["figures.csv", "scores.csv", "dialogues.csv", "dialogues-marked.csv", "provenance.csv"]
    assert rows(files["scores.csv"]) == [
        ["model", "far", "said"],
        ["openai/gpt-5.1", "0.81234", "plain"],
        ["b", "", "true"],
    ]
    assert rows(files["figures.csv"]) == [
        ["section", "figure", "value", "low", "high", "shown", "note"],
        ["Figures", "ER", "0.6123", "0.5012", "0.7034", "0.61", "the index"],
    ]
    assert rows(files["provenance.csv"]) == [["name", "value"], ["version", "0.1.0"]]


def test_intervals_of_a_column_stand_in_columns_of_their_own():
    columns = (Column("metric", "Metric"), Column("local/a", "local/a", numeric=True, with_ends=True))
    cells = (Cell(0.5, "0.500 (0.400–0.600)", ends=(0.4, 0.6)), Cell(0.7, "0.700"))
    table = Table("profiles", columns, tuple({"metric": Cell("ER", "ER"), "local/a": cell} for cell in cells))
    found = to_csv(replace(made(), sections=(Section("profile", "Profile", (table,)),)))
    assert rows(found["profiles.csv"]) == [
        ["metric", "local/a", "local/a_low", "local/a_high"],
        ["ER", "0.5", "0.4", "0.6"],
        ["ER", "0.7", "", ""],
    ]


def test_an_interval_that_is_two_numbers_is_no_text_as_well():
    columns = (
        Column("difference", "A - B", numeric=True, with_ends=True),
        Column("interval", "95 % interval", numeric=True, says_ends=True),
    )
    row = {"difference": Cell(-0.1, "-0.10", ends=(-0.2, 0.0)), "interval": Cell("-0.20 to 0.00", "-0.20 to 0.00")}
    table = Table("pairs", columns, (row,))
    found = to_csv(replace(made(), sections=(Section("pairs", "Pairs", (table,)),)))
    assert rows(found["pairs.csv"]) == [["difference", "difference_low", "difference_high"], ["-0.1", "-0.2", "0.0"]]


def test_texts_to_read_have_a_row_for_each_exchange_and_one_for_each_marked_stretch():
    files = to_csv(made(text="It was dry."))
    names, (*_,) = rows(files["dialogues.csv"])[0], rows(files["dialogues.csv"])
    row = dict(zip(names, rows(files["dialogues.csv"])[1], strict=True))

    assert row["answer"] == "It rained. It was dry. So it is."
    assert (row["id"], row["model"], row["question"], row["flags"]) == ("d1", "m", "What?", "low")
    assert row["remarks"] == "judge: FAR 0.80: It was dry."
    (_, marked) = rows(files["dialogues-marked.csv"])
    assert marked == ["d1", "1", "11", "22", "bad", "It was dry.", "denial, -30"]
    assert row["answer"][11:22] == "It was dry."


@pytest.mark.parametrize(
    "text", ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "＝1+1", "=HYPERLINK()"]
)
def test_no_cell_is_a_formula(text):
    assert rows(to_csv(made(cell=text))["scores.csv"])[1][2] == "'" + text


@pytest.mark.parametrize("text", ["-0.5", "+3", "-1e-3", "-12 %", "1,234.5", "-1,234", "+.5", "0"])
def test_numbers_stay_numbers(text):
    assert rows(to_csv(made(cell=text))["scores.csv"])[1][2] == text


@given(st.text(max_size=40))
def test_whatever_stands_in_a_text_stays_in_its_cell(text):
    found = rows(to_csv(made(cell=text))["scores.csv"])

    assert len(found) == 3 and unguard(found[1][2]) == text


def test_files_of_one_name_do_not_overwrite_each_other():
    one = made()
    twice = replace(one, sections=(*one.sections, Section("more", "More", (readings("again"),))))

    assert [name for name in to_csv(twice) if name.startswith("dialogues")] == [
        *("dialogues.csv", "dialogues-marked.csv", "dialogues-2.csv", "dialogues-marked-2.csv"),
    ]
