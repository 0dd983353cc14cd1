"""What the machine can do wrong: what the user is told, what is kept, and what is done again."""

import asyncio
import errno
import json
import os
import shutil
import sqlite3
import sys
from contextlib import contextmanager, nullcontext
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest

from tests.cli.here import voirdire
from tests.support.somebody import as_somebody, protected_copy
from voirdire.ddft import results
from voirdire.ddft.concepts import packaged_concept
from voirdire.ddft.presets import changed_preset, load_preset
from voirdire.ddft.results import load_run
from voirdire.ddft.session import run_study
from voirdire.ddft.study import StudyPlan
from voirdire.models import simulated
from voirdire.runs import Journal, RunFolder, RunFolderError, folder, journal, session, writer

PLAN = StudyPlan(
    models=("simulated/steady",),
    concepts=(packaged_concept("recursion"),),
    preset=changed_preset(load_preset("sound"), concepts=["recursion"], levels=[0.5]),
    jury=("simulated/judge",),
)
CALLS = 10
TABLES = ("turns", "verdicts", "scores")


def to_the_tables(patch):
    """What is computed of a run's tables is not at stake here, and the collector has a large heap in a test."""
    patch.setattr(results, "_result", lambda folder, *_: folder.journal.totals())
    patch.setattr(session, "rare_gc", nullcontext)


@pytest.fixture
def hold(monkeypatch):
    """Holds the plan in a folder."""
    to_the_tables(monkeypatch)
    return lambda path: asyncio.run(run_study(PLAN, path))


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A run that nothing happened to."""
    path = tmp_path_factory.mktemp("runs") / "whole"
    with pytest.MonkeyPatch.context() as patch:
        to_the_tables(patch)
        asyncio.run(run_study(PLAN, path))
    return path


@pytest.fixture
def copy(whole, tmp_path):
    return Path(shutil.copytree(whole, tmp_path / "copy"))


def same_tables(path, other):
    for name in TABLES:
        pd.testing.assert_frame_equal(*(pd.read_parquet(each / f"{name}.parquet") for each in (path, other)))


def keys(path):
    """Of the calls that are answered, in the order of their commit."""
    with Journal.open(path / "journal.sqlite", read_only=True) as opened:
        return [recorded.key for recorded in opened.replies()]


def command(path, *more):
    named = ("-m", "simulated/steady", "--jury", "simulated/judge", "--concepts", "recursion", "--levels", "0.5")
    return voirdire("run", *named, "-o", path, *more, check=False)


def refused(done, words):
    """The command ended with one sentence and exit code 1."""
    assert done.returncode == 1
    said = [line for line in done.stderr.splitlines() if line.startswith("voirdire: ")]
    assert len(said) == 1 and done.stderr.endswith(f"{said[0]}\n")
    assert words in said[0]


# --- killed ---------------------------------------------------------------------------------------------


def die_at_the_first_new_write(within, before):
    """From now on end this process, as a kill would, before it writes what none of `before` was about to write."""

    def at(*point):
        if json.dumps(point) not in before:
            before.append(json.dumps(point))
            (within / "died").write_text("\n".join(before))
            os._exit(9)

    def seen(event, args):
        if event == "open" and isinstance(args[0], str) and args[2] & (os.O_WRONLY | os.O_RDWR):
            where, what = args[0], "open"
        elif event in ("os.mkdir", "os.rename", "os.remove"):
            where, what = os.fspath(args[0]), event
        else:
            return
        if where.startswith(str(within / "run")):
            at(what, where)

    transaction = writer.GroupWriter._transaction

    def committing(self, calls, notes):
        at("commit", sorted(call.key for call in calls), sorted(str(note[:3]) for note in notes))
        transaction(self, calls, notes)

    writer.GroupWriter._transaction = committing
    sys.addaudithook(seen)


def test_a_run_killed_before_each_of_its_writes_ends_like_one_that_was_not(whole, hold, tmp_path):
    path, died = tmp_path / "run", tmp_path / "died"
    answered, deaths = [], 0
    while True:
        before = died.read_text().splitlines() if died.exists() else []
        child = os.fork()
        if child == 0:
            try:
                die_at_the_first_new_write(tmp_path, before)
                hold(path)
                os._exit(0)
            finally:
                os._exit(1)
        ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        assert ended in (0, 9)
        now = keys(path) if (path / "journal.sqlite").exists() else []
        assert now[: len(answered)] == answered  # what was on record still is
        answered = now
        if ended == 0:
            break
        deaths += 1
    assert deaths >= 30
    assert len(answered) == len(set(answered)) == CALLS  # and nothing was asked again
    assert not list(path.rglob("*.new"))
    same_tables(path, whole)


# --- a full disk ----------------------------------------------------------------------------------------


@contextmanager
def connections(monkeypatch, **pragmas):
    """Journals are opened with these settings of SQLite's; without any they wait for no lock."""
    connect = journal.connect

    def connected(path, *, read_only, busy_timeout, **more):
        opened = connect(path, read_only=read_only, busy_timeout=busy_timeout if pragmas else 0, **more)
        for name, value in {} if read_only else pragmas.items():
            opened.execute(f"PRAGMA {name} = {value}")
        return opened

    with monkeypatch.context() as patch:
        patch.setattr(journal, "connect", connected)
        yield


