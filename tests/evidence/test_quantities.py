"""The same quantity in other figures is no contradiction, another quantity is one; likewise for double negation."""

import pytest

from tests.evidence.cases import contexts
from voirdire.evidence import ContextIndex, find_contradictions


@pytest.mark.parametrize(
    ("context", "changed"), contexts("quantities", "permissions", "figure_pairs", "reused_figures")
)
def test_another_quantity_contradicts_and_the_same_in_other_words_does_not(context, changed):
    index = ContextIndex.from_context(context)
    assert {sentence: bool(find_contradictions(sentence, index)) for sentence in changed} == changed


@pytest.mark.parametrize(
    ("context", "changed"),
    contexts(
        "manuals",
        "abilities",
        "negations",
        "rows",
        "prices",
        "hours",
        "records",
        "rules_of_places",
        "exchanges",
        "exchanged_columns",
        "tables_and_sums",
        "worked_out",
        "periods",
        "qualifiers",
        "records_aside",
        "records_among_passages",
        "other_states",
        "always_open",
        "introductions",
        "swapped_codes",
        "differences",
        "cells_under_headings",
        "bills",
        "row_spans",
        "date_fields",
        "bands",
        "names_of_other_clauses",
        "opening_times",
        "included_items",
        "years",
        "fractions_in_words",
        "order_quantities",
        "statuses",
        "shares_of_counts",
        "yes_or_no_fields",
    ),
)
def test_a_changed_rule_or_value_of_a_manual_contradicts_and_the_same_in_other_words_does_not(context, changed):
    index = ContextIndex.from_context(context)
    assert {sentence: bool(find_contradictions(sentence, index)) for sentence in changed} == changed


@pytest.mark.parametrize(
    ("context", "sentence", "changed"),
    [
        ("The Helio 5 inverter converts up to 5 kW.", "The Helio 5 converts up to 5 kW.", False),
        ("The Section 7 rule gives tenants 7 days.", "Section 7 gives tenants 7 days.", False),
        ("The Helio 5 makes up to 5 kW. The Helio 7 makes up to 7 kW.", "The Helio 5 makes up to 7 kW.", True),
        ("The device works between 5 and 40 °C.", "The device works between 5 and 30 °C.", True),
        ("The device works between 5 and 40 °C.", "The device works at 20 kg.", True),
        ("The device works between 5 and 40 °C.", "The device works at about 20 °C.", False),
        ("The device works between 5 and 40 °C.", "The device works at about 50 °C.", True),
        ("The device works between 5 and 40 °C.", "The device does not work at 20 °C.", True),
        ("The hall was built for more than 85 guests.", "The hall was built for 97 guests.", True),
        ("The hall needs at least 20 and at most 90 guests.", "The hall needs 95 guests.", True),
        ("The hose must not exceed 5 m.", "The hose is 3 m long.", False),
        ("The hose must not exceed 5 m.", "The hose is 7 m long.", True),
        ("The hose is 3 to 5 m long.", "The hose is 400 cm long.", False),
        ("The price rose from 5 to 40 euros.", "The price rose to 30 euros.", True),
    ],
)
def test_a_value_within_a_range_or_a_limit_keeps_it_and_another_range_or_a_denial_does_not(context, sentence, changed):
    assert bool(find_contradictions(sentence, ContextIndex.from_context(context))) is changed


def test_a_code_after_a_figure_is_no_unit_that_it_is_given_for():
    index = ContextIndex.from_context("The drill has 38 Nm with an L4 battery. The saw has 50 Nm.")
    assert [figure.text for figure in index.figures[0]] == ["38"]


@pytest.mark.parametrize(
    ("context", "sentence", "reason"),
    [
        ("The Saver pays 5% AER. The minimum is £5 a month.", "The Saver pays £5 AER.", ("unit", "£5", "5%")),
        (
            "A replacement is free of charge and arrives within five working days.",
            "A replacement costs £5 and arrives within five working days.",
            ("number", "£5", "free of charge"),
        ),
    ],
)
def test_the_reason_names_what_the_context_has_in_that_place(context, sentence, reason):
    found = find_contradictions(sentence, ContextIndex.from_context(context))
    assert [(each.kind, each.claim, each.evidence) for each in found] == [reason]


SECTIONS_NAMED = (
    "Route R10 crosses the western park. The R10 was built in 1964. In the west the R10 meets a canal. "
    "Route R20 crosses the eastern valley."
)


def test_words_of_another_code_are_held_against_a_code_only_where_the_text_lists_what_each_means():
    assert (
        find_contradictions("The R10 crosses an eastern valley later.", ContextIndex.from_context(SECTIONS_NAMED)) == ()
    )
    index = ContextIndex.from_context("Match S3: Tigers against Bears. Match S4: Lions against Wolves.")
    assert find_contradictions("Lions and Bears won matches S4 and S3, respectively.", index) == ()


def test_only_far_behind_a_negation_does_not_limit_it():
    context = (
        "Members of the club, their families and guests from the second floor may use the pool only in hot summers."
    )
    assert find_contradictions(
        f"It is not true that {context[0].lower()}{context[1:]}", ContextIndex.from_context(context)
    )


@pytest.mark.parametrize(
    ("context", "sentence"),
    [
        ("The museum has 37 years of history and many visitors.", "The museum has 18 million visitors."),
        ("The solar grant pays 250 euros per kilowatt of panels.", "Solar panels last at least 25 years."),
        ("Employees get 24 days a year of paid leave.", "The canteen is open 6 days a week for employees."),
    ],
)
def test_a_figure_is_set_against_none_of_another_quantity(context, sentence):
    found = find_contradictions(sentence, ContextIndex.from_context(context))
    assert {each.evidence for each in found} <= {""}


def test_a_percentage_whose_figure_is_a_word_is_one():
    index = ContextIndex.from_context("The fund owns 75% of the shares and 464 boats.")
    (found,) = find_contradictions("The fund owns five% of the shares.", index)
    assert (found.claim, found.evidence) == ("five%", "75%")


def test_a_denied_field_is_a_sure_contradiction_that_quotes_the_field():
    context = "permit: 88-K\nholder: Vera Lindt\nphoto_on_file: no\nrevoked: no"
    found = find_contradictions("The permit 88-K is revoked.", ContextIndex.from_context(context))
    assert [(each.kind, each.evidence, each.sure) for each in found] == [("negation", "revoked: no", True)]
