"""The rules by which a claim is reproduced, consistent with its data, or not."""

import math

import pytest

from voirdire.papers.claims import (
    ClaimVerdict,
    Printed,
    Result,
    bind,
    check_claims,
    compare,
    read_claims,
    reproduced_if,
)
from voirdire.stats.intervals import Interval

WORDS = {
    "some": {
        "definition": "A mean.",
        "deviation": "A deviation.",
        "note": "A note of {what}.",
        "if_not_reproduced": "It is not.",
    },
    "unknown": {"note": "The release holds no times."},
}


def claim(printed, compare="number", words="some"):
    entry = {"id": "some-claim", "section": "4.2", "claim": "Something", "printed": printed, "compare": compare}
    source = {"claims": [{**entry, "words": words}], "words": WORDS, "methods": {"jackknife": "jackknife-t"}}
    return read_claims("test_claims", source)["some-claim"]


def interval(low, high):
    return Interval(low, high, 0.95, "jackknife-t")


def decided(printed, result, compare_by="number"):
    return compare(claim(printed, compare_by), result.with_params(note=""))


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
    assert claim("0.910").published == 0.91
    assert claim("27000").published == 27000
    assert claim("> 0.90").published == "> 0.90"
    assert [number.text for number in claim("-0.95 to -0.42").numbers] == ["-0.95", "-0.42"]


def test_an_equal_number_is_reproduced_with_its_interval_and_method():
    outcome = compare(claim("0.50"), Result(0.504, interval(0.4, 0.6), "jackknife", params={"what": "sorts"}))

    assert (outcome.verdict, outcome.value, outcome.interval) == ("reproduced", 0.504, (0.4, 0.6))
    assert outcome.definition == "A mean. Interval: jackknife-t."
    assert outcome.why == outcome.note == "A note of sorts."
    assert [each.code for each in outcome.reasons] == ["test_claims.some.note"]


def test_another_definition_counts_only_where_the_papers_own_does_not_give_the_number():
    own, other = Result(0.1, note=""), Result(0.5, definition="deviation")

    both = compare(claim("0.50"), Result(0.5, note="", others=(other,)))
    one = compare(claim("0.50"), Result(own.value, note="", others=(other,)))
    none = compare(claim("0.70"), Result(own.value, note="", others=(other,)))

    assert both.verdict == "reproduced"
    assert (one.verdict, one.value, one.definition) == (ClaimVerdict.OTHER_DEFINITION, 0.5, "A deviation.")
    assert one.why.startswith("By the paper's definition it is 0.1: A mean.")
    assert (none.verdict, none.value, none.definition) == ("not reproduced", 0.1, "A mean.")


def test_a_claim_that_is_not_reproduced_says_both_numbers():
    outcome = compare(claim("0.70"), Result(0.1, params={"what": "more"}))

    assert outcome.why == "By the paper 0.70; by its data 0.1. A note of more. It is not."


def test_undefined_is_none_and_never_reproduced():
    outcome = decided("0.70", Result(math.nan, interval(math.nan, 1.0)))

    assert (outcome.verdict, outcome.value, outcome.interval) == ("not reproduced", None, None)


def test_what_the_computation_decides_itself_stands():
    assert decided("order", Result("same", verdict=reproduced_if(True))).verdict == "reproduced"
    assert decided("order", Result("other", verdict=reproduced_if(False))).verdict == "not reproduced"


@pytest.mark.parametrize(
    ("printed", "value", "verdict"),
    [("< 0", -0.2, "reproduced"), ("< 0", 0.2, "not reproduced"), ("> 0.90", 0.91, "reproduced")],
)
def test_a_bound_holds_or_does_not(printed, value, verdict):
    assert decided(printed, Result(value), "bound").verdict == verdict


def test_what_the_data_can_not_decide_has_a_reason_and_no_number():
    outcome = check_claims([claim("72", words="unknown")], study=None)[0]

    assert outcome.as_dict() == {
        "id": "some-claim",
        "section": "4.2",
        "claim": "Something",
        "published": 72,
        "recomputed": None,
        "interval": None,
        "n": None,
        "definition": "",
        "verdict": "not checkable",
        "note": "The release holds no times.",
        "why": "The release holds no times.",
    }


def test_a_claim_is_computed_by_the_function_of_its_name_alone():
    bound = bind({"some-claim": claim("0.5")}, {"some-claim": lambda study: Result(study, note="")})

    assert check_claims(bound, 0.5)[0].verdict == "reproduced"
    with pytest.raises(KeyError, match="another"):
        bind({"some-claim": claim("0.5")}, {"another": Result})


@pytest.mark.parametrize(
    ("printed", "verdict"),
    [("0.30", "consistent"), ("0.46", "not consistent"), ("0.455", "not consistent"), ("0.5", "consistent")],
)
def test_a_part_of_the_data_is_consistent_with_what_its_interval_holds(printed, verdict):
    # 0.5 may have been printed of anything from 0.45 on.
    assert decided(printed, Result(0.35, interval(0.25, 0.45), part=True)).verdict == verdict


def test_without_an_interval_a_part_decides_nothing():
    outcome = decided("0.3", Result(0.35, part=True))

    assert outcome.verdict == "not checkable"
    assert "no interval" in outcome.note


@pytest.mark.parametrize(
    ("printed", "found", "verdict"),
    [
        ("> 0", (0.1, 0.3), "consistent"),
        ("> 0", (-0.1, 0.3), "undecided"),
        ("> 0", (-0.3, -0.1), "not consistent"),
        ("< 0", (-0.3, -0.1), "consistent"),
        ("< 0", (0.1, 0.3), "not consistent"),
    ],
)
def test_a_direction_in_a_part_is_decided_by_the_whole_interval(printed, found, verdict):
    result = Result(sum(found) / 2, interval(*found), part=True)

    assert decided(printed, result, "bound").verdict == verdict


def test_a_count_can_only_be_contradicted_by_a_larger_part():
    assert decided("264", Result(136, part=True), "count").verdict == "not checkable"
    assert decided("264", Result(300, part=True), "count").verdict == "not consistent"
    assert decided("264", Result(264), "count").verdict == "reproduced"


def test_a_part_must_lie_within_the_printed_range():
    inside = decided("50 to 432", Result((50, 400), part=True), "range")

    assert (inside.verdict, inside.value, inside.note) == ("consistent", "50 to 400", "The lower end is met.")
    assert decided("50 to 432", Result((49, 400), part=True), "range").verdict == "not consistent"
    assert decided("50 to 432", Result((50, 400)), "range").verdict == "not reproduced"
    assert decided("50 to 432", Result((50, 432)), "range").verdict == "reproduced"
