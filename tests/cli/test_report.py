import csv
import json
import os
import webbrowser
from io import StringIO
from pathlib import Path

import pytest

from tests.cli.here import voirdire
from tests.cognibench.made_data import write_data
from tests.cognibench.report.examples import labelled_run
from tests.integrity.report.examples import CAVEAT, DENIAL, RESPONSE, audited_run
from tests.support.labelling_server import start_labelling_server
from voirdire.reports.builder import FORMATS, ReportError, make_report
from voirdire.runs import RunFolder

FORMULA = '=HYPERLINK("https://example.invalid","click")'


@pytest.fixture(scope="module")
def audit(tmp_path_factory):
    items = [
        {"id": "a", "response": RESPONSE, "audits": {"openai/a": (DENIAL,)}},
        {"id": FORMULA, "response": RESPONSE, "audits": {"openai/a": (CAVEAT,)}},
    ]
    return audited_run(tmp_path_factory.mktemp("runs") / "audit", items)


@pytest.fixture(scope="module")
def labels(tmp_path_factory):
    """A run that a model labelled, calls and all."""
    folder = tmp_path_factory.mktemp("labels")
    with start_labelling_server() as base_url:
        asked = ("--labeller", "openai-api/labeller", "--base-url", base_url, "--votes", "3", "--types", "model")
        voirdire("label", write_data(folder / "data.jsonl"), *asked, "-o", folder / "run")
    return folder / "run"


def test_a_page_goes_into_the_runs_folder_and_where_and_how_large_is_told(audit):
    said = voirdire("report", audit).stdout

    page = audit / "report.html"
    assert said.startswith(f"Written: {page} (") and said.rstrip().endswith("kB).")
    assert page.read_text().startswith("<!doctype html>") and "Integrity: audit" in page.read_text()
    assert not list(audit.glob(".report*"))


def test_a_report_of_several_runs_goes_into_the_current_folder(audit, tmp_path, monkeypatch):
    other = audited_run(tmp_path / "other", [{"id": "a", "response": RESPONSE, "audits": {"openai/a": ()}}])
    monkeypatch.chdir(tmp_path)

    assert "Written: report.html" in voirdire("report", audit, other).stdout
    assert "2 audits" in (tmp_path / "report.html").read_text()


def test_markdown_and_json_are_printed_unless_a_file_is_named(audit, tmp_path):
    text = voirdire("report", audit, "--to", "md").stdout
    found = json.loads(voirdire("report", audit, "--to", "json").stdout)

    assert text.startswith("# Integrity: audit\n") and "| fact denial | severe | 30 | 1 |" in text
    assert found["instrument"] == "integrity" and found["runs"][0]["mean_score"] == 77.5
    voirdire("report", audit, "-o", tmp_path / "report.md")
    assert (tmp_path / "report.md").read_text() == text
    voirdire("report", audit, "-o", tmp_path / "report.json")
    assert json.loads((tmp_path / "report.json").read_text()) == found


def test_csv_is_a_folder_with_a_file_for_each_table_and_no_formula_in_them(audit):
    said = voirdire("report", audit, "--to", "csv").stdout  # as `export` calls it
    written = {path.name for path in (audit / "report-csv").iterdir()}

    assert {"bands.csv", "violations.csv", "responses.csv", "responses-marked.csv", "figures.csv"} <= written
    assert f"Written: {len(written)} files in {audit / 'report-csv'}" in said and "  bands.csv\n" in said
    rows = list(csv.reader(StringIO((audit / "report-csv" / "responses.csv").read_text())))
    assert [row[0] for row in rows[1:]] == ["a", f"'{FORMULA}"]


def test_charts_become_pictures(audit, tmp_path):
    voirdire("report", audit, "--to", "svg", "-o", tmp_path / "drawn")

    assert {path.name for path in (tmp_path / "drawn").iterdir()} == {"scores.svg", "points.svg", "manifest.json"}
    assert make_report([audit], out=tmp_path / "png", format="png").size > 10_000


def test_a_labelled_run_is_reported_with_what_it_cost(labels):
    text = voirdire("report", labels, "--to", "md").stdout

    assert "openai-api/labeller labelled 10 statements of 4 answers about 2 contexts" in text
    assert "18 calls (attempts included), \\$0.00." in text
    assert "| openai-api/labeller | label | 12 | 0 |" in text
    assert "Beside the labels of people" in text


