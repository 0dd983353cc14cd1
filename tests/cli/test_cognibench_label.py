import json

import pytest

from tests.cli.here import voirdire, voirdire_json
from tests.cognibench.made_data import write_data
from tests.support.fake_openai import control
from tests.support.labelling_server import start_labelling_server


@pytest.fixture(scope="module")
def server():
    with start_labelling_server() as base_url:
        yield base_url


@pytest.fixture
def call(tmp_path, server):
    control(server, reset=True, plan=[])
    data = write_data(tmp_path / "data.jsonl")
    return (
        *("label", data, "--labeller", "openai-api/labeller", "--base-url", server),
        *("--votes", "3", "--types", "model", "--connections", "1"),
    )


def test_labels_are_counted_and_the_run_is_named(call, tmp_path):
    first = voirdire(*call, "-o", tmp_path / "run").stdout
    assert first.startswith("openai-api/labeller calls 40.0 % of 10 labelled statements hallucinated")
    said = voirdire("show", tmp_path / "run", "--all").stdout

    assert "10 statements of 4 answers, labelled by openai-api/labeller (required: grounded)." in said
    assert "0 of 30 votes missing after 0 repairs; 18 calls (0 failed), $0.00." in said
    assert f"The run is in {tmp_path / 'run'}" in said.replace("\n", "")


def test_as_json_every_count_is_there(call, tmp_path):
    found = voirdire_json(*call, "-o", tmp_path / "run")

    assert found["labels"] == {
        "irrelevant": 2,
        "faithful": 4,
        "invented": 2,
        "misleading": 0,
        "speculative": 2,
        "reliable": 0,
        "irrefutable": 0,
        "undecided": 0,
    }
    assert (found["answers"], found["statements"], found["stopped"]) == (4, 10, None)


def test_undecided_sentences_are_named_with_the_reason(call, server, tmp_path):
    control(server, plan=["refusal", "refusal"])

    done = voirdire(*call, "-o", tmp_path / "run", check=False)
    said = done.stdout

    assert done.returncode == 3
    assert "Not complete: 3 of 10 statements have no label (too many votes are missing); no further call" in " ".join(
        said.split()
    )
    said = voirdire("show", tmp_path / "run", "--all").stdout
    assert "undecided" in said and "d0_0" in said and "too many votes are missing" in " ".join(said.split())
    assert "Shares are of the 7 statements with a label." in said


def test_a_run_without_a_single_vote_ends_with_3_and_says_what_is_missing(call, server, tmp_path):
    control(server, plan=["refusal"] * 200)

    said = voirdire(*call, "-o", tmp_path / "run", check=False)

    assert said.returncode == 3
    assert "Nothing is labelled: all 30 votes are missing" in said.stderr


def test_an_incomplete_run_says_so_and_goes_on(call, tmp_path):
    stopped = voirdire(*call, "--max-calls", "6", "-o", tmp_path / "run", check=False)
    assert stopped.returncode == 3 and "Not complete" in stopped.stdout

    assert voirdire_json(*call, "-o", tmp_path / "run")["answers"] == 4


def test_a_plan_is_printed_and_nothing_is_made(call, tmp_path):
    said = voirdire(*call, "--dry-run", "-o", tmp_path / "run").stdout
    assert "4 answers, 10 statements, 21 calls, about $0.00 and 2 min." in said
    assert voirdire_json(*call, "--dry-run", "--no-tiers")["calls"] == 17
    assert not (tmp_path / "run").exists()


def test_switches_reach_the_run(call, tmp_path):
    switches = ("--no-contrastive", "--no-tiers", "--min-votes", "3", "--require", "rational", "--history", "all")
    more = (
        "--retrieve",
        "2",
        "--sentences-per-call",
        "1",
        "--limit",
        "2",
        "--seed",
        "7",
        "--temperature",
        "1",
        "--form",
        "numbers",
    )
    said = voirdire(*call, *switches, *more, "-o", tmp_path / "run").stdout
    assert "Undefined (–): no second stage graded the conclusions." in said

    asked = json.loads((tmp_path / "run" / "run.json").read_text())
    assert (asked["answers"], asked["seed"]) == (2, 7)
    assert (
        asked["plan"]
        | {
            "contrastive": False,
            "tiers": False,
            "min_votes": 3,
            "require": "rational",
            "history": "all",
            "retrieve": 2,
            "sentences_per_call": 1,
            "temperature": 1.0,
            "form": "numbers",
        }
        == asked["plan"]
    )


def test_examples_of_ones_own_are_used_and_their_answers_left_out_of_scoring(call, tmp_path):
    (tmp_path / "examples.yaml").write_text(
        "- {reference: It is red., claim: Red is common., wrong: faithful, right: invented, source_group: g0}\n"
    )

    found = voirdire_json(*call, "--examples", tmp_path / "examples.yaml", "-o", tmp_path / "run")

    assert found["used_in_prompt"] == ["d0_0", "d0_1"]
    assert "Scoring leaves out the prompt's examples: " in voirdire("show", tmp_path / "run", "--all").stdout


@pytest.mark.parametrize(("option", "one"), [("--require", "rational"), ("--history", "none")])
def test_a_word_that_is_no_choice_is_answered_with_the_choices(call, option, one, tmp_path):
    done = voirdire(*call, option, "true", "-o", tmp_path / "run", check=False)

    assert done.returncode == 2 and f"'true' is not one of '{one}', " in done.stderr
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--min-votes", "4"), "min_votes is 4, of 3 votes"),
        (("--labelled-only", "--limit", "1", "--examples", "none.yaml"), "none.yaml"),
        (("--max-cost", "1", "--labeller", "nobody"), "nobody"),
    ],
)
def test_mistakes_are_answered_with_one_sentence(call, options, says, tmp_path):
    done = voirdire(*call, *options, "-o", tmp_path / "run", check=False)

    assert done.returncode == 1 and says in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1 and not (tmp_path / "run").exists()


def test_whose_labels_count_as_the_truth_is_said_where_a_run_is_measured_against(call, tmp_path):
    run = tmp_path / "run"
    voirdire(*call, "-o", run)
    caution = "The labels come from a model (openai-api/labeller), not from people:"
    quick = ("--detector", "lexical", "--no-contradiction-suite")
    assert any(note.startswith(caution) for note in voirdire_json("cognibench", "bench", run, *quick)["notes"])
    assert caution in " ".join(voirdire("cognibench", "bench", run, *quick).stdout.split())
    people = voirdire_json("cognibench", "bench", tmp_path / "data.jsonl", *quick)
    assert not any("labelled by" in note for note in people["notes"])


def test_a_run_is_not_measured_against_its_own_labels(call, tmp_path):
    voirdire(*call, "-o", tmp_path / "run")
    done = voirdire("cognibench", "bench", tmp_path / "run", "--labelled", tmp_path / "run", check=False)
    assert done.returncode == 1
    assert "can't be measured against its own labels" in " ".join(done.stderr.split())
