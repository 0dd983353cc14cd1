"""`voirdire compare`, as a user calls it."""

import re

import pytest

from tests.cli.here import voirdire, voirdire_json


def held(path, *models, levels="0,0.25,0.5,0.75,1"):
    subjects = [word for model in models for word in ("-m", model)]
    voirdire("run", *subjects, "--jury", "simulated/judge", "--levels", levels, "-o", path)
    return path


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    first = held(folder / "first", "simulated/steady", "simulated/gullible")
    return first, held(folder / "second", "simulated/steady?name=twin", levels="0,0.5,1")


def one_line(text):
    return " ".join(text.split())


def test_steady_and_gullible_are_told_apart_and_a_twin_is_not(runs):
    found = voirdire_json("compare", *runs)

    verdicts = {frozenset((pair["a"], pair["b"])): pair["verdict"] for pair in found["pairs"]}
    steady, gullible, twin = "simulated/steady", "simulated/gullible", "simulated/steady?name=twin"
    assert verdicts[frozenset((steady, gullible))] == "A is higher"
    assert verdicts[frozenset((steady, twin))] == "indistinguishable"
    assert verdicts[frozenset((twin, gullible))] == "A is higher"
    assert (found["metric"], found["unit"], found["alpha"]) == ("ER", "concept", 0.05)
    assert [set(model) >= {"model", "value", "interval", "rank_probabilities"} for model in found["models"]] == [
        True
    ] * 3


def test_runs_of_different_levels_are_compared_on_the_levels_they_share(runs):
    found = voirdire_json("compare", *runs, "--metric", "K")

    cells = {frozenset((pair["a"], pair["b"])): pair["n_cells"] for pair in found["pairs"]}
    assert cells[frozenset(("simulated/steady", "simulated/gullible"))] == 8 * 5 * 5
    assert cells[frozenset(("simulated/steady", "simulated/steady?name=twin"))] == 8 * 3 * 5
    assert "That leaves out answers in" in " ".join(found["notes"])


def test_no_model_comes_first_of_runs_held_at_different_levels(runs):
    found = voirdire_json("compare", *runs, "--metric", "K")

    assert found["summary"].startswith("No model can be put first: the runs were held at different levels, so ")
    assert [model["rank_probabilities"] for model in found["models"]] == [None] * 3


def test_runs_whose_fabrications_differ_say_so_first_with_how_many(runs):
    printed = one_line(voirdire("compare", *runs, env={"COLUMNS": "100"}).stdout)
    whole = voirdire("compare", *runs, "--all", env={"COLUMNS": "100"}).stdout.replace("│", "")
    sentence = "The runs set different fabrications: in 16 of 24 shared dialogues turn 4 named another one."

    assert printed.startswith("No model can be put first")
    assert "! This comparison is unsafe: the runs were held at different levels and held with different" in printed
    assert sentence not in printed and sentence in one_line(whole)
    assert voirdire_json("compare", *runs)["cautions"][0].startswith(sentence)


def test_what_is_printed_says_who_differs_and_what_was_tested(runs):
    said = one_line(voirdire("compare", runs[0], "--all", env={"COLUMNS": "100"}).stdout)

    assert "simulated/steady is the m" in said and "epistemic reliability (ER, from 0 to 1) is 0." in said
    assert "Models that differ: 1 of 1 pair" in said
    assert "swapping by concept what A and B said" in said


def test_numbers_stay_whole_in_a_narrow_terminal(runs):
    said = voirdire("compare", *runs, "--all", env={"COLUMNS": "80"}).stdout

    rows = [line for line in said.splitlines() if re.match(r" \S+ .*0\.\d+ to ", line)]
    assert len(rows) == 3 + 3  # models and pairs
    assert all("…" not in line.partition("0.")[2] for line in rows)


def test_dialogues_can_be_swapped_instead(runs):
    said = one_line(voirdire("compare", runs[0], "--unit", "dialogue", "--metric", "V_E", "--all").stdout)

    assert "Models that differ: 1 of 1 pair" in said
    assert "speak of these concepts only" in said


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--metric", "IQ"], "'IQ' is not a metric that models can be compared in: there are HOC, "),
        (["--unit", "turn"], "'turn' is not a unit"),
        (["--jury", "nobody"], "nobody"),
    ],
)
def test_mistakes_end_in_one_sentence(runs, options, says):
    done = voirdire("compare", runs[0], *options, check=False)

    assert done.returncode == 1
    assert says in done.stderr
    assert "Traceback" not in done.stderr


def test_one_model_alone_and_a_run_named_twice_are_refused(runs):
    alone = voirdire("compare", runs[1], check=False)
    twice = voirdire("compare", runs[0], runs[0], check=False)

    assert "needs two models, and only simulated/steady?name=twin was given: name another run" in alone.stderr
    assert f"The run {runs[0]} is named more than once" in twice.stderr
    assert alone.returncode == twice.returncode == 1


def test_help_says_of_what_models_can_be_chosen_as_the_refusal_does(runs):
    told = "of runs all are compared"
    assert f"Only this model: of an evaluation, may be repeated; {told}." in one_line(
        voirdire("compare", "--help").stdout
    )
    refused = voirdire("compare", runs[0], "--only-model", "simulated/steady", check=False)
    assert refused.returncode == 1 and f"{told}, so leave it out" in refused.stderr


def test_help_shows_an_example():
    assert "Example: voirdire compare" in one_line(voirdire("compare", "--help").stdout)


def test_a_comparison_by_rules_says_so_once_in_its_verdict(tmp_path):
    models = ("-m", "simulated/steady", "-m", "simulated/gullible", "--concepts", "recursion,phoneme", "-p", "quick")
    voirdire("run", *models, "-o", tmp_path / "r")
    printed = one_line(voirdire("compare", tmp_path / "r").stdout)
    assert "do not rely on the figures: fixed rules judged instead of a model" in printed
    assert printed.count("rules judged") == 1


def test_one_concept_is_the_first_reason_why_nothing_can_be_decided(tmp_path):
    models = ("-m", "simulated/steady", "-m", "simulated/gullible", "--concepts", "recursion", "-p", "quick")
    voirdire("run", *models, "--jury", "simulated/judge", "-o", tmp_path / "r")
    printed = one_line(voirdire("compare", tmp_path / "r").stdout)
    assert -1 < printed.find("with 1 shared concept no comparison can decide") < printed.find("K rests on")


def test_of_answers_it_is_said_how_two_versions_are_compared(tmp_path):
    for name in ("before.jsonl", "after.jsonl"):
        (tmp_path / name).write_text('{"context": "It opens at 9.", "answer": "It opens at 9."}\n')
    done = voirdire("compare", tmp_path / "before.jsonl", tmp_path / "after.jsonl", check=False)
    assert done.returncode == 1 and "voirdire jury worth" in done.stderr
