import pytest

from voirdire.ddft.example import MAX_WORDS, example_of


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
    ],
)
def test_the_example_is_found(answer, concept, example):
    assert example_of(answer, concept) == example


@pytest.mark.parametrize(
    "answer", ["", "I am not sure.", "which concept do you mean?", "it is when things change over time."]
)
def test_no_example_is_none(answer):
    assert example_of(answer, "Natural Selection") is None


def test_the_concept_itself_is_no_example():
    assert example_of('The idea of "Natural Selection" is simple.', "Natural Selection") is None


def test_a_long_clause_is_not_quoted():
    long = "An example is " + "very " * 20 + "long."
    found = example_of(long, "Recursion")
    assert found is None or len(found.split()) <= MAX_WORDS
