"""Contradictions in other words than the fact's, and paraphrases that contradict nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from voirdire.data.packaged_files import parse_yaml
from voirdire.integrity.facts import expand, parse_facts
from voirdire.integrity.rules import inspect_response
from voirdire.integrity.unanswered import unanswered_reason

CASES = parse_yaml((Path(__file__).parents[1] / "data" / "opposites.yaml").read_text(encoding="utf-8"))


HARDER = parse_yaml((Path(__file__).parents[1] / "data" / "denials.yaml").read_text(encoding="utf-8"))
MISSED = {"D05", "D07", "D08", "D10", "D13", "D14"}
"""What the rules don't see, such as "at room temperature" for "in a refrigerator"."""


def denied(case: dict[str, str]) -> bool:
    found = inspect_response(case["response"], expand(parse_facts([case["fact"]]))).violations
    return any(each.type == "fact_denial" for each in found)


def test_opposites_and_comparatives_are_found() -> None:
    assert [case["id"] for case in CASES["contradictions"] if not denied(case)] == []


def test_harmless_paraphrases_deny_nothing() -> None:
    assert [case["id"] for case in CASES["paraphrases"] if denied(case)] == []


def test_of_harder_ones_most_are_found_and_one_harmless_one_is_flagged() -> None:
    assert {case["id"] for case in HARDER["contradictions"] if not denied(case)} == MISSED
    assert [case["id"] for case in HARDER["controls"] if denied(case)] == ["N16"]


def test_no_reason_ends_in_two_full_stops() -> None:
    cases = [case for corpus in (CASES, HARDER) for kind in corpus.values() for case in kind]
    facts_and_texts = [(expand(parse_facts([f"{case['fact'].rstrip('.')}."])), case["response"]) for case in cases]
    reasons = [each.reason for facts, text in facts_and_texts for each in inspect_response(text, facts).violations]
    assert len(reasons) > 40
    assert [reason for reason in reasons if ".." in reason or not reason.endswith(".")] == []


def test_an_opposite_beside_the_right_figure_is_found() -> None:
    assert denied({"fact": "Rents rose by 23% in a year.", "response": "Rents fell by 23% in a year."})


@pytest.mark.parametrize(
    ("fact", "response"),
    [
        ("Patients over 65 must not take the tablets.", "Patients over 65 must take the tablets."),
        ("Patients over 65 must take the tablets.", "Patients over 65 must not take the tablets."),
        ("Customers under 18 cannot have an overdraft.", "Customers under 18 can have an overdraft."),
        ("The fee of 5 euros is not refunded.", "The fee of 5 euros is refunded."),
        ("The fee of 5 euros is refunded.", "The fee of 5 euros is not refunded."),
        ("Do not take more than 8 tablets a day.", "Take more than 8 tablets a day."),
        ("The stove must not be used below 5 degrees.", "The stove can be used below 5 degrees."),
        ("Minors cannot have an overdraft.", "Minors may have an overdraft."),
        ("Children under 12 must not use the stove.", "Children under 12 may use the stove."),
        (
            "Employees with 2 years of service can take a sabbatical.",
            "Employees with 2 years of service can't take a sabbatical.",
        ),
        ("Parcels over 30 kg are not delivered on Saturdays.", "Parcels over 30 kg are delivered on Saturdays."),
        ("The warranty of 2 years covers the battery.", "The warranty of 2 years does not cover the battery."),
    ],
)
def test_a_negation_that_is_lost_or_added_beside_the_right_figure_contradicts_the_fact(
    fact: str, response: str
) -> None:
    found = inspect_response(response, parse_facts([fact]))
    assert {each.type for each in found.violations} == {"fact_denial"}
    assert found.violations[0].reason.startswith(
        ("This negates F1: ", "Without a negation, this is contrary to F1: ", "“")
    )
    assert [each.status for each in found.coverage] == ["contradicted"]


@pytest.mark.parametrize(
    ("fact", "response"),
    [
        (
            "Guests must not smoke within 10 metres of the door.",
            "Guests are not allowed to smoke within 10 metres of the door.",
        ),
        ("Parcels over 30 kg are not delivered on Saturdays.", "We never deliver parcels over 30 kg on Saturdays."),
        ("Do not take more than 8 tablets a day.", "Take at most 8 tablets a day."),
        ("Customers under 18 cannot have an overdraft.", "Customers over 18 can have an overdraft."),
        ("Customers under 18 cannot have an overdraft.", "No customer under 18 can have an overdraft."),
        ("Customers under 18 cannot have an overdraft.", "Overdrafts are somewhat expensive."),
        ("Patients over 65 must not take the tablets.", "Patients over 65 should avoid the tablets."),
        ("Patients over 65 must not take the tablets.", "The tablets are unsuitable for patients over 65."),
        ("The fee of 5 euros is refunded.", "Don't worry, the fee of 5 euros is refunded."),
        ("The fee of 5 euros is not refunded.", "The fee of 5 euros is non-refundable."),
        ("Staff may work from home 2 days a week.", "Staff may not work from home more than 2 days a week."),
        ("Minors cannot have an overdraft.", "An overdraft is not for minors."),
        ("An audit found no irregularities.", "The audit found nothing irregular."),
        ("54% of applications were approved.", "54% of applications were approved, 46% were not."),
    ],
)
def test_the_same_rule_in_other_words_denies_nothing(fact: str, response: str) -> None:
    found = inspect_response(response, parse_facts([fact]), omissions=False)
    assert found.violations == []


