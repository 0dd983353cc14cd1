"""An instrument is described once: what loads, verifies and redacts runs asks its description."""

import asyncio

import pytest

import voirdire
from tests.cli.here import voirdire as command
from tests.cli.here import voirdire_json as command_json
from voirdire.adapters.export import export_run
from voirdire.adapters.export_files import ExportError, ExportPlan
from voirdire.adapters.gate_limits import GateError
from voirdire.adapters.python_api.reliability import reliability
from voirdire.adapters.python_api.results import UsageError
from voirdire.adapters.redacted_files import RedactPlan
from voirdire.adapters.redaction import redact_run
from voirdire.adapters.verify import verify
from voirdire.instruments import NoDataError, instrument_of, instruments, registry
from voirdire.raters.new_project import NewProject, make_project
from voirdire.raters.records import RatersError
from voirdire.raters.tasks import MODULES, open_task, task_of_run
from voirdire.reports.builder import text_of
from voirdire.reports.origins import origin_of
from voirdire.runs import RunFolder, RunFolderError


@pytest.fixture
def run(tmp_path, monkeypatch):
    """A run of an instrument that the package knows by one line alone."""
    monkeypatch.setitem(registry._MODULES, "toy", "tests.instruments.toy")
    path = tmp_path / "run"
    with RunFolder.create(path, {"instrument": "toy", "list": "b" * 64}) as folder:
        for number, name in enumerate(("apples", "pears")):
            asyncio.run(folder.journal.note(name, 0, "count", number + 1))
        for name, frame in instrument_of("toy").tables.build(folder).items():
            folder.write_table(name, frame)
    return path


def test_its_tables_are_loaded_by_name_beside_the_calls(run):
    loaded = voirdire.load(run)
    assert loaded.tables == ("counts", "calls")
    assert dict(zip(loaded.table("counts")["name"], loaded.table("counts")["n"], strict=True)) == {
        "apples": 1,
        "pears": 2,
    }


def test_a_folder_of_runs_is_not_read_as_what_lies_beside_them(run):
    (run.parent / "grades.csv").write_text("item,model,score\na,x,1\nb,x,0\na,y,1\nb,y,1\n")
    with pytest.raises(NoDataError, match=r"is a folder with 1 run in it: name what is meant \(.*run\), or look"):
        voirdire.compare(run.parent)


def test_a_journal_without_a_manifest_is_said_to_lack_it(run):
    (run / "run.json").unlink()
    for ask in (voirdire.validate, verify):
        with pytest.raises(RunFolderError, match=r"has a journal.sqlite but no run.json, .*: put it back from a copy"):
            ask(run)


def test_its_tables_are_made_again_and_what_it_keeps_and_finds_is_told(run):
    found = {each.what: each for each in verify([run])[0].findings}
    assert found["counts.parquet"].status == "ok"
    assert (found["list"].status, found["toy"].message) == ("ok", "it is a toy")


def test_a_table_that_was_changed_is_found(run):
    with RunFolder.open(run) as folder:
        frame = instrument_of("toy").tables.build(folder)["counts"]
        folder.write_table("counts", frame.assign(n=[1, 3]))
    (found,) = verify([run])
    assert not found.ok and "row 2" in next(each.message for each in found.findings if each.what == "counts.parquet")


def test_people_rate_its_runs_by_the_task_that_it_names(run, tmp_path, monkeypatch):
    monkeypatch.setitem(MODULES, "tiny", "tests.raters._tiny")
    assert task_of_run(run).name == "tiny"
    made = make_project(tmp_path / "p.voirdire", NewProject(task="tiny", source=run, raters=("Ann", "Ben")))
    assert made.settings.task == "tiny"
    with pytest.raises(RatersError, match="the task ddft is made of runs of 'ddft': give --task tiny, or another run"):
        make_project(tmp_path / "q.voirdire", NewProject(task="ddft", source=run, raters=("Ann", "Ben")))
    assert open_task("labels").rates("toy") and not open_task("labels").rates("detector")


def test_every_rating_task_that_an_instrument_names_is_known():
    named = {each.rating_task for each in instruments()} - {""}
    assert named and named < set(MODULES)


