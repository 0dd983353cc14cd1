"""`voirdire ddft correlate` and `predictions`: from run folders to JSON, words and errors.

Most calls stay within this process, since starting one takes longer than what is tested.
"""

import json

import pytest
from typer.testing import CliRunner

from tests.cli.here import voirdire
from voirdire.cli import app
from voirdire.ddft.analysis.external_figures import FiguresError
from voirdire.ddft.analysis.runs import RunsError

MODELS = ("simulated/steady", "simulated/fading", "simulated/gullible")
SMALL = ("--concepts", "recursion,phoneme,derivative", "--levels", "0,0.5,1", "--jury", "simulated/judge")


def said(*arguments):
    done = CliRunner().invoke(app, [str(each) for each in arguments], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def printed(*arguments):
    return json.loads(said(*arguments, "--json"))


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """The same models with the trap and without."""
    folder = tmp_path_factory.mktemp("runs")
    subjects = [part for model in MODELS for part in ("-m", model)]
    said("run", *subjects, *SMALL, "-o", folder / "trap")
    said("run", *subjects, *SMALL, "--trap", "none", "-o", folder / "none")
    return folder / "trap", folder / "none"


@pytest.fixture
def figures(tmp_path):
    path = tmp_path / "f.csv"
    path.write_text("model,parameters,vendor\nsteady,100,a\nsimulated/fading,10,a\nsimulated/gullible,1,b\nother,5,b\n")
    return path


def test_correlate_gives_tests_per_column_and_the_values_they_rest_on(runs, figures):
    found = printed("ddft", "correlate", runs[0], "--figures", figures)

    assert found["metric"] == "ER"
    assert {each["model"] for each in found["models"]} == set(MODELS)
    parameters, vendor = found["columns"]
    assert (parameters["column"], parameters["n"], parameters["spearman"]["n"]) == ("parameters", 3, 3)
    assert parameters["outcome"] == vendor["outcome"] == "cannot be decided at this n"
    assert printed("ddft", "correlate", runs[0], "--figures", figures, "--metric", "CI_raw")["metric"] == "CI_raw"


def test_correlate_for_people_says_what_was_tested_decided_and_not_matched(runs, figures):
    text = said("ddft", "correlate", runs[0], "--figures", figures, "--all")

    for words in ("Spearman", "exact p", "cannot be decided at this n", "Not in the study: other", "Pearson, log",
                  "point-biserial"):  # fmt: skip
        assert words in text


def test_predictions_use_a_run_without_the_trap_as_its_control(runs):
    found = printed("ddft", "predictions", *runs)

    assert {each["model"] for each in found["models"]} == set(MODELS)
    assert [each["id"] for each in found["predictions"]][:3] == ["P1", "M2", "P2"]
    for each in found["predictions"]:
        assert {"id", "statement", "value", "interval", "condition", "verdict", "why"} <= each.keys()
    for each in found["ablations"]:
        assert {"id", "what", "value", "table", "verdict", "why"} <= each.keys()
    trap = found["ablations"][-1]
    assert (trap["id"], trap["verdict"]) == ("trap", "cannot be decided at this n")
    changes = {row["model"]: row["FAR_4_higher_without"] for row in trap["table"] if "model" in row}
    assert changes["simulated/gullible"] > 0.4
    assert changes["simulated/gullible"] > changes["simulated/steady"]


def test_a_control_judged_by_another_jury_gives_no_effect_of_the_trap(runs, tmp_path, figures):
    subjects = [part for model in MODELS[:2] for part in ("-m", model)]
    said("run", *subjects, *SMALL[:-1], "simulated/lenient", "--trap", "none", "-o", tmp_path / "other")

    found = printed("ddft", "predictions", runs[0], tmp_path / "other")
    trap = found["ablations"][-1]
    assert (trap["verdict"], trap["value"], trap["table"]) == ("cannot be decided", None, [])
    assert trap["why"] == "No effect: the runs with the fabrication and without it were judged by different juries."
    assert any(
        "were judged by different juries: what the fabrication changes" in caution for caution in found["cautions"]
    )
    shown = " ".join(said("ddft", "predictions", runs[0], tmp_path / "other", "--all").replace("│", "").split())
    assert "what the fabrication changes can't be told" in shown and "No effect: the runs" in shown
    for path in (runs[0], runs[1]):
        with pytest.raises(RunsError, match="can't be taken as one study"):
            said("ddft", "correlate", path, tmp_path / "other", "--figures", figures)


def test_a_fading_model_alone_loses_accuracy_and_not_coherence(tmp_path):
    said("run", "-m", "simulated/fading", "--jury", "simulated/judge", "-o", tmp_path / "run")

    decided = {each["id"]: each for each in printed("ddft", "predictions", tmp_path / "run")["predictions"]}

    assert decided["P2"]["verdict"] == "held"
    assert decided["P3-printed"]["verdict"] == "cannot be decided at this n"


def test_predictions_for_people_give_verdicts_tables_and_what_was_not_run(runs, figures):
    text = said("ddft", "predictions", runs[0], "--figures", figures, "--all")

    for words in ("Predictions", "Ablations", "P2", "M3", "FAR falls by", "--trap none", "Paper:"):
        assert words in text


def test_a_run_without_any_trap_says_so(runs):
    assert any("no fabrication" in caution for caution in printed("ddft", "predictions", runs[1])["cautions"])


def test_a_file_of_no_use_is_refused(runs, tmp_path):
    path = tmp_path / "f.csv"
    path.write_text("model,x\na,1\n")

    for command in ("correlate", "predictions"):
        with pytest.raises(FiguresError, match="none of the models"):
            said("ddft", command, runs[0], "--figures", path)


def test_a_mistake_ends_in_one_sentence(tmp_path):
    done = voirdire("ddft", "predictions", tmp_path / "nothing", check=False)

    assert (done.returncode, len(done.stderr.splitlines())) == (1, 1)
