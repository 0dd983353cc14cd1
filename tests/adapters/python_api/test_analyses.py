"""Comparing, validating, planning, reporting from Python: the values of the commands, in one line and in a notebook."""

import asyncio
import shutil
import sys
from dataclasses import replace
from html import escape
from pathlib import Path

import pytest

import voirdire as vd
from tests.adapters.examples import GULLIBLE, STEADY, examined
from tests.cli.here import voirdire, voirdire_json
from voirdire.adapters.export_files import ExportError
from voirdire.adapters.python_api.results import UsageError
from voirdire.data.paths import PathTypeError
from voirdire.ddft.report.validity_checks import checks_document
from voirdire.ddft.results import load_run
from voirdire.ddft.session import score_run
from voirdire.jury import JuryError
from voirdire.reports.builder import ReportError
from voirdire.runs import RunFolderError


def test_show_is_what_the_terminal_prints_and_a_notebook_shows_it(study):
    found = vd.show(study)
    assert before_commands(str(found)) == before_commands(voirdire("show", study).stdout)
    for option in ("all", "texts"):
        printed = voirdire("show", study, f"--{option}").stdout
        assert before_commands(str(vd.show(study, **{option: True}))) == before_commands(printed)
    assert found.to_dict() == voirdire_json("show", study)
    assert "<table" in found._repr_html_()
    assert repr(found) == found.headline and "\n" not in repr(found)


def before_commands(printed):
    return printed.partition("To read more")[0]


def test_what_to_type_next_is_python_in_python_and_commands_on_the_command_line(study, judged_twice):
    printed, shown = voirdire("show", study).stdout, str(vd.show(study))
    assert f"voirdire show {study} --all: every figure" in " ".join(printed.split())
    assert f"vd.show('{study}', all=True): every figure" in " ".join(shown.split())
    assert "voirdire show" not in shown and "--" not in shown.partition("To read more")[2]
    other = " ".join(str(vd.show(judged_twice)).split())
    assert f"vd.validate('{judged_twice.path}', jury='{judged_twice.jury}')" in other


def test_a_notebook_names_no_option_of_a_command(study):
    assert "with intervals and quotes: .to_dict()." in vd.validate(study)._repr_html_()
    assert "with intervals and quotes: --all." in voirdire("validate", study).stdout


@pytest.fixture(scope="module")
def judged_twice(tmp_path_factory):
    path = examined(tmp_path_factory.mktemp("front") / "run", GULLIBLE, STEADY, concepts="recursion", levels="0,1")
    asyncio.run(score_run(path, ["simulated/lenient"]))
    return vd.load(path, "simulated/lenient")


def test_a_comparison_has_the_values_of_the_command_and_leads_with_the_conclusion(study):
    found = vd.compare(study)
    assert found.to_dict() == voirdire_json("compare", study)
    assert repr(found).startswith("Whether simulated/steady and ") and "\n" not in repr(found)
    assert repr(found).removesuffix(" There are cautions.").endswith(" says nothing about a real model.")
    assert "…" not in repr(found)
    assert list(found.frame["verdict"]) == ["cannot be decided"]
    assert found.frame["difference"].iloc[0] == pytest.approx(found.to_dict()["pairs"][0]["difference"])


def test_two_runs_are_compared_as_folders_or_as_loaded_runs(study, tmp_path):
    copy = shutil.copytree(study, tmp_path / "copy")
    assert vd.compare(study, copy).to_dict() == vd.compare([vd.load(study), vd.load(copy)]).to_dict()
    assert len(vd.compare(study, copy, metric="K").frame) == 6


@pytest.mark.parametrize("alpha", [1e-320, 0, 0.9, float("nan")])
def test_a_level_that_is_none_of_a_test_is_refused(study, alpha):
    with pytest.raises(UsageError, match=r"alpha is from 0\.0001 to 0\.5"):
        vd.compare(study, alpha=alpha)


def test_one_line_says_what_must_be_said_beside_runs_that_are_not_alike(study, judged_twice):
    found = vd.compare(study, judged_twice.path, metric="K")
    values = found.to_dict()
    assert repr(found).partition(".")[0] in values["summary"]
    assert values["cautions"] and repr(found).endswith(" There are cautions.") and len(repr(found)) <= 150


def test_a_loaded_run_is_read_under_the_jury_that_it_was_loaded_with(judged_twice, study):
    assert vd.validate(judged_twice).to_dict()["jury"] == judged_twice.jury
    assert vd.validate(judged_twice.path).to_dict()["jury"] == judged_twice.juries[0]
    assert vd.validate(judged_twice, judged_twice.juries[0]).to_dict()["jury"] == judged_twice.juries[0]
    with pytest.raises(UsageError, match=r"loaded with different juries\. Name one with jury="):
        vd.compare(judged_twice, vd.load(study))


