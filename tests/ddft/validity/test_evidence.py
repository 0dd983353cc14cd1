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
