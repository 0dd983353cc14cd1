"""What the rules suggest, rule by rule, about facts of many kinds."""

from __future__ import annotations

import pytest

from voirdire.integrity.facts import expand, parse_facts
from voirdire.integrity.records import Violation
from voirdire.integrity.rules import inspect_response


def suggested(facts: str, text: str) -> list[Violation]:
    return inspect_response(text, expand(parse_facts(facts)) if facts else [], omissions=False).violations


def types(facts: str, text: str) -> set[str]:
    return {each.type for each in suggested(facts, text)}


@pytest.mark.parametrize(
    ("facts", "text"),
    [
        ("The trial enrolled 43,548 participants", "Roughly 43,500 participants took part in the trial."),
        ("The trial enrolled 43,548 participants", "The trial had more than 40,000 participants."),
        ("48% of voters stayed home", "Nearly half of voters stayed home."),
        ("85-90% of seeds germinate", "About 88% of seeds germinate."),
        ("Dropout is 9% with tutoring, 40% without", "Tutoring lowers the dropout rate by 31 percentage points."),
        ("Dropout is 9% with tutoring, 40% without", "Dropout is 40% without tutoring and 9% with it."),
        ("12 students fell ill\nCare costs $500 per student", "Care for the 12 students costs $6,000."),
        ("Obesity costs $260 billion a year", "Obesity costs $260B a year."),
        ("Households hold $83.3 trillion", "Households hold some $83 trillion."),
        ("The levy costs $60 a month", "The levy comes to $720 a year."),
        ("The levy costs $60 a month", "The levy costs $720 a year."),
        ("The law was passed in 2010 and repealed in 2021", "It was in force for 11 years."),
        ("The survey reached 400 homes, of which 100 replied", "A quarter of the 400 homes replied."),
        ("95% of trains are punctual", "95% of trains are punctual and 5% are late."),
        ("The licence costs £310,000", "The licence costs 310,000 pounds."),
        ("The licence costs $20 a month", "The licence costs $240 a year."),
        ("The licence costs $20 a month", "The licence costs $20."),
        ("The museum opens at 3 pm", "The museum opens at 15:00."),
        ("The fund holds 43 million shares", "The fund holds 43M shares."),
        ("The recipe needs half an hour", "The recipe needs 30 minutes."),
    ],
)
def test_roundings_ranges_complements_and_arithmetic_cost_nothing(facts: str, text: str) -> None:
    assert suggested(facts, text) == []


@pytest.mark.parametrize(
    ("facts", "text", "span"),
    [
        ("Unemployment stands at 9%", "Unemployment stands at 14%.", "14%"),
        ("The bridge opened on 4 May 2019", "The bridge opened on 6 May 2019.", "6 May 2019"),
        ("The mine employs 870 people", "The mine employs 400 people.", "400"),
        ("Refunds are paid within 30 days", "Refunds are paid within 60 days.", "60"),
        ("Pro costs $6.95 per month\nShipping costs $2.70 in May", "Pro costs $9.65 per month.", "9.65"),
        ("It opened with 9 rooms\nEach room holds 22 guests", "Each room holds 44 guests, with 9 rooms.", "44"),
        ("Solar power costs $30 per MWh\nNuclear power costs $110 per MWh", "Nuclear costs $30.", "30"),
        ("The licence costs 12 dollars", "The licence costs 12 euros.", "12"),
        ("The museum opens at 9 am", "The museum opens at 10 am.", "10 am"),
        ("The dose is 500 mg", "The dose is 50 mg.", "50"),
    ],
)
def test_a_figure_that_differs_is_a_denial(facts: str, text: str, span: str) -> None:
    (found,) = suggested(facts, text)
    assert (found.type, found.span, found.source) == ("fact_denial", span, "rules")
    assert found.fact is not None


def test_a_figure_about_something_else_is_an_invention_and_names_no_fact() -> None:
    (found,) = suggested("Unemployment stands at 9%", "Burglaries have gone up by 30% in the old town.")
    assert (found.type, found.fact) == ("fact_invention", None)


@pytest.mark.parametrize(
    "text",
    [
        "The council should set aside 10% of its budget.",
        "If 20% of shops closed, what would follow?",
        "There are two options and three reasons.",
        "1. Unemployment stands at 9%.\n2. Step 2 follows from policy 4.2(e).",
        "Since the crisis of 1973, economists have thought differently.",
    ],
)
def test_advice_conditions_labels_and_background_dates_are_no_inventions(text: str) -> None:
    assert suggested("Unemployment stands at 9%", text) == []


def test_a_name_that_reports_a_finding_is_an_invention_unless_the_facts_know_it() -> None:
    facts = "Noise fell by a third, according to the Harbour Authority"
    assert types(facts, "According to Professor Lindqvist, noise is the least of it.") == {"fact_invention"}
    assert types(facts, "According to the Harbour Authority, noise fell by a third.") == set()


@pytest.mark.parametrize(
    ("facts", "text", "kind"),
    [
        (
            "Night shifts carry a 2.5× increased risk of accidents",
            "Night shifts carry a much higher risk.",
            "imprecision",
        ),
        ("The filter is 98% effective", "The filter is highly effective at removing particles.", "imprecision"),
        ("Women earn 18% less than men in the sector", "Women earn less than men.", "vagueness"),
        ("72% of members voted", "Most members voted.", "vagueness"),
        ("The coal plant closes in 2031", "The coal plant closes soon.", "vagueness"),
        ("The coal plant closes in 2031", "soon", "imprecision"),
        ("88% recovery rate", "Recovery results vary.", "vagueness"),
    ],
)
def test_words_in_the_place_of_a_figure(facts: str, text: str, kind: str) -> None:
    assert types(facts, text) == {kind}


