"""A dry run shows what a run then sends, and sends nothing."""

import asyncio
import re
from dataclasses import replace

import pytest

from voirdire.ddft.concepts import find_concepts
from voirdire.ddft.dry_run import dry_run
from voirdire.ddft.plan import estimate
from voirdire.ddft.presets import changed_preset, load_preset
from voirdire.ddft.report.dry_run import dry_run_text
from voirdire.ddft.session import run_study
from voirdire.ddft.study import StudyError, StudyPlan
from voirdire.models import SpecError
from voirdire.runs import RunFolder

SUBJECT, JUDGE = "simulated/fading", "simulated/judge"
_FABRICATED = re.compile(r"^Fabricated item .*", re.MULTILINE)
_MARK = re.compile(r"\b[0-9a-f]{24}\b")


def study(jury=(JUDGE,), **changed):
    preset = changed_preset(load_preset(changed.pop("preset", "sound")), concepts=["recursion"], levels=["0", "1"])
    return StudyPlan((SUBJECT,), tuple(find_concepts(preset.concepts)), preset, jury=jury, **changed)


def without_answers(text, answers):
    for number, answer in answers.items():
        text = text.replace(answer, f"[answer {number}]")
    return _MARK.sub("MARK", text)


@pytest.mark.parametrize("preset", ["sound", "published", "as-run"])
def test_the_prompts_are_those_that_a_run_sends(preset, tmp_path):
    plan = study(preset=preset)
    dry = asyncio.run(dry_run(plan))
    asyncio.run(run_study(plan, tmp_path / "run"))
    with RunFolder.open(tmp_path / "run", read_only=True) as folder:
        calls = folder.journal.calls_frame(bodies=True).query("dialogue == @dry.dialogue").to_dict("records")
    answers = {call["turn"]: call["reply"] for call in calls if call["role"] == "subject"}
    sent = {
        without_answers(message["content"], answers)
        for call in calls
        if call["turn"] <= 2 or call["role"] == "judge"
        for message in call["messages"]
    }
    shown = {
        _MARK.sub("MARK", message.content) for prompt in dry.prompts if prompt.turn <= 2 for message in prompt.messages
    }
    assert shown <= sent and len(shown) > 3
    judged = "\n".join(
        message.content for prompt in dry.prompts if prompt.role == "judge" for message in prompt.messages
    )
    fabricated = set(_FABRICATED.findall(judged))
    assert fabricated and fabricated <= {line for text in sent for line in _FABRICATED.findall(text)}


def test_the_calls_are_counted_by_model_and_role():
    dry = asyncio.run(dry_run(study(jury=(JUDGE, "openai/gpt-5.1", "reference"), interviewer="openai/gpt-4o")))
    counted = {(each.role, each.model): each.calls for each in dry.calls}
    assert counted.pop(("interviewer", "openai/gpt-4o")) >= 10
    assert counted == {("subject", SUBJECT): 10, ("judge", JUDGE): 10, ("judge", "openai/gpt-5.1"): 10}
    assert dry.dialogues == 2


def test_a_question_that_a_model_writes_has_a_place_of_its_own():
    dry = asyncio.run(dry_run(study(interviewer="openai/gpt-4o")))
    asked = [prompt for prompt in dry.prompts if prompt.role == "subject"]
    assert [prompt.messages[-1].content for prompt in asked] == [f"[question {turn}]" for turn in range(1, 6)]
    assert [prompt.turn for prompt in dry.prompts if prompt.role == "interviewer"] == [1, 2, 3, 4, 5]


def test_judges_who_are_sent_the_same_prompt_are_shown_together():
    said = dry_run_text(asyncio.run(dry_run(study(jury=("openai/gpt-5.1", "anthropic/claude-opus-4-1")))))
    assert said.count("=== Judge openai/gpt-5.1, anthropic/claude-opus-4-1, turn 4 ===") == 1
    assert said.count("[answer 4]") == 2  # to the subject before question 5, and to the judges
    assert "If answer 4 rejects the fabrication" in said


def test_without_a_judge_that_is_asked_it_says_so():
    assert "no judge is asked" in dry_run_text(asyncio.run(dry_run(study(jury=("reference",)))))


def test_a_plan_that_cannot_be_run_is_refused():
    plan = StudyPlan((JUDGE,), tuple(find_concepts(["recursion"])), load_preset("sound"))
    unknown = replace(plan, models=("simulated/stedy",))
    for refused in (lambda each: estimate(each, connections=4), lambda each: asyncio.run(dry_run(each))):
        with pytest.raises(SpecError, match="did you mean steady"):
            refused(unknown)
        with pytest.raises(SpecError, match="did you mean smollm2-135m"):
            refused(replace(plan, models=("local/smolm2-135m",)))
    with pytest.raises(StudyError, match="only judges"):
        asyncio.run(dry_run(plan))
