import pytest
from hypothesis import given
from hypothesis import strategies as st

from voirdire.ddft.compression import METHODS, LevelError, compress
from voirdire.ddft.concepts import find_concepts

REFERENCE = find_concepts(["recursion"])[0].concept.reference
LEVELS = st.floats(0.0, 1.0)


@pytest.mark.parametrize("method", METHODS)
def test_level_0_gives_the_whole_text_and_level_1_nothing(method):
    assert compress(REFERENCE, 0.0, method) == REFERENCE
    assert compress(REFERENCE, 1.0, method) == ""


@given(level=LEVELS)
def test_tokens_keeps_at_most_its_share_of_the_words_and_truncate_of_the_characters(level):
    assert len(compress(REFERENCE, level, "tokens").split()) <= (1 - level) * len(REFERENCE.split()) + 1
    assert len(compress(REFERENCE, level, "truncate")) <= (1 - level) * len(REFERENCE) + 1


@given(one=LEVELS, other=LEVELS, method=st.sampled_from(METHODS))
def test_more_compression_never_leaves_more(one, other, method):
    less, more = sorted((one, other))
    assert len(compress(REFERENCE, more, method)) <= len(compress(REFERENCE, less, method))


def test_truncate_keeps_leading_characters_as_the_published_code_does():
    assert compress("abcdefgh", 0.25, "truncate") == "abcdef"


def test_sentences_keeps_whole_sentences_in_their_order():
    left = compress(REFERENCE, 0.5, "sentences")
    assert len(left) <= 0.5 * len(REFERENCE) + 1
    position = -1
    for sentence in left.split(". "):
        found = " ".join(REFERENCE.split()).find(" ".join(sentence.split())[:40])
        assert found > position
        position = found


def test_sentences_keeps_one_sentence_below_level_1():
    assert compress("One sentence only.", 0.99, "sentences") == "One sentence only."


def test_tokens_drops_function_words_before_names():
    left = compress("The painter showed the harbour of Le Havre in the morning of a day in 1872.", 0.5, "tokens")
    assert "1872." in left and "Havre" in left
    assert "The" not in left.split()


@pytest.mark.parametrize("level", [-0.1, 1.1, float("nan")])
def test_a_level_outside_0_1_is_refused(level):
    with pytest.raises(LevelError, match="outside"):
        compress(REFERENCE, level, "truncate")
