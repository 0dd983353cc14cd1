import re
from pathlib import Path

import pytest
import yaml

from voirdire.ddft.example import example_of
from voirdire.ddft.questions import MAX_EXAMPLE_WORDS

ANSWERS = yaml.safe_load((Path(__file__).parent / "answers_with_examples.yaml").read_text(encoding="utf-8"))


def plain(quote):
    return re.sub("^the ", "", quote.casefold())


@pytest.mark.parametrize("each", ANSWERS, ids=[each["answer"][:50] for each in ANSWERS])
def test_what_is_quoted_is_what_an_attentive_interviewer_would_quote(each):
    found = example_of(each["answer"], each["concept"])
    assert found is None or plain(found) in map(plain, each["quotes"])


def test_most_examples_are_found():
    with_example = [each for each in ANSWERS if each["quotes"]]
    found = sum(example_of(each["answer"], each["concept"]) is not None for each in with_example)
    assert found >= 0.85 * len(with_example)


@pytest.mark.parametrize(
    ("answer", "example"),
    [
        ("One example of it is the example of the peppered moths.\n\nMany call them drab.", "the peppered moths"),
        ("A great example is Edison's light bulb of 1879.", "Edison's light bulb of 1879"),
        ("I’ll take John Cage’s composition of silence.", "John Cage’s composition of silence"),
        ("One example is the story “Hills Like White Elephants,” which I read.", "Hills Like White Elephants"),
        ("One example is John Cage's 1952 composition *4'33\"* (1952), a piece.", "4'33\""),
        (
            "**Example:** *The Collapse of the Atlantic Cod Fishery in the 1990s.*",
            "The Collapse of the Atlantic Cod Fishery",
        ),
    ],
)
def test_the_whole_title_or_phrase_is_quoted(answer, example):
    assert example_of(answer, "Innovation") == example


@pytest.mark.parametrize(
    "answer",
    [
        "One example is John Cage’s 1952 composition “4’33”.” Here he sat still.",
        "**Example: The “No-Smoking” sign (a cigarette crossed out)**",
        "One example is the campaign “Share a Coke” campaigners like.",
        "An example of it is the concept of “Resilience.” It is the ability to recover.",
        "Moving a Tower of Hanoi of eight discs takes 255 moves.",
        "The single best example of Innovation is the case of “If A, then B”.",
        "The U.S. ZIP Code system sorts letters.",
        "One example is a beam of light. The beam of light is a perfect example.",
        "One such case is smoking bans in public places.",
    ],
)
def test_in_doubt_nothing_is_quoted(answer):
    assert example_of(answer, "Innovation") is None


@pytest.mark.parametrize(
    "answer", ["", "I am not sure.", "which concept do you mean?", "it is when things change over time."]
)
def test_no_example_is_none(answer):
    assert example_of(answer, "Natural Selection") is None


@pytest.mark.parametrize(
    "answer",
    [
        "A real example is a technology that recommends films.",
        "Such models, such as fictional and can be described more simply, are many.",
        "One example is a company which reuses its packaging.",
        "A good example would be the process.",
        "For example, consider a ball rolling down a ramp.",
        "Consider the following situation. A man drives through a town.",
        "One example is software.",
        "An example is something we see every day.",
        "An example is how an algorithm sorts a list.",
        "Examples can be found in business, technology, and social issues.",
        "Sure, I’ll give one. If you name the field, I'd gladly help.",
        "**Situation:** a shop closes.\n**What it is**: a loss.",
        "An example is the story of the",
    ],
)
def test_a_kind_of_thing_is_no_example_as_nothing_of_it_can_be_looked_up(answer):
    assert example_of(answer, "Natural Selection") is None


def test_the_concept_itself_is_no_example():
    assert example_of('The idea of "Natural Selection" is simple.', "Natural Selection") is None


def test_a_long_clause_is_not_quoted():
    long = "An example is " + "very " * 20 + "long."
    found = example_of(long, "Recursion")
    assert found is None or len(found.split()) <= MAX_EXAMPLE_WORDS
