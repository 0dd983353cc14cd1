"""A run's folder of somebody else: nothing outside it is read or written, nothing in it runs."""

import asyncio
import json
import os
import shutil
import sqlite3
import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import voirdire
from tests.untrusted.changing import ODD, bytes_changed, changed, is_sentence
from voirdire.data.parquet import reader
from voirdire.ddft.results import load_run
from voirdire.ddft.session import score_run
from voirdire.ddft.snapshot import saved_concepts
from voirdire.ddft.study import StudyError
from voirdire.integrity.results import open_audits
from voirdire.runs import JournalError, RunFolder, RunFolderError

EXAMPLES = int(os.environ.get("VOIRDIRE_EXAMPLES", "8"))
MAGIC = bytes.fromhex("d9d505f920a163d7")


def sql(run, script):
    connection = sqlite3.connect(run / "journal.sqlite")
    connection.executescript(script)
    connection.commit()
    connection.close()


def rewrite(run, **change):
    manifest = json.loads((run / "run.json").read_text())
    (run / "run.json").write_text(json.dumps(manifest | change))


def refused(run, error=(RunFolderError, JournalError)):
    """What is said when the run is opened, to look and to write; both refuse it."""
    said = []
    for read_only in (True, False):
        with pytest.raises(error) as caught:
            RunFolder.open(run, read_only=read_only).close()
        assert is_sentence(caught.value)
        said.append(str(caught.value))
    return said[0]


# --- where a folder leads ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [".lock", ".tables", ".run.json.new", ".turns.parquet.new", "journal.sqlite-wal"])
def test_a_link_that_would_be_written_to_is_refused(run, tmp_path, name):
    victim = tmp_path / "victim"
    victim.write_text("precious")
    (run / name).unlink(missing_ok=True)
    (run / name).symlink_to(victim)
    assert "a link to somewhere else" in refused(run)
    assert victim.read_text() == "precious"


def test_a_link_that_would_be_read_is_refused(run, tmp_path):
    for name in ("journal.sqlite", "turns.parquet", "run.json"):
        shutil.move(run / name, tmp_path / name)
        (run / name).symlink_to(tmp_path / name)
        assert f"holds '{name}', a link" in refused(run)
        (run / name).unlink()
        shutil.move(tmp_path / name, run / name)
    kept = next((run / "concepts").iterdir())
    kept.rename(tmp_path / "kept")
    kept.symlink_to(tmp_path / "kept")
    assert "a link" in refused(run)


def test_a_pipe_in_the_place_of_a_file_does_not_hang(run):
    (run / "run.json").unlink()
    os.mkfifo(run / "run.json")
    assert "neither a file nor a folder" in refused(run)


@pytest.mark.parametrize("sha256", ["../../../secret", "/etc/hostname", "a/b", "", 5, None, ["x"]])
def test_a_concepts_hash_that_is_a_path_leads_nowhere(run, tmp_path, sha256):
    (tmp_path / "secret.yaml").write_text("id: secret")
    rewrite(run, concepts={"recursion": sha256})
    with RunFolder.open(run, read_only=True) as folder:
        assert saved_concepts(folder) == {}


def test_a_kept_concept_with_another_text_is_refused(run):
    kept = next((run / "concepts").iterdir())
    kept.write_text(kept.read_text() + "\n# changed\n")
    with pytest.raises(StudyError, match="was changed since the run was held"):
        load_run(run)


@pytest.mark.parametrize("name", ["../secret.jsonl", "/etc/hostname", 5, None])
def test_responses_that_a_run_of_audits_keeps_elsewhere_are_not_read(run, tmp_path, name):
    (tmp_path / "secret.jsonl").write_text("{}")
    rest = {"auditors": ["rules"], "facts": None, "taxonomy": None, "critical": "cap29", "editorializing": 0}
    rewrite(run, instrument="integrity", responses=name, base_url=None, **rest)
    with pytest.raises(RunFolderError, match="plain name of a file in the same folder"):
        open_audits(run)


