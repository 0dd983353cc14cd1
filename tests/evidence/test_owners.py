"""What figures are of, and which of them a sentence names and compares."""

import pytest

from voirdire.evidence.figures import figures_of
from voirdire.evidence.owners import Owners
from voirdire.evidence.tokens import parse

HOUSES = parse("North House has 12 rooms and 5 for staff, South House 9 rooms; the café has 3 rooms.")


def owners():
    return Owners.of([HOUSES], [(0, each) for each in figures_of(HOUSES)])


def values(spots):
    return {each.number.value for each in figures_of(HOUSES) if (0, each.start) in spots}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("South House and the café have 12 rooms.", {9, 3}),
        ("The café has 3 rooms.", {3}),
        ("All in all there are 29 rooms.", set()),
    ],
)
def test_a_sentence_names_figures_by_the_words_beside_them(text, expected):
    sentence = parse(text)
    assert values(owners().named_in(sentence, figures_of(sentence)[-1])) == expected


@pytest.mark.parametrize(
    ("text", "direction"),
    [
        ("South House has 6 rooms more than the café.", 1),
        ("South House has 6 more rooms than the café.", 1),
        ("South House has 6 fewer rooms than the café.", -1),
        ("South House has 6 rooms less than the café.", -1),
        ("South House has 6 rooms other than the café.", 0),
    ],
)
def test_a_comparison_has_two_sides_and_a_direction(text, direction):
    sentence = parse(text)
    found = owners().comparison(sentence, figures_of(sentence)[0])
    assert found is not None
    assert (values(found.first), values(found.second), found.direction) == ({9}, {3}, direction)


def test_a_bound_compares_nothing():
    sentence = parse("South House has more than 6 rooms.")
    assert owners().comparison(sentence, figures_of(sentence)[0]) is None
