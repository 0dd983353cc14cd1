"""A run's folder: one process at a time, one set of questions, tables that are whole."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pandas as pd
import pytest

from voirdire.runs import JournalError, RunFolder, RunFolderError, origins, provenance
from voirdire.runs.origins import _git  # as it is: see tests/conftest.py

MANIFEST = {"models": ("a/b", "c/d"), "levels": [0, 0.5], "seed": 7, "info": {"time": "then"}}


def test_a_run_can_be_closed_and_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "runs" / "first"
    with RunFolder.create(path, MANIFEST) as folder:
        secret = folder.journal.secret
        assert folder.manifest["models"] == ["a/b", "c/d"]
    assert json.loads((path / "run.json").read_text())["seed"] == 7
    with RunFolder.open(path) as folder:
        assert folder.manifest["levels"] == [0, 0.5]
        assert folder.journal.secret == secret


def test_a_run_is_not_begun_twice(tmp_path: Path) -> None:
    RunFolder.create(tmp_path, MANIFEST).close()
    with pytest.raises(RunFolderError, match="already holds a run"):
        RunFolder.create(tmp_path, MANIFEST)


@pytest.mark.parametrize("name", ["turns.parquet", "journal.sqlite", "notes.txt"])
def test_a_run_begins_in_no_folder_that_holds_files_of_the_users_own(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("mine")
    with pytest.raises(RunFolderError, match=f"holds {name}, and is no run: choose a folder that is new or empty"):
        RunFolder.open_or_create(tmp_path, MANIFEST)
    assert [each.name for each in tmp_path.iterdir()] == [name], "nothing is written"


def test_a_run_begins_in_an_empty_folder_whatever_is_hidden_there(tmp_path: Path) -> None:
    (tmp_path / ".DS_Store").write_text("a system's")
    RunFolder.create(tmp_path, MANIFEST).close()
    assert (tmp_path / ".DS_Store").read_text() == "a system's"


def test_the_same_questions_go_on_and_info_may_differ(tmp_path: Path) -> None:
    for time in ("then", "now"):
        with RunFolder.open_or_create(tmp_path, MANIFEST | {"info": {"time": time}}) as folder:
            assert folder.manifest["info"] == {"time": "then"}


def test_other_questions_are_refused_and_named(tmp_path: Path) -> None:
    RunFolder.create(tmp_path, MANIFEST).close()
    changed = MANIFEST | {"levels": [0, 1], "jury": ["x"], "models": ["m" * 500]}
    with pytest.raises(RunFolderError) as caught:
        RunFolder.open_or_create(tmp_path, changed)
    message = str(caught.value)
    assert "levels: [0, 0.5] there, [0, 1] now" in message
    assert 'jury: none there, ["x"] now' in message
    assert "seed" not in message and "info" not in message
    assert len(message) < 600
    RunFolder.open_or_create(tmp_path, MANIFEST).close()  # the refusal left no lock behind


def test_two_processes_can_not_work_on_one_run(tmp_path: Path) -> None:
    code = (
        "import sys; from voirdire.runs import RunFolder; f = RunFolder.open(sys.argv[1]); "
        "print('open', flush=True); sys.stdin.read()"
    )
    RunFolder.create(tmp_path, MANIFEST).close()
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "open\n"
        for refused in (RunFolder.open, lambda path: RunFolder.open_or_create(path, MANIFEST)):
            with pytest.raises(RunFolderError, match=f"open in another process \\(process {other.pid}\\)"):
                refused(tmp_path)
        with RunFolder.open(tmp_path, read_only=True) as folder:  # looking is always allowed
            assert folder.manifest["seed"] == 7
        other.kill()
    RunFolder.open(tmp_path).close()  # a lock dies with its holder


def test_a_run_that_failed_to_open_can_be_opened_later(tmp_path: Path) -> None:
    RunFolder.create(tmp_path, MANIFEST).close()
    good = (tmp_path / "journal.sqlite").read_bytes()
    (tmp_path / "journal.sqlite").write_text("damaged by an editor")
    with pytest.raises(JournalError, match="not a journal"):
        RunFolder.open(tmp_path)
    (tmp_path / "journal.sqlite").write_bytes(good)
    RunFolder.open(tmp_path).close()


@pytest.mark.parametrize(("text", "words"), [("{", "damaged"), ("[]", "damaged")])
def test_a_damaged_manifest_is_reported(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "run.json").write_text(text)
    with pytest.raises(RunFolderError, match=words):
        RunFolder.open(tmp_path)


def test_a_folder_without_a_run_and_one_that_can_not_be_made_are_reported(tmp_path: Path) -> None:
    with pytest.raises(RunFolderError, match="no run"):
        RunFolder.open(tmp_path / "nothing")
    (tmp_path / "file").touch()
    with pytest.raises(RunFolderError, match="can't be written"):
        RunFolder.create(tmp_path / "file" / "run", MANIFEST)


def test_of_a_run_that_there_is_not_the_nearest_beside_it_is_named(tmp_path: Path) -> None:
    RunFolder.create(tmp_path / "three", {}).close()
    with pytest.raises(RunFolderError, match=rf"does not exist; did you mean {tmp_path / 'three'}\?"):
        RunFolder.open(tmp_path / "thre", read_only=True)
    with pytest.raises(RunFolderError, match=r"xyz, which does not exist\.$"):
        RunFolder.open(tmp_path / "xyz", read_only=True)


def test_a_file_is_no_place_for_a_run(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(RunFolderError, match="file is a file, and a run needs a folder: choose one that is new"):
        RunFolder.create(tmp_path / "file", {})


def test_a_table_comes_back_and_is_replaced_whole(tmp_path: Path) -> None:
    with RunFolder.create(tmp_path, MANIFEST) as folder:
        assert folder.tables() == []
        folder.write_table("turns", pd.DataFrame({"turn": [1, 2], "far": [0.5, None]}))
        table = pd.DataFrame({"turn": [3], "far": [1.0]})
        folder.write_table("turns", table)
        folder.write_table("verdicts", table)
        assert folder.tables() == ["turns", "verdicts"]
        pd.testing.assert_frame_equal(folder.read_table("turns"), table)
        with pytest.raises(RunFolderError, match=r"no table 'scores': there is turns, verdicts"):
            folder.read_table("scores")


def test_half_a_character_does_not_keep_a_table_from_being_written(tmp_path: Path) -> None:
    texts = pd.Series(["half \ud83d", None, "whole"], dtype=object)
    table = pd.DataFrame({"text": texts, "notes": [["\udc00"], [], ["a"]], "far": [0.5, 1, None]})
    with RunFolder.create(tmp_path / "run", MANIFEST) as folder:
        folder.write_table("turns", table)
        written = folder.read_table("turns")
    assert list(written["text"].fillna("missing")) == ["half \ufffd", "missing", "whole"]
    assert [list(each) for each in written["notes"]] == [["\ufffd"], [], ["a"]]
    assert written["far"].equals(table["far"])


def test_a_table_that_can_not_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    with RunFolder.create(tmp_path, MANIFEST) as folder:
        table = pd.DataFrame({"turn": [1]})
        folder.write_table("turns", table)
        with pytest.raises(Exception, match="object"):
            folder.write_table("turns", pd.DataFrame({"turn": [object()]}))
        pd.testing.assert_frame_equal(folder.read_table("turns"), table)
        assert folder.tables() == ["turns"]


@pytest.mark.parametrize("name", ["../turns", "a/b", "", ".turns", "Turns", "turns\n"])
def test_a_table_stays_in_its_folder(tmp_path: Path, name: str) -> None:
    with RunFolder.create(tmp_path, MANIFEST) as folder:
        with pytest.raises(RunFolderError, match="table's name"):
            folder.write_table(name, pd.DataFrame({"turn": [1]}))


def test_provenance_tells_versions_machine_and_git_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(origins, "_git", _git)
    monkeypatch.chdir(tmp_path)
    assert provenance()["git"] is None
    for arguments in (
        ["init", "-q"],
        ["-c", "user.name=n", "-c", "user.email=e@example.com", "commit", "-q", "--allow-empty", "-m", "x"],
    ):
        subprocess.run(["git", *arguments], check=True)
    found = provenance()
    assert len(found["git"]["commit"]) == 40 and found["git"]["dirty"] is False
    (tmp_path / "change").touch()
    found = provenance()
    assert found["git"]["dirty"] is True
    assert found["versions"]["pandas"] == pd.__version__
    assert found["python"].startswith("3.") and found["platform"] and found["time"].endswith("+00:00")
    json.dumps(found)


def test_a_plain_import_pulls_in_nothing_heavy() -> None:
    heavy = ("pandas", "duckdb", "rich", "pydantic_ai")
    code = f"import sys, voirdire.runs; print([m for m in {heavy!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_table_written_in_pieces_reads_as_one_whatever_the_first_piece_lacks(tmp_path: Path) -> None:
    empty = pd.DataFrame({"name": ["a"], "said": [None], "notes": [[]]})
    full = pd.DataFrame({"name": ["b", "c"], "said": ["yes", None], "notes": [["one"], []]})
    with RunFolder.create(tmp_path / "run", {"instrument": "x"}) as folder:
        folder.write_table("turns", iter([empty, full]))
        found = folder.read_table("turns")
        assert found["name"].tolist() == ["a", "b", "c"]
        assert found["said"].isna().tolist() == [True, False, True]
        assert [list(each) for each in found["notes"]] == [[], ["one"], []]
        assert list(folder.read_table("turns", ["name"])) == ["name"]
        assert folder.read_table("turns", equal=("name", "c"))["name"].tolist() == ["c"]
        pieces = list(folder.read_column("turns", "name"))
    assert pd.concat(pieces).to_dict() == {0: "a", 1: "b", 2: "c"}


def test_tables_stand_until_something_is_written_or_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "run"

    def stands(write: bool = False) -> bool:
        with RunFolder.open_or_create(path, {"instrument": "x"}) as folder:
            if write:
                asyncio.run(folder.journal.note("d", 1, "turn", {"n": 1}))
            found = folder.tables_are_current("1")
            folder.mark_tables("1")
            assert not folder.tables_are_current("2")
            return found

    assert not stands()
    assert stands()
    assert not stands(write=True)
    assert stands(write=True)  # the same note once more changes nothing
    with RunFolder.open(path):
        pass  # whoever opened it to write may have written
    assert not stands()


def test_what_differs_is_named_setting_by_setting(tmp_path):
    asked = {"preset": {"levels": [0, 1], "name": "mine"}, "concepts": {"tides": "a" * 64}, "seed": 0}
    RunFolder.create(tmp_path / "run", asked).close()
    now = {
        "preset": {"levels": [0, 0.5, 1], "name": "mine"},
        "concepts": {"tides": "b" * 64, "sun": "c" * 64},
        "seed": 0,
    }
    with pytest.raises(RunFolderError) as refused:
        RunFolder.open_or_create(tmp_path / "run", now)
    said = str(refused.value)
    assert "(concepts: tides there, sun and tides now; " in said
    assert "preset.levels: [0, 1] there, [0, 0.5, 1] now): give the same" in said
    with pytest.raises(RunFolderError, match=r"concepts\.tides: its text has changed"):
        RunFolder.open_or_create(tmp_path / "run", asked | {"concepts": {"tides": "b" * 64}})


def test_what_is_first_written_while_a_run_is_closed_leaves_it_to_be_continued(tmp_path: Path) -> None:
    path = tmp_path / "r"
    RunFolder.create(path, MANIFEST).close()
    busy = sqlite3.connect(path / "journal.sqlite", isolation_level=None, check_same_thread=False)

    async def note_and_close() -> None:
        folder = RunFolder.open(path)
        busy.execute("BEGIN IMMEDIATE")
        waiting = asyncio.ensure_future(folder.journal.note("d", 1, "kind", {}))
        await asyncio.sleep(0)
        threading.Timer(0.1, busy.close).start()
        folder.close()
        await waiting

    asyncio.run(note_and_close())
    with RunFolder.open(path) as folder:
        assert [each.dialogue for each in folder.journal.notes(("kind",))] == ["d"]