@pytest.mark.parametrize("text", ["9" * 500, "\xff", "\0"])
def test_a_mark_of_others_is_taken_as_none(run, text):
    (run / ".tables").write_text(text, encoding="latin-1")
    with RunFolder.open(run) as folder:
        assert not folder.tables_are_current(voirdire.__version__)


# --- the manifest -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[" * 100_000, "nested too deeply"),
        ('{"a": 1, "a": 2}', "twice"),
        ('{"seed": NaN}', "NaN"),
        ('{"seed": ' + "9" * 5_000 + "}", "digits"),
        ("[]", "must hold an object"),
        ('"\\ud800"', "half a character"),
        (" " * 10_000_001, "at most 10,000,000 are read"),
        ("\0", "NUL"),
    ],
)
def test_a_manifest_that_is_more_than_json_is_refused(run, text, says):
    (run / "run.json").write_text(text)
    assert says in refused(run)


@settings(max_examples=EXAMPLES, deadline=None)
@given(data=st.data())
def test_a_changed_manifest_is_read_or_refused_in_a_sentence(whole_run, data):
    kept = (whole_run / "run.json").read_text()
    try:
        if data.draw(st.booleans()):
            (whole_run / "run.json").write_text(json.dumps(data.draw(changed(json.loads(kept)))))
        else:
            (whole_run / "run.json").write_bytes(data.draw(bytes_changed(kept.encode())))
        load_run(whole_run)
    except Exception as error:
        assert is_sentence(error), repr(error)
    finally:
        (whole_run / "run.json").write_text(kept)


# --- the journal --------------------------------------------------------------------------------------------

FOREIGN = {
    "view": "DROP TABLE notes; CREATE VIEW notes AS SELECT 1 AS id;",
    "endless view": (
        "DROP TABLE meta; CREATE VIEW meta AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n) "
        "SELECT x AS key, x AS value FROM n;"
    ),
    "trigger": "CREATE TRIGGER t AFTER INSERT ON notes BEGIN DELETE FROM calls; END;",
    "trigger on update": "CREATE TRIGGER t AFTER UPDATE ON meta BEGIN DELETE FROM calls; END;",
    "virtual table": "CREATE VIRTUAL TABLE other USING fts5(x);",
    "another table": "CREATE TABLE other (x);",
    "generated column": "ALTER TABLE notes ADD COLUMN more TEXT AS (upper(body));",
    "index": "CREATE INDEX other ON notes (upper(body));",
    "other checks": "DROP TABLE texts; CREATE TABLE texts (id INTEGER PRIMARY KEY, body TEXT CHECK (random() > 0));",
}


@pytest.mark.parametrize("name", FOREIGN)
def test_a_journal_with_something_else_in_it_is_refused_and_stays_as_it_is(run, name):
    sql(run, FOREIGN[name])
    before = (run / "journal.sqlite").read_bytes()
    assert "which voirdire does not make, and is not opened" in refused(run)
    assert (run / "journal.sqlite").read_bytes() == before


@pytest.mark.parametrize(
    "script",
    [
        "UPDATE meta SET value = 'x' WHERE key = 'schema_version'",
        "UPDATE meta SET value = 'xyz' WHERE key = 'secret'",
        "DELETE FROM meta",
        "UPDATE meta SET value = x'ff' WHERE key = 'secret'",
    ],
)
def test_a_journal_without_its_own_particulars_is_damaged(run, script):
    sql(run, script)
    assert "is damaged" in refused(run)


def test_a_journal_of_a_newer_version_is_told_from_a_foreign_one(run):
    sql(run, "UPDATE meta SET value = '999' WHERE key = 'schema_version'; CREATE TABLE later (x);")
    assert "written by a newer voirdire (layout 999" in refused(run)


