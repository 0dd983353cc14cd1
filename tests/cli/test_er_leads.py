"""Three simulated models whose paper's index says the opposite of ER: every output leads with ER."""

import json

import pytest

from tests.cli.here import voirdire, voirdire_json
from tests.support.study import write_study
from voirdire.ddft.published import published_turns

FADING = "simulated/fading?accuracy=0.9..0.4&coherence=0.75&seed=6"
"""Loses accuracy, and by the index of one incoherent turn is Robust."""
BY_ER = ["simulated/steady", FADING, "simulated/gullible"]


@pytest.fixture(scope="module")
def held(tmp_path_factory):
    path = tmp_path_factory.mktemp("runs") / "study"
    models = [argument for model in (FADING, "simulated/gullible", "simulated/steady") for argument in ("-m", model)]
    done = voirdire_json(
        *("run", *models, "--jury", "simulated/judge", "--seed", 3, "-o", path),
        *("--concepts", "recursion,phoneme,derivative,impressionism", "--levels", "0,0.5,0.75,1"),
    )
    return path, done


def test_json_leads_with_er_and_says_that_the_index_is_not_reliable(held):
    _, printed = held
    assert [model["model"] for model in printed["models"]] == BY_ER
    steady, fading, _ = printed["models"]
    assert next(iter(fading["metrics"])) == next(iter(fading["intervals"])) == "ER"
    assert fading["intervals"]["ER"]["high"] < steady["intervals"]["ER"]["low"]
    index = fading["paper_index"]
    assert (index["phenotype"], index["reliable"], index["FAR_prime_n"]) == ("Robust", False, 1)
    assert index["doubts"] == ["few incoherent turns", "no interval"]
    assert steady["paper_index"]["doubts"] == ["no value", "few incoherent turns"]


def test_the_terminal_heads_each_model_with_er_and_never_with_a_label(held):
    path, printed = held
    lines = voirdire("show", path, "--all").stdout.splitlines()
    heads = [lines.index(model) for model in BY_ER]
    assert heads == sorted(heads)
    for head, model in zip(heads, printed["models"], strict=True):
        low, high = (model["intervals"]["ER"][end] for end in ("low", "high"))
        er = model["metrics"]["ER"]
        sentence = (
            f"The epistemic reliability (ER, from 0 to 1) of {model['model']} is {er:.3f} (95 % interval {low:.3f} "
        )
        assert f"{' '.join(lines[head + 1 : head + 4])} ".startswith(f"{sentence}to {high:.3f}).")
    said = "\n".join(lines)
    assert said.count("The paper's index (CI index): not reliable here") == 3
    assert "FAR' rests on 1 turn and needs 10; it has no interval. The paper would call the model Robust." in " ".join(
        said.split()
    )
    assert said.index("Robust") > said.index("The paper's index")


def test_a_result_is_short_and_says_how_to_see_all_of_it(held):
    path, _ = held
    said = " ".join(voirdire("show", path).stdout.split())
    first = voirdire_json("compare", path)["summary"].partition(": ")[0]
    assert said.startswith(first) and "epistemic reliability (ER, from 0 to 1)" in said.partition(" Side by side ")[0]
    assert all(model in said for model in BY_ER) and f"voirdire show {path} --all: every figure" in said
    assert "The paper's index (CI index)" not in said and "V_K" not in said
    whole = voirdire("show", path, "--all").stdout
    assert "The paper's index (CI index)" in whole and "V_K" in whole


def test_the_report_orders_by_er_and_recommends_no_model_for_its_label(held, tmp_path):
    path, _ = held
    voirdire("report", path, "--to", "md", "-o", tmp_path / "report.md")
    said = (tmp_path / "report.md").read_text()
    before, paper = said.split("## The paper's index")
    assert "Robust" not in before
    assert (
        before.split("## Verdict")[1].strip().startswith(voirdire_json("compare", path)["summary"].partition(": ")[0])
    )
    assert f"| metric | {' | '.join(BY_ER)} |" in before
    assert paper.count("not reliable here") >= 3
    assert f"{FADING} has the index of a Robust model, yet the interval of its ER lies below that of" in paper
    assert "first to consider" not in said


def test_compare_crowns_the_model_with_the_highest_er(held):
    path, _ = held
    found = voirdire_json("compare", path)
    assert found["metric"] == "ER"
    assert [model["model"] for model in found["models"]] == BY_ER


def test_the_quick_start_gives_er_and_no_label_that_is_not_reliable(tmp_path):
    from ddft import CognitiveProfiler

    profiler = CognitiveProfiler(FADING, jury=["simulated/judge"], run=tmp_path / "r", seed=3)
    found = profiler.run_complete_assessment(["recursion", "phoneme", "derivative"], [0.5])
    low, high, *_ = found.er_interval
    assert low < found.er < high
    assert not found.paper_index.reliable and found.phenotype is None
    assert "CI index) is not reliable here" in found.notes[-1]
    assert next(iter(json.loads(found.to_json())["metrics"])) == "ER"


def test_a_run_on_too_few_concepts_promises_no_comparison(tmp_path):
    asked = ("--preset", "lite", "--concepts", "recursion,phoneme", "--jury", "simulated/judge", "-o", tmp_path / "run")
    models = ("-m", "simulated/steady", "-m", "simulated/gullible")
    said = " ".join(voirdire("run", *models, *asked).stdout.split())
    assert "tests the differences" not in said
    assert "2 concepts are too few to compare 2 models: voirdire compare decides nothing on fewer than 6" in said


def test_show_calls_no_run_too_small_to_compare_in_which_compare_decides(tmp_path):
    turns = published_turns()
    three = turns[turns["model"].isin(sorted(set(turns["model"]))[:3])]
    late = (three["model"] == three["model"].max()) & ~three["concept"].isin(["recursion", "phoneme", "derivative"])
    voirdire("ddft", "import", write_study(tmp_path / "turns.jsonl", three[~late]), "-o", tmp_path / "run")
    verdicts = {pair["verdict"] for pair in voirdire_json("compare", tmp_path / "run")["pairs"]}
    assert verdicts - {"cannot be decided"}
    assert "too few to compare" not in voirdire("show", tmp_path / "run").stdout
