import asyncio
import hashlib
import json
import shutil
import sys
from functools import cache
from types import ModuleType
from unittest.mock import patch

import pandas as pd
import pyarrow.parquet as parquet
import pytest
import yaml

import voirdire
from tests.adapters.examples import GULLIBLE, STEADY
from voirdire.adapters import export as exporting
from voirdire.adapters.export import export_run
from voirdire.adapters.export_files import ExportError, ExportPlan
from voirdire.runs import RunFolder, RunFolderError

TABLES = ("turns", "verdicts", "scores", "metrics", "calls")
SERVERS = ["endpoint", "error_text"]
"""Columns of calls that stay at home."""


@pytest.fixture(scope="module", autouse=True)
def _loaded_once():
    """The tables of a run are made once for all exports of it."""
    with patch.object(exporting, "load", cache(exporting.load)):
        yield


def export(run, target, out, **options):
    return export_run(ExportPlan(runs=(run,), target=target, out=out, **options))


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("target", ["parquet", "csv", "jsonl"])
def test_every_table_becomes_a_file_that_holds_the_same(study, tmp_path, target):
    export(study, target, tmp_path / "out")

    read = {"parquet": pd.read_parquet, "csv": pd.read_csv, "jsonl": lambda path: pd.DataFrame(lines(path))}[target]
    run = voirdire.load(study)
    for name in TABLES:
        frame = read(tmp_path / "out" / f"{name}.{target}")
        whole = run.table(name).drop(columns=SERVERS if name == "calls" else [])
        assert len(frame) == len(whole) and list(frame.columns) == list(whole.columns)
    scores = read(tmp_path / "out" / f"scores.{target}")
    assert scores["far"].tolist() == pytest.approx(run.scores["far"].tolist(), nan_ok=True)
    turns = read(tmp_path / "out" / f"turns.{target}")
    assert turns["answer"].tolist() == run.turns["answer"].tolist()


def test_the_manifest_says_what_it_was_made_from_and_hashes_every_file(study, tmp_path):
    done = export(study, "csv", tmp_path / "out")

    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text(encoding="utf-8"))
    (run,) = manifest["runs"]
    assert manifest == done.manifest and manifest["made_by"] == f"voirdire {voirdire.__version__}"
    assert run["models"] == [STEADY, GULLIBLE] and run["jury"] == ["simulated/judge"]
    assert run["seed"] == 0 and run["preset"]["name"] == "sound" and set(run["concepts"]) >= {"recursion"}
    assert all(len(digest) == 64 for digest in [*run["prompts"].values(), *run["concepts"].values()])
    assert run["missing"] == {"answers": 0, "verdicts": 0, "unscored": 0, "not_judged": 0}
    assert manifest["written"] == {
        f"{name}.csv": hashlib.sha256((tmp_path / "out" / f"{name}.csv").read_bytes()).hexdigest() for name in TABLES
    }
    assert "apostrophe" in manifest["notes"][0]
    assert str(study.parent) not in json.dumps(manifest) and "info" not in run


def test_a_formula_in_a_response_reaches_no_spreadsheet(audits, tmp_path):
    done = export(audits, "csv", tmp_path / "out")

    responses = pd.read_csv(tmp_path / "out" / "responses.csv").set_index("id")
    assert responses.loc["formula", "response"].startswith("'=The bridge")
    assert done.manifest["notes"][0].startswith(
        "An apostrophe stands before every text that begins like a formula (= + - @, tab, line break), here 1;"
    )
    assert responses["score"].isna().all()  # rules alone judge nothing


def test_a_hub_folder_is_laid_out_as_its_card_says(study, tmp_path):
    export(study, "huggingface", tmp_path / "hub")

    _, head, body = (tmp_path / "hub" / "README.md").read_text(encoding="utf-8").split("---\n", 2)
    front = yaml.safe_load(head)
    assert [config["config_name"] for config in front["configs"]] == list(TABLES)
    for config in front["configs"]:
        (data,) = config["data_files"]
        (file,) = (tmp_path / "hub").glob(data["path"])
        assert parquet.read_table(file).num_rows == len(voirdire.load(study).table(config["config_name"]))
    assert "license" not in front and "chooses one" in body
    assert "| `turns` | 90 |" in body and f"`{STEADY}, {GULLIBLE}`" in body
    calls = parquet.read_schema(tmp_path / "hub" / "data" / "calls" / "train-00000-of-00001.parquet")
    assert not {"endpoint", "error_text"} & set(calls.names)


