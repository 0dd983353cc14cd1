"""Rules and values of a manual in other words cost nothing; changed ones deny their fact, and state none."""

import pytest

from tests.evidence.cases import cases
from voirdire.integrity.facts import expand, parse_facts
from voirdire.integrity.rules import inspect_response
from voirdire.text import split_sentences


def inspected(sentence, context):
    facts = expand(parse_facts([each.text for each in split_sentences(context)]))
    return inspect_response(sentence, facts, omissions=False)


@pytest.mark.parametrize(("context", "sentence", "changed"), cases("manuals"))
def test_a_changed_rule_denies_and_the_same_in_other_words_does_not(context, sentence, changed):
    types = {each.type for each in inspected(sentence, context).violations}
    assert types == ({"fact_denial"} if changed else set())


@pytest.mark.parametrize(("context", "sentence"), [case[:2] for case in cases("manuals") if case[2]])
def test_a_sentence_that_denies_a_fact_states_none(context, sentence):
    assert "stated" not in {each.status for each in inspected(sentence, context).coverage}


def test_a_fact_that_a_later_sentence_states_alone_is_stated():
    context = "The D12 gives 45 Nm. The D20 gives 65 Nm."
    statuses = {
        each.fact: each.status for each in inspected("The D12 gives 65 Nm. The D20 gives 65 Nm.", context).coverage
    }
    assert statuses == {"F1": "contradicted", "F2": "stated"}


def test_clean_water_only_and_never_another_is_no_denial_of_only_clean_water():
    context = "Use only clean water in the tank."
    assert inspected("Fill the tank with clean water only, never with salt water.", context).violations == []


def test_a_fact_of_one_model_is_not_denied_by_a_sentence_on_another():
    context = "The D20 has a lamp. The D12 has a spare battery."
    assert inspected("The D12 has no lamp.", context).violations == []


def test_a_sentence_on_another_model_states_no_fact_though_it_denies_none():
    context = "The Ember 300 weighs 420 g. The Ember 500 costs 80 euros."
    statuses = {each.fact: each.status for each in inspected("The Ember 500 weighs 420 g.", context).coverage}
    assert "stated" not in statuses.values()


def test_an_end_of_a_range_as_the_opposite_bound_is_denied_and_not_stated():
    fact = "The oven must be between 30 and 45 cm wide."
    for bound, status in (("at least 45", "contradicted"), ("at most 30", "contradicted"), ("at least 30", "stated")):
        assert [each.status for each in inspected(f"The oven must be {bound} cm wide.", fact).coverage] == [status]
