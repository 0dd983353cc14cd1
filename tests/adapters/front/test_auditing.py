"""`vd.audit`: the same as the command, as pandas."""

import pytest

import voirdire as vd
from tests.cli.here import voirdire_json


@pytest.fixture
def table(tmp_path):
    lines = [f"{item},{model},{int(item % 10 < right)}" for model, right in (("a", 9), ("b", 2)) for item in range(200)]
    path = tmp_path / "results.csv"
    path.write_text("\n".join(["item,model,score", *lines]))
    return path


def test_it_shows_its_conclusion_and_gives_tables(table):
    found = vd.audit(table)
    assert repr(found) == "Believe the order of both models; 0 of 26 checks fail."
    assert "Believe the order of both models" in found._repr_html_()
    assert list(found.scores["model"]) == ["a", "b"] and list(found.scores["score"]) == [0.9, 0.2]
    assert len(found.items) == 400 and len(found.checks) == 26 and found.failed == []


def test_it_gives_what_the_command_prints(table):
    assert vd.audit(table).to_dict() == voirdire_json("audit", table)


def test_columns_can_be_named(tmp_path):
    (tmp_path / "r.csv").write_text("q,who,points\n1,a,1\n2,a,0\n")
    found = vd.audit(tmp_path / "r.csv", map={"item": "q", "model": "who", "score": "points"})
    assert list(found.scores["score"]) == [0.5]


def test_the_report_is_saved(table, tmp_path):
    vd.audit(table).save(tmp_path / "audit.md")
    assert "Believe the order of both models" in (tmp_path / "audit.md").read_text()


def test_other_functions_take_results(table):
    assert repr(vd.compare(table)) == "Believe the order of both models."
    assert vd.validate(table).failed == []
    assert vd.plan(detect=0.1, results=table).frame["needed"].notna().all()
    vd.assert_floor(table, min={"score": 0.8}, model="a")
    with pytest.raises(AssertionError, match=r"b: score is 0\.200"):
        vd.assert_floor(table, min={"score": 0.8}, model="b")
