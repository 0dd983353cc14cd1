"""A difference or ratio of two things is right or wrong by their figures, and said with them."""

import pytest

from voirdire.detectors.lexical import LexicalDetector
from voirdire.evidence import ContextIndex, find_contradictions
from voirdire.evidence.comparisons import comparison_of
from voirdire.evidence.matching import match_of

PARTS = "part,price_eur,weight_g,warranty_months\nP10,64,850,24\nP20,96,1200,36\nV5,32,310,12"
TICKETS = "Tickets: adults €14, children €7, seniors €11. The workshop costs €25 and the materials €12."


def compared(sentence, context=PARTS):
    return comparison_of(match_of(sentence, ContextIndex.from_context(context)))


@pytest.mark.parametrize(
    ("sentence", "evidence"),
    [
        ("The P20 is €22 dearer than the P10.", "96 less 64"),
        ("The P20 is €32 cheaper than the P10.", "96 less 64"),
        ("The V5 costs a third of the price of the P10.", "32 beside 64"),
        ("The warranty of the P20 is 1 year longer than that of the V5.", "36 less 12"),
    ],
)
def test_a_wrong_one_names_the_two_figures(sentence, evidence):
    (found,) = find_contradictions(sentence, ContextIndex.from_context(PARTS))
    assert (found.evidence, found.sure) == (evidence, True)


def test_the_reason_for_a_wrong_difference_says_what_it_would_be_made_of():
    reasons = LexicalDetector().reasons(
        TICKETS, ["A senior pays €3 less than an adult.", "A senior pays €4 less than an adult."]
    )
    said = "number: “€4” differs from “€14 less €11” in “Tickets: adults €14, children €7, seniors €11.”"
    assert [[each for each in some if each.startswith("number")] for some in reasons] == [[], [said]]


def test_a_right_one_that_says_nothing_else_is_evidence_for_itself():
    sentence = "The V5 is half the price of the P10."
    assert compared(sentence).words == sentence
    assert compared("The reliable V5 is half the price of the P10.").words == "32 is half 64."


@pytest.mark.parametrize(
    "sentence",
    [
        "The P20 costs about €30 more than the P10.",
        "Is the P20 €30 dearer than the P10?",
        "The P20 is not €30 dearer than the P10.",
        "The P20 and V5 together cost €30 more than the P10.",
        "The P20 is €30 dearer than last year.",
        "The P20 is three times as popular as the P10.",
    ],
)
def test_what_is_rough_denied_or_of_other_things_is_no_comparison(sentence):
    assert compared(sentence) is None


def test_a_figure_is_never_said_to_differ_from_itself():
    context = ContextIndex.from_context("A bell that drops in fewer than 40 swings has too much friction.")
    found = find_contradictions("A bell that drops in more than 40 swings has too much friction.", context)
    assert [(each.kind, each.claim, each.evidence) for each in found] == [
        ("comparison", "more than 40", "fewer than 40")
    ]
