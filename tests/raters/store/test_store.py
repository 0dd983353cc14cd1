"""The project's file: made whole or not at all, added to and never changed, and nothing is told saved before it is."""

import asyncio
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from contextlib import closing

import pytest

from tests.raters._tiny import documents, tiny_store
from voirdire.raters.records import Document, Item, RatersError, Settings
from voirdire.raters.store import NotSaved, Reader, Store
from voirdire.raters.store.schema import connect
from voirdire.raters.tasks.base import NewRow


@pytest.fixture
def path(tmp_path):
    return tmp_path / "p.db"


@pytest.fixture
def store(path):
    with Store.open(tiny_store(path)) as opened:
        yield opened


def said(word="a"):
    return NewRow("say", {"word": word})


def write(store, *works):
    async def all_at_once():
        return await asyncio.gather(*map(store.write, works), return_exceptions=True)

    return asyncio.run(all_at_once())


def test_a_project_gives_back_what_it_was_made_of(path):
    made = [Document(id="d", body={"text": "ü \u2028 \0 \ud800"}, group="g", source={"of": 1}, stratum="s", weight=2.5)]
    items = [Item(id="d#0", document="d", pool="practice", key={"label": "x"}), Item(id="d#1", document="d", place=1)]
    settings = Settings(task="integrity", title="T", pay_per_item=0.5)
    Store.create(path, settings, made, items, [("Ann", "rater"), ("Dee", "adjudicator")])
    with Store.open(path) as store:
        assert store.read.settings() == settings
        assert list(store.read.documents()) == made
        assert store.read.items() == items
        assert [(each.id, each.name, each.role) for each in store.read.raters()] == [
            ("r1", "Ann", "rater"),
            ("r2", "Dee", "adjudicator"),
        ]
        assert len({link.secret for link in store.links()} | {store.read.meta("organiser")}) == 3
        assert all(len(link.secret) == 32 for link in store.links())


def test_closing_waits_for_no_other_process_longer_than_it_is_told(path):
    store = Store.open(tiny_store(path))
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")

        async def leave():
            waiting = asyncio.ensure_future(store.write(lambda transaction: None))
            await asyncio.sleep(0.1)
            began = time.monotonic()
            store.close(0.2)
            took = time.monotonic() - began
            other.execute("ROLLBACK")
            return took, await waiting

        took, answer = asyncio.run(leave())
    assert took < 5  # SQLite would wait for ten seconds
    assert answer is None


def test_the_file_is_for_its_owners_eyes(path):
    tiny_store(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("items", "people", "says"),
    [
        ([Item(id="x", document="nowhere")], [], "can't be used"),
        ([], [("Ann", "rater"), ("ann", "rater")], "'ann' is taken"),
        ([], [("Organiser", "rater")], "is taken"),
        ([], [(" ", "rater")], "needs a name"),
        ([Item(id="half \ud800", document="d0")], [], "half a character"),
    ],
)
def test_a_project_is_made_whole_or_not_at_all(path, items, people, says):
    with pytest.raises(RatersError, match=says):
        Store.create(path, Settings(task="ddft", title="T"), documents(1, 1)[0], items, people)
    assert list(path.parent.iterdir()) == []


def test_what_is_there_is_not_written_over(path):
    path.write_text("mine")
    with pytest.raises(RatersError, match="already exists"):
        tiny_store(path)
    assert path.read_text() == "mine"


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(RatersError, match=r"can't be made: there is no folder .*none\."):
        tiny_store(tmp_path / "none" / "p.db")


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE rows SET body = '{}'",
        "DELETE FROM rows",
        "UPDATE documents SET body = '{}'",
        "DELETE FROM documents",
        "UPDATE items SET key = 'x'",
        "DELETE FROM items",
        "INSERT OR REPLACE INTO documents VALUES (0, 'd0', '{}', '', '{}', '', 1)",
    ],
)
def test_what_is_rated_and_what_was_answered_is_never_changed(store, path, sql):
    write(store, lambda transaction: transaction.add("r1", "d0#0", said()))
    with (
        closing(sqlite3.connect(path)) as stranger,
        pytest.raises(sqlite3.IntegrityError, match=r"never changed|UNIQUE"),
    ):
        stranger.execute("PRAGMA recursive_triggers = ON")
        stranger.execute(sql)
    assert [row.body for row in store.read.rows()] == [{"word": "a"}]


