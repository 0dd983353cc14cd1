"""Which sentence of a context shares most with another, and how much."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from voirdire.evidence import ContextIndex
from voirdire.evidence.matching import match_of
from voirdire.evidence.tokens import parse

SENTENCES = st.lists(st.text(max_size=40), max_size=6)


def best(claim, index):
    return max(match_of(claim, index).shares().values(), default=0.0)


def test_rare_words_weigh_more():
    index = ContextIndex.from_sentences(["The cat sleeps.", "The cat eats.", "The cat meets an ocelot."])
    assert match_of("cat", index).pooled_share == match_of("ocelot", index).pooled_share == 1.0
    assert best("ocelot zebra", index) > best("cat zebra", index)


def test_the_closest_sentence_is_told_from_all_together():
    index = ContextIndex.from_sentences(["Monet painted the harbour.", "Degas drew dancers."])
    match = match_of("Monet drew the harbour", index)
    assert match.closest == 0
    assert best("Monet drew the harbour", index) < match.pooled_share == pytest.approx(1.0)
    assert match_of("Nobody smiled.", index).closest is None


def test_of_sentences_that_share_as_much_the_shortest_is_the_closest():
    index = ContextIndex.from_sentences(["Monet painted the old harbour at night.", "Monet painted the harbour."])
    assert match_of("Monet painted.", index).closest == 1


def test_so_many_sentences_that_share_most_are_named_best_first():
    index = ContextIndex.from_sentences(["The cat sleeps.", "A dog eats.", "The cat eats fish.", "It rains."])
    assert index.closest("The cat eats.", 2) == [2, 0]
    assert index.closest("The cat eats.", 9) == [2, 0, 1]
    assert index.closest("Nobody smiled.", 2) == []


@given(st.text(max_size=80), SENTENCES)
def test_shares_stay_within_zero_and_one(claim, sentences):
    match = match_of(claim, ContextIndex.from_sentences(sentences))
    assert 0.0 <= best(claim, match.index) <= match.pooled_share + 1e-9 <= 1.0 + 2e-9
    assert (match.closest is None) == (match.shares() == {})


@given(SENTENCES.filter(bool))
@example(["A0.0"])
@example(["The F2.8 lens weighs 300 g."])
def test_a_sentence_of_the_context_is_carried_in_full(sentences):
    index = ContextIndex.from_sentences(sentences)
    for sentence in sentences:
        assert best(sentence, index) == pytest.approx(1.0 if parse(sentence).stems else 0.0)


def test_a_model_that_the_context_lacks_is_compared_with_the_others_of_its_name() -> None:
    index = ContextIndex.from_context("In 1990 came the Velora 3, the first electric bicycle with a belt.")
    assert match_of("The Velora 7 was the first electric bicycle with a belt.", index).shares()
