import asyncio
import json

import pytest

from tests.jury.scripted import ScriptedAsker, reply
from voirdire.integrity import EstablishedFact, IntegrityError
from voirdire.integrity.fact_candidates import propose
from voirdire.integrity.facts import as_items, parse_facts

FACTS = [
    EstablishedFact("F1", "The line has 14 stations and carries 60,000 passengers a day."),
    EstablishedFact("F2", "It opened in 1931."),
    EstablishedFact("F3", "It was never closed, not even in 1940.", whole=True),
]
GOOD = ["The line has 14 stations.", "The line carries 60,000 passengers a day."]


def proposed(*replies, facts=FACTS):
    return asyncio.run(propose(facts, "script/model", ScriptedAsker(replies)))


def said(parts, others=("It opened in 1931.",)):
    return reply(json.dumps({"facts": [{"id": "F1", "parts": parts}, {"id": "F2", "parts": list(others)}]}))


def test_proposed_parts_become_children_and_a_whole_fact_stays_whole():
    proposal = proposed(said(GOOD))

    assert [(fact.id, fact.parent) for fact in proposal.facts] == [
        ("F1", None),
        ("F1.1", "F1"),
        ("F1.2", "F1"),
        ("F2", None),
        ("F3", None),
    ]
    assert proposal.refused == ()
    # What is printed is read again as it stands.
    assert [fact.text for fact in parse_facts(as_items(proposal.facts))] == [fact.text for fact in proposal.facts]


@pytest.mark.parametrize(
    ("parts", "why"),
    [
        (["The line has 15 stations.", GOOD[1]], "other figures"),
        ([GOOD[0], "The line carries passengers."], "other figures"),
        ([GOOD[0], "The crowded line carries 60,000 passengers a day."], "words that the fact lacks"),
        ([], "nothing was proposed"),
    ],
)
def test_a_proposal_that_changes_a_fact_does_not_stand(parts, why):
    proposal = proposed(said(parts))

    assert why in proposal.refused[0] and proposal.refused[0].startswith("F1")
    assert not any("15" in fact.text or "crowded" in fact.text for fact in proposal.facts)


def test_a_reply_that_cannot_be_read_is_asked_for_again_and_then_is_an_error():
    assert proposed(reply("sure"), said(GOOD)).refused == ()
    with pytest.raises(IntegrityError, match="proposed nothing: no usable proposal after 2 repairs"):
        proposed(reply("no"), reply("{}"), reply('{"facts": [1]}'))


def test_facts_that_are_settled_are_not_asked_about():
    settled = [EstablishedFact("F1", "A and B", whole=True)]

    assert proposed(facts=settled).facts == tuple(settled)