def test_a_write_returns_when_another_process_could_read_it(store, path):
    async def play():
        for number in range(10):
            row = await store.write(lambda transaction: transaction.add("r1", "d0#0", said()))
            assert row.seq == number + 1
            with closing(sqlite3.connect(path)) as other:
                assert other.execute("SELECT max(seq) FROM rows").fetchone() == (row.seq,)

    asyncio.run(play())


def test_the_file_alone_holds_what_was_saved_though_it_is_still_open(store, path, tmp_path):
    for word in ("a", "b"):
        write(store, lambda transaction, word=word: transaction.add("r1", store.read.items()[0].id, said(word)))
        copy = tmp_path / f"{word}.db"
        copy.write_bytes(path.read_bytes())  # as after a kill, without the log beside it
        assert [row.body["word"] for row in Reader(connect(copy, read_only=True)).rows(rater="r1")][-1] == word


def test_commits_are_on_disk_before_they_are_acknowledged(store):
    def settings(transaction):
        return [transaction._all(f"PRAGMA {name}") for name in ("journal_mode", "synchronous", "foreign_keys")]

    assert write(store, settings) == [[[("wal",)], [(2,)], [(1,)]]]


def test_work_that_fails_takes_only_itself_back(store):
    def fails(transaction):
        transaction.add("r1", "d0#0", said("lost"))
        raise RatersError("no")

    def doubles(transaction):
        for _ in range(2):
            transaction.add("r1", "d0#0", said("lost"), token="the same")

    def half(transaction):
        transaction.add("r1", "half \ud800", said("lost"))

    def adds(word):
        return lambda transaction: transaction.add("r1", "d0#0", said(word))

    outcomes = write(store, adds("a"), fails, adds("b"), doubles, half, adds("c"))
    assert [type(each).__name__ for each in outcomes] == [
        *("Row", "RatersError", "Row", "IntegrityError", "UnicodeEncodeError", "Row")
    ]
    assert [row.body["word"] for row in store.read.rows()] == ["a", "b", "c"]


def test_a_file_that_can_not_be_written_is_told_to_all_who_wait_and_the_next_may_succeed(store, path):
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        write(store, lambda transaction: transaction._connection.execute("PRAGMA busy_timeout = 1"))
        other.execute("BEGIN IMMEDIATE")
        outcomes = write(store, *[lambda transaction: transaction.add("r1", "", said())] * 3)
        other.execute("ROLLBACK")
    assert {type(each) for each in outcomes} == {NotSaved}
    assert "locked by another process" in str(outcomes[0])
    (row,) = write(store, lambda transaction: transaction.add("r1", "", said()))
    assert store.read.rows() == [row]


def test_two_processes_may_write_and_each_sees_what_the_other_wrote(store, path):
    with Store.open(path) as other:
        for each in (store, other, store):
            write(each, lambda transaction: transaction.add("r1", "", said()))
        assert store.read.rows() == other.read.rows()
        assert [row.seq for row in store.read.rows()] == [1, 2, 3]


