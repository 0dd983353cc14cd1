"""What subjects and judges are told of a concept's kind, and that nothing changes for established ones."""

import dataclasses

import pytest

from tests.jury.scripted import task
from voirdire.data.prompt_files import load_prompt
from voirdire.ddft.concepts import ConceptFile, find_concepts
from voirdire.ddft.judging import judge_task
from voirdire.ddft.presets import load_preset
from voirdire.ddft.protocol import opening as said_first
from voirdire.ddft.study import StudyPlan, dialogue_specs
from voirdire.jury import JuryRules, judge_requests, kind_hashes, prompt_hashes
from voirdire.jury.local_judge import local_request
from voirdire.records import Turn

SOUND = load_preset("sound")
(RECURSION,) = find_concepts(["recursion"])


def of_kind(kind, as_of=""):
    return ConceptFile(dataclasses.replace(RECURSION.concept, kind=kind, as_of=as_of), RECURSION.text)


def plan(*files):
    return StudyPlan(("simulated/steady",), files, SOUND)


def shown(request):
    return "".join(part if isinstance(part, str) else part.text for part in request.messages[-1].parts)


def to_judges(**changes):
    (request,) = judge_requests(task(**changes), JuryRules(), "judge")
    return shown(request)


def opening(file, level):
    (planned,) = [each for each in dialogue_specs(plan(file)) if each.level == level]
    return "".join(part for message in said_first(planned, SOUND) for part in message.parts)


def test_judges_of_established_concepts_are_told_what_they_always_were():
    given = {"concept": "Newton's Second Law", "reference": "The Principia appeared in 1687."}
    (concept,) = load_prompt("judge_concept").messages(**given)
    assert to_judges().startswith(f"{concept.parts[0]}\n\nQuestion:")
    assert not any(name.startswith("kind_") for name in (*prompt_hashes(), *plan(RECURSION).manifest()["prompts"]))


@pytest.mark.parametrize(
    ("kind", "says"), [("contested", "ascribes views"), ("practical", "limit of safety"), ("current", "2025-06-30")]
)
def test_judges_are_told_what_counts_as_right(kind, says):
    dated = {"as_of": "2025-06-30"} if kind == "current" else {}
    assert says in to_judges(kind=kind, **dated)
    assert says in to_judges(kind=kind, reference=None, **dated)
    assert says in shown(local_request(task(kind=kind, **dated), "far", "judge"))
    assert says not in to_judges()


def test_kind_and_date_reach_the_judges_task():
    turn = Turn("m", "recursion", 0.0, 1, "What?", "That.")
    given = judge_task(turn, of_kind("current", "2025-06-30").concept, SOUND, ())
    assert (given.kind, given.as_of) == ("current", "2025-06-30")


@pytest.mark.parametrize("level", [0.0, 1.0])
def test_subjects_are_told_the_date_with_and_without_a_reference(level):
    assert "as of 2025-06-30" in opening(of_kind("current", "2025-06-30"), level)
    assert "as of" not in opening(RECURSION, level)


def test_a_run_records_the_prompts_of_the_kinds_it_needs_and_no_others():
    prompts = plan(RECURSION, of_kind("contested")).manifest()["prompts"]
    assert prompts["kind_judge_contested"] == load_prompt("kind_judge_contested").sha256
    assert "kind_judge_as_of" not in prompts and "kind_subject_as_of" not in prompts
    dated = plan(of_kind("current", "2025-06-30")).manifest()["prompts"]
    assert {"kind_judge_as_of", "kind_subject_as_of"} <= set(dated)
    assert kind_hashes([("established", "")]) == {}
