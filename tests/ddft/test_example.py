import pytest

from voirdire.ddft.example import example_of
from voirdire.ddft.questions import MAX_EXAMPLE_WORDS


@pytest.mark.parametrize(
    ("answer", "concept", "example"),
    [
        ("One clear case is Monet's *Impression, Sunrise*, shown in 1874.", "Impressionism", "Impression, Sunrise"),
        ('A good example is "The Tower of Hanoi", a puzzle.', "Recursion", "The Tower of Hanoi"),
        (
            "An example of natural selection is the peppered moth, which darkened.",
            "Natural Selection",
            "the peppered moth",
        ),
        (
            "A specific example is the factorial function because it calls itself.",
            "Recursion",
            "the factorial function",
        ),
        (
            'One example of Natural Selection is the example of the peppered moths.\n\nMany call them "Endergla".',
            "Natural Selection",
            "the peppered moths",
        ),
        ("One example of Recursion that I can think of is in the case of quicksort.", "Recursion", "quicksort"),
        ("I would point to Edgar Degas and his dancers.", "Impressionism", "Edgar Degas"),
        ("My example is Google Translate: it learned from pairs.", "Machine Learning", "Google Translate"),
        ("**Example: The Post-it Note** is one.", "Innovation", "The Post-it Note"),
        ("A great example is Edison's light bulb of 1879.", "Innovation", "Edison's light bulb of 1879"),
        ("One such case is smoking bans in public places.", "Harm Principle", "smoking bans in public places"),
        ("An example is a ball on a ramp, as Galileo had one.", "Newton's Second Law", "Galileo"),
        ("An example is the method of least squares.", "Statistics", "the method of least squares"),
        ("I’ll take John Cage’s composition of silence.", "Music", "John Cage"),
    ],
)
def test_the_example_is_found(answer, concept, example):
    assert example_of(answer, concept) == example


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
