from itertools import permutations

import pytest

from voirdire.evidence import ContextIndex, EvidenceError, find_contradictions
from voirdire.evidence.context import evidence_pieces

CONTEXT = (
    "Rivers, bridges, traders, towns, iron and salt made the valley rich. Rivers flooded the valley. Rivers and "
    "bridges froze. Rivers, bridges and traders left. Rivers, bridges, traders and towns grew. Rivers, bridges, "
    "traders, towns and iron stayed."
)


def test_what_sentences_carry_does_not_depend_on_the_order_in_which_words_are_asked_for():
    index = ContextIndex.from_context(CONTEXT)
    stems = ["river", "bridge", "trader", "town", "iron", "salt"]
    found = {tuple(sorted(index.shared_weights(order).items())) for order in permutations(stems)}
    assert len(found) == 1  # to the last digit


def test_one_text_or_several_are_taken_and_the_rest_is_refused():
    both = ContextIndex.from_context(["It is 300 m high.", "It is red."])
    assert [found.evidence for found in find_contradictions("It is 400 m high.", both)] == ["300 m"]
    with pytest.raises(EvidenceError, match="takes one sentence, not a list"):
        find_contradictions(["It is 400 m high."], both)
    with pytest.raises(EvidenceError, match="context must be a text or a list of texts, not 5"):
        ContextIndex.from_context(5)


def test_a_context_that_is_cut_already_keeps_its_sentences_whole():
    index = ContextIndex.from_sentences(["The letter reached\nParis. It was late."])
    assert [sentence.text for sentence in index.sentences] == ["The letter reached\nParis. It was late."]
    assert len(ContextIndex.from_context("The letter reached\nParis. It was late.").sentences) == 3


def test_a_line_that_ends_amid_a_phrase_goes_on_in_the_next() -> None:
    wrapped = "On public holidays the baths close at\n18:00. Tickets are sold by the\nHarbour Office"
    assert evidence_pieces(wrapped) == [
        "On public holidays the baths close at\n18:00.",
        "Tickets are sold by the\nHarbour Office",
    ]
    assert evidence_pieces("Opening hours\nMonday: closed") == ["Opening hours", "Monday: closed"]


def test_each_line_of_keys_and_values_is_a_sentence_and_a_broken_line_of_prose_is_none():
    index = ContextIndex.from_context("alarm_fitted: no\nlast_check: May 2025\n\nThe alarm is checked\nonce a year.")
    assert [each.text for each in index.sentences] == [
        "alarm_fitted: no",
        "last_check: May 2025",
        "The alarm is checked\nonce a year.",
    ]
