"""`voirdire rate status`."""

import pytest

from tests.cli.here import voirdire, voirdire_json
from tests.raters._projects import _turn
from tests.raters._tiny import Play
from voirdire.raters.records import Document, Item, Settings
from voirdire.raters.store import Store


@pytest.fixture
def project(tmp_path):
    """Two turns; Ann has rated one of them, in 90 seconds, and asks about the other."""
    path = tmp_path / "p.db"
    documents = [Document(id=name, body=_turn("A."), group=name) for name in ("t0", "t1")]
    people = [("Ann", "rater"), ("[b]Ben", "rater"), ("Dee", "adjudicator")]
    items = [Item(id=each.id, document=each.id) for each in documents]
    Store.create(path, Settings(task="ddft", title="Turns [1]"), documents, items, people)
    with Play(path) as play:
        play.next("Ann")
        play.send("Ann", "t0", "rate", seconds=90.0, far="0.5", sas="1")
        play.do(play.service.ask(play.who("Ann"), "t1", "How?", "token001"))
    return path


def test_status_tells_how_far_a_project_has_come(project):
    said = voirdire("rate", "status", project, "--all").stdout
    flat = " ".join(said.split())
    assert "Turns [1]: task ddft, 2 turns so far" in flat, "no concepts are named where each turn is of its own"
    assert "items with 2 ratings; 1 with 0, 1 with 1" in flat
    assert "of 1: 1 while rating, 0 afterwards" in flat
    ann = next(line for line in said.splitlines() if "Ann" in line)
    assert ann.split()[:7] == ["Ann", "rater", "1", "1", "90", "s", "90"]
    assert "[b]Ben" in said and "never" in said
    assert "to rate" in flat and "in hand" not in flat
    assert "http" not in said


def test_status_as_json(project):
    told = voirdire_json("rate", "status", project)
    assert (told["items"], told["by_ratings"], told["rated"]) == (2, {"0": 1, "1": 1}, 0)
    assert [(each["name"], each["rated"], each["open"]) for each in told["raters"]] == [
        ("Ann", 1, 1),
        ("[b]Ben", 0, 0),
        ("Dee", 0, 0),
    ]
    assert told["raters"][0]["median_seconds"] == 90.0


def test_a_project_that_is_not_there_ends_in_a_sentence(tmp_path):
    done = voirdire("rate", "status", tmp_path / "none.db", check=False)
    assert done.returncode == 1 and done.stderr.startswith("voirdire: There is no project at")
