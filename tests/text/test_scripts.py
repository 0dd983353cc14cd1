import pytest

from voirdire.text.scripts import count_words, is_unspaced


@pytest.mark.parametrize(
    ("text", "words", "unspaced"),
    [
        ("1. It is 300 m high.", 6, False),
        ("Une idée – très simple.", 5, False),
        ("한국어 문장입니다.", 2, False),
        ("塔很高。", 3, True),
        ("「塔の高さ」は300 mです。", 9, True),
        ("ที่นี่", 2, True),  # marks above a letter are none
        ("The Tokyo office (東京) opened in 1990.", 8, False),
        ("", 0, False),
    ],
)
def test_each_letter_counts_as_a_word_where_no_space_separates_words(text: str, words: int, unspaced: bool) -> None:
    assert (count_words(text), is_unspaced(text)) == (words, unspaced)
