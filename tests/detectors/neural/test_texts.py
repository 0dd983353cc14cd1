"""Pairs, chunks of a document, and spans of an answer."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from voirdire.detectors import Exchange, Passage
from voirdire.detectors.neural._texts import Pair, PairDetector, ScoredSpan, chunks, locate, span_scores


def words(text: str) -> int:
    return len(text.split())


class Lengths(PairDetector):
    """Scores a pair by the lengths of its parts."""

    name = "lengths"
    threshold = 0.5

    def score_pairs(self, pairs: Sequence[Pair]) -> list[float]:
        return [len(context) + len(sentence) / 100 for context, sentence in pairs]


def test_scores_go_back_to_their_sentences() -> None:
    passages = [Passage("ab", ("x", "xy")), Passage("abc", ()), Passage("abcd", ("xyz",))]
    assert Lengths().flag_many(passages) == [[2.01, 2.02], [], [4.03]]
    assert Lengths().flag("ab", ["x", "xy"]) == [2.01, 2.02]


def test_chunks_hold_whole_sentences_up_to_their_size() -> None:
    text = "One two three. Four five.\nSix seven eight nine. Ten."
    assert chunks(text, 5, words) == ["One two three. Four five.", "Six seven eight nine. Ten."]
    assert chunks(text, 100, words) == [text]


def test_a_sentence_that_is_too_long_alone_is_cut_between_words() -> None:
    assert chunks("One two three four five. Six.", 2, words) == ["One two", "three four", "five. Six."]


def test_an_empty_document_is_one_empty_chunk() -> None:
    assert chunks("", 5, words) == [""]
    assert chunks(" \n ", 5, words) == [""]


@given(st.lists(st.sampled_from(["one", "two.", "three", "Dr.", "4.", "\n", "five!"]), max_size=60), st.integers(1, 12))
def test_no_word_is_lost_and_no_chunk_is_too_long(pieces: list[str], size: int) -> None:
    text = " ".join(pieces)
    found = chunks(text, size, words)
    assert " ".join(found).split() == text.split()
    assert all(words(chunk) <= size for chunk in found)


def test_an_answer_is_located_in_the_dialogues_last_turn() -> None:
    dialogue = (Exchange("a?", "One. Two."), Exchange("b?", "One.\n  Two."))
    found = locate(Passage("", ("One.", "Two."), dialogue))
    assert found.text == "One.\n  Two."
    assert [found.text[start:end] for start, end in found.places] == ["One.", "Two."]


def test_sentences_that_the_dialogue_does_not_hold_are_put_together() -> None:
    for dialogue in ((), (Exchange("a?", "Something else."),)):
        assert locate(Passage("", ("One.", "Two."), dialogue)).text == "One. Two."


def test_equal_sentences_stand_one_after_the_other() -> None:
    assert locate(Passage("", ("No.", "No."), (Exchange("", "No. No."),))).places == ((0, 3), (4, 7))


def test_a_sentence_takes_the_highest_span_that_touches_it() -> None:
    places = locate(Passage("", ("One.", "Two.", "Three."))).places
    spans = [ScoredSpan(3, 6, 0.6), ScoredSpan(6, 9, 0.9), ScoredSpan(9, 10, 0.8)]
    assert span_scores(spans, places) == [0.6, 0.9, 0.0]
