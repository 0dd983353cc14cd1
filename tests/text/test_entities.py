from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voirdire.text.entities import find_names, knows, name_key, same_name


def _names(text: str) -> list[str]:
    return [name.text for name in find_names(text)]


def test_names_within_a_sentence_are_found_and_its_first_word_is_not() -> None:
    assert _names("Painters met Claude Monet and Renoir in Paris.") == ["Claude Monet", "Renoir", "Paris"]


def test_a_first_word_counts_when_it_stands_capitalised_elsewhere() -> None:
    assert _names("They asked Degas. Degas refused.") == ["Degas", "Degas"]


def test_a_name_does_not_run_over_the_end_of_a_sentence() -> None:
    assert "Paris. Degas" not in _names("It was shown in Paris. Degas was there, and so was Degas's friend.")


def test_little_words_hold_a_title_together() -> None:
    assert _names("He wrote On the Origin of Species in Kent.") == ["Origin of Species", "Kent"]


def test_quoted_and_italic_titles_are_names() -> None:
    found = {name.text: name.quoted for name in find_names("He showed *Impression, Sunrise* and “The Dance Class”.")}
    assert found == {"Impression, Sunrise": True, "The Dance Class": True}


def test_initials_stay_with_the_name() -> None:
    assert _names("By then J.M.W. Turner and A. R. Wallace were known.") == ["J.M.W. Turner", "A. R. Wallace"]


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Professor Édouard Manet's", ("edouard", "manet")),
        ("J.M.W. Turner", ("turner",)),
        ("U.S.", ("us",)),
        ("The Origin of Species", ("origin", "species")),
        ("the", ()),
    ],
)
def test_keys_leave_out_titles_accents_possessives_and_initials(name: str, key: tuple[str, ...]) -> None:
    assert name_key(name) == key


def test_a_shorter_form_is_the_same_name_and_another_first_name_is_not() -> None:
    assert same_name(name_key("Darwin"), name_key("Charles Darwin"))
    assert not same_name(name_key("Erasmus Darwin"), name_key("Charles Darwin"))
    assert not same_name((), name_key("Darwin"))
    assert knows([name_key("Claude Monet")], name_key("Monet"))


@given(st.text(max_size=200))
def test_any_text_can_be_searched(text: str) -> None:
    for name in find_names(text):
        assert text[name.start : name.end] == name.text
        assert name.key
