"""The journal gives back what was committed, and says in one sentence what is wrong with a file."""

from __future__ import annotations

import asyncio
import os
import resource
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from tests.runs.scripted import row
from voirdire.records import Reply, Slot, Usage, WireMessage
from voirdire.runs import Journal, JournalError, RecordedNote, Totals
from voirdire.runs.errors import UnwritableRow

FULL = Reply(
    "Übel: \u2603 \0 end",
    "length",
    Usage(100, 20, 7, 50),
    "model-2026",
    (("yes", -0.25), ("no", -1.5)),
    ("The temperature was dropped.",),
)


def commit(journal: Journal, *rows: object) -> None:
    async def all_at_once() -> None:
        waiting = (journal.commit(one) for one in rows)  # type: ignore[arg-type]
        outcomes = await asyncio.gather(*waiting, return_exceptions=True)
        for failure in filter(None, outcomes):
            raise failure

    asyncio.run(all_at_once())


def note(journal: Journal, *note_: object) -> None:
    asyncio.run(journal.note(*note_))  # type: ignore[arg-type]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite"


def test_a_reply_comes_back_as_it_was_in_the_same_session_and_in_the_next(path: Path) -> None:
    with Journal.open(path) as journal:
        commit(journal, row("k", FULL), row("other"))
        assert journal.lookup("k") == FULL
    with Journal.open(path) as journal:
        assert journal.lookup("k") == FULL
        assert journal.lookup("unknown") is None
        assert "k" in journal and "unknown" not in journal


def test_a_commit_returns_only_when_another_process_could_read_the_row(path: Path) -> None:
    async def play() -> None:
        with Journal.open(path) as journal:
            for number in range(20):
                await journal.commit(row(f"k{number}"))
                with Journal.open(path, read_only=True) as other:
                    assert other.lookup(f"k{number}") is not None

    asyncio.run(play())


def test_many_commits_at_once_share_transactions(path: Path) -> None:
    with Journal.open(path) as journal:
        transactions: list[int] = []
        write = journal._writer._transaction  # type: ignore[union-attr]
        journal._writer._transaction = lambda calls, notes: (  # type: ignore[union-attr,method-assign]
            transactions.append(len(calls)),
            write(calls, notes),
        )
        commit(journal, *(row(f"k{number}") for number in range(2000)))
        assert sum(transactions) == 2000
        assert len(transactions) < 200
        assert journal.totals().calls == 2000


def test_a_failed_attempt_is_recorded_and_is_no_reply(path: Path) -> None:
    with Journal.open(path) as journal:
        commit(journal, row("k", error_kind="rate_limit", error_text="Too many.", retry_after=2.5))
        assert journal.lookup("k") is None
        (failed,) = journal.calls_frame().to_dict("records")
        assert (failed["status"], failed["error_kind"], failed["error_text"]) == ("error", "rate_limit", "Too many.")
        assert failed["retry_after"] == 2.5
        assert list(journal.replies()) == []
    with Journal.open(path) as journal:
        assert journal.lookup("k") is None


def test_messages_schema_and_wire_bodies_stand_as_they_were_sent(path: Path) -> None:
    content = "Short.\n\n" + "A long paragraph. " * 20 + "\n\n\n" + "Ünd söme möre. " * 20 + "\n\n"
    sent = '{"messages": [{"content": "Short.\\n\\n' + "A long paragraph. " * 20 + '\\n\\n"}]}'
    messages = (WireMessage("system", content), WireMessage("user", ""))
    schema = {"type": "object", "properties": {"far": {"type": "number"}}}
    reply = Reply("{}", "stop", sent=sent, received='{"choices": "\ud800"}')
    with Journal.open(path) as journal:
        commit(journal, row("k", reply, messages=messages, schema=schema, output_mode="json_schema"), row("plain"))
        full, plain = journal.calls_frame(bodies=True).to_dict("records")
        assert "messages" not in journal.calls_frame().columns
    assert full["messages"] == [{"role": "system", "content": content}, {"role": "user", "content": ""}]
    assert full["schema"] == '{"type": "object", "properties": {"far": {"type": "number"}}}'
    assert full["sent"] == sent
    assert full["received"] == '{"choices": "\ufffd"}'
    assert pd.isna(plain["sent"])