def test_every_thread_reads_and_closing_closes_all_of_them(path):
    tiny_store(path)
    store, read = Store.open(path), []
    threads = [threading.Thread(target=lambda: read.append(store.read.raters())) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert read == [store.read.raters()] * 5
    store.close()
    store.close()
    assert [each.name for each in path.parent.iterdir()] == ["p.db"]


def test_a_closed_store_says_so(path):
    store = Store.open(tiny_store(path))
    store.close()
    with pytest.raises(NotSaved, match="closed"):
        asyncio.run(store.write(lambda transaction: None))


def test_opening_another_connection_does_not_give_up_the_locks_of_the_first(store, path):
    """A file's locks end when anything in the process closes it: then another process would fold the log away."""
    write(store, lambda transaction: transaction.add("r1", "", said()))
    store.read.rows()
    with Store.open(path):
        pass
    other = (
        "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('SELECT * FROM rows').fetchall(); c.close()"
    )
    subprocess.run([sys.executable, "-c", other, str(path)], check=True)
    assert path.with_name("p.db-wal").exists()
    write(store, lambda transaction: transaction.add("r1", "", said()))
    with closing(sqlite3.connect(path)) as stranger:
        assert stranger.execute("SELECT count(*) FROM rows").fetchone() == (2,)


def test_a_newer_layout_is_not_touched(path):
    tiny_store(path)
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("UPDATE meta SET value = '99' WHERE key = 'schema_version'")
    with pytest.raises(RatersError, match=r"newer voirdire \(layout 99"):
        Store.open(path)


def test_a_stranger_s_data_base_is_left_as_it_is(path):
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("CREATE TABLE mine (x)")
    before = path.read_bytes()
    with pytest.raises(RatersError, match="no project of raters"):
        Store.open(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("name", ["new\nline", "a\x1b[2J", "tab\tbed", "next\x85line", "line\u2028separator"])
def test_a_name_that_would_break_the_list_of_names_is_refused(path, store, name):
    (refused,) = write(store, lambda transaction: transaction.add_rater(name, "rater"))
    assert type(refused) is RatersError and "control character" in str(refused) and "\n" not in str(refused)
    assert [each.name for each in store.read.raters()] == ["Ann", "Ben"]


def test_a_name_may_hold_joiners_and_marks(store):
    (link,) = write(store, lambda transaction: transaction.add_rater(" می\u200cنا Zoe\u0308 ", "rater"))
    assert link.rater.name == "می\u200cنا Zoe\u0308"


@pytest.mark.parametrize("instead", [None, "another"])
def test_nothing_is_called_saved_once_the_file_is_gone_or_another(store, path, instead):
    def add(transaction):
        return transaction.add("r1", "d0#0", said())

    (first,) = write(store, add)
    away = path.rename(path.with_suffix(".away"))
    if instead:
        path.write_text(instead)
    outcomes = write(store, add, add)
    assert {type(each) for each in outcomes} == {NotSaved}
    assert "moved, removed or replaced" in str(outcomes[0])
    with pytest.raises(NotSaved, match="put it back"):
        store.check_there()
    away.replace(path)
    (second,) = write(store, add)
    store.check_there()
    assert store.read.rows() == [first, second]


def test_reading_leaves_no_files_behind_and_changes_nothing(path):
    tiny_store(path)
    before = path.read_bytes()
    with closing(connect(path, read_only=True)) as reading:
        assert len(Reader(reading).raters()) == 2
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            reading.execute("DELETE FROM raters")
    assert [each.name for each in path.parent.iterdir()] == ["p.db"]
    assert path.read_bytes() == before


def test_reading_in_another_process_leaves_a_writer_its_log(store, path):
    write(store, lambda transaction: transaction.add("r1", "", said()))
    read = (
        "import pathlib, sys; from voirdire.raters.store.schema import connect; "
        "c = connect(pathlib.Path(sys.argv[1]), read_only=True); print(len(c.execute('SELECT * FROM rows').fetchall()))"
        "; c.close()"
    )
    for count in ("1", "2"):
        done = subprocess.run([sys.executable, "-c", read, str(path)], check=True, capture_output=True, text=True)
        assert done.stdout.strip() == count
        assert path.with_name("p.db-wal").stat().st_size > 0
        write(store, lambda transaction: transaction.add("r1", "", said()))
    assert [row.seq for row in store.read.rows()] == [1, 2, 3]
