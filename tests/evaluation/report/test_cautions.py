"""What is said first of how results were read."""

import json

import pytest

from tests.cli.here import voirdire, voirdire_json
from voirdire.adapters.export_files import ExportPlan
from voirdire.adapters.writers.evaluations import export_results
from voirdire.documents.document import Text
from voirdire.evaluation import questions
from voirdire.evaluation.audit import audit
from voirdire.evaluation.report import audit_document, brief_document, conclusion
from voirdire.evaluation.report.cautions import directions, doubts, left_out, not_read
from voirdire.instruments import PowerQuestion

LATIN = "item,score\n\xe4,1\n".encode("latin-1")


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "good.csv"
    path.write_text("item,model,score\n" + "".join(f"{n},m,{n % 2}\n" for n in range(20)))
    return path


def test_the_first_sentence_counts_result_files_that_were_left_out(tmp_path, table):
    assert left_out(audit([tmp_path])) == ""
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_bytes(LATIN)
    (tmp_path / "README.md").write_text("# No results")
    found = audit([tmp_path])
    assert left_out(found) == "; 2 of 3 result files could not be read"
    assert conclusion(found).endswith("0 of 4 checks fail; 2 of 3 result files could not be read.")


def test_compare_and_gate_say_that_files_were_left_out(tmp_path, table):
    table.write_text(table.read_text() + "".join(f"{n},k,1\n" for n in range(20)))
    (tmp_path / "a.csv").write_bytes(LATIN)
    said = "1 of 2 result files could not be read"
    assert voirdire("compare", tmp_path).stdout.splitlines()[1] == f"! {said}: voirdire audit says why."
    assert f"{said}." in voirdire("gate", tmp_path, "--min", "score=0.1").stdout


def test_planning_and_agreement_and_exports_say_it_too(tmp_path):
    rows = [f"{n},{m},{j},{(n * 7 + len(m + j)) % 3}" for n in range(30) for m in ("k", "mm") for j in ("x", "yy")]
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "good.csv").write_text("\n".join(["item,model,judge,score", *rows]))
    (folder / "bad.csv").write_bytes(LATIN)
    said = "1 of 2 result files could not be read: voirdire audit says why."
    for question in (questions.power([folder], PowerQuestion(0.1)), questions.reliability([folder])):
        assert question.document.sections[0].blocks[1] == Text(said, "warn")
    plan = ExportPlan(runs=(folder,), target="csv", out=tmp_path / "out")
    assert export_results(plan).notes[0] == said


def test_models_whose_names_look_alike_are_pointed_out(tmp_path):
    rows = [f"{n},{model},{n % 2}" for n in range(20) for model in ("gpt-4", "GPT-4 ")]
    (tmp_path / "r.csv").write_text("\n".join(["item,model,score", *rows]))
    found = audit([tmp_path])
    said = "The models 'GPT-4 ' and 'gpt-4' may be one, counted as 2: their names differ in case, spaces or signs that"
    assert [each.text.startswith(said) for each in doubts(found.evaluations)] == [True]
    assert said in str(brief_document(found)) and said in str(audit_document(found))


def test_up_to_three_files_are_named_with_why_the_damaged_ones_first(tmp_path, table):
    (tmp_path / "README.md").write_text("# No results")
    assert [each.text for each in not_read(audit([tmp_path]).unread)] == ["1 file was not read; --all says which."]
    (tmp_path / "aaa.csv").write_text("name,place\nx,1\n")
    for number in range(3):
        (tmp_path / f"bad{number}.csv").write_bytes(LATIN)
    said = [each.text for each in not_read(audit([tmp_path]).unread)]
    says = "row 1: it is no UTF-8 text; save the file as UTF-8."
    bad = [f"Not read: {tmp_path}/bad{number}.csv, {says}" for number in range(3)]
    assert said == [*bad, "2 more files were not read; --all says which."]
    (tmp_path / "bad2.csv").unlink()
    assert "aaa.csv has the columns name, place" in [each.text for each in not_read(audit([tmp_path]).unread)][2]


def test_all_names_every_file(tmp_path, table):
    (tmp_path / "README.md").write_text("# No results")
    (tmp_path / "bad.csv").write_bytes(LATIN)
    printed = " ".join(voirdire("audit", tmp_path, "--all").stdout.split())
    assert "No results: " in printed and "README.md" in printed and printed.count("bad.csv, row 1: it is no UTF-8") == 2


@pytest.fixture
def errors(tmp_path):
    rows = [f"{n},{model},{base + n % 7 / 100}" for model, base in (("good", 0.1), ("bad", 0.3)) for n in range(60)]
    (tmp_path / "r.csv").write_text("\n".join(["item,model,wer", *rows]))
    return tmp_path / "r.csv"


def test_that_lower_is_better_stands_in_the_first_lines_of_every_answer(errors):
    said = "Lower is better, as the name wer says; --map better=higher says otherwise."
    for command in (("audit",), ("show",), ("validate",)):
        lines = voirdire(*command, errors, "--map", "score=wer").stdout.splitlines()
        assert lines[1] == said and lines[2].startswith("Best mean: good, 0.1")
    lines = voirdire("compare", errors, "--map", "score=wer").stdout.splitlines()
    assert lines[1:3] == [said, "Differences are turned: above 0, the first of two models is better."]
    assert said in voirdire("report", errors, "--to", "md", "--map", "score=wer").stdout
    told = voirdire("audit", errors, "--map", "score=wer,better=higher").stdout
    assert "Lower is better" not in told and told.splitlines()[1].startswith("Best mean: bad")
    assert voirdire_json("audit", errors, "--map", "score=wer")["evaluations"][0]["higher_is_better"] is False


def test_of_several_evaluations_it_is_said_whose_scores_are_better_when_lower(tmp_path, errors):
    (tmp_path / "s.csv").write_text("item,model,score\n1,good,1\n2,good,0\n")
    (tmp_path / "e.json").write_text(json.dumps([{"item": n, "error_rate": n / 9, "score": n / 9} for n in range(9)]))
    printed = voirdire("audit", tmp_path, "--map", "score=error_rate").stdout
    assert "e: Lower is better, as the name error_rate says" in printed
    assert "s: Lower" not in printed


def test_where_nothing_is_turned_nothing_is_said(table):
    assert list(directions(audit([table]).evaluations)) == []
