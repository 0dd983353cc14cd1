import asyncio
import json
import re
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from tests.cli.here import voirdire, voirdire_json
from tests.cognibench.grounded import COURT, FERRY, labelled
from tests.runs.scripted import ScriptedModel
from voirdire.cognibench.formats import write_jsonl
from voirdire.cognibench.labelling.records import LabelTask
from voirdire.cognibench.labelling.session import label_answers
from voirdire.detectors.contrastive import Contrast, read_contrasts
from voirdire.detectors.labelling import LabelPlan
from voirdire.records import Reply
from voirdire.runs import session

HUMAN = [
    labelled(
        FERRY,
        ("The ferry ran from 1887 until 1964.", "faithful"),
        ("It belonged to the King of Sweden.", "invented"),
        ("So the post did not stop in winter.", "reliable"),
    ),
    labelled(COURT, ("The court sat on the first Monday of each month.", "faithful"), ("Bread was free.", "invented")),
]


def relabelled(answer, *labels):
    return replace(
        answer, statements=tuple(replace(s, label=label) for s, label in zip(answer.statements, labels, strict=True))
    )


MACHINE = [relabelled(HUMAN[0], "faithful", "faithful", "speculative"), relabelled(HUMAN[1], "invented", "faithful")]


@pytest.fixture
def data(tmp_path):
    write_jsonl(HUMAN, tmp_path / "human.jsonl")
    write_jsonl(MACHINE, tmp_path / "machine.jsonl")
    return tmp_path


class Credulous(ScriptedModel):
    """Takes everything for faithful but what speaks of post."""

    async def complete(self, messages, *_, **__):
        numbered = re.findall(r"<(\d+)>", messages[-1].content)
        if numbered:  # which type is it?
            return Reply("\n".join(f"{number}. factual" for number in numbered), "stop")
        marked = re.findall(r"<>(.*?)</>", messages[-1].content, re.DOTALL)
        tags = [("hallu" if "post" in sentence else "faithful", sentence) for sentence in marked]
        return Reply("\n".join(f"<{tag}>{sentence}</{tag}>" for tag, sentence in tags), "stop")


@pytest.fixture
def run(data, monkeypatch):
    """A labelling run whose prompt had an example from the court's dialogues."""

    @asynccontextmanager
    async def models(taken):
        yield {spec: Credulous() for spec in taken}

    monkeypatch.setattr(session, "open_models", models)
    shown = Contrast(COURT.text, "Bread was free.", "faithful", "invented", "It says nothing of bread.", "court")
    task = LabelTask(
        data=data / "human.jsonl",
        model="test/scripted",
        plan=LabelPlan(votes=1, types="model", tiers=False, contrasts=(shown,)),
    )
    assert asyncio.run(label_answers(task, data / "run")) is None
    return data / "run"


def test_a_run_is_compared_with_the_human_labels_it_has_kept(run):
    found = voirdire_json("cognibench", "diagnose", run)

    assert found["left_out"] == 1 and found["n_statements"] == 3
    assert found["hallucinated"] == {"both": 0, "machine_only": 1, "human_only": 1, "neither": 1}
    assert {each["name"]: each["side"] for each in found["errors"]} == {
        "beyond-context": "missed",
        "deduction": "false alarm",
    }
    assert found["scores"]["overall"]["recall"] == 0
    assert found["scores"]["factual"]["precision"] is None


def test_a_run_says_what_was_left_out_and_what_recurs(run):
    text = voirdire("cognibench", "diagnose", run, "--all").stdout

    assert "1 answer left out" in text
    assert "true in the world, perhaps, but not in the context" in " ".join(text.split())
    assert "It belonged to the King of Sweden." in text and "“King of Sweden”" in text


def test_any_two_labelled_data_sets_can_be_compared(data):
    found = voirdire_json("cognibench", "diagnose", data / "machine.jsonl", "--human-labels", data / "human.jsonl")

    assert (found["n_statements"], found["wrong"], found["left_out"]) == (5, 4, 0)
    assert found["labels"]["faithful"]["invented"] == 1


def test_examples_are_drafted_and_their_dialogues_left_out_of_the_next_diagnosis(data):
    two = ("cognibench", "diagnose", data / "machine.jsonl", "--human-labels", data / "human.jsonl")
    said = voirdire(*two, "--draft", data / "e.yaml", "--limit", 1).stdout
    (example,) = read_contrasts(data / "e.yaml")

    assert "Examples drafted: 1." in said
    assert example.source_group in ("ferry", "court")
    assert voirdire_json(*two, "--examples", data / "e.yaml")["left_out"] == 1
    assert voirdire_json(*two, "--draft", data / "more.yaml", "--limit", 9)["drafted"] == 4
    again = voirdire(*two, "--draft", data / "e.yaml", check=False)
    assert again.returncode == 1 and "e.yaml already exists, and somebody may have worked on it" in again.stderr
    assert read_contrasts(data / "e.yaml") == (example,)


def test_a_model_that_writes_reasons_is_recorded(data):
    two = (
        "cognibench",
        "diagnose",
        data / "machine.jsonl",
        "--human-labels",
        data / "human.jsonl",
        "--draft",
        data / "e.yaml",
    )
    done = voirdire(*two, "--limit", 1, "--writer", "simulated/subject", "--run", data / "calls")

    assert (data / "calls" / "journal.sqlite").exists()
    assert json.loads((data / "calls" / "run.json").read_text())["instrument"] == "cognibench-reasons"
    assert read_contrasts(data / "e.yaml")[0].reason and "Traceback" not in done.stderr


def test_a_requirement_that_is_none_is_answered_with_the_three(data):
    done = voirdire("cognibench", "diagnose", data / "machine.jsonl", "--require", "truth", check=False)
    assert done.returncode == 2 and "'truth' is not one of 'rational', 'grounded', 'irrefutable'" in done.stderr


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ((), "name the data that has human labels with --human-labels"),
        (("--human-labels", "none.jsonl"), "none.jsonl does not exist"),
        (("--human-labels", "human.jsonl", "--examples", "none.yaml"), "none.yaml can't be read"),
        (("--human-labels", "bare.jsonl"), "no human labels"),
    ],
)
def test_mistakes_are_answered_with_one_sentence(data, monkeypatch, more, says):
    write_jsonl([relabelled(each, *[None] * len(each.statements)) for each in HUMAN], data / "bare.jsonl")
    monkeypatch.chdir(data)
    done = voirdire("cognibench", "diagnose", Path("machine.jsonl"), *more, check=False)

    assert done.returncode == 1 and says in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
