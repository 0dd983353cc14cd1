"""The journal's hash chain: what was written stands, and whoever changes it is found out."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.runs.scripted import row
from voirdire.records import Reply, Usage, WireMessage
from voirdire.runs import JournalError
from voirdire.runs.chain import ChainReport, check_chain
from voirdire.runs.journal import Journal

LONG = (WireMessage("user", f"What {'is ' * 40} it?"),)


def written(path: Path, calls: int = 3, notes: int = 2, **options: object) -> Path:
    async def write(journal: Journal) -> None:
        await asyncio.gather(*(journal.commit(row(f"call {number}", messages=LONG)) for number in range(calls)))
        for number in range(notes):
            await journal.note("d", number, "question", {"asked": number})

    with Journal.open(path, **options) as journal:
        asyncio.run(write(journal))
    return path


def checked(path: Path) -> ChainReport:
    with Journal.open(path, read_only=True) as journal:
        return journal.check()


def alter(path: Path, sql: str, *values: object) -> None:
    with sqlite3.connect(path) as connection:
        assert connection.execute(sql, values).rowcount
    connection.close()


def test_what_was_written_stands_over_several_sessions(tmp_path: Path) -> None:
    path = written(tmp_path / "j", first_link={"manifest": "abc"}, session={"voirdire": "1"})
    first = checked(path)
    written(path, calls=2, session={"voirdire": "2"})
    second = checked(path)

    assert first.problems == second.problems == ()
    assert second.about == ({"manifest": "abc"}, {"voirdire": "1"}, {"voirdire": "2"})
    assert first.head and second.head and second.head.links > first.head.links
    assert first.head.digest in second.earlier, "the head of the shorter run is on the way to that of the longer one"


def test_a_note_written_anew_stands_and_one_that_says_the_same_adds_no_link(tmp_path: Path) -> None:
    async def write(journal: Journal, body: int) -> None:
        await journal.note("d", 1, "k", body)

    with Journal.open(tmp_path / "j") as journal:
        for body in (1, 2, 2):
            asyncio.run(write(journal, body))
        assert journal.head() == journal.check().head
        assert journal.check().problems == ()
        assert journal.check().head.links == 3  # the first seals the empty journal


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("UPDATE calls SET reply = 'far better' WHERE id = 2", "(calls "),
        ("UPDATE calls SET price_usd = 0.5 WHERE id = 2", "(calls "),
        ("DELETE FROM calls WHERE id = 1", "(calls "),
        ("UPDATE texts SET body = body || '.' WHERE id = 1", "does not hold"),
        ("INSERT INTO texts (id, body) VALUES (999, 'x')", "1 row of texts stands outside"),
        ("UPDATE notes SET body = '{}' WHERE turn = 1", "written; one is 'question' of 'd', turn 1"),
        ("DELETE FROM notes WHERE turn = 0", "Gone: 1 note that"),
        ("INSERT INTO notes (dialogue, turn, kind, body) VALUES ('d', 9, 'verdict', '1')", "1 note stands outside"),
        ("UPDATE notes SET dialogue = 'e' WHERE turn = 0", "1 note stands outside"),
        ("DELETE FROM chain WHERE id = 2", "Link 2 is missing"),
        ("UPDATE chain SET digest = zeroblob(32) WHERE id = 2", "does not hold"),
        ("UPDATE chain SET about = '[' WHERE id = 1", "does not hold"),
        ("UPDATE chain SET calls = 1000 WHERE id = (SELECT max(id) FROM chain)", "seals calls up to number 1,000"),
        ("UPDATE chain SET texts = -5 WHERE id = 1", "Link 1 of the chain does not hold"),
    ],
)  # fmt: skip
def test_whoever_alters_the_journal_is_found_out(tmp_path: Path, sql: str, said: str) -> None:
    path = written(tmp_path / "j")
    alter(path, sql)
    problems = checked(path).problems
    assert any(said in problem for problem in problems), problems


def test_bytes_do_not_pass_for_the_text_that_spells_them(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "j") as journal:
        asyncio.run(journal.commit(row("c0ffee")))
    alter(tmp_path / "j", "UPDATE calls SET key = X'c0ffee' WHERE key = 'c0ffee'")
    assert checked(tmp_path / "j").problems


def test_an_older_body_of_a_note_put_back_is_found_out(tmp_path: Path) -> None:
    async def write(journal: Journal) -> None:
        await journal.note("d", 1, "verdict", {"far": 0.1})
        await journal.note("d", 1, "verdict", {"far": 0.9})

    with Journal.open(tmp_path / "j") as journal:
        asyncio.run(write(journal))
    alter(tmp_path / "j", """UPDATE notes SET body = '{"far": 0.1}'""")
    assert len(checked(tmp_path / "j").problems) == 1


def test_a_journal_whose_chain_was_taken_out_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "j")
    alter(path, "DROP TABLE chain")
    for use in (checked, written):
        with pytest.raises(JournalError, match="lacks the table 'chain', which voirdire makes, and is not opened"):
            use(path)


@pytest.mark.parametrize("calls", [0, 3])
def test_a_journal_whose_links_were_all_taken_out_is_found_out(tmp_path: Path, calls: int) -> None:
    path = written(tmp_path / "j", calls=calls, notes=0)
    alter(path, "DELETE FROM chain")
    found = checked(path)
    assert "The chain has no link left." in found.problems and found.head.links == 0
    written(path, calls=1)
    assert calls == 0 or checked(path).problems


_NUMBERS = st.one_of(st.integers(-(2**63), 2**63 - 1), st.floats(), st.none())


@given(numbers=st.lists(_NUMBERS, min_size=3, max_size=3), text=st.text(st.characters(codec="utf-8")))
def test_any_numbers_and_texts_come_back_as_they_were_sealed(
    tmp_path_factory: pytest.TempPathFactory, numbers: list[float | None], text: str
) -> None:
    path = tmp_path_factory.mktemp("chain") / "j"
    seconds, price, tokens = numbers
    with Journal.open(path) as journal:
        reply = Reply(text, "stop", Usage(input_tokens=tokens))
        asyncio.run(
            journal.commit(
                row(text, seconds=seconds if seconds and seconds == seconds else 0.0, price_usd=price, reply=reply)
            )
        )
        assert journal.check().problems == ()


def test_a_file_that_is_damaged_says_so_in_one_sentence(tmp_path: Path) -> None:
    path = written(tmp_path / "j", calls=40)
    data = bytearray(path.read_bytes())
    half = len(data) // 2
    data[half : half + 4096] = b"\xff" * 4096
    path.write_bytes(data)
    with pytest.raises(JournalError, match="damaged"):
        checked(path)


@pytest.mark.parametrize("column", ["calls", "texts", "notes", "about", "digest"])
def test_a_link_of_a_damaged_file_that_holds_nothing_where_nothing_may_be_does_not_hold(
    tmp_path: Path, column: str
) -> None:
    with sqlite3.connect(written(tmp_path / "j")) as connection:
        connection.execute("CREATE TABLE loose AS SELECT * FROM chain")
        connection.execute("DROP TABLE chain")
        connection.execute("ALTER TABLE loose RENAME TO chain")
        connection.execute(f"UPDATE chain SET {column} = NULL WHERE id = (SELECT max(id) FROM chain)")
        connection.commit()
        assert any("does not hold" in problem for problem in check_chain(connection).problems)
    connection.close()
