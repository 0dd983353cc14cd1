from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voirdire.text.sentences import split_sentences


def _texts(text: str, *, layout: bool = False) -> list[str]:
    return [sentence.text for sentence in split_sentences(text, layout=layout)]


@given(st.text(max_size=300) | st.text(alphabet='ab. \n1)#-!?"”|*', max_size=300), st.booleans())
def test_offsets_give_back_each_sentence_and_only_white_space_lies_between(text: str, layout: bool) -> None:
    end = 0
    for sentence in split_sentences(text, layout=layout):
        assert text[sentence.start : sentence.end] == sentence.text
        assert sentence.text == sentence.text.strip() != ""
        assert not text[end : sentence.start].strip()
        end = sentence.end
    assert not text[end:].strip()


def test_a_list_number_is_no_sentence_of_its_own() -> None:
    text = "Three steps follow. 1. Wash it. 2. Dry it.\n3. Fold it.\n  4. Done."
    assert _texts(text) == ["Three steps follow.", "1. Wash it.", "2. Dry it.", "3. Fold it.", "4. Done."]


def test_a_number_that_ends_a_sentence_still_ends_it() -> None:
    assert _texts("She was elected at the age of 29. Her views are known.") == [
        "She was elected at the age of 29.",
        "Her views are known.",
    ]


def test_abbreviations_and_initials_do_not_cut() -> None:
    assert len(split_sentences("Dr. A. R. Wallace met Mr. Bates in the U.S. Army. Then he left.")) == 2


def test_a_line_break_is_no_boundary_by_itself() -> None:
    assert _texts("Light falls\non the water. It\n\nmoves") == ["Light falls\non the water.", "It\n\nmoves"]


def test_layout_cuts_headings_items_and_paragraphs_but_not_wrapped_lines() -> None:
    text = "# Core idea\nIt is wrapped\nprose\n\n- first item\n- second item\n1) third\n| a | b |\n| c | d |"
    assert _texts(text, layout=True) == [
        "# Core idea",
        "It is wrapped\nprose",
        "- first item",
        "- second item",
        "1) third\n| a | b |",
        "| c | d |",
    ]


@pytest.mark.parametrize("text", ["", "   \n\t "])
def test_a_text_without_words_has_no_sentences(text: str) -> None:
    assert split_sentences(text) == []


def test_importing_does_not_load_the_parameters() -> None:
    code = "import sys, voirdire.text.sentences; sys.exit('punkt' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