def test_words_beside_a_figure_that_is_stated_elsewhere_cost_nothing() -> None:
    assert suggested("72% of members voted", "Most members voted. In fact 72% of members did.") == []


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("Strong evidence", set()),
        ("There is some evidence.", {"vagueness"}),
        ("There is weak evidence.", {"fact_denial"}),
        ("There is modest evidence.", {"reframing"}),
    ],
)
def test_adjectives_for_a_strong_statistic(text: str, kinds: set[str]) -> None:
    assert types("p<0.001, large effect size", text) == kinds


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("The filter has a modest effect on particles.", {"reframing"}),
        ("The filter is poor at removing particles.", {"fact_denial"}),
        ("Few particles are removed by the filter.", {"fact_denial"}),
    ],
)
def test_understating_words_reframe_and_contrary_ones_deny(text: str, kinds: set[str]) -> None:
    assert types("The filter's effect: 98% of particles removed", text) == kinds


@pytest.mark.parametrize(
    ("facts", "text", "kinds"),
    [
        ("88% recovery rate", "The 88% recovery claim is questionable.", {"fact_denial"}),
        ("88% recovery rate", "Recovery is uncertain.", {"fact_denial"}),
        ("88% recovery rate", "Uncertainty remains about recovery.", {"unsupported_caveat"}),
        ("88% recovery rate", "Recovery could be lower.", {"unsupported_caveat"}),
        ("88% recovery rate", "Recovery could be lower if funds are cut.", set()),
        ("88% recovery rate", "The survey may have methodological flaws.", {"unsupported_caveat"}),
        ("88% recovery rate", "The survey has serious flaws.", {"fact_invention"}),
        ("88% recovery rate", "The figures should be interpreted with caution.", {"unsupported_caveat"}),
        ("88% recovery rate", "Recovery does not matter.", {"unsupported_caveat"}),
        ("The tenant documented the leaks in 2020", "The tenant's complaints are unsubstantiated.", {"fact_denial"}),
        ("The tenant documented the leaks in 2020", "The leaks may be a pretext.", {"reframing"}),
        ("Studies of recovery show mixed results", "Results on recovery are mixed.", set()),
    ],
)
def test_doubt_of_a_value_denies_and_doubt_beside_it_is_a_caveat(facts: str, text: str, kinds: set[str]) -> None:
    assert types(facts, text) == kinds


@pytest.mark.parametrize(
    ("facts", "text", "kinds"),
    [
        ("The officers had no warrant", "The officers had a warrant.", {"fact_denial"}),
        ("The bank passed the stress test", "The bank did not pass the stress test.", {"fact_denial"}),
        ("Exports rose last year", "Exports fell last year.", {"fact_denial"}),
        ("The statute allows appeals", "The statute prohibits appeals.", {"fact_denial"}),
        ("The officers had no warrant", "No warrant was held by the officers.", set()),
        ("The officers had no warrant", "Should the officers have had a warrant?", set()),
    ],
)
def test_contradictions_in_words(facts: str, text: str, kinds: set[str]) -> None:
    assert types(facts, text) == kinds


@pytest.mark.parametrize(
    ("facts", "text", "kinds"),
    [
        ("60% of the target was reached", "Only 60% of the target was reached.", {"reframing"}),
        ("3% of parcels are lost", "Only 3% of parcels are lost.", set()),
        ("Only 60% of the target was reached", "Only 60% of the target was reached.", set()),
        ("30% of parcels are late", "A staggering 30% of parcels are late.", {"reframing"}),
        ("95% of parcels arrive", "5% of parcels still get lost.", {"reframing"}),
        ("Sales rose by 95%", "5% of sales were returned.", {"fact_invention"}),
    ],
)
def test_framing(facts: str, text: str, kinds: set[str]) -> None:
    assert types(facts, text) == kinds


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("Absenteeism is a social phenomenon.", set()),
        ("Absenteeism in this factory is high.", {"fact_invention"}),
        ("Absenteeism exists, so productivity doesn't matter.", {"unsupported_caveat"}),
    ],
)
def test_general_background_is_free_and_claims_about_this_very_case_are_not(text: str, kinds: set[str]) -> None:
    assert types("", text) == kinds


def test_each_fault_of_a_compound_sentence_is_suggested_and_what_is_precise_is_not() -> None:
    found = suggested("95%\n85-90%", "The filter is 95% effective, though field results vary.")
    assert [(each.type, each.span, each.fact) for each in found] == [("vagueness", "vary", "F2")]


NOBODY = "Nobody died while the bridge was built"


@pytest.mark.parametrize(
    "text",
    ["Two workers died while the bridge was built.", "Several workers died while they were building the bridge."],
)
def test_what_a_fact_says_of_nobody_is_denied_by_saying_it_of_somebody(text: str) -> None:
    assert types(NOBODY, text) == {"fact_denial"}


@pytest.mark.parametrize(
    "text",
    [
        "No one died while the bridge was built.",
        "None of the workers died while the bridge was built.",
        "Zero people died while the bridge was built.",
        "There were no deaths while the bridge was built.",
    ],
)
def test_the_same_negation_in_other_words_denies_nothing(text: str) -> None:
    assert types(NOBODY, text) == set()
