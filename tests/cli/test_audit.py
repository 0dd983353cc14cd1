"""`voirdire audit` as a user calls it."""

import json
import re
from pathlib import Path

import pandas as pd
import pytest

import voirdire as vd
from tests.cli.here import voirdire, voirdire_json
from voirdire.evaluation.checks.wording import ASKED, MEASURED
from voirdire.runs import RunFolder


@pytest.fixture
def table(tmp_path):
    lines = [f"{item},{model},{int(item % 10 < right)}" for model, right in (("a", 9), ("b", 2)) for item in range(200)]
    path = tmp_path / "results.csv"
    path.write_text("\n".join(["item,model,score", *lines]))
    return path


def test_the_first_line_concludes(table):
    printed = voirdire("audit", table).stdout
    assert printed.splitlines()[0] == "Believe the order of both models; 0 of 9 checks fail."


def test_json_has_evaluations_checks_and_the_comparison(table):
    found = json.loads(voirdire("audit", table, "--json").stdout)
    (evaluation,) = found["evaluations"]
    assert (evaluation["models"], evaluation["items"], evaluation["judges"]) == (["a", "b"], 200, [])
    assert {"value", "se", "interval", "n"} <= evaluation["headline"]["a"].keys()
    assert evaluation["headline"]["a"]["value"] == 0.9
    assert {"id", "status", "value", "evaluation", "models", "quotes"} <= found["checks"][0].keys()
    assert found["comparison"]["results"]["believed"] == [1, 2]


def test_twice_gives_the_same_bytes(table):
    assert voirdire("audit", table, "--json").stdout == voirdire("audit", table, "--json").stdout


def test_a_page_is_written_and_a_second_audit_writes_the_same_bytes_over_what_a_killed_one_left(table, tmp_path):
    page, left = tmp_path / "audit.html", tmp_path / ".audit.html.1.new"
    left.write_bytes(b"half of a pa")
    voirdire("audit", table, "-o", page)
    first = page.read_bytes()
    assert b"Believe the order of both models" in first and not left.exists()
    voirdire("audit", table, "-o", page)
    assert page.read_bytes() == first


def test_what_is_audited_is_not_written_over(tmp_path):
    log = tmp_path / "log.json"
    head = {"version": 2, "status": "success", "eval": {"task": "t", "model": "m", "created": "2026-01-01"}}
    samples = [
        {"id": f"s{n}", "epoch": 1, "input": "q", "target": "t", "scores": {"grader": {"value": "C" if n % 3 else "I"}}}
        for n in range(9)
    ]
    log.write_text(json.dumps(head | {"plan": {}, "results": {}, "stats": {}, "samples": samples}))
    before = log.read_text()
    done = voirdire("audit", log, "-o", log, check=False)
    assert done.returncode == 1 and "log.json is being read" in done.stderr and log.read_text() == before


def test_strict_ends_in_100_where_a_check_fails(table, tmp_path):
    assert voirdire("audit", table, "--strict").returncode == 0
    table.write_text("item,model,score\n1,a,1\n2,a,\n3,a,0\n")
    assert voirdire("audit", table, "--strict", check=False).returncode == 100


def test_a_check_that_is_accepted_fails_nothing(table):
    table.write_text("item,model,score\n1,a,1\n2,a,\n3,a,0\n")
    failed = {each["id"] for each in voirdire_json("audit", table)["checks"] if each["status"] == "fail"}
    accepted = [word for name in failed for word in ("--accept", name)]
    assert failed and voirdire("audit", table, "--strict", *accepted).returncode == 0
    assert voirdire("audit", table, "--strict", "--accept", "saturation", check=False).returncode == 100


def test_only_a_check_that_counts_can_be_accepted(table):
    unknown = voirdire("audit", table, "--strict", "--accept", "powr", check=False)
    assert unknown.returncode == 1 and "There is no check 'powr' to accept; did you mean power?" in unknown.stderr
    idle = voirdire("audit", table, "--accept", "power", check=False)
    assert idle.returncode == 1 and "checks count under --strict only" in idle.stderr


def test_what_holds_no_results_says_which_formats_are_read(tmp_path):
    (tmp_path / "notes.txt").write_text("hello")
    done = voirdire("audit", tmp_path, check=False)
    assert done.returncode == 1
    assert "no results that can be read (1 file looked at; formats: " in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("show",),
        ("validate",),
        ("compare",),
        ("plan", "--detect", "0.1"),
        ("gate", "--only-model", "a", "--min", "score=0.8", "--bound"),
        ("report", "--to", "md"),
    ],
)
def test_commands_for_runs_take_results(table, arguments):
    done = voirdire(*arguments, table)
    assert "results" in done.stdout or "Believe" in done.stdout or "score of a is" in done.stdout


