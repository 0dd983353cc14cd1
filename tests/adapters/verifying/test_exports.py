import json
import sqlite3

import pytest

from tests.adapters.verifying.examples import found
from voirdire.adapters.export import export_run
from voirdire.adapters.export_files import ExportPlan
from voirdire.adapters.verify import verify
from voirdire.adapters.verify_journals import VerifyError
from voirdire.ddft.judging import juries_in
from voirdire.documents.document import Document
from voirdire.reports.builder import make_report
from voirdire.reports.origins import origin_of, origin_rows
from voirdire.reports.page import render
from voirdire.runs import RunFolder, head_line, run_blocking


@pytest.fixture
def export(held, tmp_path):
    export_run(ExportPlan(runs=(held,), target="jsonl", out=tmp_path / "out"))
    return tmp_path / "out"


def go_on(run):
    with RunFolder.open(run) as folder:
        run_blocking(folder.journal.note("", 0, "told", {}))


def test_an_export_holds_and_its_head_is_the_runs(export, held):
    assert found(export, run=held) == ({}, True)
    (done,) = verify([export / "turns.jsonl"])
    assert done.ok and {each.what for each in done.findings} == {
        *("turns.jsonl", "verdicts.jsonl", "scores.jsonl", "metrics.jsonl", "calls.jsonl")
    }


@pytest.mark.parametrize("name", ["turns", "verdicts", "scores", "calls"])
def test_a_changed_file_is_named(export, name):
    with (export / f"{name}.jsonl").open("a") as file:
        file.write("\n")
    assert found(export) == ({f"{name}.jsonl": "its SHA-256 is not that of the manifest"}, False)


def test_missing_and_added_files_are_named(export):
    (export / "scores.jsonl").rename(export / "better.jsonl")
    said, well = found(export)
    assert not well and said == {
        "scores.jsonl": "it is missing",
        "better.jsonl": "the manifest does not name it; take it away",
    }


def test_an_export_of_another_run_is_told(export, run, audits):
    go_on(run)
    assert found(export, run=run) == ({}, True)
    said, well = found(export, run=audits)
    assert not well and "is no link of this journal" in said["journal head"]


@pytest.mark.parametrize("target", ["sft", "huggingface", "csv"])
def test_every_target_says_where_its_numbers_come_from(held, tmp_path, target):
    done = export_run(ExportPlan(runs=(held,), target=target, out=tmp_path / "out"))
    (origin,) = done.manifest["runs"]
    assert done.manifest["made_with"]["versions"]["voirdire"] and origin["complete"] is True
    assert origin["journal"]["links"] > 1 and len(origin["journal"]["sha256"]) == 64
    assert origin["redacted"] is False and origin["missing"]["verdicts"] == 0 and origin["missing_why"] == {}
    assert found(tmp_path / "out", run=held) == ({}, True)


def test_what_is_missing_is_said_with_the_reason(run, tmp_path):
    with sqlite3.connect(run / "journal.sqlite") as connection:
        connection.execute(
            "UPDATE notes SET body = json_set(body, '$.verdicts[0].missing', 'the judge refused') "
            "WHERE kind LIKE 'verdicts/%' AND turn = 2"
        )
    connection.close()
    done = export_run(ExportPlan(runs=(run,), target="csv", out=tmp_path / "out"))
    (origin,) = done.manifest["runs"]
    assert origin["missing"]["verdicts"] == 2 and origin["missing_why"]["verdicts"] == {"the judge refused": 2}


# --- reports ---


@pytest.mark.parametrize("form", ["md", "json"])
def test_a_report_says_its_head_and_is_made_again(audits, tmp_path, form):
    place = tmp_path / f"report.{form}"
    make_report([audits], out=place)
    assert found(place, run=audits) == ({}, True)
    place.write_text(place.read_text().replace("rules", "people"))
    said, well = found(place, run=audits)
    assert not well and said["text"].startswith("the run's report, made again, is another one, first in line")
    go_on(audits)
    assert found(place, run=audits) == (
        {"text": "the run has another head now, so that its report differs: not compared"},
        False,
    )


def test_a_page_says_its_head_too(held, tmp_path, monkeypatch):
    with RunFolder.open(held, read_only=True) as folder:
        page = render(Document("t", "s", (), (("Journal head", head_line(folder.journal.head())),)))
    (tmp_path / "report.html").write_text(page)
    # Charts take seconds.
    monkeypatch.setattr("voirdire.adapters.verify.text_of", lambda runs, form, jury: page)
    assert found(tmp_path / "report.html", run=held) == ({}, True)