def test_what_is_missing_is_counted_and_left_empty(study, tmp_path):
    copy = shutil.copytree(study, tmp_path / "copy")
    with RunFolder.open(copy) as folder:
        note = next(note for note in folder.journal.notes() if note.kind.startswith("verdicts/"))
        lost = {"far": None, "sas": None, "missing": "no JSON", "stance": None}
        body = note.body | {"verdicts": [note.body["verdicts"][0] | lost]}
        body["consensus"] = body["consensus"] | {"far": None, "sas": None, "unscored": "below the quorum"}
        asyncio.run(folder.journal.note(note.dialogue, note.turn, note.kind, body))

    done = export(copy, "jsonl", tmp_path / "out")

    assert done.manifest["runs"][0]["missing"] == {"answers": 0, "verdicts": 1, "unscored": 1, "not_judged": 0}
    assert "Missing: verdicts 1, unscored 1." in done.summary
    (row,) = [row for row in lines(tmp_path / "out" / "scores.jsonl") if row["unscored"]]
    assert row["far"] is None and row["sas"] is None


def test_labelled_runs_go_to_tables_beside_their_own_targets(labels, tmp_path):
    export(labels, "parquet", tmp_path / "tables")
    done = export(labels, "jsonl", tmp_path / "answers.jsonl")

    assert len(pd.read_parquet(tmp_path / "tables" / "statements.parquet")) == 12
    manifest = json.loads((tmp_path / "answers.jsonl.manifest.json").read_text(encoding="utf-8"))
    digest = hashlib.sha256((tmp_path / "answers.jsonl").read_bytes()).hexdigest()
    assert manifest["written"] == {"answers.jsonl": digest} and manifest == done.manifest
    assert manifest["runs"][0]["prompts"] == {"label": "abc"} and manifest["runs"][0]["missing"]["labels"] == 0


@pytest.mark.parametrize("target", ["parquet", "dpo", "sft"])
def test_what_is_there_is_never_written_over(study, tmp_path, target):
    (tmp_path / "file").write_text("mine")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").write_text("mine")
    (tmp_path / "empty").mkdir()

    for name in ("file", "full"):
        with pytest.raises(ExportError, match="already exists: choose another place"):
            export(study, target, tmp_path / name)
    export(study, target, tmp_path / "empty")

    assert (tmp_path / "file").read_text() == (tmp_path / "full" / "file").read_text() == "mine"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty", "file", "full"]


@pytest.mark.parametrize("target", ["parquet", "csv", "jsonl", "huggingface", "dpo", "sft"])
def test_the_same_export_made_twice_is_left_as_it_is(study, tmp_path, target):
    first = export(study, target, tmp_path / "out")
    times = {path: path.stat().st_mtime_ns for path in first.files}

    again = export(study, target, tmp_path / "out")

    assert (again.out, again.files, again.manifest, again.notes) == (
        tmp_path / "out",
        tuple(sorted(first.files)),
        first.manifest,
        first.notes,
    )
    assert again.summary == ("This export already exists, and stays as it is.",)
    assert {path: path.stat().st_mtime_ns for path in first.files} == times
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_the_same_file_of_labelled_answers_made_twice_is_left_as_it_is(labels, tmp_path):
    first = export(labels, "jsonl", tmp_path / "answers.jsonl")
    assert export(labels, "jsonl", tmp_path / "answers.jsonl").files == tuple(sorted(first.files))


