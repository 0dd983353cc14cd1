"""`voirdire rate anchor`, from a project's own file."""

import pytest

from tests.cli.here import voirdire, voirdire_json


def test_a_sample_that_is_weighted_brings_the_run_s_figures_down_to_people_s(rated_run):
    path, run = rated_run
    told = voirdire_json("rate", "anchor", path, "--with", run)
    assert (told["rated"], told["units"], told["clustered_by"]) == (40, 90, "concept")
    far = next(each for each in told["figures"] if each["name"] == "FAR" and each["model"] is None)
    assert far["judge"]["value"] - far["powered"]["value"] == pytest.approx(0.2, abs=0.04)
    assert "may be up to" in far["interpretation"], "three concepts are too few to show a bias"
    of_these = voirdire_json("rate", "anchor", path, "--with", run, "--unit", "dialogue")["figures"][0]
    assert "too high" in of_these["interpretation"]
    assert of_these["conclusion"] == "correct"
    assert told["models"] == ["simulated/fading", "simulated/steady"]
    assert "one person" in " ".join(told["notes"])


def test_the_text_names_every_model_and_what_can_not_be_anchored(rated_run):
    path, run = rated_run
    text = voirdire("rate", "anchor", path, "--with", run, "--unit", "dialogue", "--all").stdout
    assert "All models" in text
    assert "charged once" not in text
    assert "simulated/fading" in text
    assert "dialogues that those of the run" in " ".join(text.split())
    assert "Not corrected" in text


def test_only_the_models_that_are_asked_for_are_shown(rated_run):
    path, run = rated_run
    text = voirdire("rate", "anchor", path, "--with", run, "--only-model", "simulated/fading", "--all").stdout
    assert "simulated/fading" in text
    assert "All models" not in text
    assert "simulated/steady" not in text
    done = voirdire("rate", "anchor", path, "--with", run, "--only-model", "fading", check=False)
    assert done.returncode == 1
    assert "its models: simulated/fading, simulated/steady" in " ".join(done.stderr.split())


def test_what_is_no_run_is_answered_with_a_sentence(rated_run, tmp_path):
    path, _ = rated_run
    done = voirdire("rate", "anchor", path, "--with", tmp_path, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("voirdire: ")