def test_a_report_alone_says_which_command_verifies_it(audits, tmp_path):
    beside, moved = audits / "report.html", tmp_path / "a report.html"
    make_report([audits], out=beside)
    make_report([audits], out=moved)
    with pytest.raises(VerifyError) as caught:
        verify(beside)
    assert str(caught.value).endswith(f": voirdire verify {beside} --origin {audits}.")
    with pytest.raises(VerifyError) as caught:
        verify(moved)
    assert str(caught.value).endswith(
        f": voirdire verify '{moved}' --origin RUN, where RUN is that run's folder (it holds run.json; ask whoever "
        "made the report)."
    )


def test_a_report_under_another_jury_is_made_again_under_that_one(held, tmp_path, monkeypatch):
    with RunFolder.open(held, read_only=True) as folder:
        (jury,) = juries_in(folder.journal)
        head = head_line(folder.journal.head())
    (tmp_path / "report.md").write_text(f"under {jury}\n{head}\n")
    monkeypatch.setattr("voirdire.adapters.verify.text_of", lambda runs, form, jury: f"under {jury}\n{head}\n")
    assert found(tmp_path / "report.md", run=held) == ({}, True)


def test_of_a_report_of_several_runs_each_head_is_known_and_its_text_is_not_made_again(audits, audited_once, tmp_path):
    go_on(audits)
    make_report([audits, audited_once], out=tmp_path / "report.md")
    for run in (audits, audited_once):
        (done,) = verify([tmp_path / "report.md"], run=run)
        assert [(each.what, each.status) for each in done.findings] == [("journal head", "ok"), ("text", "unknown")]


def test_a_report_of_several_files_has_a_manifest(audits, tmp_path):
    make_report([audits], out=tmp_path / "sheets", format="csv")
    make_report([audits], out=tmp_path / "sheets", format="csv")  # an earlier one is replaced
    assert found(tmp_path / "sheets", run=audits) == ({}, True)
    (tmp_path / "sheets" / "figures.csv").write_text("0")
    assert list(found(tmp_path / "sheets")[0]) == ["figures.csv"]


def test_the_json_of_a_report_has_all_of_its_provenance(audits):
    (origin,) = json.loads(make_report([audits], format="json").text)["provenance"]["runs"]
    assert origin == json.loads(json.dumps(origin_of(audits)))


@pytest.mark.parametrize("instrument", ["held", "audits", "labels"])
def test_a_run_of_any_instrument_says_where_its_numbers_come_from(instrument, request):
    run = request.getfixturevalue(instrument)
    said = dict(origin_rows(origin_of(run)))
    assert said["journal head"].endswith(verify([run])[0].head.digest)
    whole = instrument != "labels"
    assert said["complete"].startswith("yes" if whole else "1 of 4 statements has no label (no vote)")
    assert said["redacted"] == "no" and said["sessions"].startswith("1 by voirdire ")
    assert said["missing"] == ("labels 1 (no vote: 1); votes 5 (no vote: 5)" if instrument == "labels" else "nothing")


# --- what can't be verified ---


def test_what_is_neither_run_nor_export_nor_report_is_refused(tmp_path, held):
    (tmp_path / "notes.md").write_text("# Notes")
    (tmp_path / "manifest.json").write_text('{"name": "a web page"}')
    for path in (tmp_path / "notes.md", tmp_path):
        with pytest.raises(VerifyError, match="is neither the folder of a run nor an export"):
            verify([path])
    with pytest.raises(VerifyError, match="There is no"):
        verify([tmp_path / "nowhere"])


def test_options_that_do_not_fit_are_refused(held, tmp_path):
    with pytest.raises(VerifyError, match="2 runs were given"):
        verify([held, held], head="0" * 64)
    with pytest.raises(VerifyError, match="--origin is what an export, a report or a redacted copy is held against"):
        verify([held], run=held)
    (tmp_path / "report.md").write_text(f"| Journal head | 12 links, sha256 {'ab' * 32} |")
    with pytest.raises(VerifyError, match="--origin RUN, where RUN is that run"):
        verify([tmp_path / "report.md"])


def test_among_several_paths_the_run_that_they_are_held_against_may_stand_itself(export, held):
    run, sheets = verify([held, export], run=held)
    assert run.ok and run.kind == "run of ddft"
    assert "journal head" in {each.what for each in sheets.findings}
    with pytest.raises(VerifyError):
        verify(held, run=held)
