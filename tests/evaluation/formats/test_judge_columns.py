"""Tables where every judge has a column."""

import json

import pandas as pd
import pytest

import voirdire as vd
from tests.cli.here import voirdire
from voirdire.evaluation.formats import FormatError, parse_map, read_paths, with_columns

ROWS = [
    {"item": item, "model": model, "score_ann": ann, "score_bo": bo, "note": "n"}
    for item, model, ann, bo in (("a", "x", 1, 0), ("b", "x", 1, None), ("a", "y", 0, 0.5), ("b", "y", 1, 1))
]


def _read(path, given="score=score_*"):
    with with_columns(parse_map(given), [path]):
        (evaluation,) = read_paths([path]).evaluations
    return evaluation


@pytest.mark.parametrize(
    ("name", "write"),
    [
        ("t.csv", lambda path: pd.DataFrame(ROWS).to_csv(path, index=False)),
        ("t.json", lambda path: path.write_text(json.dumps(ROWS))),
        ("t.jsonl", lambda path: path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))),
        ("t.parquet", lambda path: pd.DataFrame(ROWS).to_parquet(path)),
    ],
)
def test_each_column_that_fits_is_a_judge(tmp_path, name, write):
    write(tmp_path / name)
    evaluation = _read(tmp_path / name)
    rows = evaluation.rows.astype({"item": str, "model": str, "judge": str})
    assert evaluation.judges == ("ann", "bo")
    assert rows[rows["judge"] == "ann"]["score"].tolist() == [1, 1, 0, 1]
    assert rows[rows["judge"] == "bo"]["score"].tolist() == [0, 0.5, 1]
    assert str(evaluation.notes[0]) == "Columns used: item=item, model=model, score=score_*, judge=*"
    assert str(evaluation.notes[-1]) == "Empty cells count as not rated by that judge: bo 1 (of 4 rows)"


def test_what_stands_for_an_empty_cell_is_none(tmp_path):
    pd.DataFrame(ROWS).to_csv(tmp_path / "t.csv", index=False, na_rep="NA")
    assert str(_read(tmp_path / "t.csv").notes[-1]).endswith("not rated by that judge: bo 1 (of 4 rows)")


def test_a_row_that_nobody_scored_has_missing_scores(tmp_path):
    pd.DataFrame([*ROWS, {"item": "c", "model": "x"}]).to_csv(tmp_path / "t.csv", index=False)
    evaluation = _read(tmp_path / "t.csv")
    assert (evaluation.rows["status"] == "missing").sum() == 2


def test_a_table_in_memory_is_read_alike():
    frame = pd.DataFrame(ROWS).rename(columns={"score_ann": "ann grade", "score_bo": "bo grade"})
    found = vd.audit(frame, map={"score": "* grade"})
    (evaluation,) = found.to_dict()["evaluations"]
    assert evaluation["judges"] == ["ann", "bo"]


def test_a_column_that_is_named_otherwise_is_no_judge(tmp_path):
    pd.DataFrame(ROWS).rename(columns={"item": "score_item"}).to_csv(tmp_path / "t.csv", index=False)
    assert _read(tmp_path / "t.csv", "item=score_item,score=score_*").judges == ("ann", "bo")


def test_a_judge_beside_them_and_a_pattern_that_fits_nothing_are_refused(tmp_path):
    pd.DataFrame(ROWS).to_csv(tmp_path / "t.csv", index=False)
    with pytest.raises(FormatError, match=r"score=score_\* takes the judges from the columns' names: leave out judge"):
        parse_map("score=score_*,judge=note")
    with pytest.raises(FormatError, match=r"has no column 'grade_\*'; it has item, model, note, score_ann, score_bo"):
        _read(tmp_path / "t.csv", "score=grade_*")


@pytest.mark.parametrize(
    ("names", "pattern"), [(("score_ann", "score_bo"), "score_*"), (("ann_rating", "bo_rating"), "*_rating")]
)
def test_who_does_not_name_them_is_told_how(tmp_path, names, pattern):
    pd.DataFrame(ROWS).rename(columns=dict(zip(("score_ann", "score_bo"), names, strict=True))).to_csv(
        tmp_path / "t.csv", index=False
    )
    found = voirdire("audit", tmp_path / "t.csv", check=False)
    assert found.returncode == 1
    assert f"If each judge has a column of scores: --map 'score={pattern}'." in " ".join(found.stderr.split())
