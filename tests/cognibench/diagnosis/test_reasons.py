import asyncio

import pytest

from tests.cognibench.grounded import FERRY
from tests.jury.scripted import ScriptedAsker, fenced_texts, plain_text, reply
from voirdire.cognibench.diagnosis.examples import MAX_WORDS, with_reasons
from voirdire.detectors.contrastive import Contrast
from voirdire.records import CallFailure

EXAMPLE = Contrast(FERRY.text, "The ferry was red.", "faithful", "invented", "The rules' reason.", "ferry")
GOOD = "The excerpt says nothing of a colour."


def reasoned(*replies):
    asker = ScriptedAsker(replies)
    return asyncio.run(with_reasons([EXAMPLE], "script/model", asker)), asker


def test_a_models_reason_takes_the_place_of_the_rules():
    found, asker = reasoned(reply(f"  {GOOD}\n"))

    assert [each.reason for each in found.contrasts] == [GOOD] and found.refused == ()
    assert fenced_texts(asker.requests[0]) == [FERRY.text, "The ferry was red."]
    assert "invented" not in plain_text(asker.requests[0])  # it is told what the label means, not its name


@pytest.mark.parametrize(
    "bad",
    [
        "",
        "The excerpt has no colour. It was red.",
        "So " * MAX_WORDS + "it is.",
        "The statement is invented.",
        "It is a hallucination.",
        "The right label follows from the excerpt.",
    ],
)
def test_a_reason_that_breaks_a_rule_is_asked_for_again(bad):
    found, asker = reasoned(reply(bad), reply(GOOD))

    assert found.contrasts[0].reason == GOOD
    assert "could not be used" in plain_text(asker.requests[1]) and asker.requests[1].slot.repair == 1


@pytest.mark.parametrize(
    "replies",
    [[reply("It is invented.")] * 3, [reply("", finish_reason="refusal")], [CallFailure("server", "it is down", 3)]],
)
def test_without_a_usable_reason_that_of_the_rules_stands_and_it_is_said(replies):
    found, _ = reasoned(*replies)

    assert found.contrasts == (EXAMPLE,)
    assert found.refused[0].startswith("Example 1 keeps the reason of the rules")
