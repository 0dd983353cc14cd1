"""CogniDet's prompt, its replies, and what they say of the sentences."""

from math import isnan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voirdire.detectors import DetectorError, Exchange, Passage
from voirdire.detectors.generative._detector import GeneratedText
from voirdire.detectors.generative.cognidet import NONE, build_messages, format_reply, parse_reply, read_reply

SENTENCES = ("The tower is 161 metres high.", 'They call it "the finger".', "Everyone loves it.", "It fell in 1900.")
PASSAGE = Passage("The tower in Ulm.", SENTENCES)


def read(text: str, *, complete: bool = True) -> list[float | None]:
    scores = read_reply(PASSAGE, GeneratedText(text, complete)).scores
    return [None if isnan(score) else score for score in scores]


def test_the_prompt_shows_context_dialogue_and_the_form_of_the_reply() -> None:
    dialogue = (Exchange("First?", "Well."), Exchange("Second?", "Yes.\nIt costs $5."))
    (message,) = build_messages(Passage("Context $x.", ("Yes.", "It costs $5."), dialogue))
    assert message["role"] == "user"
    assert "Context:\nContext $x.\n" in message["content"]
    assert "User: First?\nAssistant: Well.\nUser: Second?\nAssistant: Yes.\nIt costs $5.\n" in message["content"]
    assert 'Hallucination 1: "first sentence", Hallucination 2: "second sentence"' in message["content"]
    assert NONE in message["content"]


def test_without_a_dialogue_the_sentences_stand_for_the_answer() -> None:
    (message,) = build_messages(Passage("C.", ("One.", "Two.")))
    assert "Assistant: One. Two." in message["content"]
    assert "User:" not in message["content"]


def test_replies_have_the_papers_form() -> None:
    assert format_reply(["A b.", "C."]) == 'Hallucination 1: "A b.", Hallucination 2: "C."'
    assert format_reply([]) == NONE


@given(st.lists(st.text().filter(lambda text: "allucination" not in text), max_size=5))
def test_what_was_formatted_comes_back(sentences: list[str]) -> None:
    assert parse_reply(format_reply(sentences)) == sentences


@pytest.mark.parametrize(
    "text",
    [
        "Hallucination 1: A b., Hallucination 2: C.",
        'Hallucination 1: "A b."\nHallucination 2: "C."\n',
        "Here they are:\nhallucination 1: “A b.”; hallucination 2: “C.”",
    ],
)
def test_quotes_and_separators_may_differ(text: str) -> None:
    assert parse_reply(text) == ["A b.", "C."]


def test_a_number_out_of_turn_is_part_of_the_sentence() -> None:
    text = "See, Hallucination 7: the sequel."
    assert parse_reply(format_reply([text])) == [text]


@pytest.mark.parametrize("text", [NONE, "no hallucinations were found", '"No hallucination."'])
def test_nothing_to_list(text: str) -> None:
    assert parse_reply(text) == []


@pytest.mark.parametrize("text", ["", "The answer is fine.", "Hallucination 2: no first one"])
def test_another_reply_is_not_taken_for_no_hallucination(text: str) -> None:
    with pytest.raises(DetectorError, match="is expected"):
        parse_reply(text)
    reading = read_reply(PASSAGE, GeneratedText(text, True))
    assert all(map(isnan, reading.scores))
    assert reading.fault


def test_listed_sentences_score_1_also_with_other_case_and_quotes() -> None:
    assert read(format_reply(["everyone loves it.", "They call it 'the finger'."])) == [0, 1, 1, 0]
    assert read(NONE) == [0, 0, 0, 0]


def test_what_is_not_in_the_answer_is_unplaced() -> None:
    reading = read_reply(
        PASSAGE, GeneratedText(format_reply(["A thing that nobody has said here.", SENTENCES[3]]), True)
    )
    assert reading.scores == [0, 0, 0, 1]
    assert reading.unplaced == ("A thing that nobody has said here.",)


def test_a_cut_reply_says_nothing_of_what_follows_its_last_whole_entry() -> None:
    cut = f'Hallucination 1: "{SENTENCES[1]}", Hallucination 2: "Everyone lo'
    assert read(cut, complete=False) == [0, 1, None, None]


def test_a_cut_reply_in_another_order_has_passed_over_nothing() -> None:
    cut = format_reply([SENTENCES[3], SENTENCES[0], "It"])
    assert read(cut, complete=False) == [1, None, None, 1]


def test_a_reply_cut_in_its_first_entry_says_nothing() -> None:
    assert read('Hallucination 1: "The tow', complete=False) == [None] * 4