def test_a_cross_examination_is_reported_and_a_jury_may_be_chosen(tmp_path):
    voirdire("run", "-m", "simulated/steady", "--concepts", "recursion", "--levels", "0,1", "-o", tmp_path / "r")

    assert "Written" in voirdire("report", tmp_path / "r").stdout
    assert json.loads(voirdire("report", tmp_path / "r", "--to", "json").stdout)
    done = voirdire("report", tmp_path / "r", "--jury", "nobody", check=False)
    assert done.returncode == 1 and "nobody" in done.stderr and "Traceback" not in done.stderr


def test_the_page_is_shown_in_the_browser_if_asked_for(audit, monkeypatch):
    shown = []
    monkeypatch.setattr(webbrowser, "open", lambda address: shown.append(address) or True)

    voirdire("report", audit, "--open")
    assert shown == [(audit / "report.html").resolve().as_uri()]
    assert "only a page is shown" in voirdire("report", audit, "--to", "csv", "--open").stderr
    monkeypatch.setattr(webbrowser, "open", lambda address: False)
    assert "no browser was found here" in voirdire("report", audit, "--open").stderr


def other_run(folder, instrument):
    RunFolder.create(folder / (instrument or "none"), {"instrument": instrument} if instrument else {}).close()
    return folder / (instrument or "none")


def test_mistakes_are_answered_in_a_sentence(audit, tmp_path):
    labelled = labelled_run(tmp_path / "labels")
    (tmp_path / "file").write_text("")
    (tmp_path / "folder.html").mkdir()
    mistakes = {
        "is one of html, md, json, csv, png, svg; 'pdf' was given": (audit, "--to", "pdf"),
        "are of several instruments": (audit, labelled),
        f"The run {audit} is named more than once": (audit, audit),
        "There is no run in": (tmp_path / "nowhere",),
        "--jury chooses among the juries of a run": (audit, "--jury", "x"),
        "labels them, and that run": (other_run(tmp_path, "cognibench-dialogues"),),
        "reports are made of runs of ddft, cognibench, integrity": (other_run(tmp_path, "something"),),
        "whose run.json names no instrument": (other_run(tmp_path, ""),),
        "is a folder; give the name of a file": (audit, "-o", tmp_path / "folder.html"),
        "is a file; a folder is expected": (audit, "--to", "csv", "-o", tmp_path / "file"),
        "A report's file ends in .html, .md or .json": (audit, "-o", tmp_path / "report.pdf"),
        "make a folder: --to csv -o FOLDER": (audit, "-o", tmp_path / "tables"),
        "A report's file ends in .md;": (audit, "--to", "md", "-o", tmp_path / "report.json"),
        "csv makes several files: -o names their folder": (audit, "--to", "csv", "-o", tmp_path / "x.csv"),
        "file is a file, so nothing can be written to": (audit, "-o", tmp_path / "file" / "report.html"),
    }
    for sentence, arguments in mistakes.items():
        done = voirdire("report", *arguments, check=False)
        assert done.returncode == 1 and sentence in done.stderr, done.stderr
        assert "Traceback" not in done.stderr and done.stderr.count("\n") == 1


def test_no_run_and_nothing_to_draw_are_answered_as_well(tmp_path):
    empty = audited_run(tmp_path / "run", [{"id": "x", "response": RESPONSE}])

    with pytest.raises(ReportError, match="No run was given"):
        make_report([])
    with pytest.raises(ReportError, match="no charts to save"):
        make_report([empty], format="png")


def test_half_a_surrogate_pair_does_not_stop_any_form(tmp_path):
    item = {"id": "x", "response": "It rained \ud800.", "facts": ["It rained."], "audits": {"openai/a": ()}}
    run = audited_run(tmp_path / "run", [item])

    for form in sorted(set(FORMATS) - {"png", "svg"}):
        made = make_report([run], out=tmp_path / ("csv" if form == "csv" else f"out.{form}"), format=form)
        assert all(path.read_bytes().decode() for path in made.paths)


def test_a_reader_never_finds_half_a_report(audit, tmp_path, monkeypatch):
    target = tmp_path / "report.md"
    target.write_text("the old one <!-- made by voirdire -->")

    def fail(path, other):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(ReportError, match="No space left on device"):
        make_report([audit], out=target)
    assert target.read_text() == "the old one <!-- made by voirdire -->" and list(tmp_path.iterdir()) == [target]