def test_a_jury_is_named_by_a_list_or_by_a_text(judged_twice):
    lenient = vd.validate(judged_twice).to_dict()
    assert vd.validate(judged_twice.path, ["simulated/lenient"]).to_dict() == lenient
    assert vd.load(judged_twice.path, ["simulated/lenient"]).jury == judged_twice.jury
    with pytest.raises(JuryError, match="as a text with commas or a list; 3 was given"):
        vd.load(judged_twice.path, 3)


def test_an_export_writes_the_files_of_the_command(study, tmp_path):
    found = vd.export(vd.load(study), to="csv", out=tmp_path / "python")
    told = voirdire_json("export", study, "--to", "csv", "-o", tmp_path / "command")
    values = found.to_dict()
    places = {"out": str(tmp_path / "command"), "files": told["files"]}
    assert {**values, **places} == told
    assert found.out == tmp_path / "python"
    for mine, theirs in zip(found.files, map(Path, told["files"]), strict=True):
        assert mine.relative_to(found.out) == theirs.relative_to(tmp_path / "command")
        assert mine.read_bytes() == theirs.read_bytes()
    assert repr(found).startswith("turns 90 rows, ") and f"Written: {found.out}." in repr(found)


def test_an_export_reads_a_loaded_run_under_its_jury(judged_twice, tmp_path):
    assert vd.export(judged_twice, "jsonl", tmp_path / "tables").to_dict()["runs"][0]["jury_id"] == judged_twice.jury


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"to": "parket"}, "can be exported to parquet, csv, .* not to 'parket'"),
        ({"theta": 2}, "theta: 2 is not a number from 0 to 1"),
        ({"arm": "bth", "to": "dpo"}, "There is no arm 'bth'"),
        ({"history": "useer"}, "history: 'useer' is not known; did you mean user"),
        ({"runs": []}, "No run was given"),
    ],
)
def test_an_export_that_does_not_fit_is_refused_in_a_sentence(study, tmp_path, given, says):
    with pytest.raises(ExportError, match=says):
        vd.export(**{"runs": study, "to": "parquet", "out": tmp_path / "tables", **given})
    assert not (tmp_path / "tables").exists()


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda: vd.compare(), UsageError, "No run was given"),
        (lambda: vd.compare(3), PathTypeError, "3 was given"),
        (lambda: vd.validate(None), PathTypeError, "None was given"),
        (lambda: vd.report(None), PathTypeError, "None was given"),
        (lambda: vd.report([]), ReportError, "No run was given"),
        (lambda: vd.compare("nowhere"), RunFolderError, "There is no run in nowhere"),
    ],
)
def test_what_is_no_run_is_refused_in_a_sentence(call, error, says):
    with pytest.raises(error, match=says):
        call()


def test_a_validation_has_the_values_of_the_command_and_says_first_whether_the_test_was_sound(study):
    found = vd.validate(study)
    assert found.to_dict() == voirdire_json("validate", study)
    assert found.failed == [check["id"] for check in found.to_dict()["checks"] if check["status"] == "fail"]
    assert repr(found).startswith(found.to_dict()["conclusion"]["sentence"])
    assert list(found.frame["check"]) == [check["id"] for check in found.to_dict()["checks"]]


def test_a_box_that_says_that_nothing_failed_warns_of_nothing(study):
    result = load_run(study)
    checks = tuple(replace(each, status="warn" if each.status == "fail" else each.status) for each in result.checks)
    notice = checks_document(replace(result, read_checks=lambda: checks)).sections[0].blocks[0]
    assert (
        notice.text.startswith("The test was sound, and only simulated models were examined: ")
        and notice.tone == "info"
    )


def test_the_validation_of_a_run_that_goes_on_says_so_and_how_many_checks_are_not_measured(tmp_path):
    asked = {"concepts": "recursion", "levels": [0, 1], "max_calls": 6, "progress": False}
    found = vd.validate(vd.run(STEADY, "simulated/judge", out=tmp_path / "run", **asked))
    stopped = found.to_dict()["stopped"]
    assert not found.to_dict()["complete"] and stopped.startswith("0 of 2 dialogues completed")
    assert repr(found).startswith("No check fails, but do not rely on the figures: the run is not complete and ")
    assert f" {stopped} Of 19 checks, 0 fail, " in repr(found)
    assert " pass, " in repr(found) and " not measured; run " in repr(found)
    assert found.document().sections[0].blocks[0].tone == "warn"


