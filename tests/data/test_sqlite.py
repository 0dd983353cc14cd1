"""`data.sqlite`: what a journal and a project of raters have in common."""

import os
import sqlite3
import stat
from contextlib import closing

import pytest

from voirdire.data.sqlite import Format, make_durable
from voirdire.errors import UserError

SHELF = Format(
    noun="shelf",
    row="book",
    application_id=7,
    layout=2,
    script=(
        "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);\n"
        "CREATE TABLE books (title TEXT UNIQUE);\n"
        "CREATE TRIGGER books_delete BEFORE DELETE ON books BEGIN SELECT RAISE(ABORT, 'never'); END;\n"
    ),
    error=UserError,
    not_ours="{path} is no shelf.",
    mend="buy another",
)


def filled(connection):
    SHELF.create(connection, {"room": "hall"})
    connection.execute("COMMIT")


@pytest.fixture
def shelf(tmp_path):
    SHELF.open(tmp_path / "shelf", "rwc", filled).close()
    return tmp_path / "shelf"


def altered(path, script):
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)
    return path.read_bytes()


def opened(path, begin=lambda connection: None):
    return SHELF.open(path, "rw", begin, busy_timeout=0)


def test_a_file_comes_back_as_it_was_created(shelf):
    with closing(opened(shelf)) as connection:
        assert dict(connection.execute("SELECT * FROM meta")) == {"schema_version": "2", "room": "hall"}


@pytest.mark.parametrize(
    ("script", "says"),
    [
        ("PRAGMA application_id = 8", "is no shelf."),
        ("UPDATE meta SET value = '1'", "by an older voirdire (layout 1; this one reads 2): use the version that"),
        ("UPDATE meta SET value = '3'", "by a newer voirdire (layout 3; this one reads 2): update voirdire."),
        ("UPDATE meta SET value = '²'", "is damaged: buy another."),
        ("DELETE FROM meta", "is damaged: buy another."),
        ("UPDATE meta SET value = x'ff'", "is damaged: buy another."),
        ("DROP TABLE meta", "lacks the table 'meta', which voirdire makes, and is not opened."),
        ("DROP TABLE books", "lacks the table 'books', which voirdire makes, and is not opened."),
        ("DROP TRIGGER books_delete", "lacks the trigger 'books_delete', which voirdire makes, and is not opened."),
        ("CREATE TABLE more (x)", "holds the table 'more', which voirdire does not make, and is not opened."),
    ],
)
def test_what_is_not_as_it_is_made_is_refused_in_a_sentence_before_anything_is_done(shelf, script, says):
    before = altered(shelf, script)
    with pytest.raises(UserError) as caught:
        opened(shelf, begin=lambda connection: connection.execute("INSERT INTO books VALUES ('x')"))
    assert says in str(caught.value) and str(shelf) in str(caught.value)
    assert shelf.read_bytes() == before


def test_nothing_stays_open_when_beginning_fails(shelf):
    def begin(connection):
        connection.execute("BEGIN IMMEDIATE")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        opened(shelf, begin)
    opened(shelf, lambda connection: connection.execute("BEGIN IMMEDIATE")).close()


def test_a_lock_is_told_in_the_format_s_own_words(shelf):
    with closing(sqlite3.connect(shelf, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(UserError, match=f"The shelf {shelf} is locked by another process"):
            opened(shelf)


def test_a_new_file_is_for_its_owners_eyes_whatever_the_umask(tmp_path):
    before = os.umask(0)
    try:
        SHELF.make(tmp_path / "shelf", filled)
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "shelf").stat().st_mode) == 0o600
    SHELF.open(tmp_path / "shelf", "ro", lambda connection: None).close()


def test_of_a_new_file_that_fails_nothing_is_left(tmp_path):
    def fails(connection):
        make_durable(connection)
        filled(connection)
        raise ValueError("no room")

    with pytest.raises(ValueError, match="no room"):
        SHELF.make(tmp_path / "shelf", fails)
    assert list(tmp_path.iterdir()) == []


def test_a_new_file_takes_the_place_of_none(tmp_path):
    (tmp_path / "shelf").write_text("mine")
    with pytest.raises(UserError, match="shelf already exists; give another name"):
        SHELF.make(tmp_path / "shelf", filled)
    assert (tmp_path / "shelf").read_text() == "mine"
    with pytest.raises(UserError, match=r"The shelf .* can't be made: there is no folder"):
        SHELF.make(tmp_path / "none" / "shelf", filled)
