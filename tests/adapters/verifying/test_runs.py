import hashlib
import json
import shutil
import sqlite3

import pandas as pd
import pytest

from tests.adapters.verifying.examples import JOURNAL, found, rewritten, statement, status_of, swapped, with_cell
from tests.support.somebody import as_somebody, protected_copy
from voirdire.adapters.redacted_files import RedactPlan
from voirdire.adapters.redaction import redact_run
from voirdire.adapters.verify import verify
from voirdire.adapters.verify_journals import VerifyError
from voirdire.runs import RunFolder, manifest_hash, run_blocking
from voirdire.runs.chain import Chain
from voirdire.runs.rows import CALL_COLUMNS

CHANGES = {
    "one cell": lambda frame: with_cell(frame, "model", "somebody/else"),
    "a row less": lambda frame: frame.drop(index=2),
    "a row more": lambda frame: pd.concat([frame, frame.iloc[-1:]]),
    "two rows swapped": swapped,
}


def files_of(path):
    return {each.name: each.read_bytes() for each in path.rglob("*") if each.is_file()}


def test_a_run_that_nobody_touched_holds_and_nothing_is_written_to_it(run):
    before = files_of(run)
    assert found(run) == ({}, True)
    assert files_of(run) == before


def test_a_read_only_folder_is_verified(run):
    assert found(run) == ({}, True)  # brings in whatever it needs
    with protected_copy(run) as protected, as_somebody():
        assert found(protected) == ({}, True)


# --- tables ---


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
@pytest.mark.parametrize("table", ["turns", "verdicts", "scores"])
def test_a_changed_table_is_named(run, table, change):
    rewritten(run / f"{table}.parquet", change)
    (said,) = found(run)[0].items()
    assert said[0] == f"{table}.parquet" and ("differ" in said[1] or "the journal gives" in said[1])


def test_a_score_that_was_raised_is_named_with_its_turn(run):
    rewritten(run / "scores.parquet", lambda frame: with_cell(frame, "far", 1.0))
    said, well = found(run)
    assert not well and list(said) == ["scores.parquet"]
    assert said["scores.parquet"].startswith("1 row differs, first row 1 (jury ")
    assert "turn 1): far is 1.0, the journal gives 0." in said["scores.parquet"]


def test_a_table_that_was_saved_again_unchanged_is_equal(run):
    rewritten(run / "scores.parquet", lambda frame: frame)
    assert found(run) == ({}, True)


def test_a_table_that_was_deleted_or_added_is_named(run):
    (run / "verdicts.parquet").rename(run / "better.parquet")
    said, well = found(run)
    assert not well and set(said) == {"verdicts.parquet", "better.parquet"}
    assert said["verdicts.parquet"].startswith("it is missing") and "nothing makes" in said["better.parquet"]


def test_all_tables_deleted_are_missed_too(run):
    for table in run.glob("*.parquet"):
        table.unlink()
    said, well = found(run)
    assert not well and set(said) == {"turns.parquet", "verdicts.parquet", "scores.parquet"}


def test_tables_of_a_run_that_was_killed_are_not_made_yet(run):
    for table in run.glob("*.parquet"):
        table.unlink()
    with RunFolder.open(run) as folder:
        body = folder.journal.note_of(next(folder.journal.notes(("held",))).dialogue, 0, "held")
        dialogue = next(folder.journal.notes(("held",))).dialogue
        run_blocking(folder.journal.note(dialogue, 0, "held", {**body, "complete": False}))
    said, well = found(run)
    assert well and said["run"].startswith("not complete: 1 of 2 dialogues completed")
    (verified,) = verify([run])
    assert verified.verdict.endswith("is as it was written. The run is not complete.") and not verified.complete
    assert said["turns.parquet"].startswith("it is not made yet")


# --- the journal ---


@pytest.mark.parametrize(
    ("sql", "says"),
    [
        ("UPDATE calls SET reply = 'I was right all along.' WHERE id = 3", "of the chain does not hold"),
        ("UPDATE calls SET price_usd = 0.001 WHERE id = 3", "of the chain does not hold"),
        ("DELETE FROM calls WHERE id = 3", "of the chain does not hold"),
        ("UPDATE texts SET body = body || '!' WHERE id = 1", "of the chain does not hold"),
        ("UPDATE notes SET body = json_set(body, '$.level', 0.3) WHERE kind = 'turn'", "10 notes differ from what was"),
        ("DELETE FROM notes WHERE kind = 'stance'", "that had been written"),
        ("INSERT INTO notes (dialogue, turn, kind, body) VALUES ('d', 1, 'k', '{}')", "stands outside the chain"),
        ("DELETE FROM chain WHERE id = 5", "missing in the chain"),
        ('UPDATE chain SET about = \'{"voirdire": "9"}\' WHERE id = 2', "Link 2 of the chain does not hold"),
    ],
)
def test_a_journal_that_was_altered_is_found_out(run, sql, says):
    statement(run, sql)
    said, well = found(run)
    assert not well and says in said["hash chain"]


