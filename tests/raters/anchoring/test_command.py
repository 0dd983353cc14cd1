"""`voirdire rate anchor`, from a project's own file."""

import asyncio

import pytest

from tests.adapters.made import examined
from tests.cli.here import voirdire, voirdire_json
from tests.raters._projects import scored
from tests.raters._rated import Imported, take_in
from voirdire.raters.machine_ratings import machine_ratings
from voirdire.raters.project_loader import read_project
from voirdire.raters.store import Store


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A run, and a project of which one rater has rated a sample, 0.2 below the jury."""
    folder = tmp_path_factory.mktemp("command")
    run, path = examined(folder / "run", "simulated/steady", "simulated/fading"), folder / "p.voirdire"
    voirdire(
        *("rate", "new", path, "--task", "ddft", "--from", run, "--no-practice", "--sample", 40),
        *("--per-item", 1, "--rater", "Ana"),
    )
    project = read_project(path)
    (rater,) = project.raters
    said = machine_ratings(project, run).by_item
    ratings = [Imported(rater, name, {"value": below(said[name].consensus)}) for name in project.items]
    with Store.open(path) as store:
        asyncio.run(take_in(store, ratings))
    return path, run


def below(jury):
    far = None if jury["no_claims"] else max(0.0, jury["far"] - 0.2)
    return scored(far, jury["sas"], jury["stance"], no_claims=jury["no_claims"])


def test_a_sample_that_is_weighted_brings_the_run_s_figures_down_to_people_s(made):
    path, run = made
    told = voirdire_json("rate", "anchor", path, "--with", run)
    assert (told["rated"], told["units"], told["clustered_by"]) == (40, 90, "concept")
    far = next(each for each in told["figures"] if each["name"] == "FAR" and each["model"] is None)
    assert far["plain"]["value"] - far["anchored"]["value"] == pytest.approx(0.2, abs=0.04)
    assert "biased" in far["reading"]
    assert told["models"] == ["simulated/fading", "simulated/steady"]
    assert "one person" in " ".join(told["notes"])


def test_the_text_names_every_model_and_what_can_not_be_anchored(made):
    path, run = made
    text = voirdire("rate", "anchor", path, "--with", run, "--unit", "dialogue").stdout
    assert "All models" in text
    assert "charged once" not in text
    assert "simulated/fading" in text
    assert "dialogues that those of the run" in " ".join(text.split())
    assert "Not anchored" in text


def test_only_the_models_that_are_asked_for_are_shown(made):
    path, run = made
    text = voirdire("rate", "anchor", path, "--with", run, "--model", "simulated/fading").stdout
    assert "simulated/fading" in text
    assert "All models" not in text
    assert "simulated/steady" not in text
    done = voirdire("rate", "anchor", path, "--with", run, "--model", "fading", check=False)
    assert done.returncode == 1
    assert "its models: simulated/fading, simulated/steady" in " ".join(done.stderr.split())


def test_what_is_no_run_is_answered_with_a_sentence(made, tmp_path):
    path, _ = made
    done = voirdire("rate", "anchor", path, "--with", tmp_path, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("voirdire: ")