def test_a_text_that_many_are_shown_is_stored_once(path: Path) -> None:
    long = "The rubric says at length what is to be done. " * 200
    with Journal.open(path) as journal:
        commit(journal, *(row(f"k{n}", messages=(WireMessage("system", f"{n}\n\n{long}"),)) for n in range(300)))
        assert len(journal.calls_frame(bodies=True)["messages"][299][0]["content"]) > len(long)
    assert path.stat().st_size < 300 * len(long) / 10


def test_wire_bodies_stay_in_the_journal(path: Path) -> None:
    with Journal.open(path) as journal:
        commit(journal, row("k", Reply("Yes.", "stop", sent="question", received="answer")))
        assert journal.lookup("k") == Reply("Yes.", "stop")


def test_replies_come_in_the_order_of_commit_with_their_slots(path: Path) -> None:
    with Journal.open(path) as journal:
        commit(journal, *(row(f"k{number}", slot=Slot("d", number, "judge", "a", 1)) for number in range(1203)))
        found = list(journal.replies())
    assert [recorded.slot.turn for recorded in found] == list(range(1203))
    assert (found[7].key, found[7].spec, found[7].slot) == ("k7", "test/scripted", Slot("d", 7, "judge", "a", 1))
    assert found[7].reply.text == "reply to k7"


def test_totals_sum_over_all_sessions_and_count_what_has_no_price(path: Path) -> None:
    with Journal.open(path) as journal:
        assert journal.totals() == Totals()
        commit(journal, row("a", price_usd=0.5), row("b", price_usd=None), row("c", error_kind="server"))
    with Journal.open(path, read_only=True) as journal:
        assert journal.totals() == Totals(3, 1, 20, 10, 0.5, 1)


def test_attempts_that_a_stop_broke_off_are_counted_and_no_failures_of_their_model(path: Path) -> None:
    with Journal.open(path) as journal:
        commit(journal, row("a", price_usd=0.5), row("b", error_kind="interrupted"), row("c", error_kind="server"))
        totals = journal.totals_by_model()["test/scripted"]
        assert (totals.calls, totals.failed, totals.interrupted) == (3, 1, 1)
        assert totals.interrupted_usd == 0.5
        role = journal.calls_frame()["role"].iloc[0]
        assert journal.outcomes([role]) == {"test/scripted": (1, {"server": 1})}


def test_how_calls_ended_is_counted_by_model_in_the_roles_that_are_asked_for(path: Path) -> None:
    other = Slot("d", 1, "judge", "a", 1)
    with Journal.open(path) as journal:
        commit(journal, row("a"), row("b", error_kind="server"), row("c", error_kind="server"), row("d", slot=other))
        role = journal.calls_frame()["role"].iloc[0]
        assert journal.outcomes([role]) == {"test/scripted": (1, {"server": 2})}
        assert journal.outcomes(["nobody"]) == {}


def test_a_note_can_be_said_again_and_its_last_version_stands(path: Path) -> None:
    body = {"item": "Professor Ilse Marchetti", "level": 0.5, "checks": ["ok", None]}
    with Journal.open(path) as journal:
        note(journal, "d", 4, "trap", body)
        note(journal, "d", 5, "question", "Why?")
        note(journal, "d", 4, "trap", body)
        assert journal.note_of("d", 4, "trap") == body
        assert journal.note_of("d", 4, "question") is None
        note(journal, "d", 4, "trap", "another")
    with Journal.open(path) as journal:
        assert list(journal.notes()) == [
            RecordedNote("d", 4, "trap", "another"),
            RecordedNote("d", 5, "question", "Why?"),
        ]


