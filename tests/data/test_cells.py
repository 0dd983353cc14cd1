import csv
import io
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import voirdire
from tests.ddft.person_check.test_person_check import written as filled
from voirdire.data.cells import csv_text, guard, unguard
from voirdire.data.rows import RowError, table_rows
from voirdire.data.sheets import read_sheet
from voirdire.ddft.person_check.records import SampledTurn
from voirdire.ddft.person_check.sheet import read_ratings, sheet_text

BREAKS = ["\t", "\r", "\n"]
STARTS = ["=", "+", "-", "@", "＝", "＋", "－", "＠", "−", "﹣"]
HIDDEN = ["", " ", "  ", "\u00a0", "\u200b", "\ufeff", "\u2060", '"', "“", "\u3000", " \t"]
FORMULAS = st.builds(
    "{}{}{}".format, st.sampled_from(["", "'", "''"]), st.sampled_from(HIDDEN), st.sampled_from(STARTS + BREAKS)
).flatmap(lambda start: st.text(max_size=10).map(lambda rest: start + rest))


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("hidden", HIDDEN)
def test_a_text_that_begins_like_a_formula_is_guarded_also_behind_what_programs_strip(hidden, start):
    assert guard(f"{hidden}{start}cmd|' /C calc'!A0").startswith("'")
    assert all(guard(f"{one}text") == f"'{one}text" for one in BREAKS)


@pytest.mark.parametrize("text", ["-0.5", "+3", "-1e-3", "-12 %", "1,234.5", "+.5", "0", "a=1", "it's", "", "'quoted'"])
def test_plain_numbers_and_plain_texts_stay(text):
    assert guard(text) == text == unguard(text)


@given(FORMULAS | st.text(max_size=20))
def test_what_was_guarded_comes_back(text):
    assert unguard(guard(text)) == text


@given(st.lists(FORMULAS | st.text(max_size=20), min_size=1, max_size=4))
def test_csv_holds_every_text_in_its_cell(cells):
    (row,) = csv.reader(io.StringIO(csv_text([[*cells, "end"]]), newline=""))

    assert [unguard(cell) for cell in row] == [*cells, "end"]


def test_both_readers_of_tables_give_every_text_as_it_was_written(tmp_path):
    texts = ["- Bring a passport.", "'- quoted", "''=1", "it's", "-0.5"]
    (tmp_path / "a.csv").write_text(csv_text([["-text"], *([text] for text in texts)]), encoding="utf-8")

    assert [row["-text"] for _, row in table_rows(tmp_path / "a.csv", 1_000)] == texts
    sheet = read_sheet(tmp_path / "a.csv")
    assert (sheet.columns, [cell for _, (cell,) in sheet.rows]) == (["-text"], texts)


def test_numbers_are_no_texts():
    assert csv_text([[-1.5, -2, None, True]]) == "-1.5,-2,,true\r\n"


@given(text=FORMULAS, key=FORMULAS.filter(lambda key: key.strip() == key and key.isprintable()))
def test_a_sheet_that_a_person_has_filled_in_comes_back_with_its_key(tmp_path_factory, text, key):
    turn = SampledTurn(key, text, 1, text, (), text, text, text)
    head, row = csv.reader(io.StringIO(sheet_text([turn]).removeprefix("\ufeff"), newline=""))
    assert [unguard(cell) for cell in row[2:9]] == [text, "1", text, "", *[text] * 3]

    path = tmp_path_factory.mktemp("sheet") / "a.csv"
    filled([dict(zip(head, row, strict=True)) | {"far": "0,5", "comment": guard(text)}], path)
    if "\0" not in text:
        (rating,) = read_ratings(path)
        assert (rating.key, rating.far, rating.comment) == (key, 0.5, text.strip())


def test_every_csv_that_is_written_goes_through_the_guard():
    """Whoever writes CSV in another place must come here."""
    found = {
        path.relative_to(Path(voirdire.__file__).parent).as_posix()
        for path in Path(voirdire.__file__).parent.rglob("*.py")
        if re.search(r"csv\.(?:writer|DictWriter)\(|\.to_csv\(", path.read_text(encoding="utf-8"))
    }
    # `figures` writes into memory, to be read at once; `export_files` guards each cell.
    assert found == {
        "data/cells.py",
        "adapters/export_files.py",
        "ddft/analysis/external_figures.py",
    }


def test_reading_a_table_leaves_the_limit_of_csv_as_it_was_for_whoever_else_reads(tmp_path):
    (tmp_path / "a.csv").write_text("text\nshort\n" + "x" * 2_000 + "\n", encoding="utf-8")
    before = csv.field_size_limit()
    rows = table_rows(tmp_path / "a.csv", 1_000)
    assert next(rows) == (1, {"text": "short"}) and csv.field_size_limit() == before
    with pytest.raises(RowError, match="larger than field limit"):
        next(rows)
    assert csv.field_size_limit() == before
