import csv
import io
import re

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from voirdire.adapters.export_files import guard_cells, write_csv
from voirdire.data.cells import unguard

NUMBER = re.compile(r"[+-]?[\d.,]+(?:[eE][+-]?\d+)?\s*%?", re.ASCII)
DANGEROUS = ("=", "+", "-", "@", "\t", "\r")
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30) | st.builds(
    str.__add__, st.sampled_from(DANGEROUS), st.text(st.characters(exclude_categories=["Cs"]), max_size=10)
)


@given(st.lists(TEXTS, min_size=1, max_size=8))
def test_no_cell_of_text_begins_like_a_formula_and_the_text_can_be_had_back(texts):
    frame = pd.DataFrame({"text": pd.array(texts, dtype="string"), "far": [-0.5] * len(texts)})

    safe, count = guard_cells(frame)

    cells = list(safe["text"])
    assert not any(cell.startswith(DANGEROUS) for cell in cells if not NUMBER.fullmatch(cell))
    assert [unguard(cell) for cell in cells] == texts
    assert count == sum(cell != text for cell, text in zip(cells, texts, strict=True))
    assert list(safe["far"]) == [-0.5] * len(texts)


@given(st.lists(TEXTS, min_size=1, max_size=8))
def test_what_a_csv_reader_gets_is_what_was_written(tmp_path_factory, texts):
    folder = tmp_path_factory.mktemp("csv")
    frame = pd.DataFrame({"n": range(len(texts)), "text": pd.array(texts, dtype="string")})

    write_csv({"t": frame}, folder)

    with (folder / "t.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["text"] for row in rows] == list(guard_cells(frame)[0]["text"])
    assert [row["n"] for row in rows] == [str(n) for n in range(len(texts))]


@pytest.mark.parametrize(
    ("values", "cells"),
    [
        ([-1.5, None], ["-1.5", ""]),
        ([True, False], ["True", "False"]),
        ([["=a", 1], []], ['["=a", 1]', "[]"]),
        ([None, "-1"], ["", "-1"]),
        ([None, "-1+cmd|' /C calc'!A0"], ["", "'-1+cmd|' /C calc'!A0"]),
        (["＝1", "it's"], ["'＝1", "it's"]),
    ],
)
def test_numbers_stay_numbers_lists_become_json_and_what_is_missing_stays_empty(values, cells):
    safe, _ = guard_cells(pd.DataFrame({"value": values}))

    read = [row["value"] for row in csv.DictReader(io.StringIO(safe.assign(end=0).to_csv(index=False)))]

    assert read == cells