@pytest.fixture
def asked(monkeypatch):
    """One entry for each call that a model got."""
    complete, calls = simulated.SimulatedModel.complete, []

    async def completed(self, *given, **options):
        calls.append(self.identity.spec)
        return await complete(self, *given, **options)

    monkeypatch.setattr(simulated.SimulatedModel, "complete", completed)
    return calls


def test_a_disk_too_full_for_the_journal_stops_the_run_and_nothing_is_asked_until_there_is_room(
    whole, hold, tmp_path, monkeypatch, asked
):
    path = tmp_path / "run"
    with connections(monkeypatch, max_page_count=15):
        with monkeypatch.context() as patch:
            patch.setattr(Journal, "check_room", lambda self: None)  # there was room when the session began
            refused(command(path), "The disk is full, so the journal")
        kept = keys(path)
        assert 0 < len(kept) < CALLS
        asked.clear()
        refused(command(path), "The disk is full, so the journal")
        assert asked == []
    assert keys(path) == kept
    assert hold(path).calls == CALLS
    assert keys(path)[: len(kept)] == kept
    same_tables(path, whole)


def test_a_disk_that_is_almost_full_stops_the_run_before_the_next_call_is_made(hold, tmp_path, monkeypatch, asked):
    path, room = tmp_path / "run", os.statvfs(tmp_path)
    blocks = [journal.SPARE // room.f_frsize - (number > 4) for number in range(CALLS)]

    def left(folder):
        return SimpleNamespace(f_blocks=room.f_blocks, f_frsize=room.f_frsize, f_bavail=blocks[len(asked)])

    with monkeypatch.context() as patch:
        patch.setattr(journal.os, "statvfs", left)
        refused(command(path), "has less than 8 MB left, so no further call is made: make room,")
    assert len(keys(path)) == len(asked) == 5  # what was answered is kept
    assert hold(path).calls == CALLS


def full(write, names):
    """Write half of what is to be written, then find that the disk is full."""

    def written(target, content, *more, **named):
        if not any(name in target.name for name in names):
            return write(target, content, *more, **named)
        target.write_bytes(b"half")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    return written


@pytest.mark.parametrize("name", TABLES)
def test_a_disk_too_full_for_a_table_leaves_the_journal_whole_and_nothing_half_written(
    whole, hold, tmp_path, monkeypatch, name
):
    path = tmp_path / "run"
    with monkeypatch.context() as patch:
        patch.setattr(folder, "write_parquet", full(folder.write_parquet, [name]))
        with pytest.raises(RunFolderError, match=rf"{name}\.parquet can't be written \(No space left on device\)"):
            hold(path)
    assert len(keys(path)) == CALLS
    assert not list(path.glob("*.new")) and not (path / f"{name}.parquet").exists()
    hold(path)
    same_tables(path, whole)

    (path / ".tables").unlink()  # so that they are made again
    with monkeypatch.context() as patch:
        patch.setattr(folder, "write_parquet", full(folder.write_parquet, [name]))
        with pytest.raises(RunFolderError, match="No space left on device"):
            hold(path)
    same_tables(path, whole)  # the earlier ones


@pytest.mark.parametrize("name", ["run.json", ".yaml"], ids=["manifest", "concept"])
def test_a_disk_too_full_to_begin_asks_nobody_and_the_same_command_begins(hold, tmp_path, monkeypatch, name):
    path = tmp_path / "run"
    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_text", full(Path.write_text, [name]))
        refused(command(path), "can't be written (No space left on device): see to the disk")
    assert not list(path.rglob("*.new"))
    assert hold(path).calls == CALLS


# --- a journal that is taken, damaged or gone -----------------------------------------------------------


def test_a_journal_locked_by_another_program_stops_the_run_in_a_sentence(hold, tmp_path, monkeypatch):
    path = tmp_path / "run"
    command(path, "--max-calls", "3")
    kept = keys(path)
    other = sqlite3.connect(path / "journal.sqlite", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with connections(monkeypatch):
        refused(command(path), "is locked by another process: wait until that ends")
    other.execute("ROLLBACK")
    other.close()
    assert keys(path) == kept
    assert hold(path).calls == CALLS


def test_a_second_run_on_a_folder_is_refused_and_the_first_goes_on(copy):
    with RunFolder.open(copy) as first:
        refused(command(copy), f"is open in another process (process {os.getpid()})")
        asyncio.run(first.journal.note("d", 1, "after", "kept"))
        assert first.journal.note_of("d", 1, "after") == "kept"


def flip(path, place, size=64):
    with path.open("r+b") as file:
        file.seek(place)
        before = file.read(size)
        file.seek(place)
        file.write(bytes(byte ^ 0xFF for byte in before))


def first_page_of(path, table):
    connection = sqlite3.connect(path)
    ((root,),) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchall()
    connection.close()
    return (root - 1) * 4096


@pytest.mark.parametrize("table", ["calls", "notes", "meta"])
def test_a_page_flipped_in_the_middle_is_damage_to_whoever_reads_it(copy, table):
    flip(copy / "journal.sqlite", first_page_of(copy / "journal.sqlite", table))
    before = (copy / "journal.sqlite").read_bytes()
    refused(command(copy), "is damaged: put back a copy of it")
    refused(voirdire("show", copy, check=False), "is damaged: put back a copy of it")
    assert (copy / "journal.sqlite").read_bytes() == before  # as it was, for whoever can rescue it


def test_a_damaged_log_costs_what_stood_behind_the_damage_and_that_is_asked_again(whole, hold, tmp_path):
    path = tmp_path / "run"
    command(path, "--max-calls", "3")
    with RunFolder.open(path) as opened:

        async def note():
            for turn in range(1, 4):
                await opened.journal.note("d", turn, "k", turn)

        asyncio.run(note())
        killed = Path(shutil.copytree(path, tmp_path / "killed"))  # as a kill leaves it, the log not yet folded in
    log = killed / "journal.sqlite-wal"
    flip(log, log.stat().st_size - 100)
    kept = keys(killed)
    with RunFolder.open(killed) as opened:
        assert [found.turn for found in opened.journal.notes(("k",))] == [1, 2]
    assert kept == keys(path)
    assert hold(killed).calls == CALLS
    same_tables(killed, whole)


def test_a_log_deleted_while_the_run_goes_on_stops_it_and_nothing_is_lost(whole, hold, tmp_path, monkeypatch, asked):
    path, complete = tmp_path / "run", simulated.SimulatedModel.complete

    async def completed(self, *given, **options):
        if len(asked) == 4:
            (path / "journal.sqlite-wal").unlink()
        return await complete(self, *given, **options)

    with monkeypatch.context() as patch:
        patch.setattr(simulated.SimulatedModel, "complete", completed)
        refused(command(path), "journal.sqlite-wal was deleted while the run went on, so no further call is made.")
    assert len(keys(path)) == len(asked) == 5
    assert hold(path).calls == len(asked) == CALLS
    same_tables(path, whole)


def test_a_log_deleted_after_a_kill_is_told_by_whoever_looks_and_refused_by_whoever_would_pay_again(copy, tmp_path):
    with RunFolder.open(copy) as opened:
        asyncio.run(opened.journal.note("d", 1, "k", "kept"))
        killed = Path(shutil.copytree(copy, tmp_path / "killed"))  # as a kill leaves it, the log not yet folded in
    log = killed / "journal.sqlite-wal"
    aside = log.rename(tmp_path / "aside")
    told = f"The journal's log {log} was deleted, with the latest answers of the run in it"
    refused(command(killed), f"{told}: put it back, or delete {killed / '.lock'} to go on without it;")
    assert f"Note: {told}." in voirdire("show", killed, check=False).stderr
    verified = voirdire("verify", killed, check=False)
    assert verified.returncode != 0 and "was deleted" in verified.stdout

    for name in ("journal.sqlite-wal", "journal.sqlite-shm"):  # which looking has made
        (killed / name).unlink(missing_ok=True)
    shutil.copy(aside, log)
    with RunFolder.open(killed) as opened:
        assert opened.journal.note_of("d", 1, "k") == "kept"
    with RunFolder.open(killed):
        pass  # and whoever ends in good order leaves nothing to be told


def test_a_log_deleted_from_a_run_killed_young_is_told_by_verify_too(copy, tmp_path):
    (copy / "journal.sqlite").unlink()
    with Journal.open(copy / "journal.sqlite") as young:
        asyncio.run(young.note("d", 1, "k", "kept"))
        killed = Path(shutil.copytree(copy, tmp_path / "killed"))  # all it holds stands in the log
    (killed / ".lock").write_text("process 1, writing")
    (killed / "journal.sqlite-wal").unlink()
    verified = voirdire("verify", killed, "--all", check=False)
    assert verified.returncode != 0 and "not a journal" not in verified.stdout
    assert "was deleted, with the latest answers of the run in it; put it back" in " ".join(verified.stdout.split())


@pytest.mark.parametrize("left", [None, b""], ids=["gone", "empty"])
def test_a_run_whose_journal_is_lost_is_not_paid_for_anew_without_a_word(copy, left):
    (copy / "journal.sqlite").unlink()
    if left is not None:
        (copy / "journal.sqlite").write_bytes(left)
    refused(command(copy), "has tables, but its journal")
    assert sorted(file.name for file in copy.glob("*.sqlite")) == ([] if left is None else ["journal.sqlite"])


# --- a folder that may not be written -------------------------------------------------------------------


@pytest.fixture
def protected(whole):
    """A run in a folder that may be read and not written."""
    with protected_copy(whole) as path:
        yield path


def test_a_read_only_run_can_be_looked_at_and_nothing_can_be_written_there(whole, protected):
    seen = load_run(whole).as_dict()  # brings in whatever looking needs
    files = sorted(protected.iterdir())
    with as_somebody():
        assert load_run(protected).as_dict() == seen | {"run": str(protected)}
        with pytest.raises(RunFolderError, match=f"{protected} can't be written: Permission denied"):
            RunFolder.open(protected)
        with pytest.raises(RunFolderError, match="new can't be written: Permission denied"):
            RunFolder.create(protected.parent / "new", {})
    assert sorted(protected.iterdir()) == files