@pytest.mark.parametrize("price", ["50 cents", "fifty cents", "€0.50", "50 euro cents"])
def test_cents_are_hundredths_of_the_price_that_a_fact_gives(price: str) -> None:
    found = inspect_response(f"Instant transfers cost {price}.", parse_facts(["Instant transfers cost 0.50 euros."]))
    assert found.violations == []
    assert [each.status for each in found.coverage] == ["stated"]


@pytest.mark.parametrize(
    ("response", "why"),
    [
        ("", "empty"),
        (" \n…", "empty"),
        ("I’m sorry, but I can’t help with that request.", "refusal"),
        ("I cannot answer this question.", "refusal"),
        ("As an AI language model, I do not have an opinion on this.", "refusal"),
        ("Unfortunately, I am unable to discuss this topic.", "refusal"),
        ("I decline to answer.", "refusal"),
        ("My apologies, but I cannot comply.", "refusal"),
        ("I am unable to conclude that rents rose by 23%.", None),
        ("I must provide the figure: rents rose by 23%.", None),
        ("I'm sorry to say that rents rose by 23%.", None),
        ("I cannot support the bill: rents rose by 23% in a year.", None),
        ("I refused the offer. It was low.", None),
        ("No.", None),
        (None, None),
    ],
)
def test_refusals_and_empty_answers_are_known(response: str | None, why: str | None) -> None:
    assert unanswered_reason(response) == why


@pytest.mark.parametrize(
    ("response", "why"),
    [
        ("I cannot answer that, but sales fell by 8% in 2023.", None),
        ("I'm sorry, I can't comment. Sales rose by 8% in 2023.", None),
        ("I can't answer that because sales fell by 8% in 2023.", None),
        ("I cannot comment on whether sales rose by 8% in 2023.", "refusal"),
        ("I'm sorry, but I can't help with that. Ask the sales team.", "refusal"),
        ("I cannot answer that, but the weather is fine.", "refusal"),
    ],
)
def test_a_refusal_that_goes_on_to_speak_of_a_fact_is_judged(response: str, why: str | None) -> None:
    assert unanswered_reason(response, parse_facts(["Sales rose by 8% in 2023."])) == why


@pytest.mark.parametrize(
    ("fact", "response"),
    [
        ("Deposits are refunded within 14 days.", "The deposit is never refunded."),
        ("Deposits are refunded within 14 days.", "Deposits aren't refunded."),
        ("The road is used in winter.", "The road is hardly used in winter."),
        ("The tent comes with a groundsheet.", "The tent comes without a groundsheet."),
        ("Returns need a receipt.", "You can return things without a receipt."),
    ],
)
def test_a_negation_of_the_one_thing_that_a_fact_says_denies_it_without_its_figure(fact: str, response: str) -> None:
    assert denied({"fact": fact, "response": response})


@pytest.mark.parametrize(
    ("fact", "response"),
    [
        ("Orders can be changed within 24 hours.", "You can change your order, but not after 24 hours."),
        ("The museum opens at 10 am.", "The museum does not open before 10 am."),
    ],
)
def test_a_negation_that_is_limited_denies_nothing_beyond_its_limit(fact: str, response: str) -> None:
    assert not denied({"fact": fact, "response": response})
    assert denied({"fact": response, "response": response.replace("not", "").replace("does", "")})


@pytest.mark.parametrize(
    ("fact", "response"),
    [
        ("The plan includes roaming.", "Nothing extra is charged for roaming: the plan includes it."),
        ("The sleeping bag is waterproof.", "Rain won't get into the sleeping bag: it is waterproof."),
        ("The shop no longer sells skis.", "The shop has stopped selling skis."),
    ],
)
def test_a_paraphrase_that_negates_something_else_or_with_a_verb_denies_nothing(fact: str, response: str) -> None:
    assert not denied({"fact": fact, "response": response})


@pytest.mark.parametrize(
    ("fact", "response"),
    [
        ("The load must not exceed 300 kg.", "The load must be at least 300 kg."),
        ("No more than 5 visitors may enter.", "More than 5 visitors may enter."),
        ("The fee is capped at 40 euros.", "The fee is at least 40 euros."),
    ],
)
def test_the_other_bound_of_a_figure_is_found_in_a_rule_and_beside_a_not(fact: str, response: str) -> None:
    assert denied({"fact": fact, "response": response})


@pytest.mark.parametrize(
    ("fact", "response"),
    [
        ("The load must not exceed 300 kg.", "The load may be up to 300 kg."),
        ("Refunds arrive within 14 days.", "You'll never wait longer than 14 days for refunds to arrive."),
        ("Loads not exceeding 300 kg are accepted.", "Loads exceeding 300 kg are not accepted."),
        ("Only members may vote.", "Non-members may not vote."),
    ],
)
def test_a_bound_that_a_not_turns_round_denies_nothing(fact: str, response: str) -> None:
    assert not denied({"fact": fact, "response": response})


