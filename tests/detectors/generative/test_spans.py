"""Replies of the span detectors: RAGTruth's lists and FAVA's tags."""

from math import isnan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voirdire.detectors import Exchange, Passage
from voirdire.detectors.generative import fava, ragtruth
from voirdire.detectors.generative._detector import Chat, GeneratedText, Style, chat

SENTENCES = ("Lionel Messi is an American footballer.", "He plays as a forward.", "He is the best.")
PASSAGE = Passage("Messi is Argentine.", SENTENCES, (Exchange("Who is he?", " ".join(SENTENCES)),))


def scores(module: object, text: str, *, complete: bool = True) -> list[float | None]:
    found = module.read_reply(PASSAGE, GeneratedText(text, complete)).scores  # type: ignore[attr-defined]
    return [None if isnan(score) else score for score in found]


def asked(style: Style) -> Chat:
    return chat(style.prompt, style.values(PASSAGE))


# --- RAGTruth -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("module", [ragtruth, fava])
def test_the_prompts_show_context_and_answer(module: object) -> None:
    (message,) = asked(module.STYLE)  # type: ignore[attr-defined]
    assert "Messi is Argentine." in message["content"]
    assert " ".join(SENTENCES) in message["content"]
    assert "$" not in message["content"]


def test_ragtruths_prompt_names_the_key_that_is_read() -> None:
    (message,) = asked(ragtruth.STYLE)
    assert ragtruth.parse_reply(message["content"]) is not None
    assert "Who is he?" in message["content"]


def test_a_span_marks_every_sentence_that_it_touches() -> None:
    assert scores(ragtruth, '{"hallucination list": ["American", "a forward. He is the"]}') == [1, 1, 1]
    assert scores(ragtruth, '{"hallucination list": ["the best"]}') == [0, 0, 1]


def test_an_empty_list_clears_the_answer() -> None:
    assert scores(ragtruth, '{\n "hallucination list": []\n}') == [0, 0, 0]


def test_text_around_the_list_is_ignored() -> None:
    assert scores(ragtruth, 'Output:\n```json\n{"hallucination list": ["best"]}\n```') == [0, 0, 1]


@given(st.lists(st.text(), max_size=4))
def test_any_strings_can_be_listed(spans: list[str]) -> None:
    import json

    assert ragtruth.parse_reply(json.dumps({"hallucination list": spans})) == (tuple(spans), True)
    assert ragtruth.parse_reply(json.dumps({"hallucination list": spans}, ensure_ascii=False)) == (tuple(spans), True)


def test_a_list_that_breaks_off_leaves_the_rest_open() -> None:
    assert scores(ragtruth, '{"hallucination list": ["a forward", "the be', complete=False) == [0, 1, None]
    assert scores(ragtruth, '{"hallucination list": ["the be', complete=False) == [None, None, None]


@pytest.mark.parametrize("text", ["", "None.", '{"hallucination list": null}', '{"hallucination list": [1]}'])
def test_no_list_is_not_an_empty_list(text: str) -> None:
    reading = ragtruth.read_reply(PASSAGE, GeneratedText(text, True))
    assert all(map(isnan, reading.scores))
    assert reading.fault


def test_a_span_that_the_answer_does_not_hold_is_unplaced() -> None:
    reading = ragtruth.read_reply(PASSAGE, GeneratedText('{"hallucination list": ["a Martian goalkeeper"]}', True))
    assert (reading.scores, reading.unplaced) == ([0, 0, 0], ("a Martian goalkeeper",))


# --- FAVA -----------------------------------------------------------------------------------------------

EDIT = "Lionel Messi is an <entity><mark>Argentine</mark><delete>American</delete></entity> footballer. "


def test_an_error_marks_its_sentence_and_a_correction_is_not_part_of_the_answer() -> None:
    edited = EDIT + "He plays as a forward. <subjective><delete>He is the best.</delete></subjective>"
    assert scores(fava, edited) == [1, 0, 1]
    assert [word.text for word in fava.parse_reply(EDIT)] == [
        "Lionel",
        "Messi",
        "is",
        "an",
        "American",
        "footballer",
        ".",
    ]


def test_an_error_without_deletion_marks_what_it_holds() -> None:
    assert scores(fava, f"{SENTENCES[0]} {SENTENCES[1]} <unverifiable>{SENTENCES[2]}</unverifiable>") == [0, 0, 1]


def test_the_answer_repeated_is_clear() -> None:
    assert scores(fava, " ".join(SENTENCES)) == [0, 0, 0]
    assert scores(fava, "[Edited] " + " ".join(SENTENCES).upper()) == [0, 0, 0]


def test_a_correction_at_the_start_of_a_sentence_leaves_the_one_before_alone() -> None:
    edited = f"{SENTENCES[0]} <entity><mark>She</mark><delete>He</delete></entity> plays as a forward. {SENTENCES[2]}"
    assert scores(fava, edited) == [0, 1, 0]


@pytest.mark.parametrize(
    "edited",
    [
        f"{SENTENCES[0]} He plays <relation><mark>only</mark></relation> as a forward. {SENTENCES[2]}",
        f"{SENTENCES[0]} <relation><mark>Today</mark></relation> He plays as a forward. {SENTENCES[2]}",
    ],
)
def test_what_is_only_put_in_marks_the_sentence_it_is_put_into(edited: str) -> None:
    assert scores(fava, edited) == [0, 1, 0]


def test_what_is_put_in_before_everything_marks_the_first_sentence() -> None:
    assert scores(fava, "<entity><mark>So</mark></entity> " + " ".join(SENTENCES)) == [1, 0, 0]


def test_a_reply_that_was_cut_leaves_the_sentences_it_did_not_reach_open() -> None:
    assert scores(fava, EDIT + "He plays as a <mark>fo", complete=False) == [1, 0, None]
    assert scores(fava, EDIT + "He", complete=False) == [1, None, None]


def test_nested_and_stray_tags_do_not_swallow_text() -> None:
    edited = f"</entity>{SENTENCES[0]} <invented><entity><delete>He plays</delete></entity> as a forward.</invented> "
    assert scores(fava, edited + SENTENCES[2]) == [0, 1, 0]


def test_another_text_is_no_clearance() -> None:
    reading = fava.read_reply(PASSAGE, GeneratedText("I can't help with that.", True))
    assert all(map(isnan, reading.scores))
    assert reading.fault


def test_errors_in_words_that_the_answer_lacks_are_unplaced() -> None:
    edited = " ".join(SENTENCES) + " <invented>Nobody ever said such a thing.</invented>"
    reading = fava.read_reply(PASSAGE, GeneratedText(edited, True))
    assert reading.scores == [0, 0, 0]
    assert reading.unplaced == ("Nobody ever said such a thing .",)
