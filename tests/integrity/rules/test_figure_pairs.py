"""Changed figures beside other facts: none of them hides behind arithmetic, a sign or a unit."""

from __future__ import annotations

from functools import cache

import pytest

from tests.integrity.rules.figure_pairs import CHANGED, FACTS, FAITHFUL
from voirdire.integrity.facts import expand, parse_facts
from voirdire.integrity.rules import Inspection, PreparedFacts, inspect_response


@cache
def prepared_of(facts: tuple[str, ...]) -> PreparedFacts:
    return PreparedFacts.of(expand(parse_facts(list(facts))))


def inspected(text: str, *facts: str) -> Inspection:
    return inspect_response(text, prepared_of(facts or tuple(FACTS)), omissions=False)


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


def reasons(fact: str, text: str) -> list[str]:
    return [each.reason for each in inspected(text, fact).violations]


@pytest.mark.parametrize("fact", ["The Falcon 2 burns for 4 hours.", "Falcon 2 burns 4 hours."])
def test_the_figure_of_a_name_neither_excuses_a_changed_figure_nor_stands_in_its_reason(fact: str) -> None:
    for text in ("The Falcon 2 burns for 2 hours.", "The Falcon 2 burns for 5 hours."):
        (reason,) = reasons(fact, text)
        assert reason.endswith("hours stands where F1 says 4 hours.")


def test_the_figure_of_a_name_is_compared_with_that_of_the_same_name_only() -> None:
    fact = "Windows 11 needs 4 GB of memory."
    assert reasons(fact, "With Windows 10 you need 4 GB of memory.") == ["Windows 10 stands where F1 names Windows 11."]
    assert reasons(fact, "Unlike Windows 7, Windows 11 needs 4 GB of memory.") == []
    assert reasons("The exam is in Room 214.", "The exam is in room 214.") == []


def test_a_count_after_the_first_word_of_a_sentence_is_no_name() -> None:
    assert reasons("The hut sleeps 4 guests.", "Sleeps 5 guests in the hut.") == ["5 stands where F1 says 4."]


@pytest.mark.parametrize(
    ("fact", "faithful", "changed"),
    [
        ("The gym opens at 8 am.", "The gym opens at 8.", "The gym opens at 9."),
        ("Tickets are valid for one year.", "Tickets are valid for 12 months.", "Tickets are valid for 18 months."),
    ],
)
def test_an_hour_needs_no_am_and_one_year_is_twelve_months(fact: str, faithful: str, changed: str) -> None:
    assert reasons(fact, faithful) == []
    assert len(reasons(fact, changed)) == 1


def test_no_more_than_belittles_nothing_nor_does_only_a_lower_bound() -> None:
    assert reasons("The tank holds up to 50 litres.", "The tank holds no more than 50 litres.") == []
    assert reasons("The maximum load is 4 kg.", "Carry no more than 4 kg.") == []
    assert reasons("Never store more than 3 cartridges.", "Store no more than 3 cartridges.") == []
    assert reasons("Visitors must be 14 or older.", "Only visitors aged 14 and over are admitted.") == []
    assert len(reasons("The tank holds 50 litres.", "The tank holds only 50 litres.")) == 1


@pytest.mark.parametrize(
    ("fact", "within", "beyond"),
    [
        ("Cool the stove for at least 10 minutes.", "Cool it for 12 minutes.", "Cool it for 8 minutes."),
        ("Cool the stove for at least 10 minutes.", "Cool it for a quarter of an hour.", "Cool it for 300 seconds."),
        ("The room holds at most 40 guests.", "The room holds 35 guests.", "The room holds 45 guests."),
        ("The bag must not exceed 20 kg.", "The bag may weigh 18 kg.", "The bag may weigh 22 kg."),
        (
            "Children under 14 must not use the lift.",
            "Children aged 13 must not use the lift.",
            "Children aged 13 may use the lift.",
        ),
    ],
)
def test_a_figure_within_the_limit_that_a_fact_sets_denies_nothing(fact: str, within: str, beyond: str) -> None:
    assert reasons(fact, within) == []
    assert len(reasons(fact, beyond)) == 1


def test_a_figure_beyond_a_bound_that_is_no_limit_differs() -> None:
    fact = "More than 40,000 people died in the flood."
    assert len(reasons(fact, "50,000 people died in the flood.")) == 1


@pytest.mark.parametrize(
    ("fact", "faithful", "swapped", "reason"),
    [
        (
            "Jet N7 fits the Fjell F2.",
            "The Fjell F2 takes jet N7.",
            "Jet N9 fits the Fjell F2.",
            "N9 stands where F1 names N7.",
        ),
        (
            "The Fjell F2 weighs 84 g.",
            "The F2 weighs 84 g.",
            "The Fjell F4 weighs 84 g.",
            "F4 stands where F1 names F2.",
        ),
        ("Use filter HX20.", "Use an HX-20 filter.", "Use filter HX30.", "HX30 stands where F1 names HX20."),
    ],
)
def test_another_model_number_in_the_words_of_a_fact_is_found(
    fact: str, faithful: str, swapped: str, reason: str
) -> None:
    assert reasons(fact, faithful) == []
    assert reasons(fact, swapped) == [reason]


def test_a_model_number_that_the_question_knows_is_no_other_name() -> None:
    facts = parse_facts(["The Fjell F2 weighs 84 g."])
    found = inspect_response("The Fjell F4 weighs 84 g.", facts, omissions=False, context="What does the F4 weigh?")
    assert found.violations == []