def test_a_notebook_shows_what_the_terminal_shows(study):
    compared, validated = vd.compare(study), vd.validate(study)
    first = (compared.to_dict()["summary"].split(":")[0], repr(validated).split(". ")[0].split(":")[0])
    for found, command, conclusion in zip((compared, validated), ("compare", "validate"), first, strict=True):
        printed = " ".join(voirdire(command, study).stdout.split())
        assert escape(conclusion) in found._repr_html_() and conclusion in printed


def test_a_plan_has_the_values_of_the_command(tmp_path):
    asked = ("plan", "-m", STEADY, "--jury", "simulated/judge", "-p", "quick")
    found = vd.plan(STEADY, "simulated/judge", preset="quick")
    assert found.to_dict() == voirdire_json(*asked)
    assert repr(found).startswith("6 dialogues, 30 turns, 60 calls, about $0.00")
    assert found.frame["option"].iloc[0] == "as asked" and found.estimate.calls == 60
    assert "6 dialogues, 30 turns, 60 calls" in found._repr_html_()
    assert vd.plan(STEADY).to_dict() == voirdire_json("plan", "-m", STEADY, "-p", "quick")


def test_a_plan_for_a_difference_has_the_values_of_the_command():
    found = vd.plan(detect=0.1, metric="K", preset="sound")
    assert found.to_dict() == voirdire_json("plan", "--detect", "0.1", "--metric", "K")
    assert repr(found).startswith("To tell apart two models that differ by 0.1 in ")
    assert {"concepts", "judges", "power"} <= set(found.frame.columns)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({}, "Name a model, or a difference"),
        ({"detect": 0.1, "pilot": "r", "assume": "accuracy=1"}, "not both"),
        ({"models": "simulated/steady", "metric": "nonsense"}, r"metric= \(--metric\) says how a difference"),
    ],
)
def test_a_plan_that_asks_nothing_or_too_much_is_refused(given, says):
    with pytest.raises(UsageError, match=says):
        vd.plan(**given)


def test_a_report_goes_where_it_is_told_and_else_into_the_run(study, tmp_path):
    run = vd.load(shutil.copytree(study, tmp_path / "run"))
    assert vd.report(run, out=tmp_path / "made.html") == tmp_path / "made.html"
    assert vd.report(run, to="md") == run.path / "report.md"
    assert vd.report(str(run.path), to="csv") == run.path / "report-csv"
    assert all((tmp_path / place).exists() for place in ("made.html", "run/report.md", "run/report-csv"))


def test_a_report_takes_runs_one_by_one_and_in_a_list(study, tmp_path):
    other = shutil.copytree(study, tmp_path / "other")
    one_by_one = vd.report(study, other, out=tmp_path / "a.md").read_text()
    assert one_by_one.splitlines()[:3] == vd.report([study, other], out=tmp_path / "b.md").read_text().splitlines()[:3]
    assert "other" in one_by_one


@pytest.mark.parametrize("paths", [["study"], ["table"]])
def test_a_comparison_draws_the_pages_chart(paths, study, table, monkeypatch):
    (path,) = ({"study": study, "table": table}[name] for name in paths)
    monkeypatch.setitem(sys.modules, "altair", None)
    found = vd.compare(path)
    panels = [panel["title"] for panel in found.plot().to_dict()["concat"]]
    page = vd.report(path, to="md").read_text() if path == study else ""
    assert len(panels) == 2 if path == table else all(title in page for title in panels) and panels
    with pytest.raises(UsageError, match="There is nothing to draw of this"):
        vd.validate(path).plot()


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    path = tmp_path_factory.mktemp("table") / "scores.csv"
    rows = [f"q{item},{model},{(item * 3 + place) % 5}" for item in range(12) for place, model in enumerate("ab")]
    path.write_text("\n".join(["item,model,score", *rows]))
    return path


def test_no_repr_is_longer_than_500_characters(study, table):
    run, long = vd.load(study), "It opened in 1898 " + ", ".join(f"with {number} lamps" for number in range(200))
    detected = vd.detect("The tower opened in 1889.", f"{long}. {long}!")
    plan = vd.plan(STEADY, jury="simulated/judge")
    of_a_run = [run, run.result, *run.result.profiles, *run.result.checks, vd.compare(run), vd.validate(run), plan]
    all_results = [*of_a_run, vd.show(run), detected, *detected.sentences, vd.audit(table), vd.compare(table)]
    assert {type(each).__name__: len(repr(each)) for each in all_results if not 20 < len(repr(each)) <= 500} == {}
