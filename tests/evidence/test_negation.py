"""What negates in a sentence, and how far it reaches."""

import pytest

from voirdire.evidence.negation import negations
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
    ["Not only the barons came.", "See no. 5.", "They asked whether or not it is.", "Please note it.", "A few came."],
)
def test_what_only_looks_like_a_negation_is_none(sentence: str) -> None:
    assert negations(parse(sentence)) == []
