from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voirdire.text.overlap import content_words, salience, stem, words, words_as_written

_SENTENCES = st.lists(st.text(alphabet="abcde ", max_size=30), max_size=8)


@pytest.mark.parametrize(
    "family",
    [
        ("paint", "paints", "painted", "painting", "paintings"),
        ("study", "studies", "studied"),
        ("hope", "hopes", "hoped", "hoping"),
        ("impression", "impressionism", "impressionist", "impressionists"),
        ("recursion", "recursive"),
        ("natural", "nature"),
    ],
)
def test_forms_of_a_word_share_a_stem(family: tuple[str, ...]) -> None:
    assert len({stem(word) for word in family}) == 1


@pytest.mark.parametrize(("one", "other"), [("paint", "pain"), ("analysis", "analyst"), ("moral", "mortal")])
def test_different_words_do_not(one: str, other: str) -> None:
    assert stem(one) != stem(other)


def test_words_drop_case_accents_and_separators() -> None:
    assert words("Édouard’s 1,000 Café") == ["edouard's", "1000", "cafe"]


def test_the_ending_of_a_rank_is_no_word() -> None:
    assert words("the 13th, 2ND and 1,200th of 5x") == ["the", "13", "2", "and", "1200", "of", "5", "x"]
    assert words_as_written("The 13th") == [("the", "The"), ("13", "13th")]


def test_content_words_leave_out_what_carries_nothing() -> None:
    assert content_words("It is the light of a morning") == ["light", stem("morning")]


def test_salience_prefers_central_and_detailed_sentences() -> None:
    text = [
        "Impressionism is a movement in painting that began in France.",
        "Impressionist painters such as Claude Monet and Pissarro showed paintings in Paris in 1874.",
        "Lunch was good.",
    ]
    values = salience(text)
    assert values[1] > values[0] > values[2]


@given(_SENTENCES)
def test_salience_gives_one_number_in_range_per_sentence(sentences: list[str]) -> None:
    values = salience(sentences)
    assert len(values) == len(sentences)
    assert all(-1e-9 <= value <= 1 + 1e-9 for value in values)
