"""Evidence is data: codes with the numbers, names and quotes that its words show."""

import json
import re
from dataclasses import replace
from functools import cache
from typing import get_args

import pytest

from tests.ddft.validity._records import MODELS, every, sound, verdicts, with_openings, with_turns
from voirdire.ddft.report.validity_checks import MEASURED
from voirdire.ddft.validity import CHECK_IDS, validate
from voirdire.ddft.validity.question_checks import question_length
from voirdire.ddft.wording.checks import SHARES
from voirdire.reason_codes import Reason, reason
from voirdire.text.prose import Oddity

UNCOUNTED = {"simulated_judge"}
"""Checks that say "none" or name the models instead of counting them."""


def of_two_judges(record, **changed):
    judges = ("openai/gpt-5.1", MODELS[0])
    said = verdicts(record.scores.to_dict("records"), judges, (0.0, 0.1)).assign(justification="Fair.")
    return replace(record, judges=judges, verdicts=said.assign(**changed))


RUNS = {
    "sound": sound,
    "two judges": lambda: of_two_judges(sound()),
    "nothing named": lambda: with_openings(sound(), lambda turn: "What is this?"),
    "many cut": lambda: with_turns(sound(), every(2, of=2), finish_reason="length", answer="{}"),
    "announced": lambda: with_turns(sound(), every(3, of=4), question="What of the fictional Professor " + "x " * 60),
    "mute judges": lambda: of_two_judges(sound(), missing="refused to judge"),
    "imported": lambda: replace(sound(), imported=True),
}

FIRST_LINES = {
    "concept_named": "Dialogues that name the concept in what was sent with the first question: 24 of 24 (100.0 %).",
    "context_delivered": "Dialogues below c = 1 that were sent the share their level promises: 16 of 16 (100.0 %).",
    "clarification_rate": (
        "First answers that ask what is meant, or say that nothing was given (by rule): 0 of 24 (0.0 %)."
    ),
    "example_quoted": "Third questions that quote the model's own example: 0 of 24 (0.0 %).",
    "trap_signalled": "Questions at turn 4 with a word that gives the fabrication away: 0 of 24 (0.0 %).",
    "question_length": "Questions of 50 words or more: 0 of 120 (0.0 %).",
    "compression_effect": (
        "Models that move: 2 of 2: over turns 1-3, FAR or SAS falls from the first level to the last (line fitted per "
        "concept; the intervals hold for all models together)."
    ),
    "judge_agreement": "Fewer than two judges: a second one would show how far the scores depend on who judges.",
    "stance_agreement": "No model has 10 answers to a fabrication of which two judges gave the stance.",
    "rare_cells": "Resting on fewer than 20 turns: 2 of 4; the fewest are 0.",
    "hoc_monotone": "Curves (a model on a concept) that fall below 0.7 and rise above it again: 0 of 8 (0.0 %).",
    "self_judging": "Models judged by one of their own family: 0 of 2.",
    "simulated_judge": "No judge is simulated.",
    "missing_verdicts": "Turns that lack a judge's verdict or a score: 0 of 120 (0.0 %).",
    "truncated_responses": (
        "Answers cut at the limit of tokens, which the preset's subject_max_tokens sets: 0 of 120 (0.0 %)."
    ),
    "answers_in_prose": "Answers that are not prose (by rule): 0 of 120 (0.0 %).",
    "constant_answers": (
        "Answers to turns 1 to 3 that say what the model says of another concept, the words of the question apart: 0 "
        "of 72 (0.0 %)."
    ),
    "duplicate_dialogues": "Dialogues that repeat another, word for word: 0 of 24 (0.0 %).",
    "hostile_answers": (
        "Answers that speak to whoever judges them, or imitate a verdict, a role or a fence (by rule): 0 of 120 "
        "(0.0 %)."
    ),
}
"""What each check says first of a sound run."""


@cache
def checked(name):
    return validate(RUNS[name]())


def test_the_report_says_what_every_checks_value_is():
    assert MEASURED.keys() == set(CHECK_IDS)


@pytest.mark.parametrize("name", RUNS)
def test_every_check_says_what_it_saw_in_codes_and_counts_stand_among_their_parameters(name):
    for check in checked(name):
        assert check.evidence and all(isinstance(each, Reason) for each in check.evidence)
        if check.count is None or check.id in UNCOUNTED:
            continue
        hits, of = check.count
        counts = [each for each in check.evidence if {("hits", hits), ("of", of)} <= set(each.params)]
        assert counts or not of, check
        assert all(f"{hits:,} of {of:,}" in str(each) for each in counts)


@pytest.mark.parametrize("name", RUNS)
def test_json_holds_the_words_and_the_parameters_of_all_evidence(name):
    for check in checked(name):
        printed = json.loads(json.dumps(check.as_dict(), allow_nan=False))["evidence"]
        assert [each["text"] for each in printed] == [str(each) for each in check.evidence]
        for shown, each in zip(printed, check.evidence, strict=True):
            assert shown.keys() == {"code", "text", *dict(each.params)}


def test_each_check_says_what_it_counted():
    assert {check.id: str(check.evidence[0]) for check in checked("sound")} == FIRST_LINES


def test_a_share_is_its_hits_of_all():
    found = [each for name in RUNS for check in checked(name) for each in check.evidence if each.code in SHARES]
    assert len({each.code for each in found}) > 8
    assert all(each["share"] == pytest.approx(each["hits"] / each["of"]) for each in found)


def test_a_quote_is_a_parameter_and_is_shown_letter_by_letter():
    asked = "What of {hits} and {0}? " * 30
    found = question_length(with_turns(sound(), every(100, of=2), question=asked)).evidence[-1]
    assert found["quote"] == asked[:200].strip() + " …"
    assert str(found).endswith(f": “{found['quote']}”")


def test_whatever_is_no_prose_has_words():
    assert all(str(reason(f"odd_{kind}", answers=1000)).endswith(" (1,000)") for kind in get_args(Oddity))


def test_evidence_gives_a_share_as_the_line_above_it_does():
    told = [str(each) for name in RUNS for check in checked(name) for each in check.evidence if each.code in SHARES]
    assert all(re.search(r"\(\d+\.\d %\)", each) for each in told)
