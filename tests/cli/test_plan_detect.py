import re

import pytest

from tests.cli.here import voirdire, voirdire_json

PARAMETERS = "accuracy=0.9..0.7&reject=0.7&coherence=0.9&concept_sd=0.5"


def one_line(text):
    return " ".join(text.split())


@pytest.fixture(scope="module")
def from_published():
    return voirdire_json("plan", "--detect", 0.05, "--power", 0.8, "--metric", "K")


def test_json_has_what_the_interface_promises(from_published):
    promised = "metric detect power alpha source components designs recommended smallest_detectable paper notes"
    assert set(promised.split()) <= from_published.keys()
    assert from_published["source"] == "published"
    assert {"concepts", "levels", "samples", "judges", "dialogues", "calls", "usd", "power"} <= from_published[
        "designs"
    ][0].keys()
    assert from_published["recommended"]["power"] >= 0.8
    low, high = from_published["recommended"]["concepts_interval"]
    assert low < from_published["recommended"]["concepts"] < high
    assert from_published["recommended"]["usd"] is None


def test_text_says_what_is_told_apart_from_what_and_at_which_cost():
    first, said = voirdire("plan", "--detect", 0.3).stdout, voirdire("plan", "--detect", 0.3, "--all").stdout
    assert one_line(first).startswith("To tell apart two models that differ by 0.3 in accuracy about the subject (K, ")
    assert " calls for 2 models." in one_line(first) and "How sure: " in first and "Planned for K" in first
    for words in ("CI index", "published scores", "the paper's 8 concepts", "after Holm"):
        assert words in said and (words not in first or words == "published scores")
    assert max(len(line) for line in said.splitlines()) <= 110


def test_of_one_model_that_is_named_the_first_sentence_says_that_it_alone_is_priced():
    arguments = ("plan", "--detect", 0.3, "--metric", "K", "-m", "openai/gpt-5", "--jury", "openai/gpt-4.1")
    said, found = one_line(voirdire(*arguments).stdout), voirdire_json(*arguments)["recommended"]
    assert f": {found['calls']:,} calls, ${found['usd']:,.2f}, about " in said
    assert " min for the one model named. How sure: " in said


def test_where_no_judge_is_named_the_first_sentence_says_that_judges_are_not_priced():
    said = one_line(voirdire("plan", "--detect", 0.3, "--metric", "K", "-m", "openai/gpt-5").stdout)
    assert " for the one model named, without the judges' calls (add --jury). How sure: " in said


def test_with_models_and_a_jury_designs_have_a_price():
    found = voirdire_json(
        "plan", "--detect", 0.1, "--metric", "K", "-m", "openai/gpt-5", "-m", "openai/gpt-4.1",
        "--jury", "openai/gpt-5,anthropic/claude-opus-4-1",
    )  # fmt: skip
    reached = [design for design in found["designs"] if design["reached"] and design["supported"]]
    assert found["recommended"]["usd"] == min(design["usd"] for design in reached) > 0
    assert found["recommended"]["minutes"] > 0
    assert found["models"] == 2


def test_a_price_is_in_proportion_to_that_of_the_run_itself():
    arguments = ("-m", "openai/gpt-5", "--jury", "openai/gpt-5,anthropic/claude-opus-4-1")
    run = voirdire_json("plan", *arguments)
    found = voirdire_json("plan", *arguments, "--detect", 0.1, "--metric", "K", "--judges", 2, "--levels",
                          "0,0.25,0.5,0.75,1", "--samples", 1)  # fmt: skip
    (design,) = found["designs"]
    assert design["usd"] == pytest.approx(run["usd"] * design["dialogues"] / run["dialogues"], rel=0.01)
    assert design["calls"] == pytest.approx(run["calls"] * design["dialogues"] / run["dialogues"], rel=0.01)


TWO = "accuracy=0.9&reject=0.9,accuracy=0.7&reject=0.4"
"""Parameters of two models."""


@pytest.mark.parametrize("arguments", [("--detect", 0.1), ("-m", "simulated/steady", "-m", "simulated/fading")])
def test_what_two_models_assumed_have_of_er_is_said_beside_the_difference(arguments):
    said = one_line(voirdire("plan", *arguments, "--assume", TWO).stdout)
    values = re.search(
        r"As assumed, ER is (\S+) for accuracy=0.9&reject=0.9 and (\S+) for .*; they differ by (0.\d+)", said
    )
    one, other, apart = map(float, values.groups())
    assert one > other and apart == pytest.approx(one - other, abs=0.0011)


def test_as_many_models_are_compared_as_are_assumed_and_no_fewer():
    three = "accuracy=0.9,accuracy=0.8,accuracy=0.7"
    assert voirdire_json("plan", "--detect", 0.1, "--assume", three)["models"] == 3
    for arguments in (("-m", "simulated/steady"), ("--detect", 0.1, "--compared", 2)):
        done = voirdire("plan", *arguments, "--assume", three, check=False)
        assert done.returncode == 1 and "describes 3 models, and 2 are compared" in one_line(done.stderr)


def test_er_is_planned_from_an_assumption():
    found = voirdire_json("plan", "--detect", 0.1, "--assume", PARAMETERS)
    assert (found["metric"], found["source"]) == ("ER", PARAMETERS)
    assert found["paper"]["metric"] == "K"


def test_er_is_planned_from_a_pilot(tmp_path):
    voirdire(
        "run", "-m", "simulated/steady", "-m", "simulated/gullible",
        "--jury", "simulated/judge,simulated/noisy",
        "--concepts", "recursion,phoneme,derivative,impressionism", "--levels", "0,1", "-o", tmp_path / "pilot",
    )  # fmt: skip
    found = voirdire_json("plan", "--detect", 0.1, "--pilot", tmp_path / "pilot")
    assert found["metric"] == "ER"
    assert found["source"] == str(tmp_path / "pilot")
    assert found["source_layout"] == {"models": 2, "concepts": 4, "levels": 2, "samples": 1, "judges": 2}
    assert found["recommended"]["concepts"] >= 3
    assert (
        "the paper's 8 concepts" not in voirdire("plan", "--detect", 0.1, "--pilot", tmp_path / "pilot", "--all").stdout
    )


def test_concepts_that_are_named_are_all_there_are():
    found = voirdire_json("plan", "--detect", 0.01, "--metric", "K", "--concepts", "recursion,phoneme,derivative")
    assert {design["concepts"] for design in found["designs"]} == {3}
    assert found["recommended"] is None


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--detect", 0.1, "--metric", "ER"), "--pilot"),
        (("--detect", 0.1, "--pilot", "nowhere"), "nowhere"),
        (("--detect", 0.1, "--assume", "accuracy=7"), "accuracy=7"),
    ],
)
def test_a_mistake_is_answered_with_one_sentence(arguments, says):
    done = voirdire("plan", *arguments, check=False)
    assert done.returncode == 1
    assert says in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_without_a_model_or_a_difference_it_says_what_is_missing():
    done = voirdire("plan", check=False)
    assert done.returncode == 2
    assert "--model" in done.stderr and "--detect" in done.stderr
