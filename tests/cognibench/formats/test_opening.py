import json

import pytest

from voirdire.cognibench.formats import Problem, Problems, layout_of, read_answers, read_data
from voirdire.cognibench.records import CognibenchError
from voirdire.detectors.records import Answer, Statement
from voirdire.runs import RunFolder


def answered(*statements):
    where = {"dialogue": "d", "group": "g", "context": "c", "question": "q"}
    return Answer(id="a", text="It is. It was.", statements=statements, **where)


@pytest.mark.parametrize(
    ("name", "layout"), [("dialogues.json", "released"), ("response.jsonl", "ragtruth"), ("run.json", "run")]
)
def test_the_layout_of_a_folder_is_told_by_what_is_in_it(tmp_path, name, layout):
    (tmp_path / name).write_text("[]", encoding="utf-8")
    assert layout_of(tmp_path) == layout


def test_what_cannot_be_read_is_said_in_one_sentence(tmp_path):
    with pytest.raises(CognibenchError, match="does not exist"):
        read_answers(tmp_path / "none.jsonl")
    with pytest.raises(CognibenchError, match="holds no data set that is known"):
        read_answers(tmp_path)
    (tmp_path / "empty.jsonl").write_text("\n", encoding="utf-8")
    with pytest.raises(CognibenchError, match=r"empty\.jsonl holds no answers"):
        read_answers(tmp_path / "empty.jsonl")
    with pytest.raises(CognibenchError, match="no layout 'csv'; there are auto, jsonl"):
        read_answers(tmp_path / "empty.jsonl", layout="csv")


def test_a_run_is_read_by_what_made_it(tmp_path, monkeypatch):
    from types import SimpleNamespace

    from voirdire.cognibench.generation import session
    from voirdire.cognibench.labelling import records

    labelled = answered(Statement("It is.", 0, 6, "faithful"))
    monkeypatch.setattr(records, "read_labelled", lambda path: [SimpleNamespace(answer=labelled)])
    monkeypatch.setattr(session, "read_generated", lambda path, plain: ["generated"])
    for instrument, found in (("cognibench", labelled), ("cognibench-dialogues", "generated")):
        RunFolder.create(tmp_path / instrument, {"instrument": instrument}).close()
        assert read_data(tmp_path / instrument).answers == [found]


def test_statements_that_a_run_left_without_a_label_are_told(tmp_path, monkeypatch):
    from types import SimpleNamespace

    from voirdire.cognibench.labelling import records

    answer = answered(Statement("It is.", 0, 6, "faithful"), Statement("It was.", 7, 14, None))
    monkeypatch.setattr(records, "read_labelled", lambda path: [SimpleNamespace(answer=answer)])
    RunFolder.create(tmp_path / "run", {"instrument": "cognibench"}).close()
    assert read_data(tmp_path / "run").problems == (Problem("no label", "a", "sentence 2"),)


def test_a_run_of_another_instrument_holds_no_answers(tmp_path):
    RunFolder.create(tmp_path / "run", {"instrument": "ddft"}).close()
    with pytest.raises(CognibenchError, match="is no labelling run"):
        read_answers(tmp_path / "run")


def test_a_layout_can_be_named(tmp_path):
    path = tmp_path / "answers.txt"
    path.write_text(json.dumps({"context": "c", "answer": "A."}), encoding="utf-8")
    assert read_answers(path, layout="jsonl") == read_answers(path)


def test_problems_are_counted_and_the_first_three_of_a_kind_are_shown():
    met = Problems()
    for number in range(1_200):
        met(Problem("renamed", f"a{number}", "now b"))
    met(Problem("unplaced", "z", "“x” (faithful)"))
    renamed, unplaced = met.sentences()
    assert renamed.startswith("Ids that were there already and were given a number: 1,200 ")
    assert "(a0: now b; a1: now b; a2: now b; and 1,197 more)." in renamed
    assert unplaced == "Labels that stand on no sentence of their answer: 1 (z: “x” (faithful))."


def test_entries_that_were_left_out_are_named_a_line_each_and_no_more_than_ten():
    met = Problems()
    for number in range(1, 13):
        met(Problem("left out", f"a.jsonl, line {number}", "it has no answer"))
    (said,) = met.sentences()
    first, *lines, last = said.splitlines()
    assert first == "Entries that could not be used and were left out: 12."
    assert lines == [f"a.jsonl, line {number}: it has no answer." for number in range(1, 11)]
    assert last == "And 2 more."
