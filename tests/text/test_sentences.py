from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voirdire.data.packaged_files import parse_yaml
from voirdire.text.sentences import cut_answer, is_header, looks_like_markdown, split_sentences

CASES = parse_yaml(Path(__file__).with_name("splitting.yaml").read_text(encoding="utf-8"))


def _texts(text: str, *, layout: bool = False) -> list[str]:
    return [sentence.text for sentence in split_sentences(text, layout=layout)]


@given(st.text(max_size=300) | st.text(alphabet='ab. \n1)#-!?"”|*', max_size=300), st.booleans())
def test_offsets_give_back_each_sentence_and_only_white_space_lies_between(text: str, layout: bool) -> None:
    end = 0
    for sentence in split_sentences(text, layout=layout):
        assert text[sentence.start : sentence.end] == sentence.text
        assert sentence.text == sentence.text.strip() != ""
        assert _is_gap(text[end : sentence.start], layout)
        end = sentence.end
    assert _is_gap(text[end:], layout)


def _is_gap(between: str, layout: bool) -> bool:
    """White space; where layout is read also the lines that only draw a rule."""
    return not between.strip() or (layout and not any(character.isalnum() for character in between))


@pytest.mark.parametrize("marked", CASES["plain"])
def test_sentences_are_cut_where_a_reader_cuts_them(marked: str) -> None:
    assert _texts(marked.replace("|", "")) == [sentence.strip() for sentence in marked.split("|")]


@pytest.mark.parametrize("marked", CASES["answers"])
def test_answers_are_cut_where_a_reader_cuts_them(marked: str) -> None:
    found = [sentence.text for sentence in cut_answer(marked.replace("|", ""))]
    assert found == [sentence.strip() for sentence in marked.split("|")]


@pytest.mark.parametrize(("text", "units"), CASES["markdown"])
def test_items_rows_headings_and_code_blocks_are_units_of_markdown(text: str, units: list[str]) -> None:
    assert _texts(text, layout=True) == units


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("# Title\nText", True),
        ("Do it:\n- one\n- two", True),
        ("1. one\n\n2. two", True),
        ("| a | b |\n| 1 | 2 |", True),
        ("See\n```\ncode\n```", True),
        ("It is open.\nIt is free.\n\nIt is old.", False),
        ("It was\n- as they say - closed.", False),
        ("A #hashtag and 2 | 3.", False),
        ("", False),
    ],
)
def test_markdown_is_known_by_what_its_layout_separates(text: str, markdown: bool) -> None:
    assert looks_like_markdown(text) is markdown


def test_an_answer_is_cut_at_its_layout_where_it_is_markdown_and_not_to_be_read_as_plain_text() -> None:
    for text in ("Do it:\n- one\n- two", "These.\n\nDone"):
        assert cut_answer(text) == split_sentences(text, layout=text.startswith("Do"))
        assert cut_answer(text, plain=True) == split_sentences(text)


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("- The tower opened in 1889\n- It is tall\n\nEveryone loves it\nEveryone adores it", 4),
        ("Dates\n=====\nThe tower opened in 1889\n* * *\nEveryone loves it", 3),
        ('He said "b."\n\nyes', 2),
        ("```\nX\nY\n```", 1),
    ],
)
def test_layout_and_meant_line_breaks_separate_together(text: str, units: int) -> None:
    assert len(cut_answer(text)) == units


def test_markdown_read_as_plain_text_is_cut_at_blank_lines_only() -> None:
    found = cut_answer("- One\n- Two\n\nThe end", plain=True)
    assert [sentence.text for sentence in found] == ["- One\n- Two", "The end"]


@pytest.mark.parametrize(
    ("text", "headers"),
    [
        ("Opening hours\n=====\nIt is open.", ["Opening hours"]),
        ("Opening hours\n---\nIt is open.", ["Opening hours"]),
        ("It is open\n---\nIt is free.", []),
        ("Opening hours\n\nIt is open.", []),
    ],
)
def test_a_short_underlined_line_is_a_header_unless_it_is_a_sentence(text: str, headers: list[str]) -> None:
    found = cut_answer(text)
    assert [each.text for each in found if is_header(text, each.start, each.end)] == headers


@pytest.mark.parametrize("given", [None, ["One.", "Two."], b"One. Two."])
def test_what_is_no_text_is_refused_in_a_sentence(given: object) -> None:
    with pytest.raises(TypeError, match=r"takes a text, not a (NoneType|list|bytes)"):
        split_sentences(given)  # type: ignore[arg-type]


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
        "1) third",
        "| a | b |",
        "| c | d |",
    ]


@pytest.mark.parametrize("text", ["", "   \n\t "])
def test_a_text_without_words_has_no_sentences(text: str) -> None:
    assert split_sentences(text) == []


def test_importing_does_not_load_the_parameters() -> None:
    code = "import sys, voirdire.text.sentences as s; sys.exit(s.punkt._learnt.cache_info().misses)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ('The sign says "Closed. Use the side door." It is old.', 2),
        ("The sign says “Closed. Use the side door.” and hangs there.", 1),
        ('He noted: "One. Two. Three." It ended.', 2),
        ('"One. Two." He left.', 3),  # a quotation by itself is cut like any text
        ('A 5" pipe is wide. A 6" pipe is wider.', 2),
        ('She said "no. He left. It rained.', 3),
        ('He reads: "' + "It rained all day. " * 20 + '"', 20),  # a long one is a text of its own
    ],
)
def test_a_short_quotation_of_several_sentences_does_not_cut_the_one_that_quotes_it(text: str, units: int) -> None:
    found = cut_answer(text)

    assert len(found) == units
    assert all(text[each.start : each.end] == each.text for each in found)
