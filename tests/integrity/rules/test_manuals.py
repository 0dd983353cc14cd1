"""Rules and values of a manual in other words cost nothing; changed ones deny their fact, and state none."""

import pytest

from tests.evidence.cases import cases
from voirdire.integrity.facts import expand, parse_facts
from voirdire.integrity.rules import inspect_response
from voirdire.text.sentences import split_sentences


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


@pytest.mark.parametrize(
    ("limit", "beyond", "within"),
    [
        ("up to 90 kg", ("up to 95 kg", "up to 120 kg", "up to 200 kg", "at most 120 kg"), ("up to 25 kg",)),
        ("at most 12 kg", ("at most 13 kg", "up to 15 kg"), ("up to 8 kg", "10 kg")),
        ("a maximum of 900 kg", ("up to 1200 kg",), ("up to 700 kg",)),
    ],
)
def test_up_to_more_than_an_upper_limit_denies_it_and_up_to_less_does_not(limit, beyond, within):
    fact = f"The crane lifts {limit}."
    for said in beyond:
        found = inspected(f"The crane lifts {said}.", fact)
        assert ([each.type for each in found.violations], found.coverage[0].status) == (["fact_denial"], "contradicted")
    assert inspected(fact, fact).coverage[0].status == "stated"
    for said in within:
        found = inspected(f"The crane lifts {said}.", fact)
        assert (found.violations, found.coverage[0].status) == ([], "blurred")


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


MODELS = (
    "The Ember 300 weighs 420 g. The Ember 300 heats a cup in 4 to 6 minutes. The Ember 500 weighs 950 g. "
    "The Ember 500 has two burners. The Ember 500 is louder than the Ember 300."
)


@pytest.mark.parametrize(
    ("sentence", "fact"),
    [
        ("The Ember 300 has two burners.", "F4"),
        ("The Ember 500 heats a cup in 4 to 6 minutes.", "F2"),
        ("The Ember 500 weighs 5 kg.", "F3"),
        ("The Ember 500 weighs 420 g.", "F3"),
    ],
)
def test_the_figure_of_one_model_said_of_another_is_one_denial(sentence, fact):
    inspection = inspected(sentence, MODELS)
    assert [(each.type, each.fact) for each in inspection.violations] == [("fact_denial", fact)]
    assert "stated" not in {each.status for each in inspection.coverage}


@pytest.mark.parametrize(
    "sentence",
    [
        "The Ember 300 does not have two burners.",
        "Unlike the Ember 300, the Ember 500 has two burners.",
        "The Ember 300 is sold with two cups.",
        "Does the Ember 300 have two burners?",
    ],
)
def test_a_model_that_has_not_the_figure_of_another_denies_nothing(sentence):
    assert inspected(sentence, MODELS).violations == []


def test_a_comparison_turned_round_states_its_fact():
    statuses = {
        each.fact: each.status for each in inspected("The Ember 300 is quieter than the Ember 500.", MODELS).coverage
    }
    assert statuses["F5"] == "stated"


def test_a_figure_of_another_fact_is_a_denial_though_its_unit_is_a_word_of_that_fact():
    context = "The warranty lasts 3 years. Returns are accepted within 30 days."
    (found,) = inspected("The warranty lasts 30 days.", context).violations
    assert (found.type, found.fact) == ("fact_denial", "F1")
    assert inspected("Returns are accepted within 30 days.", context).violations == []


def test_a_value_in_the_range_of_another_fact_is_not_called_its_figure():
    context = "The bath is kept between 18 °C and 28 °C. The lamp is stored between -20 °C and 50 °C."
    (found,) = inspected("The bath is kept at 32 °C.", context).violations
    assert found.reason.startswith("32 °C is in the range of F2, but the words are those of F1")


def test_an_end_of_a_range_as_the_opposite_bound_is_denied_and_not_stated():
    fact = "The oven must be between 30 and 45 cm wide."
    for bound, status in (("at least 45", "contradicted"), ("at most 30", "contradicted"), ("at least 30", "stated")):
        assert [each.status for each in inspected(f"The oven must be {bound} cm wide.", fact).coverage] == [status]


def test_a_range_that_puts_two_ranges_together_states_both():
    context = "Solar power costs 29 to 92 dollars. Wind power costs 27 to 73 dollars."
    coverage = inspected("Solar and wind power cost 27 to 92 dollars.", context).coverage
    assert [each.status for each in coverage] == ["stated", "stated"]


@pytest.mark.parametrize(
    "sentence", ["The Tarn 2 is red.", "Tarn 2 is a red tent.", "The Tarn 4 has 5 poles.", "The tarn 2 comes in red."]
)
def test_the_figure_of_a_name_states_no_fact(sentence):
    context = "The Tarn 4 is louder than the Tarn 2. The Tarn 2 weighs 840 g."
    assert "stated" not in {each.status for each in inspected(sentence, context).coverage}


def test_the_figure_of_a_name_is_no_evidence_of_a_fact():
    (coverage,) = inspected("The Tarn 2 weighs 840 g and has 2 straps.", "The Tarn 2 weighs 840 g.").coverage
    assert (coverage.status, coverage.evidence) == ("stated", "840")


PAINT = "Never store the paint below 4 °C. The tin holds 2 litres. The coat dries in six hours."


@pytest.mark.parametrize(
    ("context", "sentence"),
    [
        (PAINT, "The paint may be stored at 9 °C."),
        (PAINT, "Store the paint at 9 °C."),
        (PAINT, "You may keep it at 9 °C."),
        ("The glue may be used at 8 °C or above. The tube holds 90 g.", "You can work at 12 °C."),
    ],
)
def test_a_value_within_the_limit_of_a_fact_is_no_invention_and_no_denial(context, sentence):
    assert inspected(sentence, context).violations == []


@pytest.mark.parametrize("sentence", ["The paint may be stored at 1 °C.", "You may keep it at 1 °C."])
def test_a_value_outside_the_limit_of_a_fact_denies_it(sentence):
    assert [(each.type, each.fact) for each in inspected(sentence, PAINT).violations] == [("fact_denial", "F1")]


def test_a_value_within_a_limit_of_something_else_is_an_invention_still():
    context = "The load on the ladder must not exceed 150 kg. The ladder has 8 rungs. A mast needs 3 ropes."
    assert [each.type for each in inspected("The mast weighs 12 kg.", context).violations] == ["fact_invention"]


def test_never_with_a_code_denies_that_only_it_may_be_used():
    context = "Run it only with the K3 filter. Never run it below 6 °C."
    (found,) = inspected("Never run it with the K3 filter.", context).violations
    assert (found.type, found.fact) == ("fact_denial", "F1")


def test_a_swapped_code_is_one_denial():
    found = inspected(
        "Error 4 means a torn belt.", "Error 4 means an empty tank. Error 6 means a torn belt."
    ).violations
    assert [each.type for each in found] == ["fact_denial"]


def test_a_comparison_turned_round_without_its_figure_does_not_state_its_fact():
    context = "The Ember 500 is 90 g heavier than the Ember 300. The Ember 300 has a lid."
    statuses = [each.status for each in inspected("The Ember 300 is lighter than the Ember 500.", context).coverage]
    assert statuses[0] == "blurred"
