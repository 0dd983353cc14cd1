"""A project of raters that somebody else made: nothing in it runs, and what is no project is refused in a sentence."""

import sqlite3
import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.raters._tiny import tiny_store
from tests.untrusted.changing import ODD, is_sentence
from voirdire.raters.project_loader import read_project
from voirdire.raters.records import RatersError
from voirdire.raters.store import Store

MAGIC = bytes.fromhex("d9d505f920a163d7")
COLUMNS = [("meta", "value"), ("documents", "body"), ("items", "key"), ("raters", "role"), ("documents", "source")]


@pytest.fixture
def project(tmp_path):
    return tiny_store(tmp_path / "p.db", live=1)


def sql(path, script):
    connection = sqlite3.connect(path)
    connection.executescript(script)
    connection.commit()
    connection.close()


@pytest.mark.parametrize(
    "script",
    [
        "DROP TABLE raters; CREATE VIEW raters AS SELECT 'a' AS id, 'a' AS name, 'rater' AS role, 'x' AS secret;",
        "CREATE TRIGGER t AFTER INSERT ON raters BEGIN DELETE FROM disputes; END;",
        "DROP TRIGGER rows_update; CREATE TRIGGER rows_update BEFORE UPDATE ON rows BEGIN SELECT 1; END;",
        "CREATE TABLE other (x);",
        "DROP TABLE meta; CREATE VIEW meta AS SELECT 'schema_version' AS key, '1' AS value;",
    ],
)
def test_a_project_with_something_else_in_it_is_refused_and_stays_as_it_is(project, script):
    sql(project, script)
    before = project.read_bytes()
    for use in (read_project, Store.open):
        with pytest.raises(RatersError, match="which voirdire does not make, and is not opened"):
            use(project)
    assert project.read_bytes() == before


def test_a_log_that_names_a_file_to_delete_is_not_rolled_back(project, tmp_path):
    victim = tmp_path / "victim"
    victim.write_text("precious")
    name = str(victim).encode()
    head = (MAGIC + struct.pack(">IIIII", 0, 1, project.stat().st_size // 4096, 512, 4096)).ljust(512, b"\0")
    tail = struct.pack(">I", 2**30 // 4096 + 1) + name + struct.pack(">II", len(name), sum(name)) + MAGIC
    project.with_name("p.db-journal").write_bytes(head + tail)
    with pytest.raises(RatersError, match="names another file to delete"):
        read_project(project)
    assert victim.exists()


@settings(max_examples=12, deadline=None)
@given(at=st.sampled_from(COLUMNS), odd=ODD.filter(lambda each: isinstance(each, str | float | bool)))
def test_a_project_with_any_value_in_any_place_is_read_or_refused_in_a_sentence(tmp_path_factory, at, odd):
    path = tmp_path_factory.mktemp("any") / "p.db"
    tiny_store(path, live=1)
    table, column = at
    dropped = "".join(f"DROP TRIGGER {each}_update;" for each in ("rows", "documents", "items"))
    made = "".join(
        f"CREATE TRIGGER {each}_update BEFORE UPDATE ON {each} "
        f"BEGIN SELECT RAISE(ABORT, '{each} are never changed'); END;\n"
        for each in ("rows", "documents", "items")
    )
    connection = sqlite3.connect(path)
    connection.executescript(f"{dropped} PRAGMA ignore_check_constraints = ON;")
    connection.execute(f"UPDATE OR IGNORE {table} SET {column} = ?", (str(odd) if column == "value" else odd,))
    connection.executescript(made)
    connection.close()
    try:
        read_project(path)
    except Exception as error:
        assert is_sentence(error), repr(error)