def test_commands_give_json_of_results(table):
    for arguments in (("show",), ("validate",), ("compare",), ("plan", "--detect", "0.1")):
        assert json.loads(voirdire(*arguments, table, "--json").stdout)


def test_show_and_audit_say_the_same(table):
    assert voirdire("show", table).stdout == voirdire("audit", table).stdout
    assert voirdire("show", table, "--json").stdout == voirdire("audit", table, "--json").stdout


def test_a_limit_that_is_not_kept_ends_in_100(table):
    assert voirdire("gate", table, "--min", "score=0.5", check=False).returncode == 100


def test_a_model_can_be_chosen_for_a_comparison_and_a_run_knows_no_such_choice(table):
    assert voirdire("compare", table, "--only-model", "nobody", check=False).stderr.startswith(
        "voirdire: There is no model"
    )
    done = voirdire("compare", table, "--metric", "ER", check=False)
    assert "is for runs; of results of an evaluation it changes nothing" in done.stderr


def test_judges_are_held_against_each_other(tmp_path):
    lines = [f"{n},a,{judge},{(n + shift) % 2}" for shift, judge in enumerate("xy") for n in range(20)]
    (tmp_path / "judged.csv").write_text("\n".join(["item,model,judge,score", *lines]))
    printed = voirdire("jury", "reliability", tmp_path / "judged.csv").stdout
    assert printed.startswith("2 judges of the same 20 outputs agree")


def test_a_file_of_answers_is_no_evaluation(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"id": "a", "score": 1, "context": "Red.", "question": "?", "answer": "Red."}\n')
    assert "There is nothing to show of" in voirdire("show", tmp_path / "a.jsonl", check=False).stderr


@pytest.mark.parametrize("command", ["show", "compare"])
def test_a_table_within_a_run_is_answered_with_the_run(tmp_path, command):
    RunFolder.create(tmp_path / "run", {"instrument": "ddft", "models": ["m"]}).close()
    (tmp_path / "run" / "a.jsonl").write_text('{"id": "a", "context": "Red.", "question": "?", "answer": "Red."}\n')
    done = voirdire(command, tmp_path / "run" / "a.jsonl", check=False)
    assert " ".join(done.stderr.split()).endswith(f"It lies in the run {tmp_path / 'run'}: name that.")


def test_what_is_neither_says_what_it_could_be(tmp_path):
    empty, other = tmp_path / "empty", tmp_path / "other"
    empty.mkdir()
    other.mkdir()
    (other / "notes.txt").write_text("hello")
    for command in ("show", "validate", "compare", "report"):
        nothing, neither = (voirdire(command, path, check=False) for path in (empty, other))
        assert (nothing.returncode, neither.returncode) == (1, 1)
        assert "is an empty folder: name a run's folder, or a file." in " ".join(nothing.stderr.split())
        assert "neither the folder of a run nor data that are read (results of an evaluation or" in neither.stderr


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_results_are_exported_as_a_table(table, tmp_path, form):
    voirdire("export", table, "--to", form, "-o", tmp_path / "out")
    assert {path.name for path in (tmp_path / "out").iterdir()} == {f"items.{form}", "manifest.json"}


def test_exported_to_every_eval_ever_they_are_read_again_the_same(table, tmp_path):
    voirdire("export", table, "--to", "every-eval-ever", "-o", tmp_path / "out")
    before, after = (json.loads(voirdire("audit", path, "--json").stdout) for path in (table, tmp_path / "out"))
    assert before["evaluations"][0]["headline"] == after["evaluations"][0]["headline"]
    assert after["evaluations"][0]["printed"] == []


