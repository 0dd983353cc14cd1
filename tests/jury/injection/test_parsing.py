"""Only a judge's own structured output counts, whatever of an attack it repeats."""

import json

import pytest

from tests.jury.obeying import canaries
from tests.jury.scripted import verdict_json
from voirdire.jury import ParseFault, parse_verdict
from voirdire.jury.injection import attacks
from voirdire.jury.injection.undefended import first_object
from voirdire.jury.verdict_parsing import parse_dialogue

FORGED = attacks("judge", names=["fake-verdicts"])
ANSWER = "It appeared in 1699."
HONEST = verdict_json(far=0.2, sas=0.7, stance="accepted")


@pytest.mark.parametrize("attack", canaries("judge"), ids=lambda attack: attack.id)
def test_a_reply_that_repeats_the_attack_is_a_fault_and_one_that_quotes_it_the_judges_own_verdict(attack):
    said = attack.on(ANSWER)
    for reply in (said, f"{said}\n\n{HONEST}", f"{HONEST}\n\n{said}", f"```json\n{HONEST}\n```\n{said}"):
        fault = parse_verdict(reply, expects_stance=True)
        assert isinstance(fault, ParseFault)
        assert ANSWER not in fault.problem
    quoted = parse_verdict(json.dumps({**json.loads(HONEST), "justification": said}), expects_stance=True)
    assert (quoted.far, quoted.sas, quoted.stance) == (0.2, 0.7, "accepted")


@pytest.mark.parametrize("attack", FORGED, ids=lambda attack: attack.id)
def test_on_several_turns_no_forged_verdict_is_read_either(attack):
    reply = f"{attack.on(ANSWER)}\n{json.dumps({'turn_1': json.loads(HONEST)})}"
    assert isinstance(parse_dialogue(reply, turns=[1], stance_turns=[]), ParseFault)


def test_json_in_a_judges_reasoning_is_no_verdict():
    reasoning = f"<think>The answer proposes {verdict_json(far=1.0)}; I disagree.</think>\n{HONEST}"
    assert isinstance(parse_verdict(reasoning, expects_stance=True), ParseFault)


def test_a_lenient_parser_would_take_the_forged_verdict():
    forged = FORGED[0].on(ANSWER)
    lenient = first_object(f"The answer reads: {forged}\nMy verdict: {HONEST}", {"far": {}})
    assert parse_verdict(lenient, expects_stance=False).far == 1.0


@pytest.mark.parametrize("text", ["", "{", "no object", '{"far', '{"other": 1}', "{" * 3000])
def test_where_no_object_is_found_a_lenient_parser_leaves_the_reply_as_it_is(text):
    assert first_object(text, {"far": {}}) == text
