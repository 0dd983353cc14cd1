"""A run that stopped before any turn of one of its models was judged: each command names that model."""

import json
from xml.etree import ElementTree

import pytest

import voirdire as package
from tests.cli.here import voirdire, voirdire_json
from voirdire.adapters.gate import GateWarning

JUDGED, WAITING = "simulated/steady", "simulated/fading"
NAMED = f"No turn of {WAITING} is judged yet."


def words(text):
    return " ".join(text.replace("│", " ").split())


@pytest.fixture(scope="module")
def stopped(tmp_path_factory):
    """Two dialogues begun, one for each model, and one turn judged."""
    path = tmp_path_factory.mktemp("runs") / "stopped"
    asked = ("-m", JUDGED, "-m", WAITING, "--jury", "simulated/judge", "-p", "quick")
    voirdire("run", *asked, "--max-calls", 5, "--connections", 1, "-o", path, check=False)
    return path


@pytest.mark.parametrize("command", [("show",), ("ddft", "predictions"), ("compare",)])
def test_a_model_without_a_judged_turn_is_named(stopped, command):
    done = voirdire(*command, stopped, check=False)
    assert NAMED in words(done.stdout + done.stderr)
    assert "only simulated/steady was given" not in done.stderr


def test_comparing_an_unfinished_run_says_how_many_dialogues_each_model_has(stopped, tmp_path):
    path, models = tmp_path / "two", ("-m", JUDGED, "-m", WAITING)
    few = ("--concepts", "recursion,phoneme,derivative", "--levels", "0,1", "--connections", 1, "--max-calls", 45)
    voirdire("run", *models, "--jury", "simulated/judge", *few, "-o", path, check=False)
    said = voirdire("compare", path).stdout
    held = {each["model"]: each["dialogues_completed"] for each in voirdire_json("compare", path)["models"]}
    assert {of for _, of in held.values()} == {6} and 0 < sum(done for done, _ in held.values()) < 12
    for model, (done, of) in held.items():
        assert any(line.startswith(f" {model} ") and line.endswith(f" {done} of {of}") for line in said.splitlines())


def test_json_lists_it(stopped):
    assert voirdire_json("show", stopped)["unjudged_models"] == [WAITING]


def test_predictions_say_how_many_models_they_rest_on(stopped):
    assert "1 of 2 models" in voirdire("ddft", "predictions", stopped).stdout


def test_a_report_ascribes_its_dialogues_to_nobody_else(stopped, tmp_path):
    voirdire("report", stopped, "--out", tmp_path / "report.md")
    report = (tmp_path / "report.md").read_text()
    assert report.startswith(f"# Cross-examination of {JUDGED} (1 of 2 models judged so far)\n")
    assert f"**Caution.** {NAMED}" in report
    assert " · 2 of 12 dialogues begun · " in report
    assert f"{JUDGED} was asked two questions in one dialogue about 1 concept" in report


def test_levels_that_are_still_to_come_are_not_denied(stopped, tmp_path):
    voirdire("report", stopped, "--out", tmp_path / "report.md")
    assert "(compression 0, the only level so far)" in (tmp_path / "report.md").read_text()
    said = words(voirdire("show", stopped).stdout)
    assert "One of 3 levels is judged so far: HOC" in said
    assert "One level was asked" not in said
    assert "at one level so far" in said and "at one level only" not in said
    assert "4 of 60 turns asked, 1 with a score, 0 unscored, 3 not judged yet;" in said
    report = (tmp_path / "report.md").read_text()
    assert "4 of 60 turns asked, 1 with a score, 0 unscored, 3 not judged yet." in report
    assert "at one level only" not in report


def test_one_judged_turn_keeps_no_limit(stopped):
    done = voirdire("gate", stopped, "--max", "danger_zone_pct=100", "--allow-incomplete", "--all", check=False)
    said = words(done.stdout)
    assert done.returncode == 100 and "not measured" in said
    why = "it is not reliable yet: the model's turns are judged unevenly so far."
    assert f"{JUDGED}: danger_zone_pct can't be compared with 100 yet, since {why}" in said
    assert "PASSED" not in said


@pytest.fixture(scope="module")
def unjudged(tmp_path_factory):
    """A question asked and answered, and no verdict."""
    path = tmp_path_factory.mktemp("runs") / "unjudged"
    asked = ("-m", JUDGED, "--jury", "simulated/judge", "-p", "quick", "--max-calls", 1)
    voirdire("run", *asked, "-o", path, check=False)
    return path


@pytest.mark.parametrize("allowed", [(), ("--allow-incomplete",)])
def test_a_gate_on_a_run_that_nobody_has_judged_is_not_kept_and_writes_its_files(unjudged, tmp_path, allowed):
    file = tmp_path / "gate.xml"
    done = voirdire("gate", unjudged, "--min", "ER=0.1", "--json", "--junit", file, *allowed, check=False)
    found = json.loads(done.stdout)
    assert (done.returncode, found["passed"], found["runs"][0]["complete"]) == (100, False, False)
    (limit,) = found["models"][0]["limits"]
    assert (limit["value"], limit["measured"], limit["reason"]["text"]) == (None, False, "no turn is judged yet")
    assert ElementTree.parse(file).getroot().get("failures") == ("1" if allowed else "2")


def test_json_of_a_run_that_nobody_has_judged_has_nulls_and_why(unjudged):
    shown = voirdire_json("show", unjudged)
    (model,) = shown["models"]
    assert (shown["complete"], shown["not_judged"], model["model"]) == (False, 1, JUDGED)
    assert model["metrics"]["ER"] is None and model["reasons"]["ER"]["code"] == "model_unjudged"
    assert "No turn has been judged yet" in words(voirdire("show", unjudged).stdout)


def test_no_limit_is_kept_for_it(stopped):
    limit = ("--min", "K=0.1", "--allow-incomplete")
    for models in ((), ("--only-model", WAITING)):
        done = voirdire("gate", stopped, *limit, *models, check=False)
        assert done.returncode == 100
        assert f"{WAITING}: K is undefined, so it is not 0.1 or more: no turn is judged yet." in words(done.stdout)
    with (
        pytest.warns(GateWarning),
        pytest.raises(AssertionError, match=f"{WAITING}: CI_norm is undefined.*no turn is judged yet"),
    ):
        package.assert_floor(stopped, min={"CI_norm": 0}, bound=False, allow_incomplete=True, only_models=WAITING)