@pytest.mark.parametrize("change", ["form", "edited", "added"])
def test_another_export_is_never_written_over_and_what_to_do_is_said(study, tmp_path, change):
    export(study, "jsonl", tmp_path / "out")
    if change == "edited":
        (tmp_path / "out" / "turns.jsonl").write_text("mine")
    if change == "added":
        (tmp_path / "out" / "notes.txt").write_text("mine")
    before = {path: path.read_bytes() for path in (tmp_path / "out").iterdir()}

    with pytest.raises(ExportError, match=r"holds another export, or .* changes: remove it, or choose another place"):
        export(study, "csv" if change == "form" else "jsonl", tmp_path / "out")

    assert {path: path.read_bytes() for path in (tmp_path / "out").iterdir()} == before
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_an_export_that_fails_leaves_nothing_behind(study, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setitem(exporting._WRITERS, "csv", full)
    with pytest.raises(ExportError, match="can't be written: No space left on device"):
        export(study, "csv", tmp_path / "out")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("kind", "target", "options", "sentence"),
    [
        ("audits", "dpo", {}, "is a run of integrity: it can be exported to parquet, csv, jsonl, huggingface, inspect"),
        ("study", "released", {}, "not to 'released'"),
        ("study", "csv", {"arm": "both"}, "--arm is for dpo and sft of ddft runs"),
        ("study", "csv", {"split": 0.5}, "--split is for dpo and sft of ddft runs; sft, released"),
        ("study", "dpo", {"require": "rational"}, "--require is for sft of cognibench runs and labelled data sets"),
        ("labels", "sft", {"jury": "x"}, "--jury is for ddft runs"),
        ("study", "csv", {"jury": "x"}, "No jury 'x' has judged"),
        ("study", "sft", {"theta": 7.0}, "--theta is a FAR between 0 and 1; 7 was given"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_sentence(request, tmp_path, kind, target, options, sentence):
    with pytest.raises(ValueError, match=r"^[^\n]*$") as error:
        export(request.getfixturevalue(kind), target, tmp_path / "out", **options)
    assert sentence in str(error.value)
    assert not (tmp_path / "out").exists()


def test_logs_for_inspect_get_a_manifest_beside_them(study, tmp_path, monkeypatch):
    fake = ModuleType("voirdire.adapters.inspect.export")

    def write_eval(run, out, jury):
        out.mkdir()
        (out / "one.eval").write_text(f"{run.name} {jury}")
        return [out / "one.eval"]

    fake.write_eval = write_eval
    monkeypatch.setitem(sys.modules, fake.__name__, fake)
    monkeypatch.setitem(sys.modules, "voirdire.adapters.inspect", ModuleType("voirdire.adapters.inspect"))

    done = export(study, "inspect", tmp_path / "logs")

    jury = voirdire.load(study).jury
    assert (tmp_path / "logs" / "one.eval").read_text() == f"run {jury}"
    assert done.manifest["written"] == {"one.eval": hashlib.sha256(f"run {jury}".encode()).hexdigest()}
    assert json.loads((tmp_path / "logs" / "manifest.json").read_text()) == done.manifest
    assert "stays as it is" in export(study, "inspect", tmp_path / "logs").summary[0]


def test_without_inspect_the_extra_is_named(study, tmp_path, monkeypatch):
    for name in [name for name in sys.modules if name.startswith(("voirdire.adapters.inspect", "inspect_ai"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "inspect_ai", None)
    with pytest.raises(
        ExportError, match=r"--to inspect needs inspect-ai, which is not installed: pip install 'voirdire\[inspect\]'"
    ):
        export(study, "inspect", tmp_path / "logs")


def test_two_runs_at_once_are_for_training_data_only(study, tmp_path):
    plan = ExportPlan(runs=(study, study), target="csv", out=tmp_path / "out")
    with pytest.raises(ExportError, match="--to csv takes one run; 2 were given"):
        export_run(plan)


def test_a_damaged_run_is_not_exported(study, tmp_path):
    copy = shutil.copytree(study, tmp_path / "copy")
    manifest = json.loads((copy / "run.json").read_text())
    del manifest["preset"]
    (copy / "run.json").write_text(json.dumps(manifest))

    with pytest.raises(RunFolderError, match=r"copy/run\.json is damaged: it lacks preset"):
        export(copy, "csv", tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", ["notes", "nowhere", "a.txt", "answer.json"])
def test_what_is_neither_a_run_nor_data_is_said_to_be_neither(tmp_path, name):
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "b.txt").write_text("")
    (tmp_path / "a.txt").write_text("")
    (tmp_path / "answer.json").write_text('{"answer": "Yes."}')
    with pytest.raises(ExportError, match=f"{name} is neither the folder of a run nor data that are read"):
        export(tmp_path / name, "csv", tmp_path / "out")


def test_the_manifest_of_a_run_is_no_run(study, tmp_path):
    with pytest.raises(ExportError, match=f"is a file of a run, .*; name {study}"):
        export(study / "run.json", "csv", tmp_path / "out")


@pytest.mark.parametrize("target", ["csv", "jsonl", "parquet", "huggingface"])
def test_the_table_of_calls_names_no_server(study, tmp_path, target):
    export(study, target, tmp_path / "out")

    out = tmp_path / "out"
    calls = next(path for path in out.rglob("*") if "calls" in str(path.relative_to(out)) and path.is_file())
    assert set(SERVERS) <= set(voirdire.load(study).calls.columns)
    assert not any(name.encode() in calls.read_bytes() for name in SERVERS)
