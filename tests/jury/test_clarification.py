from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voirdire.jury.clarification import asks_what_is_meant, clarification
from voirdire.models.simulated import ASKING_BACK

LABELS = Path(__file__).with_name("clarification_labels.csv")

ASKING = [
    *ASKING_BACK,
    "Which concept do you mean?",
    "I'd be glad to help, but you haven't told me what the concept is.",
    "Could you please share the term you would like me to explain?",
    "The concept appears to be blank. Please provide it and I will describe its core idea.",
    "I don't see any concept in your message.",
    "I'm not sure which idea you’re referring to.",
    "Since the concept is missing, I can only speak in general terms.",
    "Sure! What topic did you have in mind?",
    "There is no description here for me to go by. Let me know which concept you'd like explained.",
    "If you give me the name of the concept, I can say more.",
    "I need a bit more context to answer this.",
    "You did not specify the subject, so I cannot say what it is about.",
]
ANSWERING = [
    "Recursion is a way of solving a problem by solving smaller copies of it.",
    "The blank page invites the reader to fill it: absence itself is the idea.",
    "An empty concept stands for possibility. It is a mirror for whoever looks at it.",
    "Natural selection favours heritable traits that help an organism to leave offspring.",
    "Would you like me to give another example? If you want, I can go into more detail.",
    "I don't know.",
    "I have no record of a Professor Marchetti, so I can't judge her argument.",
    "You need to know the slope at a point before you can speak of a derivative.",
    "Three towns share the name, which could be confusing.",
    "Mill asks what society may do to a person against his will.",
    "I can't help with that.",
    "",
]


@pytest.mark.parametrize("answer", ASKING)
def test_an_answer_that_asks_or_says_none_was_given_is_found(answer: str) -> None:
    assert asks_what_is_meant(answer)


@pytest.mark.parametrize("answer", ANSWERING)
def test_an_answer_that_does_neither_is_left_alone(answer: str) -> None:
    assert not asks_what_is_meant(answer)


def test_taking_the_blank_for_the_concept_is_seen_but_is_not_asking() -> None:
    found = clarification("The empty quotation marks stand for silence.")
    assert found.blank
    assert not (found.asks or found.lacks)
    assert found.score == 0


def test_asking_and_saying_so_scores_more_than_either() -> None:
    once = clarification("Which concept do you mean?").score
    both = clarification("You haven't named a concept. Which concept do you mean?").score
    assert 0 < once < both <= 1


def test_a_request_at_the_end_of_a_long_answer_is_found() -> None:
    filler = "Ideas have parts. " * 400
    assert asks_what_is_meant(filler + "Tell me which concept you meant.")
    assert not asks_what_is_meant(filler)


@given(st.text(max_size=300))
def test_the_score_is_zero_exactly_when_nothing_was_found(text: str) -> None:
    found = clarification(text)
    assert 0 <= found.score <= 1
    assert (found.score > 0) == asks_what_is_meant(text)


def test_the_hand_labels_name_each_first_answer_once_and_hold_no_text() -> None:
    with LABELS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    keys = {(row["model"], row["concept"], float(row["level"])) for row in rows}
    assert len(keys) == len(rows) == 144
    assert set(rows[0]) == {"half", "model", "concept", "level", "label"}
    assert Counter(row["half"] for row in rows) == {"tuning": 80, "held_out": 64}
    assert {row["label"] for row in rows} == {"asks", "says_none_given", "neither"}