def test_an_altered_verdict_is_found_in_the_tables_too(run):
    statement(run, "UPDATE notes SET body = json_set(body, '$.consensus.far', 0.99) WHERE kind LIKE 'verdicts/%'")
    assert "the journal gives" in found(run)[0]["scores.parquet"]


def test_a_journal_of_which_nothing_can_be_made_is_said_to_be_so(run):
    statement(run, "UPDATE notes SET body = '[]' WHERE kind = 'turn'")
    said, well = found(run)
    assert not well and "it can't be read as it was written" in said["tables"]


def test_a_damaged_file_is_said_to_be_damaged(run):
    with (run / JOURNAL).open("r+b") as file:
        file.seek(4096 * 3)
        file.write(b"\xff" * 4096)
    assert status_of(run, "journal file") == "differs"


def test_a_file_that_is_no_journal_is_said_to_be_none(run):
    (run / JOURNAL).write_text("nothing")
    said, well = found(run)
    assert not well and "is not a journal" in said["journal file"]


def test_a_journal_whose_chain_was_taken_out_is_not_what_it_was(run):
    statement(run, "DROP TABLE chain")
    said, well = found(run)
    assert not well and "lacks the table 'chain'" in said["journal file"]


def test_run_json_must_be_the_one_that_was_sealed(run):
    path = run / "run.json"
    path.write_text(path.read_text().replace('"seed": 0', '"seed": 1'))
    said, well = found(run)
    assert not well and "not the one that the journal was begun with" in said["run.json"]


# --- the head that was published ---


def rebuilt(run):
    """What nobody can find out from the file alone: an altered journal whose chain was made anew."""
    with sqlite3.connect(run / JOURNAL) as connection:
        connection.execute("UPDATE calls SET price_usd = 0.001 WHERE id = 3")
        connection.execute("DELETE FROM chain")
        chain = Chain.resume(connection, {"manifest": manifest_hash(run)})
        texts, calls, notes = (
            connection.execute(f"SELECT {columns} FROM {table} ORDER BY id").fetchall()
            for table, columns in (
                ("texts", "id, body"),
                ("calls", f"id, {', '.join(CALL_COLUMNS)}"),
                ("notes", "dialogue, turn, kind, body"),
            )
        )
        chain.add(connection, chain.link(texts, calls, notes))
    connection.close()


def test_a_chain_that_was_rebuilt_is_caught_by_the_published_head_alone(run):
    (before,) = verify([run])
    rebuilt(run)
    assert found(run) == ({}, True)
    said, well = found(run, head=before.head.digest)
    assert not well and "is no link of this journal" in said["published head"]


def test_a_head_of_a_shorter_run_is_on_the_way(run):
    (before,) = verify([run])
    with RunFolder.open(run) as folder:
        run_blocking(folder.journal.note("", 0, "told", {}))
    assert status_of(run, "published head", head=before.head.digest.upper()) == "ok"


@pytest.mark.parametrize("head", ["abc", "g" * 64, ""])
def test_what_is_no_digest_is_refused(run, head):
    with pytest.raises(VerifyError, match="64 digits"):
        verify([run], head=head)


# --- what is kept, and what to know ---


def test_kept_concepts_are_held_against_run_json(run):
    (concept,) = (run / "concepts").iterdir()
    (run / "concepts" / f"{'0' * 64}.yaml").write_text("name: x")
    concept.write_text(concept.read_text() + "# easier\n")
    said, well = found(run)
    assert not well and "not what the run was asked on" in said["concept recursion"]
    assert said[f"concepts/{'0' * 64}.yaml"] == "the run was asked on no such concept"
    concept.unlink()
    assert found(run)[0]["concept recursion"].startswith("it is gone")


def test_a_run_that_is_going_on_is_said_to_be(run):
    with RunFolder.open(run) as folder:
        run_blocking(folder.journal.note("", 0, "told", {}))
        said, well = found(run)
    assert well and said["tables"].startswith("the run is going on")


def test_sessions_by_different_versions_are_told(run, monkeypatch):
    monkeypatch.setattr("voirdire.runs.folder.__version__", "9.9")
    with RunFolder.open(run) as folder:
        run_blocking(folder.journal.note("", 0, "told", {}))
    assert found(run)[0]["sessions"].endswith(", 9.9")


def test_a_redacted_copy_holds_and_names_the_run_that_it_was_made_of(held, audits, tmp_path):
    redact_run(RedactPlan(held, tmp_path / "copy", texts=("recursion",)))
    said, well = found(tmp_path / "copy", run=held)
    assert well and said["redacted copy"].endswith(verify([held])[0].head.digest)
    assert "is no link of this journal" in found(tmp_path / "copy", run=audits)[0]["journal head"]


