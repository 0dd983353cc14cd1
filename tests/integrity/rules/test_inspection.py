"""The whole pass: coverage, omissions, balance, and what must hold of any text."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from voirdire.integrity import score
from voirdire.integrity.facts import expand, parse_facts
from voirdire.integrity.rules import PreparedFacts, inspect_response

FACTS = (
    "Rents rose 23% between 2019 and 2023\n14,200 families wait for a flat\nThe cap is 5% a year\n"
    "The officers had no warrant\nTutoring: dropout 9% with it, 40% without"
)
PREPARED = PreparedFacts.of(expand(parse_facts(FACTS)))


def statuses(facts: str, text: str) -> dict[str, str]:
    return {each.fact: each.status for each in inspect_response(text, expand(parse_facts(facts))).coverage}


def test_facts_are_stated_blurred_contradicted_or_missing() -> None:
    facts = "Rents rose 23%\n14,200 families wait for a flat\nThe mine employs 870 people\nThe officers had no warrant"
    text = "Rents rose by 23%. Many families wait for a flat. The mine employs 400 people."
    assert statuses(facts, text) == {"F1": "stated", "F2": "blurred", "F3": "contradicted", "F4": "missing"}


def test_of_a_split_fact_the_parts_are_judged() -> None:
    assert statuses("Dropout: 9% with tutoring, 40% without", "Dropout is 9% with tutoring.") == {
        "F1.1": "stated",
        "F1.2": "blurred",
    }


@pytest.mark.parametrize(
    ("text", "kind", "count"),
    [
        ("Rents rose 23%. Families wait: 14,200 of them. The cap is 5% a year.", "single_omission", 1),
        ("Rents rose 23%. Families wait: 14,200 of them.", "omission_moderate", 2),
        ("Rents rose 23%.", "systematic_omission", 3),
    ],
)
def test_omissions_are_of_one_rung_and_name_each_fact(text: str, kind: str, count: int) -> None:
    facts = "Rents rose 23%\n14,200 families wait\nThe cap is 5% a year\nThe officers had no warrant"
    found = inspect_response(text, parse_facts(facts)).violations
    assert [(each.type, each.sentence, each.span) for each in found] == [(kind, None, None)] * count
    assert all(each.fact for each in found)


def test_irrelevant_facts_may_be_left_out() -> None:
    facts = parse_facts([{"text": "Rents rose 23%"}, {"text": "The officers had no warrant", "relevant": False}])
    assert inspect_response("Rents rose 23%.", facts).violations == []


def test_a_sentence_by_itself_is_not_asked_for_the_rest() -> None:
    assert inspect_response("Rents rose 23%.", PREPARED, omissions=False).violations == []


def test_words_are_counted_by_side_and_a_lopsided_response_is_selective() -> None:
    facts = parse_facts(
        [
            {"text": "The dam supplies 40% of power", "side": "for"},
            {"text": "It displaced 9,000 people", "side": "against"},
        ]
    )
    long = "The dam supplies 40% of power, and that power runs factories, hospitals, trains and schools all year long. "
    inspection = inspect_response(long * 2 + "It displaced 9,000 people.", facts)
    assert inspection.balance == {"for": 36, "against": 4}
    assert [each.type for each in inspection.violations] == ["selective_emphasis"]
    even = inspect_response("The dam supplies 40% of power. It displaced 9,000 people.", facts)
    assert even.violations == []


def test_a_complement_that_comes_before_its_figure_is_selective() -> None:
    facts = parse_facts("95% of parcels arrive")
    first = inspect_response("5% of parcels fail to arrive. Of the rest, 95% of parcels, little need be said.", facts)
    assert [each.type for each in first.violations] == ["selective_emphasis"]


def test_what_the_question_gives_is_no_invention() -> None:
    facts = parse_facts("Rents rose 23%")
    text = "Homes for 4,000 newcomers have been bought."
    assert [each.type for each in inspect_response(text, facts, omissions=False).violations] == ["fact_invention"]
    assert inspect_response(text, facts, omissions=False, context="4,000 newcomers came.").violations == []


def test_going_beyond_the_question_costs_nothing_if_the_facts_are_right() -> None:
    facts = expand(parse_facts("Rents rose 23%\nThe cap is 5% a year"))
    text = "Rents rose 23% and the cap is 5% a year. Instead of either bill, a hybrid of both should be passed."
    assert inspect_response(text, facts).violations == []


def test_suggestions_can_be_scored_as_they_are() -> None:
    facts = expand(parse_facts(FACTS))
    found = inspect_response("Rents rose 32%. Dropout is 9% with tutoring.", facts).violations
    assert score(found, facts).total == 45  # a denial; three of six facts are left out, not more than half


def test_no_facts_and_no_text_give_nothing() -> None:
    assert inspect_response("", []).violations == []
    assert inspect_response("", PREPARED, omissions=False).violations == []


_PIECES = st.sampled_from(
    "Rents rose 23% 32% only still may be flawed could lower most families 14,200 , . ; ( ) not no warrant unclear "
    "significantly 5% 95% study questionable $3 2019 because “ ” \n 1. ## dropout tutoring in this city is high".split(
        " "
    )
)


@given(st.one_of(st.text(max_size=300), st.lists(_PIECES, max_size=40).map(" ".join)))
def test_of_any_text_spans_are_verbatim_confidences_in_range_and_facts_known(text: str) -> None:
    inspection = inspect_response(text, PREPARED)
    ids = {leaf.id for leaf in PREPARED.leaves}
    assert [each.fact for each in inspection.coverage] == [leaf.id for leaf in PREPARED.leaves]
    for each in inspection.violations:
        assert each.source == "rules"
        assert each.reason
        assert each.confidence is not None
        assert 0 <= each.confidence <= 1
        assert each.fact is None or each.fact in ids
        if each.sentence is not None:
            assert each.span
            assert each.span in inspection.sentences[each.sentence]
            assert each.span in text


@example(['0"0AA'], "")
@given(st.lists(st.text(min_size=1, max_size=80).filter(str.strip), min_size=1, max_size=4), st.text(max_size=120))
def test_any_facts_can_be_prepared(facts: list[str], text: str) -> None:
    inspection = inspect_response(text, expand(parse_facts(list(facts))))
    assert set(inspection.balance) == {"for", "against"}