def test_an_interrupt_leaves_no_file_and_ends_in_a_line(table, tmp_path, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("voirdire.reports.destination.os.getpid", lambda: 1)
    monkeypatch.setattr("pathlib.Path.replace", interrupted)
    done = voirdire("audit", table, "-o", tmp_path / "audit.html", check=False)
    assert done.returncode == 130 and "Interrupted. Nothing was written." in done.stderr
    assert list(tmp_path.iterdir()) == [table]


def test_every_check_is_on_its_page():
    page = (Path(__file__).parents[2] / "docs" / "audit-checks.md").read_text().partition("\n## ")[0]
    assert re.findall(r"^\| `(\w+)`", page, re.MULTILINE) == list(ASKED)
    for id, asked in ASKED.items():
        assert f"| `{id}` | {asked} | {MEASURED[id]} |" in page


QUESTIONS = [
    ("audit",),
    ("show",),
    ("validate",),
    ("compare",),
    ("plan", "--detect", "0.1"),
    ("gate", "--min", "score=0.1"),
    ("jury", "reliability"),
]
MAP = ("--map", "item=Nr.,model=Wer,judge=Von,score=Punkte")


@pytest.mark.parametrize("arguments", [*QUESTIONS, ("report", "--to", "md")], ids=" ".join)
def test_a_table_whose_columns_are_named_answers_as_one_with_usual_names(tmp_path, monkeypatch, arguments):
    monkeypatch.chdir(tmp_path)
    rows = [
        f"{n};{model};{judge};{int((n + shift) % 10 < right)}"
        for model, right in (("a", 9), ("b", 2))
        for shift, judge in enumerate("xy")
        for n in range(40)
    ]
    answers = []
    for header, more in (("item;model;judge;score", ()), ("Nr.;Wer;Von;Punkte", MAP)):
        Path("r.csv").write_text("\n".join([header, *rows]))
        answers.append(voirdire(*arguments, "r.csv", *more).stdout.replace("Punkte", "score"))
        if more:
            done = voirdire(*arguments, "r.csv", check=False)
            assert done.returncode == 1 and "has the columns Nr., Wer, Von, Punkte; say which" in done.stderr
            assert "--map item=COLUMN,model=COLUMN,score=COLUMN" in done.stderr and "context" not in done.stderr
    usual, named = (re.sub("[0-9a-f]{8,64}|Columns used.*|r.csv .*", "", answer) for answer in answers)
    assert usual == named


def test_named_columns_are_exported(tmp_path):
    (tmp_path / "r.csv").write_text("Nr.,Punkte\n1,0.5\n2,1\n")
    for form, file in (("csv", "items.csv"), ("every-eval-ever", "manifest.json")):
        voirdire("export", tmp_path / "r.csv", "--map", "item=Nr.,score=Punkte", "--to", form, "-o", tmp_path / form)
        assert (tmp_path / form / file).is_file()


@pytest.mark.parametrize(
    "arguments", [*QUESTIONS[1:], ("report", "--to", "md"), ("export", "--to", "csv", "-o", "out")], ids=" ".join
)
def test_a_run_has_no_columns_to_name(tmp_path, monkeypatch, arguments):
    monkeypatch.chdir(tmp_path)
    Path("run").mkdir()
    Path("run/run.json").write_text("{}")
    done = voirdire(*arguments, "run", "--map", "item=a", check=False)
    assert done.returncode == 1
    assert "map= (--map) names columns of a table of results; run is a run, so leave it out." in done.stderr


def test_a_plan_without_results_has_no_columns_to_name():
    done = voirdire("plan", "--detect", "0.1", "--map", "item=a", check=False)
    assert "names columns of a table of results; name the table, or leave it out" in done.stderr


def test_a_mistyped_column_is_named_by_every_command(table):
    for arguments in QUESTIONS:
        done = voirdire(*arguments, table, "--map", "item=nosuch", check=False)
        assert "has no column 'nosuch'; it has item, model, score." in done.stderr, arguments


def test_cells_that_are_empty_say_the_same_in_a_file_and_in_a_frame(tmp_path):
    """Without a score they are dropped items, and no empty outputs beside."""
    rows = [
        {"item": f"q{n}", "model": model, "score": float(n % 10 < good), "output": f"The answer to {n} is {model}."}
        for model, good in (("a", 8), ("b", 7), ("c", 4))
        for n in range(80)
    ]
    for row in rows[-9:]:
        row |= {"score": None, "output": None}
    path = tmp_path / "grades.csv"
    pd.DataFrame(rows).to_csv(path, index=False)
    by_file = voirdire_json("audit", path)
    by_frame = vd.audit(pd.read_csv(path)).to_dict()
    statuses = [{check["id"]: check["status"] for check in each["checks"]} for each in (by_file, by_frame)]
    assert statuses[0] == statuses[1]
    assert (statuses[0]["dropped_items"], statuses[0]["empty_output"]) == ("fail", "pass")
