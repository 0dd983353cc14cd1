"""The reference says what each column of a cross-examination's tables is, and in which unit."""

import csv
import re
from pathlib import Path

import pytest

from voirdire.adapters.export import export_run
from voirdire.adapters.export_files import ExportPlan
from voirdire.adapters.loading import load

PAGE = (Path(__file__).parents[3] / "docs" / "reference" / "columns.md").read_text(encoding="utf-8")
SHARED = "Where a row belongs"
_ROW = re.compile(r"^- `(\w+)` \(([^)]+)\): (\S.*)$", re.MULTILINE)


def described(section):
    """(column, unit, meaning) of the lines of a section of the page."""
    text = re.split(r"^## ", PAGE.partition(f"\n## {section}\n")[2], maxsplit=1, flags=re.MULTILINE)[0]
    return _ROW.findall(text)


def columns_of(section):
    return {column for column, _, _ in described(section)}


@pytest.fixture(scope="module")
def heads(study, tmp_path_factory):
    out = tmp_path_factory.mktemp("columns") / "out"
    export_run(ExportPlan(runs=(study,), target="csv", out=out))
    return {path.stem: next(csv.reader(path.open(encoding="utf-8-sig"))) for path in out.glob("*.csv")}


@pytest.mark.parametrize("table", ["turns", "verdicts", "scores", "metrics", "calls"])
def test_every_exported_column_has_its_line_with_a_unit(heads, table):
    assert columns_of(table) <= set(heads[table]), "a line for a column that there is not"
    assert set(heads[table]) - columns_of(table) <= columns_of(SHARED)


def test_no_exported_table_is_left_out(heads):
    assert [table for table in heads if not described(table)] == []


def test_every_metric_of_a_profile_has_its_line(study):
    columns = [name for name in load(study).profiles.columns if not name.endswith(("_low", "_high"))]
    assert [column for column, _, _ in described("profiles")] == columns
