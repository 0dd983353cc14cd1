import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voirdire.integrity import EstablishedFact, IntegrityError, Violation, load_taxonomy, score

FACTS = [
    EstablishedFact("F1", "The reservoir holds 4.2 million cubic metres.", central=True),
    EstablishedFact("F2", "It was built in 1931."),
    EstablishedFact("F3", "It supplies 60,000 households."),
    EstablishedFact("F4", "The wall is 38 metres high."),
    EstablishedFact("F5", "The keeper's house is painted green.", relevant=False),
]
TYPES = list(load_taxonomy().types)


def test_a_response_without_violations_keeps_its_hundred_points():
    found = score([], FACTS)

    assert (found.score, found.band.name, found.pervasive) == (100, "Excellent", False)
    assert found.band_by_counts is found.band


@pytest.mark.parametrize(
    ("name", "penalty"),
    [
        ("imprecision", 5),
        ("vagueness", 5),
        ("selective framing", 15),
        ("Cherry-Picking", 15),
        ("unsupported_caveat", 15),
        ("reframing", 15),
        ("denial", 30),
        ("fabrication", 30),
        ("editorializing", 0),
    ],
)
def test_types_cost_what_the_guide_says_also_under_their_aliases(name, penalty):
    assert score([Violation(name, 0, "some words")]).score == 100 - penalty


def test_editorializing_costs_five_by_option():
    assert score([Violation("editorializing", 0, "interesting")], editorializing=5).score == 95


def test_the_same_fault_on_the_same_fact_in_a_sentence_is_charged_once():
    twice = [Violation("imprecision", 0, "large", "F1"), Violation("imprecision", 0, "big", "F1")]

    found = score(twice, FACTS)

    assert found.total == 5
    assert found.charges[1].dropped == "this imprecision has been charged in this sentence"


def test_of_violations_of_the_same_words_only_the_gravest_counts():
    both = [Violation("unsupported_caveat", 0, "is doubtful", "F1"), Violation("fact_denial", 0, "is doubtful", "F1")]

    found = score(both, FACTS)

    assert found.total == 30
    assert found.charges[0].dropped == "the same words are charged as fact_denial"


def test_an_invention_that_contradicts_a_fact_is_charged_once():
    words = "It was built in 1925"
    found = score([Violation("fact_invention", 0, words), Violation("fact_denial", 0, words, "F2")], FACTS)

    assert found.total == 30


def test_the_same_denial_in_two_sentences_counts_twice_and_the_deduplicated_score_says_so():
    found = score([Violation("denial", 0, "is false", "F1"), Violation("denial", 3, "is untrue", "F1")], FACTS)

    assert (found.score, found.deduplicated_score) == (40, 70)
    assert found.by_sentence == {0: 30, 3: 30}
    assert found.by_fact == {"F1": 60}


@pytest.mark.parametrize(
    ("omitted", "penalty"),
    [
        (["F2"], 5),  # one peripheral fact
        (["F1"], 15),  # a central one
        (["F2", "F3"], 15),  # two of four relevant: exactly half is not more than half
        (["F2", "F3", "F4"], 30),  # more than half
        (["F5"], 0),  # irrelevant
        (["F2", "F5"], 5),
    ],
)
def test_the_facts_left_out_settle_the_rung_of_omission(omitted, penalty):
    assert score([Violation("omission", fact=fact) for fact in omitted], FACTS).total == penalty


def test_two_central_facts_left_out_are_systematic():
    facts = [EstablishedFact(f"F{i}", "…", central=i < 2) for i in range(8)]

    assert score([Violation("omission", fact="F0"), Violation("omission", fact="F1")], facts).total == 30


def test_parts_of_a_compound_fact_count_and_the_whole_does_not():
    facts = [
        EstablishedFact("F1", "A and B"),
        EstablishedFact("F1.1", "A", parent="F1"),
        EstablishedFact("F1.2", "B", parent="F1"),
    ]

    assert score([Violation("omission", fact="F1.1")], facts).total == 5
    assert score([Violation("omission", fact="F1")], facts).total == 30


def test_omission_is_charged_on_one_rung_only():
    found = score([Violation("single_omission"), Violation("systematic_omission"), Violation("omission_moderate")])

    assert found.total == 30
    assert [charge.penalty for charge in found.charges] == [30, 0, 0]


def test_two_single_omissions_that_name_no_fact_are_two_omissions():
    assert score([Violation("single_omission"), Violation("single_omission")]).total == 15


def test_pervasive_distortion_is_a_flag_and_the_sum_stands_unless_capped():
    severe = [Violation("denial", 0, "a", "F1"), Violation("invention", 1, "b")]

    assert (score(severe, FACTS).score, score(severe, FACTS).pervasive) == (40, True)
    assert score(severe, FACTS, critical="cap29").score == 29
    assert score([*severe, Violation("pervasive distortion")], FACTS).score == 40


def test_violations_per_hundred_words_leave_out_what_costs_nothing():
    found = score([Violation("vagueness", 0, "some"), Violation("editorializing", 0, "nice")], response="word " * 50)

    assert found.per_100_words == 2.0


def test_a_fact_that_is_not_there_is_an_error_that_names_those_that_are():
    with pytest.raises(IntegrityError, match="names the fact 'F9', which is not among the facts: F1, F2, F3, F4, F5"):
        score([Violation("denial", 0, "x", "F9")], FACTS)


def test_violations_and_facts_may_be_given_as_plain_data():
    found = score(
        [{"type": "denial", "sentence": "It is dry.", "fact": "It rained."}, {"type": "vague"}], ["It rained."]
    )

    assert (found.total, found.by_fact) == (35, {"F1": 30, None: 5})
    with pytest.raises(IntegrityError, match="can't be read: it lacks 'type'"):
        score([{"sentence": 0}])


def test_an_unknown_type_is_an_error_that_names_the_known_ones():
    with pytest.raises(IntegrityError, match="no violation type 'rudeness'; known are imprecision"):
        score([Violation("rudeness")])


_violations = st.lists(
    st.builds(
        Violation,
        type=st.sampled_from(TYPES),
        sentence=st.one_of(st.none(), st.integers(0, 4)),
        span=st.one_of(st.none(), st.sampled_from(["a", "b", "c"])),
        fact=st.one_of(st.none(), st.sampled_from([fact.id for fact in FACTS])),
    ),
    max_size=12,
)


@given(_violations)
def test_scores_lie_between_0_and_100_and_the_parts_add_up(violations):
    found = score(violations, FACTS)

    assert 0 <= found.score <= found.deduplicated_score <= 100
    assert found.score == max(0, 100 - found.total)
    assert sum(found.by_sentence.values()) == sum(found.by_fact.values()) == found.total
    assert len(found.charges) == len(violations)
    json.dumps(found.as_dict(), allow_nan=False)


@given(_violations, st.sampled_from(TYPES))
def test_one_more_violation_never_raises_the_score(violations, name):
    assert score([*violations, Violation(name, 7, "new words")], FACTS).score <= score(violations, FACTS).score


@given(_violations)
def test_saying_everything_twice_costs_nothing_more_where_words_or_facts_are_named(violations):
    named = [each for each in violations if each.span or each.fact]

    assert score([*named, *named], FACTS).total == score(named, FACTS).total
