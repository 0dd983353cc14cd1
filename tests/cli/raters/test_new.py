"""`voirdire rate new`: what it prints, and how it says no."""

import pytest

from tests.cli.here import voirdire, voirdire_json
from voirdire.raters import report
from voirdire.raters.project_loader import read_project
from voirdire.runs import RunFolder


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    path = tmp_path_factory.mktemp("new") / "run"
    voirdire("run", "-m", "simulated/fading", "--concepts", "recursion", "--levels", "0,1", "-o", path)
    return path


def new(path, run, *options, **how):
    return voirdire("rate", "new", path, "--task", "ddft", "--from", run, *options, **how)


def test_what_was_made_is_told_with_the_next_command(run, tmp_path):
    options = (
        "--rater",
        "Ana",
        "--rater",
        "Ben",
        "--adjudicator",
        "Cleo",
        "--draw",
        "5",
        "--calibration",
        "1",
        "--pass",
        "0.9",
    )
    path = tmp_path / "my project.sqlite"
    said = " ".join(new(path, run, *options).stdout.split())
    assert "5 turns drawn from 10, of 1 concept; before them 8 practice items, all to be right." in said
    assert "turn 4, factual accuracy (FAR" in said and "1 adjudicator: Cleo." in said
    assert "2 raters (Ana, Ben), 2 ratings per item: about 13 items each." in said
    assert "1 item for calibration" in said and "not known for this task" in said
    assert f"Next: voirdire rate serve '{path}'" in said
    assert "simulated" not in said


def test_what_serving_needs_is_told_where_it_is_not_installed(run, tmp_path, monkeypatch):
    needs = "pip install 'voirdire[web]'"
    assert needs not in new(tmp_path / "one.voirdire", run, "--rater", "Ana").stdout
    monkeypatch.setattr(report, "find_spec", lambda name: None)
    said = " ".join(new(tmp_path / "two.voirdire", run, "--rater", "Ana").stdout.split())
    assert f"Serving needs starlette and uvicorn: {needs}." in said


def test_as_json_and_with_every_option(run, tmp_path):
    path = tmp_path / "p.sqlite"
    told = voirdire_json(
        *("rate", "new", path, "--task", "ddft", "--from", run, "--no-practice", "--seed", "4"),
        *(
            "--raters-per-item",
            "3",
            "--gold",
            "adjudicated",
            "--pass",
            "0.7",
            "--pay-per-item",
            "0.30",
            "--currency",
            "EUR",
        ),
        *("--title", "Ours", "--rater", "Ana", "--adjudicator", "Cleo"),
    )
    assert (told["documents"], told["items"], told["practice_items"], told["stands_for"]) == (10, 10, 0, 10.0)
    assert sum(told["strata"].values()) == 10 and told["items_per_rater"] == 10
    assert (told["raters"], told["adjudicators"], told["raters_per_item"]) == (["Ana"], ["Cleo"], 3)
    assert told["next"] == f"voirdire rate serve {path}" and len(told["notes"]) == 1
    settings = read_project(path).settings
    assert (settings.title, settings.gold, settings.pass_share, settings.seed) == ("Ours", "adjudicated", 0.7, 4)
    assert (settings.pay_per_item, settings.currency) == (0.3, "EUR")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--draw", "11"), "a sample of 11 was asked for; give 1 to 10"),
        (("--rater", "Ana", "--rater", "ana"), "The name 'ana' is given twice"),
        (("--mode", "independent"), "The task ddft can be rated in one way only"),
        (("--gold", "silver"), "one of majority, adjudicated"),
        (("--task", "poetry"), "There is no task 'poetry'"),
        (("--jury", "nobody"), "No jury 'nobody' has judged"),
        (("--from", "nowhere"), "There is nothing at nowhere; name a run folder"),
    ],
)
def test_mistakes_are_answered_with_one_sentence_and_leave_nothing(run, tmp_path, options, says):
    done = new(tmp_path / "p.sqlite", run, *options, check=False)
    assert done.returncode == 1 and says in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_a_run_of_another_kind_is_named_with_the_task_that_fits(run, tmp_path):
    other = tmp_path / "labels"
    RunFolder.create(other, {"instrument": "cognibench"}).close()
    done = new(tmp_path / "p.sqlite", other, check=False)
    assert done.returncode == 1
    assert f"{other} holds a run of 'cognibench'" in done.stderr and "give --task cognibench" in done.stderr


def test_a_project_that_is_there_is_not_overwritten(run, tmp_path):
    path = tmp_path / "p.sqlite"
    new(path, run)
    before = path.read_bytes()
    done = new(path, run, check=False)
    assert done.returncode == 1 and "already exists" in done.stderr
    assert path.read_bytes() == before
