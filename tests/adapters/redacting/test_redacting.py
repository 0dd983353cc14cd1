"""A copy of a run without what is private, for every instrument, that can be read and not be gone on with."""

import asyncio
import hashlib
import json
import re
import shutil
import sqlite3

import pandas as pd
import pytest

from tests.adapters.examples import GULLIBLE, audited, examined, labelled
from tests.cli.here import voirdire, voirdire_json
from voirdire import load
from voirdire.detectors.records import LABELS
from voirdire.instruments import instrument_of
from voirdire.records import ModelIdentity, Reply, Settings, Slot, WireMessage
from voirdire.runs import CallRow, RunFolder
from voirdire.runs.chain import check_chain

SERVER = "http://models.corp.internal:8000/v1"
WIRE = "a body as it was on the wire"
HOME = "/home/ada/models/"
SECRETIVE = "sk-proj-abcdefghijklmnop"
ASKED = ("--concepts", "recursion,phoneme", "--levels", "0.5", "--jury", "simulated/judge")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A cross-examination with a call in it that tells of a machine, its owner and a key."""
    path = examined(tmp_path_factory.mktemp("runs") / "run", GULLIBLE, concepts="recursion,phoneme", levels="0.5")
    identity = ModelIdentity(f"local/{HOME}own.gguf", SERVER, "own.gguf", "0" * 64)
    messages = [WireMessage("user", f"Is {SECRETIVE} a key? It lies in {HOME}keys.txt.")]
    reply = Reply("Yes.", "stop", sent=WIRE, received=WIRE, warnings=(f"{SERVER} dropped the seed",))
    told = {"settings": Settings(16), "output_mode": "text", "schema": None, "seed": 1, "seconds": 0.5}
    rows = [
        CallRow("k" * 64, 1, Slot("x", 1, "check"), identity, messages, started_at="2026-11-22", reply=reply, **told),
        CallRow(
            *("e" * 64, 1, Slot("y", 1, "check"), identity, messages),
            started_at="2026-11-22",
            error_kind="connection",
            error_text=f"no server answers at {SERVER}",
            **told,
        ),
    ]
    with RunFolder.open(path) as folder:
        for row in rows:
            asyncio.run(folder.journal.commit(row))
    (path / "notes.txt").write_text("what somebody thinks of it")
    return path


@pytest.fixture(scope="module")
def copied(run, tmp_path_factory):
    """The copy with a word hidden that stands in answers, and what the command said of it."""
    before = hashes(run)
    out = tmp_path_factory.mktemp("copies") / "copy"
    said = voirdire_json("redact", run, "-o", out, "--hide-text", "Recursive", "--hide", r"\b19[78]\d\b")
    assert hashes(run) == before
    assert not list(out.glob("journal.sqlite-*"))
    return out, said


def hashes(folder):
    """Of the files in a folder; SQLite makes two more whenever a journal is looked at."""
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.iterdir()
        if path.is_file() and "sqlite-" not in path.name
    }


def rows_of(path, sql):
    with sqlite3.connect(f"file:{path / 'journal.sqlite'}?mode=ro", uri=True) as journal:
        return journal.execute(sql).fetchall()


def test_what_is_private_stands_nowhere_in_the_journal_of_the_copy(run, copied):
    data = (copied[0] / "journal.sqlite").read_bytes()
    original = (run / "journal.sqlite").read_bytes()
    ((secret,),) = rows_of(run, "SELECT value FROM meta WHERE key = 'secret'")
    keys = [key for (key,) in rows_of(run, "SELECT key FROM calls")]
    for private in ("corp.internal", WIRE, HOME, SECRETIVE, secret, *keys):
        assert private.encode() in original
        assert private.encode() not in data
    assert b"recursive" not in data.lower()
    assert b"<<<BEGIN" in data
    assert rows_of(copied[0], "PRAGMA freelist_count") == [(0,)]


def test_what_was_taken_out_is_counted_by_kind_and_what_was_not_looked_for_is_said(copied):
    said = copied[1]
    assert set(said["hidden"]) == {"hidden", "secret", "server", "path", "fence"}
    assert said["hidden"]["secret"] == 2
    assert said["left_out"]["bodies"] == 2
    assert said["left_out"]["files"] == 1
    assert said["other_files"] == ["notes.txt"]
    assert said["not_looked_for"].startswith("Names of people, e-mail addresses")


def test_the_manifest_of_the_copy_names_no_machine_and_says_of_which_run_it_is(run, copied):
    asked = json.loads((copied[0] / "run.json").read_text())
    assert set(asked["info"]) == {"versions", "python", "time"}
    with sqlite3.connect(f"file:{run / 'journal.sqlite'}?mode=ro", uri=True) as journal:
        assert asked["redacted"]["from"] == check_chain(journal).head.digest


def test_the_copy_has_a_chain_of_its_own_that_holds(copied):
    with sqlite3.connect(f"file:{copied[0] / 'journal.sqlite'}?mode=ro", uri=True) as journal:
        report = check_chain(journal)
    assert report.problems == ()
    assert report.head.digest != json.loads((copied[0] / "run.json").read_text())["redacted"]["from"]


def test_verdicts_stand_also_on_answers_that_have_changed(run, copied):
    whole, copy = load(run), load(copied[0])
    changed = whole.turns["answer"].to_numpy() != copy.turns["answer"].to_numpy()
    assert 0 < changed.sum() < len(changed)
    assert "[hidden 1]" in " ".join(copy.turns["answer"])
    for table, texts in (("scores", []), ("verdicts", ["justification"])):
        pd.testing.assert_frame_equal(copy.table(table).drop(columns=texts), whole.table(table).drop(columns=texts))
    written = pd.read_parquet(copied[0] / "turns.parquet")
    assert list(written["answer"]) == list(copy.turns["answer"])


def test_a_run_in_which_nothing_is_private_keeps_every_table(tmp_path):
    run = examined(tmp_path / "run", GULLIBLE, concepts="recursion", levels="0.5")
    voirdire("redact", run, "-o", tmp_path / "copy")
    for name in ("turns", "verdicts", "scores"):
        assert (tmp_path / "copy" / f"{name}.parquet").read_bytes() == (run / f"{name}.parquet").read_bytes()


def test_concepts_stand_under_the_hash_of_what_they_now_say(run, copied):
    asked = json.loads((copied[0] / "run.json").read_text())
    kept = {path.stem: path.read_bytes() for path in (copied[0] / "concepts").iterdir()}
    assert set(kept) == set(asked["concepts"].values())
    assert all(hashlib.sha256(text).hexdigest() == name for name, text in kept.items())
    assert asked["concepts"]["recursion"] != json.loads((run / "run.json").read_text())["concepts"]["recursion"]


@pytest.mark.parametrize(
    "words",
    [("show",), ("validate",), ("report", "-o", "page.json"), ("export", "--to", "csv", "-o", "csv")],
)
def test_the_copy_can_be_read(copied, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "ecursive" not in voirdire(words[0], copied[0], *words[1:]).stdout


def test_no_file_from_elsewhere_is_copied_and_no_concept_that_was_changed(run, tmp_path):
    """What run.json says of a run of somebody else may lead anywhere."""
    (tmp_path / "secret.yaml").write_text("id: secret")
    strange = shutil.copytree(run, tmp_path / "runs" / "strange")
    asked = json.loads((strange / "run.json").read_text())
    told = asked | {"concepts": asked["concepts"] | {"x": "../../../secret"}}
    (strange / "run.json").write_text(json.dumps(told))
    voirdire("redact", strange, "-o", tmp_path / "copy")
    assert len(list((tmp_path / "copy" / "concepts").iterdir())) == len(asked["concepts"])
    assert "id: secret" not in "".join(path.read_text() for path in (tmp_path / "copy" / "concepts").iterdir())

    kept = next((strange / "concepts").iterdir())
    kept.write_text(kept.read_text() + "# easier\n")
    done = voirdire("redact", strange, "-o", tmp_path / "other", check=False)
    assert done.returncode == 1 and "was changed since the run was held" in done.stderr
    assert not (tmp_path / "other").exists()


def test_the_copy_can_not_be_gone_on_with(copied):
    before = hashes(copied[0])
    for words in (("run", "-m", GULLIBLE, *ASKED, "-o", copied[0]), ("score", copied[0], "--jury", "reference")):
        done = voirdire(*words, check=False)
        assert done.returncode == 1
        assert "is a redacted copy of a run" in done.stderr
    assert hashes(copied[0]) == before


def test_figures_alone_have_no_text_in_them(run, copied, tmp_path):
    said = voirdire("redact", run, "-o", tmp_path / "figures", "--figures-only").stdout
    assert "Names of models, judges and concepts stay" in said
    assert not (tmp_path / "figures" / "journal.sqlite").exists()
    assert not (tmp_path / "figures" / "concepts").exists()
    turns = pd.read_parquet(tmp_path / "figures" / "turns.parquet")
    assert not {"question", "answer", "trap_item", "trap_description", "error"} & set(turns)
    figures = json.loads((tmp_path / "figures" / "figures.json").read_text())
    assert figures["models"] == voirdire_json("show", run)["models"]
    metrics = pd.read_parquet(tmp_path / "figures" / "metrics.parquet")
    assert metrics["reason"].notna().any() and metrics["cautions"].notna().any()
    pd.testing.assert_frame_equal(metrics, load(run).metrics, check_dtype=False)
    for name in ("turns", "verdicts", "scores", "calls"):
        frame = pd.read_parquet(tmp_path / "figures" / f"{name}.parquet")
        texts = frame.select_dtypes(["object", "string"])
        assert max((len(str(value)) for value in texts.to_numpy().ravel()), default=0) < 80


@pytest.mark.parametrize("command", [("show",), ("validate",), ("report",)])
def test_a_command_that_needs_more_than_figures_says_what_such_a_copy_is_for(run, tmp_path, command):
    voirdire("redact", run, "-o", tmp_path / "figures", "--figures-only")
    done = voirdire(*command, tmp_path / "figures", check=False)
    assert done.returncode == 1
    assert "holds only the figures of a run: read figures.json" in done.stderr
    assert "Only voirdire verify takes it" in done.stderr


def test_a_copy_of_figures_alone_is_not_gone_on_with_and_nothing_false_is_said_of_it(run, tmp_path):
    voirdire("redact", run, "-o", tmp_path / "figures", "--figures-only")
    done = voirdire("run", "-m", "simulated/steady", "-o", tmp_path / "figures", check=False)
    assert done.returncode == 1
    assert "holds only the figures of a run" in done.stderr and "can be shown" not in done.stderr
    assert "of the commands only verify takes it" in " ".join(voirdire("redact", "--help").stdout.split())


def test_figures_of_a_run_without_a_judged_turn_say_so_and_of_which_models(tmp_path):
    path = tmp_path / "run"
    voirdire("run", "-m", "simulated/steady", *ASKED, "--max-calls", 1, "-o", path, check=False)
    said = voirdire("redact", path, "-o", tmp_path / "figures", "--figures-only").stdout
    sentence = "The run is not complete: nothing is judged, so that there are no figures of simulated/steady."
    assert sentence in " ".join(said.split())
    figures = json.loads((tmp_path / "figures" / "figures.json").read_text())
    assert figures["complete"] is False and "0 of 2 dialogues completed" in figures["stopped"]
    assert figures["nothing_judged"] == {
        "code": "nothing_judged",
        "text": sentence,
        "models": ["simulated/steady"],
    }


def test_labels_stay_on_their_sentences_when_the_answers_change(tmp_path):
    run = labelled(tmp_path / "run", ["faithful", "invented"], ["speculative"])
    whole = load(run)
    first = whole.answers["answer"].iloc[0]
    word = first.split()[0]
    voirdire("redact", run, "-o", tmp_path / "copy", "--hide-text", word)
    copy = load(tmp_path / "copy")
    assert list(copy.statements["label"]) == list(whole.statements["label"])
    assert word not in " ".join(copy.answers["answer"])
    assert all(text in copy.answers["answer"].iloc[0] for text in copy.statements["text"].iloc[:2])
    asked = json.loads((tmp_path / "copy" / "run.json").read_text())
    assert "redacted" in asked


def test_audits_keep_their_scores(tmp_path):
    run = audited(tmp_path / "run")
    voirdire("redact", run, "-o", tmp_path / "copy", "--hide-text", "310,000 pounds")
    whole, copy = load(run), load(tmp_path / "copy")
    assert list(copy.responses["score"]) == list(whole.responses["score"])
    assert "310,000" not in " ".join(copy.responses["response"])
    assert "310,000" not in (tmp_path / "copy" / "facts.txt").read_text()


@pytest.mark.parametrize(
    ("words", "said", "code"),
    [
        (("--hide", "("), "is no regular expression", 1),
        (("--hide", "x*"), "matches nothing at all as well", 1),
        (("--hide-text", ""), "The value is empty", 2),
    ],
)
def test_what_can_not_be_hidden_is_refused_in_a_sentence(run, words, said, code, tmp_path):
    done = voirdire("redact", run, "-o", tmp_path / "copy", *words, check=False)
    assert done.returncode == code
    assert said in done.stderr
    assert not (tmp_path / "copy").exists()


def test_nothing_is_written_over(run, tmp_path):
    (tmp_path / "there").write_text("mine")
    done = voirdire("redact", run, "-o", tmp_path / "there", check=False)
    assert "already exists: choose another place" in done.stderr
    assert (tmp_path / "there").read_text() == "mine"


def test_a_copy_is_not_made_within_the_run(run):
    before = sorted(path.name for path in run.iterdir())
    done = voirdire("redact", run, "-o", run / "shared" / "copy", check=False)
    assert done.returncode == 1 and "lies within the run, which is only read" in done.stderr
    assert sorted(path.name for path in run.iterdir()) == before


@pytest.mark.parametrize("word", ["judge", "judged", "verdicts", "level", "a", "1", "Recursion"])
def test_a_copy_without_a_word_of_our_own_can_be_read_and_verified(run, tmp_path, word):
    clean = tmp_path / "run"
    shutil.copytree(run, clean, ignore=shutil.ignore_patterns("notes.txt"))

    voirdire("redact", clean, "-o", tmp_path / "copy", "--hide-text", word)

    done = voirdire("verify", tmp_path / "copy", check=False)
    assert "DIFFERS" not in done.stdout and done.returncode == 0
    assert "complete" not in done.stdout  # as the run is
    voirdire("show", tmp_path / "copy")
    assert len(load(tmp_path / "copy").turns) == len(load(run).turns)


def one_word_values(run):
    """What stands in a run as a word alone, in the notes of its journal and in run.json."""

    def words(value):
        if isinstance(value, str):
            return {value} if re.fullmatch("[a-z_]{3,}", value) else set()
        each = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        return set().union(*map(words, each))

    bodies = [json.loads(body) for (body,) in rows_of(run, "SELECT body FROM notes")]
    return words([json.loads((run / "run.json").read_text()), *bodies])


@pytest.mark.parametrize(
    ("instrument", "make", "columns"),
    [
        ("ddft", None, {"scores": ["stance"], "turns": ["trap_kind", "question_source", "finish_reason"]}),
        ("cognibench", lambda path: labelled(path, LABELS, [None, "faithful"]), {"statements": ["label", "type"]}),
        ("integrity", audited, {"violations": ["type", "severity", "source"], "responses": ["unscored"]}),
    ],
)
def test_a_copy_keeps_the_categories_that_the_program_reads_back_whatever_is_hidden(
    instrument, make, columns, run, tmp_path
):
    whole = run if make is None else make(tmp_path / "run")
    categories = set().union(*instrument_of(instrument).categories().values())
    hidden = [word for each in sorted(categories | one_word_values(whole)) for word in ("--hide-text", each)]

    voirdire("redact", whole, "-o", tmp_path / "copy", *hidden)

    assert json.loads((tmp_path / "copy" / "run.json").read_text())["instrument"] == instrument
    voirdire("show", tmp_path / "copy")
    before, after = load(whole), load(tmp_path / "copy")
    for table, names in columns.items():
        for name in names:
            assert sorted(map(str, after.table(table)[name])) == sorted(map(str, before.table(table)[name])), name