def test_a_log_that_names_a_file_to_delete_is_not_rolled_back(run, tmp_path):
    """SQLite deletes the file that a rollback journal names as its super-journal."""
    victim = tmp_path / "victim"
    victim.write_text("precious")
    name, size = str(victim).encode(), (run / "journal.sqlite").stat().st_size // 4096
    head = (MAGIC + struct.pack(">IIIII", 0, 1, size, 512, 4096)).ljust(512, b"\0")
    tail = struct.pack(">I", 2**30 // 4096 + 1) + name + struct.pack(">II", len(name), sum(name)) + MAGIC
    (run / "journal.sqlite-journal").write_bytes(head + tail)
    assert "names another file to delete" in refused(run)
    assert victim.read_text() == "precious"


def test_looking_at_a_run_leaves_its_files_as_they_are(run):
    before = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}
    load_run(run)
    assert {path: path.read_bytes() for path in before} == before


@settings(max_examples=EXAMPLES, deadline=None)
@given(data=st.data())
def test_a_journal_with_any_value_in_any_place_is_read_or_refused_in_a_sentence(whole_run, tmp_path_factory, data):
    run = tmp_path_factory.getbasetemp() / "any"
    shutil.copytree(whole_run, run, dirs_exist_ok=True)
    connection = sqlite3.connect(run / "journal.sqlite")
    if data.draw(st.booleans()):
        notes = connection.execute("SELECT id, body FROM notes").fetchall()
        number, body = data.draw(st.sampled_from(notes))
        new = data.draw(
            changed(json.loads(body)).map(json.dumps) | st.sampled_from(["", "[" * 3_000, "{", "5", b"\xff"])
        )
        connection.execute("UPDATE notes SET body = ? WHERE id = ?", (new, number))
    else:
        column = data.draw(
            st.sampled_from(["reply", "messages", "dialogue", "turn", "status", "key", "warnings", "spec"])
        )
        odd = data.draw(ODD.filter(lambda each: isinstance(each, str | float)) | st.binary(max_size=3))
        connection.execute("PRAGMA ignore_check_constraints = ON")
        connection.execute(f"UPDATE OR IGNORE calls SET {column} = ? WHERE id = 1", (odd,))
    connection.commit()
    connection.close()
    try:
        load_run(run)
        assert not voirdire.load(run).turns.empty
    except Exception as error:
        assert is_sentence(error), repr(error)


def test_a_journal_with_damaged_pages_is_refused_in_a_sentence(run):
    whole = (run / "journal.sqlite").read_bytes()
    for at in range(0, len(whole), 4096):
        (run / "journal.sqlite").write_bytes(whole[:at] + bytes(64) + whole[at + 64 :])
        try:
            load_run(run)
        except Exception as error:
            assert is_sentence(error), repr(error)


def test_a_damaged_table_or_one_that_claims_too_much_is_a_sentence(run, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(reader, "FREE_ROWS", 0)
        patch.setattr(reader, "MAX_RATIO", 0)
        with RunFolder.open(run, read_only=True) as folder, pytest.raises(ValueError, match=r"claims \d+ rows in"):
            folder.read_table("turns")
    (run / "turns.parquet").write_bytes(b"PAR1" + bytes(50) + b"PAR1")
    with RunFolder.open(run, read_only=True) as folder, pytest.raises(ValueError, match="can't be read as Parquet"):
        folder.read_table("turns")


# --- where calls go -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "judge"),
    [
        ({"base_url": "https://else.example/v1"}, "openai-api/a"),
        (
            {"preset": {"roles": {"judge": {"base_url": "https://else.example/v1", "api_key_env": "SECRET"}}}},
            "openai/a",
        ),
    ],
)
def test_an_address_that_only_a_foreign_run_names_is_not_asked(run, change, judge):
    if "preset" in change:
        change = {"preset": json.loads((run / "run.json").read_text())["preset"] | change["preset"]}
    rewrite(run, **change)
    with pytest.raises(RunFolderError, match=r"asked at 'https://else\.example/v1', and your key would be sent there"):
        asyncio.run(score_run(run, [f"json:{judge}"]))


@pytest.mark.parametrize("put", [b"\x9c\x9c", b"\xff\n\xfe"])
def test_a_schema_that_is_no_utf_8_is_refused_in_one_sentence(run, put):
    whole = (run / "journal.sqlite").read_bytes()
    at = whole.index(b"attempt INTEGER")
    (run / "journal.sqlite").write_bytes(whole[:at] + put + whole[at + len(put) :])
    refused(run)