def everything(folder):
    return {path: path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


@pytest.fixture
def around(tmp_path):
    """A run, and beside it what a report must not replace."""
    audited_run(tmp_path / "run", [{"id": "a", "response": RESPONSE, "audits": {"openai/a": (DENIAL,)}}])
    (tmp_path / "mine.html").write_text("<!doctype html><title>Mine</title>")
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "link.html").symlink_to(tmp_path / "mine.html")
    (tmp_path / "to-nothing.html").symlink_to(tmp_path / "nothing")
    (tmp_path / "to-run").symlink_to(tmp_path / "run")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "notes.txt").write_text("mine")
    (tmp_path / "data" / "own.csv").write_text("mine")
    os.mkfifo(tmp_path / "pipe.md")
    return tmp_path


@pytest.mark.parametrize(
    ("out", "form", "says"),
    [
        ("run/run.json", None, "lies in the run"),
        ("to-run/run.json", None, "lies in the run"),
        ("run/journal.sqlite", None, "A report's file ends in"),
        ("run/journal.sqlite", "html", "A report's file ends in .html"),
        ("run/responses.jsonl", "json", "A report's file ends in .json"),
        ("run/other.html", None, "where only report.html may be written"),
        ("run/deeper/report.html", None, "where only report.html may be written"),
        ("run", "csv", "is a run: name a folder of its own"),
        ("run/tables", "csv", "where only report-csv may be written"),
        ("mine.html", None, "is a page that voirdire has not made"),
        ("notes.txt", "html", "A report's file ends in .html"),
        ("link.html", None, "is a link"),
        ("to-nothing.html", None, "is a link"),
        ("pipe.md", None, "is no regular file"),
        ("/dev/stdout", "md", "A report's file ends in .md"),
        ("/dev/null", None, "A report's file ends in"),
        ("data", "csv", "data holds notes.txt"),
        ("to-run", "svg", "is a link"),
        ("notes", "png", None),  # a new folder
    ],
)
def test_runs_devices_links_and_files_of_others_are_not_replaced(around, out, form, says):
    before = everything(around)
    named = ("--to", form) if form else ()

    done = voirdire("report", around / "run", "-o", around / out, *named, check=False)

    if says is None:
        assert done.returncode == 0 and (around / out).is_dir()
        return
    assert done.returncode == 1 and says in done.stderr and done.stderr.count("\n") == 1, done.stderr
    assert everything(around) == before and (around / "link.html").is_symlink()


def test_an_earlier_report_is_replaced(around):
    for out in ("run/report.html", "new.html", "run/report.md", "run/report.json"):
        for _ in range(2):
            voirdire("report", around / "run", "-o", around / out)
    for _ in range(2):
        voirdire("report", around / "run")
        voirdire("report", around / "run", "--to", "csv")
        voirdire("report", around / "run", "--to", "csv", "-o", around / "tables-1.5")
    assert len(list((around / "tables-1.5").iterdir())) == len(list((around / "run" / "report-csv").iterdir()))


def test_a_page_in_the_default_place_that_is_no_report_stays(around, monkeypatch):
    monkeypatch.chdir(around)
    other = audited_run(around / "other", [{"id": "a", "response": RESPONSE, "audits": {"openai/a": ()}}])
    (around / "report.html").write_text("mine")
    done = voirdire("report", around / "run", other, check=False)
    assert "report.html is a page that voirdire has not made" in done.stderr
    assert (around / "report.html").read_text() == "mine"


def test_a_file_of_answers_is_checked_as_detect_checks_it(tmp_path):
    path = tmp_path / "renamed.csv"
    path.write_text("source,reply\nIt opened in 1889.,It opened in 1898.\nNothing.,\n", encoding="utf-8")
    named = ("--map", "context=source,answer=reply", "--skip-bad")
    refused = voirdire("report", path, "--threshold", "0.7", "--to", "md", check=False)
    assert refused.returncode == 1 and "with --map: there are source, reply" in refused.stderr
    assert "lexical flags 1 of 1 sentence: 100.0 %" in voirdire("report", path, *named, "--to", "md").stdout
    told = voirdire("report", path, *named, "--detector", "everything", "--threshold", "0.7", "--to", "md").stdout
    assert "everything flags 1 of 1" in told and "flagging from 0.7 on" in told


def test_how_answers_are_checked_is_not_asked_of_a_run(audit):
    done = voirdire("report", audit, "--threshold", "0.7", "--to", "md", check=False)
    assert done.returncode == 1 and "say how one file of answers is checked" in done.stderr
