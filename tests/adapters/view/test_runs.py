"""Runs are found by their run.json, and nothing else is taken for one."""

import json

from voirdire.adapters.view.runs import RunFinder
from voirdire.runs import RunFolder, written_now


def make_run(path, **manifest):
    info = {"time": manifest.pop("time", "2026-01-01T00:00:00+00:00")}
    with RunFolder.create(path, {"instrument": "ddft", "models": ["a/b"], "info": info, **manifest}):
        return path


def test_runs_are_found_below_the_folder_and_links_hidden_folders_and_runs_are_not_looked_into(tmp_path):
    make_run(tmp_path / "runs" / "one")
    make_run(tmp_path / "runs" / "deep" / "er" / "two")
    make_run(tmp_path / "runs" / "one" / "inner")
    make_run(tmp_path / "runs" / ".hidden" / "three")
    make_run(tmp_path / "elsewhere" / "four")
    (tmp_path / "runs" / "link").symlink_to(tmp_path / "elsewhere")
    assert set(RunFinder(tmp_path / "runs").find()) == {"one", "deep/er/two"}


def test_a_folder_that_is_a_run_itself_is_found_by_its_name(tmp_path):
    assert list(RunFinder(make_run(tmp_path / "one")).find()) == ["one"]


def test_runs_that_go_on_come_first_then_the_youngest(tmp_path):
    for name, time in (("old", "2026-01-01"), ("young", "2026-03-01"), ("going", "2025-01-01"), ("odd", "no time")):
        make_run(tmp_path / name, time=f"{time}T00:00:00+00:00")
    with RunFolder.open(tmp_path / "going"):
        assert list(RunFinder(tmp_path).find()) == ["going", "young", "old", "odd"]


def test_who_writes_is_told_without_a_lock(tmp_path):
    path = make_run(tmp_path / "run")
    assert written_now([path]) == set()
    with RunFolder.open(path):
        assert written_now([path, tmp_path]) == {path}
        before = (path / ".lock").stat().st_mtime_ns
        assert RunFinder(tmp_path).find()["run"].running
        assert (path / ".lock").stat().st_mtime_ns == before
    assert written_now([path]) == set()


def test_a_damaged_run_is_listed_with_what_is_wrong(tmp_path):
    make_run(tmp_path / "good")
    for name, text in (("half", '{"models":'), ("list", "[]")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "run.json").write_text(text)
    found = RunFinder(tmp_path).find()
    assert {name: "damaged" in run.problem for name, run in found.items()} == {
        "good": False,
        "half": True,
        "list": True,
    }


def test_the_preset_and_the_judges_of_a_run_are_known(tmp_path):
    make_run(tmp_path / "whole", preset={"name": "lite"}, jury=["acme/judge", "acme/other", "acme/third"])
    make_run(tmp_path / "odd", preset=["lite"], jury="acme/judge")
    found = RunFinder(tmp_path).find()
    assert found["whole"].asked == "preset lite, jury acme/judge, acme/other and 1 more"
    assert found["odd"].asked == ""


def test_a_manifest_of_any_shape_is_listed(tmp_path):
    for number, manifest in enumerate(
        ({}, {"models": 3, "info": []}, {"models": {"a": 1}, "instrument": [1], "info": {"time": 5}}, {"model": "m"})
    ):
        path = tmp_path / f"run-{number}"
        path.mkdir()
        (path / "run.json").write_text(json.dumps(manifest))
    assert [run.problem for run in RunFinder(tmp_path).find().values()] == ["", "", "", ""]


def test_a_run_json_is_read_again_only_when_it_was_written(tmp_path, monkeypatch):
    path = make_run(tmp_path / "run")
    finder, reads = RunFinder(tmp_path), []
    original = RunFinder.find.__globals__["read_manifest"]
    monkeypatch.setitem(RunFinder.find.__globals__, "read_manifest", lambda file: reads.append(file) or original(file))
    finder.find(), finder.find()
    assert len(reads) == 1
    (path / "run.json").write_text(json.dumps({"models": ["c/d"]}))
    assert finder.find()["run"].models == ("c/d",)


def test_keys_in_run_json_are_not_shown(tmp_path):
    make_run(tmp_path / "run", models=["https://user:hunter2hunter2@host/model"])
    assert "hunter2" not in str(RunFinder(tmp_path).find())


def test_a_model_with_an_alias_is_listed_by_it(tmp_path):
    make_run(tmp_path / "a", models=["a/b", "c/d"], aliases={"Good": "a/b"})
    (found,) = RunFinder(tmp_path).find().values()
    assert found.models == ("Good", "c/d")
    assert found.has(["good"]) and found.has(["a/b"]) and found.has(["c/d"]) and not found.has(["e/f"])


def test_search_takes_every_word_wherever_it_stands(tmp_path):
    make_run(tmp_path / "Pilot", models=["openai/gpt-5.1"])
    (run,) = RunFinder(tmp_path).find().values()
    assert run.has(["pilot", "gpt"]) and run.has([]) and run.has(["ddft"]) and not run.has(["pilot", "claude"])