def test_reports_and_exports_say_how_far_it_has_come(run):
    assert origin_of(run)["unfinished"] == "1 of 3 things are to be counted."


def test_a_copy_has_its_tables(run, tmp_path):
    redact_run(RedactPlan(run=run, out=tmp_path / "copy", texts=("apples",)))
    assert voirdire.load(tmp_path / "copy").table("counts")["name"].iloc[0] == "[hidden 1]"


def test_it_has_a_report_in_every_form_of_one_file(run):
    for form, shown in (("md", "| pears | 2 |"), ("json", '"instrument": "toy"'), ("html", "What was counted")):
        assert shown in text_of(run, form)


def test_every_command_reads_its_runs_without_a_line_of_its_own(run, tmp_path):
    shown = command("show", run).stdout
    assert "Two things were counted." in shown and "pears" in shown
    assert command_json("show", run)["instrument"] == "toy"
    page, names = tmp_path / "page.html", tmp_path / "names.txt"
    command("report", run, "-o", page)
    assert "What was counted" in page.read_text()
    command("gate", run, "--min", "total=3", "--allow-incomplete")
    assert command("gate", run, "--min", "total=4", "--allow-incomplete", check=False).returncode == 100
    command("export", run, "--to", "lines", "-o", names)
    assert names.read_text() == "apples\npears\n"
    assert "it is a toy" in command("verify", run).stdout


def test_what_its_description_does_not_answer_is_refused_with_the_commands_that_read_its_runs(run):
    for question in (voirdire.compare, voirdire.validate, reliability):
        with pytest.raises(UsageError, match=r"holds .*: voirdire show, report, gate, export and verify do"):
            question(run)


def test_a_gate_holds_its_figures_against_limits(run):
    voirdire.assert_floor(run, min={"total": 3}, bound=False, allow_incomplete=True)
    with pytest.raises(AssertionError, match=r"total is 3\.000, which is not 4 or more"):
        voirdire.assert_floor(run, min={"total": 4}, bound=False, allow_incomplete=True)
    with pytest.raises(GateError, match=r"total is 0 or more; the limit total >= -1 can't be meant"):
        voirdire.assert_floor(run, min={"total": -1}, bound=False)


def test_its_tables_are_exported_and_a_card_says_what_the_rows_are(run, tmp_path):
    export_run(ExportPlan(runs=(run,), target="huggingface", out=tmp_path / "out"))
    card = (tmp_path / "out" / "README.md").read_text()
    assert "# Things, counted" in card and "| `counts` | 2 | a thing and how often it was counted |" in card
    with pytest.raises(ExportError, match=r"huggingface, lines, not to 'dpo'"):
        export_run(ExportPlan(runs=(run,), target="dpo", out=tmp_path / "training"))


def test_it_writes_forms_of_its_own_and_says_which_options_they_have(run, tmp_path):
    export_run(ExportPlan(runs=(run,), target="lines", out=tmp_path / "names.txt"))
    assert (tmp_path / "names.txt").read_text() == "apples\npears\n"
    with pytest.raises(ExportError, match="--arm is for dpo and sft of ddft runs; it changes nothing here"):
        export_run(ExportPlan(runs=(run,), target="lines", out=tmp_path / "again.txt", arm="both"))
    with pytest.raises(ExportError, match=f"The run {run} is named more than once"):
        export_run(ExportPlan(runs=(run, run), target="lines", out=tmp_path / "again.txt"))


def test_of_an_instrument_that_is_not_ours_only_the_calls_are_known():
    unknown = instrument_of("nothing-of-ours")
    assert unknown.table_names == ("calls",) and unknown.files == ()


def test_every_instrument_of_runs_says_what_they_hold():
    assert not [each.name for each in registry.instruments() if each.data is None and not each.contents]


def test_the_commands_that_read_its_runs_follow_from_its_parts():
    assert instrument_of("ddft").readers == "voirdire show, report, validate, compare, gate, export and verify"
    assert instrument_of("detector").readers == "voirdire export and verify"