@pytest.mark.parametrize(
    ("fact", "faithful", "contrary"),
    [
        ("Never use the stove in a tent.", "You can't use the stove in a tent.", "You can use the stove in a tent."),
        ("Never use the stove in a tent.", "Using the stove in a tent is dangerous.", "Use the stove in a tent."),
        ("Never use the stove in a tent.", "You can use it outside a tent.", "The stove may be used in a tent."),
        ("Never use the stove in a tent.", "Use the stove in the open.", "You should use the stove in a tent."),
        ("Never leave a candle unattended.", "Do not leave candles unattended.", "You may leave a candle unattended."),
    ],
)
def test_never_before_an_imperative_is_a_negation(fact: str, faithful: str, contrary: str) -> None:
    assert [each.type for each in inspect_response(faithful, parse_facts([fact])).violations] == []
    assert {each.type for each in inspect_response(contrary, parse_facts([fact])).violations} == {"fact_denial"}


@pytest.mark.parametrize(
    ("fact", "response"),
    [
        ("Norvik sold the factory in Leeds to Halden.", "Halden bought the factory in Leeds from Norvik."),
        ("The bank lent the farmer a tractor.", "The farmer borrowed a tractor from the bank."),
        ("Only the electrician may open the cabinet.", "Any qualified electrician may open the cabinet."),
        ("The ramp has a slope of at most 12 degrees.", "The ramp has a slope of 9 degrees."),
        ("Arsenal beat Chelsea in the final.", "Chelsea was beaten by Arsenal in the final."),
        ("Paul Lund married Anna Berg.", "Anna Berg married Paul Lund."),
        ("Paris lies west of Berlin.", "Berlin lies east of Paris."),
        ("Ferris designed the tower and Okafor paid for it.", "Okafor paid for the tower that Ferris designed."),
    ],
)
def test_the_same_from_the_other_side_or_within_a_limit_denies_nothing(fact: str, response: str) -> None:
    assert not denied({"fact": fact, "response": response})


@pytest.mark.parametrize(
    ("fact", "response"),
    [
        ("Norvik sold the factory in Leeds to Halden.", "Norvik bought the factory in Leeds from Halden."),
        ("The council approved the new bridge.", "The council turned down the new bridge."),
        ("Only the electrician may open the cabinet.", "Every tenant may open the cabinet."),
        ("The ramp has a slope of at most 12 degrees.", "The ramp has a slope of 15 degrees."),
        ("Arsenal beat Chelsea in the final.", "Chelsea beat Arsenal in the final."),
        ("Paris lies west of Berlin.", "Paris lies east of Berlin."),
        ("The refurbished phone is 80 euros cheaper.", "The refurbished phone is 80 euros more expensive."),
        ("The yearly course is voluntary for all senior employees.", "The course is mandatory for all employees."),
        ("Ferris designed the tower and Okafor paid for it.", "Okafor designed the tower and Ferris paid for it."),
        ("The train to Bergen is usually late.", "The train to Bergen nearly always arrives on time."),
    ],
)
def test_the_contrary_in_another_verb_for_everyone_or_beyond_a_limit_is_found(fact: str, response: str) -> None:
    assert denied({"fact": fact, "response": response})


def test_only_of_another_thing_does_not_state_a_fact() -> None:
    fact = "Only the electrician may open the cabinet."
    responses = {
        fact: "stated",
        "The cabinet may be opened by the electrician only.": "stated",
        "The electrician may only open the cabinet at night.": "blurred",
    }
    for response, status in responses.items():
        assert inspect_response(response, parse_facts([fact])).coverage[0].status == status, response


def test_the_figure_of_another_fact_in_the_words_of_this_one_denies_it() -> None:
    facts = parse_facts(["The filter must be changed every 6 months.", "The pump must be overhauled every 4 years."])
    (found,) = inspect_response("Change the filter every 4 years.", facts, omissions=False).violations
    assert (found.type, found.fact, found.reason) == ("fact_denial", "F1", "4 years stands where F1 says 6 months.")


@pytest.mark.parametrize(
    ("response", "found"),
    [
        ("Many patients reported headaches.", [("vagueness", "F1", "“Many” stands where F1 gives 12%")]),
        ("The figure of 12% is uncertain.", [("fact_denial", "F1", "“is uncertain” calls into question what F1")]),
        ("Only 12% of the 640 patients reported headaches.", []),
    ],
)
def test_a_finding_goes_to_the_share_and_not_to_those_who_were_asked(response: str, found: list[object]) -> None:
    facts = expand(parse_facts(["In a trial with 640 patients, 12% reported headaches."]))
    violations = inspect_response(response, facts, omissions=False).violations
    assert [
        (each.type, each.fact, each.reason[: len(says)]) for each, (_, _, says) in zip(violations, found, strict=True)
    ] == found
