"""The rules by which a claim is reproduced or not."""

import math

import pytest

from voirdire.ddft.published.claims import Found, compared, held, uncheckable
from voirdire.ddft.published.paper import Printed, Statement


def said(printed):
    return Statement("some-claim", "4.2", "Something", printed)


@pytest.mark.parametrize(
    ("printed", "value", "equal"),
    [
        ("0.914", 0.91449, True),
        ("0.914", 0.9135, True),
        ("0.914", 0.9146, False),
        ("0.812", 0.8125, True),  # a tie: the paper rounds half to even, others away from zero
        ("0.938", 0.9375, True),
        ("1.000", 0.9996, True),
        ("1.000", 0.9994, False),
        ("-0.817", -0.81667, True),
        ("-0.817", 0.81667, False),
        ("7", 7, True),
        ("100", 99.4, False),
        ("0.82", None, False),
    ],
)
def test_a_number_is_equal_within_half_a_unit_of_the_last_printed_decimal(printed, value, equal):
    assert Printed(printed).matches(value) is equal


def test_what_is_printed_is_a_number_only_where_it_is_nothing_else():
    assert said("0.910").published == 0.91
    assert said("27000").published == 27000
    assert said("> 0.90").published == "> 0.90"
    assert [number.text for number in said("-0.95 to -0.42").numbers] == ["-0.95", "-0.42"]


def test_an_equal_number_is_reproduced_with_its_interval_and_method():
    claim = compared(said("0.50"), Found(0.504, "A mean.", (0.4, 0.6), "jackknife"), why="A note.")

    assert (claim.verdict, claim.recomputed, claim.interval) == ("reproduced", 0.504, (0.4, 0.6))
    assert claim.definition == "A mean. Interval: jackknife."
    assert claim.why == "A note."


def test_another_definition_counts_only_where_the_papers_own_does_not_give_the_number():
    own, other = Found(0.1, "Variance."), Found(0.5, "Standard deviation.")

    both = compared(said("0.50"), Found(0.5, "Variance."), other=other)
    one = compared(said("0.50"), own, other=other)
    none = compared(said("0.70"), own, other=other)

    assert both.verdict == "reproduced"
    assert (one.verdict, one.recomputed, one.definition) == (
        "reproduced under another definition",
        0.5,
        "Standard deviation.",
    )
    assert "0.1: Variance." in one.why
    assert (none.verdict, none.recomputed, none.definition) == ("not reproduced", 0.1, "Variance.")


def test_a_claim_that_is_not_reproduced_says_both_numbers():
    assert compared(said("0.70"), Found(0.1, "X."), why="More.").why == "By the paper 0.70; by its data 0.1. More."


def test_undefined_is_none_and_never_reproduced():
    claim = compared(said("0.70"), Found(math.nan, "X.", (math.nan, 1.0)))

    assert (claim.verdict, claim.recomputed, claim.interval) == ("not reproduced", None, None)


def test_an_order_holds_or_does_not():
    assert held(said("< 0"), True, Found(-0.2, "A difference.")).verdict == "reproduced"
    assert held(said("< 0"), False, Found(0.2, "A difference.")).verdict == "not reproduced"


def test_what_the_data_can_not_decide_has_a_reason_and_no_number():
    claim = uncheckable(said("72"), "The release holds no times.")

    assert claim.as_dict() == {
        "id": "some-claim",
        "section": "4.2",
        "claim": "Something",
        "published": 72,
        "recomputed": None,
        "interval": None,
        "definition": "",
        "verdict": "not checkable",
        "why": "The release holds no times.",
    }