def test_half_a_character_in_a_note_is_a_mark_for_whoever_reads_it_however_it_was_written(path: Path) -> None:
    with Journal.open(path) as journal:
        note(journal, "d", 1, "verdict", {"because": ["half \ud83d", "whole \U0001f600"]})
        note(journal, "d", 2, "verdict", {})
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE notes SET body = ? WHERE turn = 2", (r'{"because": "half \ud83d"}',))
    connection.close()
    with Journal.open(path) as journal:
        assert journal.note_of("d", 2, "verdict") == {"because": "half \ufffd"}
        assert [each.body["because"] for each in journal.notes_in(["d"], ["verdict"])] == [
            ["half \ufffd", "whole \U0001f600"],
            "half \ufffd",
        ]


def test_every_run_has_a_secret_of_its_own_and_keeps_it(tmp_path: Path) -> None:
    secrets = []
    for name in ("a", "a", "b"):
        with Journal.open(tmp_path / name) as journal:
            secrets.append(journal.secret)
    assert secrets[0] == secrets[1] != secrets[2]
    assert len(secrets[0]) == 32


def test_a_waiter_that_is_cancelled_does_not_keep_its_row_from_being_written(path: Path) -> None:
    async def play() -> None:
        with Journal.open(path) as journal:
            waiting = asyncio.create_task(journal.commit(row("k")))
            await asyncio.sleep(0)
            waiting.cancel()
            await journal.commit(row("next"))
            assert journal.lookup("k") is not None

    asyncio.run(play())


def test_closing_writes_what_waits_and_later_commits_are_refused(path: Path) -> None:
    async def play() -> None:
        journal = Journal.open(path)
        waiting = [asyncio.create_task(journal.commit(row(f"k{number}"))) for number in range(50)]
        await asyncio.sleep(0)
        journal.close()
        await asyncio.gather(*waiting)
        with pytest.raises(JournalError, match="closed"):
            await journal.commit(row("late"))
        journal.close()

    asyncio.run(play())
    with Journal.open(path) as journal:
        assert journal.totals().calls == 50


def test_no_thread_is_left_behind(path: Path) -> None:
    with Journal.open(path):
        assert "voirdire-journal" in {thread.name for thread in threading.enumerate()}
    assert "voirdire-journal" not in {thread.name for thread in threading.enumerate()}


# --- what can be wrong ----------------------------------------------------------------------------------


def refused(path: Path, words: str, *, read_only: bool = False) -> None:
    with pytest.raises(JournalError, match=words) as caught:
        Journal.open(path, read_only=read_only, busy_timeout=0).close()
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("read_only", [False, True])
def test_a_file_of_another_kind_is_refused_and_left_alone(path: Path, read_only: bool) -> None:
    path.write_text("my notes\n" * 100)
    refused(path, "not a journal", read_only=read_only)
    assert path.read_text() == "my notes\n" * 100


