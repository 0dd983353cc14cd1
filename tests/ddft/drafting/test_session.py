"""A draft is a run: what was answered is kept, and the same call again asks only what is missing."""

import asyncio
import json
import re

import pytest

from tests.ddft.drafting.scripted import FACTS, NAMES, POLICY, REFERENCE, good_facts
from tests.runs.scripted import ScriptedModel
from voirdire.ddft.drafting import Brief, SourceDocument, run_draft
from voirdire.runs import RunFolderError, RunOptions

DOCUMENT = SourceDocument("policy.md", POLICY, "0" * 64)
BRIEF = Brief("loan-policy", "Loan policy", "Libraries")


class Drafting(ScriptedModel):
    """Answers each step by what it is asked for."""

    async def complete(self, messages, settings, **more):
        self._script.append(json.dumps(answer_to(messages[-1].content)))
        return await super().complete(messages, settings, **more)


def answer_to(asked):
    if "- facts: a list" in asked:
        return {"facts": good_facts()}
    if "- instances: a list" in asked or "- instances: real cases" in asked:
        return NAMES
    if "- reference: the text" in asked:
        return {"reference": REFERENCE}
    false = {text: text.replace(true, wrong) for text, _, true, wrong in FACTS}
    listed = re.findall(r"^(f\d\d): (.+)$", asked, re.MULTILINE)
    return {"wrong": [{"id": number, "wrong": false[text]} for number, text in listed]}


@pytest.fixture
def model(monkeypatch):
    scripted = Drafting()
    monkeypatch.setattr("voirdire.runs.session.open_model", lambda spec, options, batching: scripted)
    return scripted


def draft(path, brief=BRIEF, calls=None):
    return asyncio.run(run_draft(DOCUMENT, brief, "test/scripted", path, options=RunOptions(max_calls=calls)))


def test_a_stopped_draft_goes_on_and_asks_only_what_is_missing(tmp_path, model):
    first = draft(tmp_path / "run", calls=2)
    assert first.draft is None and "2" in first.stopped
    asked = len(model.calls)
    second = draft(tmp_path / "run")
    assert second.stopped is None and len(second.draft.concept.facts) == len(FACTS)
    assert asked == 2 and model.calls[2:] == [call for call in model.calls[2:] if call not in model.calls[:2]]
    everything = len(model.calls)
    assert draft(tmp_path / "run").draft == second.draft and len(model.calls) == everything


@pytest.mark.parametrize("connections", [1, 2])
def test_a_draft_asks_as_many_parts_at_once_as_it_may(tmp_path, model, monkeypatch, connections):
    monkeypatch.setattr("voirdire.ddft.drafting.document.PART_WORDS", 40)
    options = RunOptions(connections=connections)
    asyncio.run(run_draft(DOCUMENT, BRIEF, "test/scripted", tmp_path / "run", options))
    assert model.most_running == connections


def test_the_document_stands_between_marks_that_nobody_can_guess(tmp_path, model):
    draft(tmp_path / "run")
    facts = next(call[-1].content for call in model.calls if "- facts: a list" in call[-1].content)
    before, fenced = facts.split("<<<BEGIN document ", 1)
    assert "Books are lent" not in before and "Books are lent" in fenced


def test_another_brief_does_not_go_into_the_same_run(tmp_path, model):
    draft(tmp_path / "run")
    with pytest.raises(RunFolderError, match="other settings"):
        draft(tmp_path / "run", Brief("loan-policy", "Another name", "Libraries"))
