"""That the context is silent is wrong where one of its sentences has what was asked for, and right elsewhere."""

import pytest

from tests.evidence.cases import cases
from voirdire.evidence import ContextIndex, find_contradictions
from voirdire.text.smalltalk import source_denial


@pytest.mark.parametrize(("context", "sentence", "changed"), cases("source_denials"))
def test_a_denial_is_false_only_where_one_sentence_of_the_context_says_it(context, sentence, changed):
    assert bool(find_contradictions(sentence, ContextIndex.from_context(context))) is changed


def test_a_false_denial_is_held_against_the_sentence_that_says_it():
    (found,) = find_contradictions(
        "The context does not say when the tower was built.",
        ContextIndex.from_context("The ticket costs 29 euros. The tower was built in 1889."),
    )

    assert (found.kind, found.claim, found.evidence) == (
        "negation",
        "does not say when the tower was built",
        "The tower was built in 1889.",
    )


@pytest.mark.parametrize(
    ("sentence", "denied"),
    [
        ("The context does not say when or where the tower was built.", ("when", "where the tower was built")),
        ("Sorry, the text doesn't mention the price, the date or the place.", ("the price", "the date", "the place")),
        ("The context does not contain any information about the price.", ("the price",)),
        ("The context does not mention the price, so I cannot answer.", ("the price",)),
        ("The context does not contain enough information to answer the question.", ()),
        ("The context does not mention a price because admission is free.", ()),
        ("The context does not mention the price, it was built in 1889.", ()),
        ("There is no information on how long it lasts.", ("how long it lasts",)),
        ("No price is given for the pump.", ("price for the pump",)),
        ("The document says nothing about pump noise.", ("pump noise",)),
        ("No refund is given for digital goods.", ()),
        ("There is nothing about the pump that is loud.", ()),
        ("I don't have information about the price.", ()),
        ("The law does not specify a penalty.", ()),
        ("The context says that admission is free.", ()),
    ],
)
def test_what_a_sentence_says_its_source_is_silent_on(sentence, denied):
    denial = source_denial(sentence)

    assert (denial.subjects if denial else ()) == denied
