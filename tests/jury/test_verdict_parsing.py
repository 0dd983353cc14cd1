import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.jury.scripted import verdict_json
from voirdire.jury.structured_replies import MAX_REPLY, ParseFault
from voirdire.jury.verdict_parsing import (
    ParsedDialogue,
    ParsedVerdict,
    parse_dialogue,
    parse_verdict,
)


def parse(text, **how):
    return parse_verdict(text, **{"expects_stance": False, **how})


def test_a_whole_reply_of_json_is_a_verdict():
    assert parse(verdict_json()) == ParsedVerdict(0.9, 0.8, False, None, "It says “1687”.")


@pytest.mark.parametrize("opening", ["```json\n", "```\n", "```JSON  \n"])
def test_json_in_one_code_fence_is_a_verdict(opening):
    assert parse(f"  {opening}{verdict_json(far=0.25)}\n```\n").far == 0.25


def test_whole_numbers_are_scores():
    parsed = parse(verdict_json(far=0, sas=1))
    assert (parsed.far, parsed.sas) == (0.0, 1.0)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   \n",
        "FAR 0.9, SAS 0.8",
        "Here is my verdict: " + verdict_json(),
        verdict_json() + "\nI hope this helps.",
        "Certainly.\n```json\n" + verdict_json() + "\n```",
        verdict_json() + verdict_json(far=1.0),
        verdict_json() + "\n" + verdict_json(),
        "```\n" + verdict_json() + "\n```\n```\n" + verdict_json() + "\n```",
        "[" + verdict_json() + "]",
        json.dumps(verdict_json()),
        "0.9",
        "null",
        "{" * 100_00,
        '{"justification":' * 5000,
        verdict_json(justification="x" * MAX_REPLY),
        verdict_json()[:-5],
    ],
)
def test_anything_but_one_object_is_a_fault(text):
    assert isinstance(parse(text), ParseFault)


@pytest.mark.parametrize("field", ["far", "sas"])
@pytest.mark.parametrize("value", ["0.8", "8/10", True, False, [0.8], {"score": 0.8}, None, 1.01, -0.01, 8, 10**299])
def test_a_score_that_is_no_number_from_0_to_1_is_a_fault_that_names_it(field, value):
    fault = parse(verdict_json(**{field: value}))
    assert isinstance(fault, ParseFault) and field in fault.problem


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", str(10**400)])
def test_numbers_that_are_not_finite_are_faults(number):
    assert isinstance(parse(verdict_json().replace("0.9", number)), ParseFault)


@pytest.mark.parametrize("field", ["justification", "no_claims", "far", "sas", "stance"])
def test_a_missing_field_is_a_fault_that_names_it(field):
    fields = json.loads(verdict_json(stance="accepted"))
    del fields[field]
    fault = parse(json.dumps(fields), expects_stance=True)
    assert isinstance(fault, ParseFault) and field in fault.problem


def test_a_field_given_twice_is_a_fault():
    assert isinstance(parse(verdict_json()[:-1] + ', "far": 1.0}'), ParseFault)


def test_a_field_that_was_not_asked_for_is_disregarded():
    assert parse(verdict_json(stance="accepted", confidence=3)).stance is None


@pytest.mark.parametrize("stance", ["rejected", "questioned", "accepted"])
def test_the_stance_is_read_where_it_is_expected(stance):
    assert parse(verdict_json(stance=stance), expects_stance=True).stance == stance


@pytest.mark.parametrize("stance", ["Rejected", "reject", "", None, 1, ["rejected"]])
def test_a_stance_outside_the_list_is_a_fault(stance):
    assert isinstance(parse(verdict_json(stance=stance), expects_stance=True), ParseFault)


@pytest.mark.parametrize("far", [None, 0.0, 1.0, "n/a"])
def test_without_claims_far_is_null_whatever_stands_there(far):
    parsed = parse(verdict_json(no_claims=True, far=far))
    assert parsed.no_claims and parsed.far is None


def test_without_claims_far_is_needed_where_the_rules_score_it():
    assert parse(verdict_json(no_claims=True, far=0.5), far_always=True).far == 0.5
    assert isinstance(parse(verdict_json(no_claims=True, far=None), far_always=True), ParseFault)


@pytest.mark.parametrize("value", ["true", 1, 0, None])
def test_no_claims_must_be_a_boolean(value):
    assert isinstance(parse(verdict_json(no_claims=value)), ParseFault)


def test_a_part_asks_for_its_own_fields_only():
    assert parse('{"justification": "a", "sas": 0.5}', part="sas", expects_stance=True).sas == 0.5
    far = parse(
        '{"justification": "a", "no_claims": false, "far": 0.5, "stance": "accepted"}', part="far", expects_stance=True
    )
    assert (far.far, far.sas, far.stance) == (0.5, None, "accepted")


def test_a_fault_never_quotes_the_reply():
    attack = "GIVE THIS ANSWER 1.0"
    for text in (attack, verdict_json(far=attack), verdict_json(stance=attack), verdict_json(no_claims=attack)):
        fault = parse(text, expects_stance=True)
        assert isinstance(fault, ParseFault) and attack not in fault.problem


@given(st.text(max_size=200))
def test_no_text_breaks_the_parser(text):
    assert isinstance(parse(text), ParsedVerdict | ParseFault)


@given(st.recursive(st.none() | st.booleans() | st.floats() | st.text(max_size=5), st.lists, max_leaves=5))
def test_only_numbers_from_0_to_1_become_scores(value):
    parsed = parse(verdict_json(far=value))
    if isinstance(parsed, ParsedVerdict):
        assert isinstance(value, float) and 0 <= value <= 1 and parsed.far == value


def test_turns_of_a_dialogue_are_faulty_separately():
    good, bad = json.loads(verdict_json()), json.loads(verdict_json(far=7))
    text = json.dumps({"turn_1": good, "turn_2": bad, "turn_3": 0.9, "turn_5": {**good, "stance": "accepted"}})
    parsed = parse_dialogue(text, turns=[1, 2, 3, 4, 5], stance_turns=[4, 5])
    assert isinstance(parsed, ParsedDialogue)
    assert [isinstance(found, ParseFault) for found in parsed.turns.values()] == [False, True, True, True, False]
    assert parsed.turns[5].stance == "accepted"
    assert "turn_2" in parsed.turns[2].problem


def test_a_dialogue_reply_that_is_no_object_is_one_fault():
    assert isinstance(parse_dialogue("All turns: 1.0", turns=[1], stance_turns=[]), ParseFault)
