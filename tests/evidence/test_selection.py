import pytest

from voirdire.evidence import ContextIndex
from voirdire.evidence.selection import nearest_paragraphs, select_evidence

CONTEXT = (
    "The bridge is painted red. It opened in 1907. Ferries had crossed the river until then. "
    "Lamps of brass were added in 1950. The toll is two pounds. Swallows nest below it."
)


def chosen(sentence, words, context=CONTEXT):
    return select_evidence(sentence, ContextIndex.from_context(context), words).sentences


def test_sentences_are_chosen_that_have_most_of_the_words_between_them():
    assert chosen("The red bridge has lamps of brass.", 12) == (
        "The bridge is painted red.",
        "Lamps of brass were added in 1950.",
    )


def test_the_closest_sentence_is_named_and_the_order_is_the_context_s():
    evidence = select_evidence("Lamps of brass on a bridge.", ContextIndex.from_context(CONTEXT), 12)
    assert evidence.closest == "Lamps of brass were added in 1950."
    assert evidence.text == "The bridge is painted red. Lamps of brass were added in 1950."


def test_what_room_is_left_goes_to_the_neighbours_and_then_to_the_beginning():
    assert chosen("Ferries crossed it.", 16) == (
        "The bridge is painted red.",
        "It opened in 1907.",
        "Ferries had crossed the river until then.",
    )


def test_a_short_context_is_taken_whole_also_for_a_sentence_that_shares_no_word():
    assert len(chosen("Dragons!", 85)) == 6


def test_the_first_sentence_is_taken_however_long_it_is():
    long = f"The bridge {'and the river ' * 40}meet."
    assert chosen("The bridge and the river.", 20, f"{long} Short.") == (long,)


@pytest.mark.parametrize("context", ["", "   "])
def test_an_empty_context_has_no_evidence(context):
    evidence = select_evidence("The bridge.", ContextIndex.from_context(context))
    assert (evidence.sentences, evidence.closest, evidence.text) == ((), "", "")


PASSAGES = (
    "The bridge is painted red.\n\n## Ferries\n\nFerries crossed the river until 1907. They took ten minutes.\n\n"
    "The toll is two pounds."
)


@pytest.mark.parametrize(
    ("sentence", "enough", "nearest"),
    [
        ("The toll is three pounds.", 3, "The toll is two pounds."),
        ("Ferries took an hour.", 3, "## Ferries\n\nFerries crossed the river until 1907. They took ten minutes."),
        ("The red bridge has a toll.", 8, "The bridge is painted red.\n\nThe toll is two pounds."),
        ("Dragons!", 3, "The bridge is painted red."),
    ],
)
def test_the_paragraphs_that_share_most_come_with_their_headings_until_they_are_enough(sentence, enough, nearest):
    assert nearest_paragraphs(PASSAGES, sentence, enough) == nearest


def test_a_context_of_one_paragraph_stays_as_it_is():
    assert nearest_paragraphs(CONTEXT, "Ferries crossed it.", 3) == CONTEXT
