import asyncio
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cognibench.grounded import BAKERY, COURT, FERRY
from tests.jury.scripted import ScriptedAsker, fenced_texts, plain_text, reply
from voirdire.cognibench.generation.references import Reference
from voirdire.cognibench.generation.user import (
    MAX_TURNS,
    UserFailed,
    kinds_of,
    question_faults,
    scripted_questions,
    title_of,
    user_side,
)
from voirdire.records import CallFailure

GOOD = ["When did the Halden ferry run?", "Why was the ferry important to Morvik?"]


class Notebook:
    """Notes of a run, in memory."""

    def __init__(self):
        self.held = {}

    async def note(self, dialogue, turn, kind, body):
        self.held[dialogue, turn, kind] = json.loads(json.dumps(body))

    def note_of(self, dialogue, turn, kind):
        return self.held.get((dialogue, turn, kind))


def asked(*replies, reference=FERRY, notes=None, turns=2, user="script/user"):
    asker = ScriptedAsker(replies)
    return asyncio.run(user_side(reference, turns, user, 0, asker, notes or Notebook())), asker


def said(*questions):
    return reply(json.dumps({"questions": list(questions)}))


@given(st.text(), st.integers(1, MAX_TURNS), st.integers(0, 9))
def test_the_script_has_as_many_turns_as_wanted_all_different_whatever_the_reference(text, turns, seed):
    questions = scripted_questions(Reference("r", text), turns, seed)
    assert len(questions) == len(set(questions)) == turns


@pytest.mark.parametrize("reference", [FERRY, COURT, BAKERY])
@pytest.mark.parametrize("seed", range(5))
def test_the_script_keeps_to_the_rules_that_a_model_has_to_keep_to(reference, seed):
    questions = scripted_questions(reference, MAX_TURNS, seed)
    assert [question_faults(each, reference, questions[:at]) for at, each in enumerate(questions)] == [[]] * MAX_TURNS


def test_the_script_asks_about_what_the_reference_names():
    questions = " ".join(scripted_questions(FERRY, 6, 0))
    assert "the Halden ferry" in questions and ("Ingrid Aas" in questions or "1902" in questions)


def test_facts_come_first_and_what_goes_beyond_them_later():
    assert kinds_of(4, "a")[:3] == ("overview", "detail", "reason")
    assert {kinds_of(4, str(seed))[3] for seed in range(20)} == {"opinion", "advice"}
    assert kinds_of(1, "a") == ("overview",)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("The Sund bridge (opened in 1964) is 700 m long.", "the Sund bridge"),
        ("Ingrid Aas, a widow from Morvik, was a founder.", "Ingrid Aas"),
        ("In mathematics, a dyadic rational is a number.", "a dyadic rational"),
        ("There is snow on Lysvik.", "Lysvik"),
        ("", "this subject"),
    ],
)
def test_what_a_reference_is_about_is_the_subject_of_its_first_sentence(text, title):
    assert title_of(Reference("r", text)) == title


def test_a_title_that_is_given_stands():
    assert title_of(Reference("r", "It is old.", title="The Halden ferry")) == "the Halden ferry"


@pytest.mark.parametrize(
    ("question", "fault"),
    [
        ("Tell me about the Halden ferry.", "asks nothing"),
        ("Is the ferry " + "very " * 60 + "old?", "more than 60 words"),
        ("What does the passage say about the ferry?", "speaks of the text"),
        ("What else would you suggest?", "does not say what it is about"),
        ("The crossing took 40 minutes in calm weather. Was that long?", "tells what the reference says"),
        ("Is it true that Ingrid Aas was a widow who sold a fishing boat?", "tells what the reference says"),
        ("When did that Halden ferry run?", "asks what was asked before"),
    ],
)
def test_a_turn_that_breaks_a_rule_is_refused(question, fault):
    faults = question_faults(question, FERRY, ["When did that Halden ferry run?"])
    assert any(fault in each for each in faults)


def test_a_models_turns_are_taken_as_they_stand_and_kept():
    notes = Notebook()
    side, asker = asked(said(*GOOD), notes=notes)
    again, silent = asked(notes=notes)

    assert (side.questions, side.source, side.faults) == (tuple(GOOD), "script/user", ())
    assert again == side and silent.asked == []
    assert fenced_texts(asker.requests[0]) == [FERRY.text] and FERRY.text not in plain_text(asker.requests[0])


@pytest.mark.parametrize(
    "bad",
    [
        reply("When did the Halden ferry run?"),
        reply('{"questions": "When?"}'),
        said(GOOD[0]),
        said(GOOD[0], GOOD[0]),
        said(GOOD[0], "What does the reference say about Morvik?"),
    ],
)
def test_turns_that_cannot_be_used_are_asked_for_again(bad):
    side, asker = asked(bad, said(*GOOD))

    assert side.questions == tuple(GOOD)
    assert "could not be used" in plain_text(asker.requests[1])
    assert [request.slot.repair for request in asker.requests] == [0, 1]


@pytest.mark.parametrize("replies", [[reply("no")] * 3, [reply("", finish_reason="refusal")]])
def test_a_model_that_can_not_ask_is_replaced_by_the_script_and_that_is_said(replies):
    side, _ = asked(*replies)

    assert side.questions == scripted_questions(FERRY, 2, 0)
    assert side.source == "fallback" and side.faults


def test_a_call_that_fails_is_no_reason_to_change_who_asks():
    notes = Notebook()
    with pytest.raises(UserFailed, match="it is down"):
        asked(CallFailure("server", "it is down", 3), notes=notes)
    assert notes.held == {}
