import pytest
from hypothesis import given
from hypothesis import strategies as st

from voirdire.detectors.novelty import NoveltyIndex, means_around

CONTEXT = (
    "The harbour bridge was opened in 1932. It carries eight lanes of traffic. "
    "Granite pylons stand at both ends. They bear no load."
)
INDEX = NoveltyIndex.of(CONTEXT)


def test_a_copied_sentence_is_least_new():
    copied = INDEX.novelty("It carries eight lanes of traffic.")
    paraphrased = INDEX.novelty("The bridge carries eight lanes.")
    invented = INDEX.novelty("Critics praised its daring silhouette.")
    assert copied.mean < paraphrased.mean < invented.mean


def test_shares_are_drawn_towards_a_third():
    # Two content words of equal weight, both new: (2 + 1) / (2 + 3); none new: (0 + 1) / (2 + 3).
    assert INDEX.novelty("Critics applauded.").anywhere == pytest.approx(3 / 5)
    assert INDEX.novelty("Granite pylons.").anywhere == pytest.approx(1 / 5)


def test_a_sentence_without_content_words_is_neither_new_nor_old():
    assert INDEX.novelty("It is.").sentence == pytest.approx(1 / 3)


def test_neighbouring_sentences_of_the_context_can_carry_a_sentence_together():
    found = INDEX.novelty("The bridge carries lanes between granite pylons.")
    assert found.window < found.sentence


def test_a_list_number_is_no_word():
    assert INDEX.novelty("3. It carries eight lanes of traffic.") == INDEX.novelty("It carries eight lanes of traffic.")


def test_new_words_are_named_as_they_stand():
    assert INDEX.new_words("The bridge has nine elegant lanes.") == ["nine", "elegant"]
    assert INDEX.new_words("It is the 13th bridge.") == ["13th"]


def test_without_evidence_everything_is_new():
    assert NoveltyIndex.of("").novelty("Granite pylons stand.").sentence > 0.6


@given(st.text(max_size=200), st.text(max_size=100))
def test_novelty_lies_between_0_and_1(context, sentence):
    assert all(0 < value < 1 for value in NoveltyIndex.of(context).novelty(sentence))


def test_neighbourhood_is_the_mean_of_the_neighbours_and_the_answer():
    assert means_around([0.0, 0.6, 0.9]) == pytest.approx([(0.6 + 0.5) / 2, (0.0 + 0.9 + 0.5) / 3, (0.6 + 0.5) / 2])
    assert means_around([0.4]) == [0.4]
    assert means_around([]) == []


def test_zeros_at_the_end_of_an_amount_make_no_new_word():
    index = NoveltyIndex.of("The fee is 4.2 euros, and a card costs 24 euros.")
    assert index.new_words("The fee is 4.20 euros, a card 24.00.") == []
    assert index.new_words("The fee is 4.25 euros.") == ["4.25"]


def test_email_is_e_mail():
    index = NoveltyIndex.of("Send the form by email.")
    assert index.new_words("Send it by e-mail.") == []
    assert NoveltyIndex.of("Send the form by e-mail.").new_words("Send it by email.") == []
