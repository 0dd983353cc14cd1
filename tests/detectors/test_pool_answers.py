from pathlib import Path

import pytest

from voirdire.data.packaged_files import parse_yaml
from voirdire.detectors import open_detector
from voirdire.detectors.scoring import reaches
from voirdire.text.smalltalk import is_small_talk

CASES = parse_yaml((Path(__file__).parent / "pool_answers.yaml").read_text(encoding="utf-8"))
PRICES = (
    "An adult pays 5.50 euros for a day ticket and 49.50 euros for a card of ten visits. "
    "Children under six swim free of charge."
)
CARTRIDGES = "A cartridge of 230 grams burns for 60 minutes, one of 450 grams for 120 minutes."


def flagged(kind):
    detector = open_detector("lexical")
    return sum(
        reaches(detector.flag(case["passage"], [sentence]), detector.threshold)[0]
        for case in CASES
        for sentence in case.get(kind, ())
    )


def test_of_thirty_sentences_labelled_beforehand_so_many_are_flagged():
    """What the word detector is worth on them, told as it is: it finds other figures, and misses swaps."""
    assert sum(len(case.get("right", ())) for case in CASES) == sum(len(case.get("wrong", ())) for case in CASES) == 15
    assert (flagged("right"), flagged("wrong")) == (2, 7)


def test_what_is_said_to_whoever_asked_is_small_talk():
    assert [each for case in CASES for each in case.get("smalltalk", ()) if not is_small_talk(each)] == []


@pytest.mark.parametrize(
    "sentence", ["Children under six pay nothing.", "There is nothing to pay for children under six."]
)
def test_nothing_to_pay_does_not_contradict_free_of_charge(sentence):
    assert not any("counterpart" in reason for reason in open_detector("lexical").reasons(PRICES, [sentence])[0])


def test_nothing_is_still_held_against_what_the_context_says_of_it():
    (found,) = open_detector("lexical").reasons("Adults pay 5 euros at the door.", ["Adults pay nothing at the door."])

    assert "quantifier: “nothing at the door” has no counterpart in “Adults pay 5 euros at the door.”" in found


@pytest.mark.parametrize(
    ("context", "sentence", "counterpart"),
    [
        (PRICES, "A card of ten visits costs 40 euros for an adult.", "49.50 euros"),
        (PRICES, "An adult pays 6 euros for a day ticket.", "5.50 euros"),
        (CARTRIDGES, "A cartridge of 450 grams burns for 90 minutes.", "120 minutes"),
        (CARTRIDGES, "A cartridge of 230 grams burns for 75 minutes.", "60 minutes"),
    ],
)
def test_the_figure_that_is_quoted_against_a_sentence_is_that_of_the_same_thing(context, sentence, counterpart):
    (found,) = open_detector("lexical").reasons(context, [sentence])

    assert f"differs from “{counterpart}” in" in " ".join(found)