@pytest.fixture(scope="session")
def figures_held(held, tmp_path_factory):
    """A copy of figures alone: to copy from."""
    path = tmp_path_factory.mktemp("figures") / "copy"
    redact_run(RedactPlan(held, path, figures_only=True))
    return path


@pytest.fixture
def figures(figures_held, tmp_path):
    """The same, to be tampered with."""
    return shutil.copytree(figures_held, tmp_path / "figures")


def test_of_figures_alone_only_the_head_that_they_name_can_be_looked_at(held, figures):
    (done,) = verify([figures])
    head = verify([held])[0].head.digest
    assert not done.ok and [(each.what, each.status) for each in done.findings][-1] == ("figures", "unknown")
    assert done.verdict == f"Only the head that {figures} names could be looked at ({head}), not the figures."
    with pytest.raises(VerifyError, match="give --origin RUN instead"):
        verify([figures], head=head)


def test_figures_are_made_again_of_their_run(held, figures, audits):
    (done,) = verify([figures], run=held)
    assert done.ok and done.findings[-1].message == "the run makes the same figures again"
    assert "another head now" in found(figures, run=audits)[0]["figures"]
    rewritten(figures / "scores.parquet", lambda frame: with_cell(frame, "far", 0.123))
    (figures / "figures.json").write_text((figures / "figures.json").read_text().replace('"ddft"', '"dDft"', 1))
    (figures / "turns.parquet").unlink()
    said, well = found(figures, run=held)
    assert not well and set(said) == {"scores.parquet", "figures.json", "turns.parquet"}
    assert "far is 0.123" in said["scores.parquet"] and "first in line 2" in said["figures.json"]


def test_figures_whose_names_were_hidden_by_hand_can_not_be_told(held, tmp_path):
    redact_run(RedactPlan(held, tmp_path / "copy", texts=("steady",), figures_only=True))
    (done,) = verify([tmp_path / "copy"], run=held)
    assert not done.ok and done.findings[-1].status == "unknown"
    assert "--hide may have taken names out" in done.findings[-1].message


# --- other instruments ---


def test_audits_keep_what_was_audited(audits):
    assert found(audits) == ({}, True)
    (audits / "responses.parquet").write_bytes(b"PAR1")
    (audits / "better.parquet").write_bytes(b"PAR1")
    said, well = found(audits)
    assert not well and set(said) == {"responses.parquet", "better.parquet"}
    (audits / "facts.txt").write_text("The bridge opened on 4 May 1911.")
    (audits / "responses.jsonl").write_text((audits / "responses.jsonl").read_text() + "\n")
    said, _ = found(audits)
    assert all("not what the run was asked on" in said[name] for name in ("facts.txt", "responses.jsonl"))


def test_statements_are_made_again(labels):
    said, well = found(labels)
    assert not well and set(said) == {"answers.jsonl", "missing", "run"}  # the fixture's run.json has no hash of them
    assert "1 of 4 statements has no label (no vote)" in said["run"]
    rewritten(labels / "statements.parquet", lambda frame: with_cell(frame, "label", "faithful"))
    said, _ = found(labels)
    assert "label is 'faithful', the journal gives 'invented'" in said["statements.parquet"]


def test_labels_hold_their_data_against_run_json(labels):
    from voirdire.cognibench.formats import iter_jsonl
    from voirdire.cognibench.labelling.session import answers_sha256

    path = labels / "run.json"
    known = answers_sha256(list(iter_jsonl(labels / "answers.jsonl")))
    path.write_text(json.dumps(json.loads(path.read_text()) | {"answers_sha256": known}))
    assert status_of(labels, "answers.jsonl") == "ok"
    text = (labels / "answers.jsonl").read_text()
    (labels / "answers.jsonl").write_text(text.replace('"a0"', '"a9"', 1))
    assert status_of(labels, "answers.jsonl") == "differs"


def test_a_run_without_tables_is_its_journal(tmp_path):
    RunFolder.create(tmp_path / "run", {"instrument": "integrity-facts"}).close()
    assert found(tmp_path / "run") == ({}, True)
    (tmp_path / "run" / "facts.parquet").write_bytes(b"")
    assert found(tmp_path / "run")[0] == {
        "facts.parquet": "nothing makes a table of this name of such a run; take it away"
    }


def test_a_copy_elsewhere_has_the_same_head(held, tmp_path):
    (one,), (two,) = verify([held]), verify([shutil.copytree(held, tmp_path / "there")])
    assert one.head == two.head and len(hashlib.sha256().hexdigest()) == len(one.head.digest)
