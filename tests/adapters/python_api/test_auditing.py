"""`vd.audit`: the same as the command, as pandas."""

import pandas as pd
import pytest

import voirdire as vd
from tests.cli.here import voirdire_json
from voirdire.adapters.python_api.results import UsageError
from voirdire.data.paths import PathTypeError
from voirdire.evaluation.formats import FormatError
from voirdire.runs import RunFolder


@pytest.fixture
def table(tmp_path):
    lines = [f"{item},{model},{int(item % 10 < right)}" for model, right in (("a", 9), ("b", 2)) for item in range(200)]
    path = tmp_path / "results.csv"
    path.write_text("\n".join(["item,model,score", *lines]))
    return path


def test_it_shows_its_conclusion_and_gives_tables(table):
    found = vd.audit(table)
    assert repr(found) == "Believe the order of both models; 0 of 9 checks fail."
    assert "Believe the order of both models" in found._repr_html_()
    assert list(found.scores["model"]) == ["a", "b"] and list(found.scores["score"]) == [0.9, 0.2]
    assert len(found.items) == 400 and len(found.checks) == 30 and found.failed == []


def test_it_gives_what_the_command_prints(table):
    assert vd.audit(table).to_dict() == voirdire_json("audit", table)


def test_a_run_is_no_results_of_somebody_elses(tmp_path):
    RunFolder.create(tmp_path / "run", {"instrument": "ddft", "models": ["m"]}).close()
    with pytest.raises(UsageError, match=r"run is a run, and audit reads results of evaluations; .* voirdire validate"):
        vd.audit(tmp_path / "run")


def test_columns_can_be_named(tmp_path):
    (tmp_path / "r.csv").write_text("q,who,points\n1,a,1\n2,a,0\n")
    found = vd.audit(tmp_path / "r.csv", map={"item": "q", "model": "who", "score": "points"})
    assert list(found.scores["score"]) == [0.5]


def test_a_table_in_memory_gives_what_its_file_gives(table):
    frame = pd.read_csv(table).astype({"model": "category"})
    found, of_file = vd.audit(frame), vd.audit(table)
    assert repr(found) == repr(of_file)
    pd.testing.assert_frame_equal(found.scores.drop(columns="evaluation"), of_file.scores.drop(columns="evaluation"))
    named = frame.rename(columns={"item": "q", "score": "points"})
    assert repr(vd.audit(named, map={"item": "q", "score": "points"})) == repr(of_file)


def test_a_table_may_lack_scores_and_hold_any_cells():
    cells = {"item": [1, 2, 3], "model": "a", "score": [1, None, 0], "output": [["x"], {"y": 1}, pd.Timestamp(0)]}
    found = vd.audit(pd.DataFrame(cells))
    assert list(found.items["status"]) == ["scored", "missing", "scored"] and list(found.items["item"]) == list("123")
    assert list(found.items["output"]) == ['["x"]', '{"y": 1}', "1970-01-01 00:00:00"]


@pytest.mark.parametrize(
    ("frame", "says"),
    [
        (pd.DataFrame({"q": [1], "points": [1]}), "The table's columns are q, points: name those of items and scores"),
        (pd.DataFrame(), r"The table has no columns; one of items and one of scores are expected\."),
        (pd.DataFrame({"item": [], "score": []}), r"The table has no rows\."),
        (pd.DataFrame({"item": [None], "score": [1]}), "The table, row 1: the column item has no item"),
    ],
)
def test_a_table_that_is_no_results_ends_in_a_sentence(frame, says):
    with pytest.raises(FormatError, match=says):
        vd.audit(frame)


def test_a_table_where_paths_are_expected_ends_in_a_sentence(table):
    with pytest.raises(PathTypeError, match=r"; a table \(a pandas DataFrame\), which is not in a file, was given\.$"):
        vd.compare(pd.read_csv(table))


def test_the_report_is_saved(table, tmp_path):
    vd.audit(table).save(tmp_path / "audit.md")
    assert "Believe the order of both models" in (tmp_path / "audit.md").read_text()


def test_other_functions_take_results(table):
    assert repr(vd.compare(table)) == "Believe the order of both models."
    assert vd.validate(table).failed == []
    assert vd.plan(detect=0.1, results=table).frame["needed"].notna().all()
    vd.assert_floor(table, min={"score": 0.8}, only_models="a")
    with pytest.raises(AssertionError, match=r"b: score is 0\.200"):
        vd.assert_floor(table, min={"score": 0.8}, only_models="b")


def test_other_functions_take_named_columns(table, tmp_path):
    table.write_text(table.read_text().replace("item,model,score", "q,who,points"))
    columns = {"item": "q", "model": "who", "score": "points"}
    assert repr(vd.compare(table, map=columns)) == "Believe the order of both models."
    assert vd.validate(table, map=columns).failed == []
    assert vd.plan(detect=0.1, results=table, map=columns).frame["needed"].notna().all()
    assert "Believe" in vd.report(table, out=tmp_path / "r.md", map=columns).read_text()
    vd.assert_floor(table, min={"score": 0.8}, only_models="a", map=columns)
    with pytest.raises(UsageError, match="name the table, or leave it out"):
        vd.plan("simulated/steady", map=columns)


def test_the_direction_of_a_table_in_memory_can_be_told(table):
    frame = pd.read_csv(table)
    assert list(vd.audit(frame, map="better=lower").scores["model"]) == ["b", "a"]
    assert list(vd.audit(frame.rename(columns={"score": "loss"}), map="score=loss").scores["model"]) == ["b", "a"]
