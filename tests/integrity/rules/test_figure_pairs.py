"""Changed figures beside other facts: none of them hides behind arithmetic, a sign or a unit."""

from __future__ import annotations

import pytest

from tests.integrity.rules.figure_pairs import CHANGED, FACTS, FAITHFUL
from voirdire.integrity.facts import expand, parse_facts
from voirdire.integrity.rules import Inspection, PreparedFacts, inspect_response

PREPARED = PreparedFacts.of(expand(parse_facts(list(FACTS))))


def inspected(text: str, *facts: str) -> Inspection:
    prepared = PreparedFacts.of(expand(parse_facts(list(facts)))) if facts else PREPARED
    return inspect_response(text, prepared, omissions=False)


@pytest.mark.parametrize("text", CHANGED)
def test_a_changed_figure_denies_its_fact_whatever_other_facts_there_are(text: str) -> None:
    found = inspected(text)
    denied = [each.fact for each in found.violations if each.type == "fact_denial"]
    assert len(denied) == 1
    assert next(each.status for each in found.coverage if each.fact == denied[0]) == "contradicted"


@pytest.mark.parametrize("text", FAITHFUL)
def test_a_faithful_sentence_in_other_units_or_words_costs_nothing(text: str) -> None:
    assert inspected(text).violations == []


def test_a_changed_figure_no_fact_has_in_those_words_is_an_invention_unless_the_sentence_reckons() -> None:
    facts = ("The lease ends after 4 years.", "The rent is 900 euros a month.", "The flat has 2 rooms.")
    assert [each.type for each in inspected("Notice can be given for 40 years.", *facts).violations] == [
        "fact_invention"
    ]
    assert inspected("The rent comes to 10,800 euros in a year.", *facts).violations == []


def test_a_reason_shows_the_units_that_differ() -> None:
    (found,) = inspected("The bicycle weighs 18 g with its battery.").violations
    assert "18 g stands where F3 says 18 kg" in found.reason


def test_a_time_in_two_units_is_one_figure() -> None:
    fact = "The wash takes 1 hour 30 minutes."
    assert inspected("The wash takes 90 minutes.", fact).violations == []
    assert [each.type for each in inspected("The wash takes 2 hours 30 minutes.", fact).violations] == ["fact_denial"]


def test_a_figure_of_another_fact_does_not_excuse_a_sign_that_is_lost() -> None:
    facts = ("The salt with 30 percent calcium works down to -25 °C.", "The pump is stored at 25 °C.")
    found = inspected("The salt with 30 percent calcium works down to 25 °C.", *facts)
    assert ("fact_denial", "F1") in [(each.type, each.fact) for each in found.violations]
