"""Words that the engine of evidence knows, too, stand in its lists alone."""

import pytest

from voirdire.evidence.lexicon import lexicon
from voirdire.integrity.rules.lexicon import phrases


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("exception", lexicon().faint),
        ("exception", [word for word, quantity in lexicon().quantity.items() if quantity == "only"]),
        ("limit", [*lexicon().limiting, *lexicon().reaching]),
    ],
)
def test_the_rules_know_the_words_of_the_engine(name, words):
    assert words and all(phrases(name).fullmatch(word) for word in words)


def test_adverbs_that_leave_a_little_negate_and_speak_of_quantity():
    assert {"hardly", "seldom"} <= lexicon().faint <= lexicon().negators & lexicon().scarce
