"""What negates in a sentence, and how far it reaches."""

import pytest

from voirdire.evidence.negation import denies_opposite, negations
from voirdire.evidence.tokens import parse


@pytest.mark.parametrize(
    "sentence",
    ["It is not open.", "It isn't open.", "It never opened.", "It failed to open.", "It was unable to open."],
)
def test_negations_are_found_with_what_they_reach(sentence: str) -> None:
    (found,) = negations(parse(sentence))
    assert any(stem.startswith("open") for stem in found.scope)


@pytest.mark.parametrize(
    "sentence",
    [
        "Not only the barons came.",
        "See no. 5.",
        "They asked whether or not it is.",
        "Please note it.",
        "A few came.",
        "It fell below zero.",
    ],
)
def test_what_only_looks_like_a_negation_is_none(sentence: str) -> None:
    assert negations(parse(sentence)) == ()


def test_a_verb_that_negates_is_told_from_a_word_like_not():
    found = negations(parse("They lack proof and did not reply."))
    assert [(each.word, each.verb) for each in found] == [("lack", True), ("not", False)]


@pytest.mark.parametrize(
    ("mine", "theirs", "agrees"),
    [
        ("The data do not contradict the claim.", "The data support the claim.", True),
        ("She did not reject it.", "She accepted it.", True),
        ("The data do not support the claim.", "The data support the claim.", False),
    ],
)
def test_an_opposite_that_is_negated_agrees(mine, theirs, agrees):
    (negation,) = negations(parse(mine))
    assert denies_opposite(negation, parse(theirs)) is agrees


def test_until_limits_what_is_negated_before_it_and_not_what_began_then():
    assert [each.limit for each in negations(parse("Do not open the lid until it is cold."))] == ["until"]
    assert [each.limit for each in negations(parse("It was not until noon that the lid was opened."))] == [""]