def test_a_data_base_of_another_program_is_refused_and_left_alone(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE bookmarks (url)")
    connection.close()
    refused(path, "not a journal")
    with sqlite3.connect(path) as connection:
        assert [name for (name,) in connection.execute("SELECT name FROM sqlite_master")] == ["bookmarks"]
    connection.close()


def test_a_journal_of_a_newer_version_is_refused(path: Path) -> None:
    Journal.open(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE meta SET value = '3' WHERE key = 'schema_version'")
    connection.close()
    refused(path, "newer voirdire")


def test_a_missing_journal_is_not_created_by_a_reader(path: Path) -> None:
    refused(path, "no journal", read_only=True)
    assert not path.exists()


def test_a_folder_that_does_not_exist_is_named(tmp_path: Path) -> None:
    refused(tmp_path / "nowhere" / "journal.sqlite", "can't be opened")


def test_an_empty_file_left_by_a_crash_becomes_a_journal(path: Path) -> None:
    path.touch()
    with Journal.open(path) as journal:
        commit(journal, row("k"))


def test_damaged_pages_are_reported_as_damage(path: Path) -> None:
    with Journal.open(path) as journal:
        commit(journal, *(row(f"k{number}") for number in range(500)))
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(os.urandom(path.stat().st_size - 4096))
    refused(path, "damaged")


def test_a_file_cut_short_is_reported_as_damage(path: Path) -> None:
    with Journal.open(path) as journal:
        commit(journal, *(row(f"k{number}") for number in range(500)))
    os.truncate(path, 3 * 4096)
    refused(path, "damaged")


def test_a_journal_locked_by_another_process_fails_its_writers_and_then_goes_on(path: Path) -> None:
    with Journal.open(path, busy_timeout=0) as journal:
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(JournalError, match="locked by another process"):
            commit(journal, row("k"))
        assert journal.lookup("k") is None
        other.execute("ROLLBACK")
        other.close()
        commit(journal, row("k"))
        assert journal.lookup("k") is not None


def test_a_disk_that_takes_no_more_fails_all_waiters_and_loses_nothing_committed(path: Path) -> None:
    """The limit on a file's size stands in for a full disk."""
    long = "A paragraph that is stored on its own. " * 3
    with Journal.open(path) as journal:
        commit(journal, row("before"))
        _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, hard))
        try:
            big = (WireMessage("user", long + "\n\n" + "x" * 500_000),)
            with pytest.raises(JournalError, match=r"disk|can't be"):
                commit(journal, row("a", messages=big), row("b", messages=big))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
        assert journal.lookup("a") is None and journal.lookup("before") is not None
        commit(journal, row("a", messages=(WireMessage("user", long),)))
        assert journal.calls_frame(bodies=True)["messages"][1] == [{"role": "user", "content": long}]


@pytest.mark.parametrize(
    "bad",
    [
        lambda journal: journal.commit(row("bad", schema={"not": object()})),
        lambda journal: journal.commit(row("bad", Reply("Yes.", ["stop"]))),
        lambda journal: journal.commit(row("bad", Reply("Yes.", "half \ud83d"))),
        lambda journal: journal.note("half \ud83d", 1, "kind", {}),
    ],
    ids=["no JSON", "no type of SQLite's", "half a pair", "a note's name"],
)
def test_a_row_that_can_not_be_written_fails_its_own_waiter_only(path: Path, bad: Any) -> None:
    long = (WireMessage("user", "A paragraph that is stored on its own. " * 3),)

    async def play() -> None:
        with Journal.open(path) as journal:
            writes = [
                journal.commit(row("good", messages=long)),
                bad(journal),
                journal.commit(row("fine", messages=long)),
            ]
            outcomes = await asyncio.gather(*writes, return_exceptions=True)
            assert [type(outcome) for outcome in outcomes] == [type(None), UnwritableRow, type(None)]
            assert "good" in journal and "fine" in journal
            assert (
                list(journal.calls_frame(bodies=True)["messages"])
                == [[{"role": "user", "content": long[0].content}]] * 2
            )
            assert journal.check().problems == ()

    asyncio.run(play())


def test_a_reader_does_not_write(path: Path) -> None:
    Journal.open(path).close()
    with Journal.open(path, read_only=True) as journal, pytest.raises(JournalError, match="read only"):
        commit(journal, row("k"))


def test_a_journal_in_a_folder_that_may_not_be_written_can_be_read(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Journal.open(path) as journal:
        commit(journal, row("k"))
    monkeypatch.setattr(os, "access", lambda *_: False)
    with Journal.open(path, read_only=True) as journal:
        assert journal.lookup("k") is not None
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_looking_at_a_journal_does_not_give_up_the_locks_of_its_writer(path: Path) -> None:
    """A file's locks end when anything in the process closes it: then another process would fold the log away."""

    async def main() -> None:
        with Journal.open(path) as journal:
            await journal.note("d", 1, "k", 1)
            with Journal.open(path, read_only=True) as looking:
                assert list(looking.notes())
            other = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('SELECT * FROM notes'); c.close()"
            subprocess.run([sys.executable, "-c", other, str(path)], check=True)
            assert path.with_name(f"{path.name}-wal").exists()
            await journal.note("d", 2, "k", 2)

    asyncio.run(main())
    with Journal.open(path, read_only=True) as journal:
        assert [note.turn for note in journal.notes()] == [1, 2]
