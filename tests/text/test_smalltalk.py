"""What claims nothing is known, and what only sounds like it is not."""

from pathlib import Path

import pytest
import yaml

from voirdire.text.smalltalk import is_small_talk

LISTS = yaml.safe_load(Path(__file__).with_name("smalltalk.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("sentence", LISTS["none"])
def test_greetings_refusals_and_farewells_claim_nothing(sentence):
    assert is_small_talk(sentence)


@pytest.mark.parametrize("sentence", LISTS["claims"])
def test_a_sentence_that_only_sounds_like_one_makes_a_claim(sentence):
    assert not is_small_talk(sentence)


@pytest.mark.parametrize("sentence", ["", "   ", "…", "I don't know " + "a " * 5000, "don't have any" * 100])
def test_any_text_is_answered_at_once(sentence):
    assert not is_small_talk(sentence)


def test_what_is_no_text_is_refused():
    with pytest.raises(TypeError, match="takes a text, not a list"):
        is_small_talk(["Hello!"])
