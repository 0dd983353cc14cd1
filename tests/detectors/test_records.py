import pytest

from voirdire.detectors import (
    LABELS,
    REQUIREMENTS,
    Answer,
    Exchange,
    Statement,
    hallucinated,
    passage_of,
    type_of,
)


@pytest.mark.parametrize(
    ("require", "expected"),
    [
        ("rational", {"invented", "misleading"}),
        ("grounded", {"invented", "misleading", "speculative"}),
        ("irrefutable", {"invented", "misleading", "speculative", "reliable"}),
    ],
)
def test_what_counts_as_hallucinated_grows_with_the_requirement(require, expected):
    assert {label for label in LABELS if hallucinated(label, require)} == expected


def test_irrelevant_and_faithful_statements_are_never_hallucinated():
    assert not any(hallucinated(label, r) for label in ("irrelevant", "faithful", "irrefutable") for r in REQUIREMENTS)


def test_types_split_the_labels():
    assert {label for label in LABELS if type_of(label) == "factual"} == {"faithful", "invented"}
    assert {label for label in LABELS if type_of(label) == "irrelevant"} == {"irrelevant"}


def test_a_passage_takes_the_history_that_is_asked_for():
    answer = Answer(
        id="a_1",
        dialogue="a",
        group="a",
        context="The tower stands.",
        question="How high?",
        text="It is high.",
        statements=(Statement("It is high.", 0, 11),),
        history=(Exchange("Where is it?", "In Paris."),),
    )
    assert passage_of(answer).context == "The tower stands."
    assert passage_of(answer, "user").context == "The tower stands.\n\nWhere is it?"
    assert passage_of(answer, "all").context == "The tower stands.\n\nWhere is it?\n\nIn Paris."
    assert passage_of(answer).dialogue == (Exchange("Where is it?", "In Paris."), Exchange("How high?", "It is high."))
    assert passage_of(answer).sentences == ("It is high.",)


def test_statements_are_counted_in_words():
    assert Statement("1. It is 300 m high.", 0, 20).words == 6
    assert Statement("塔は高い。", 0, 5).words == 4
