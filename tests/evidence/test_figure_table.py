"""Figures are found by their value, and they are the ones that a look at all of them would find."""

import pytest

from voirdire.evidence import ContextIndex, contradiction_score, figure_table
from voirdire.evidence.figures import figures_of, same_value
from voirdire.evidence.tokens import parse

CONTEXT = [
    "The part costs 22 euros, the other 21.9 euros, the third about 24 euros.",
    "It is 100 km/h fast, 62 mph at most, and weighs 1.200 kg or 1200 g.",
    "Sales fell by 5 % to 1,200 in 1987, and by -5 % in 1988.",
    "From 12 March 2010 to May 2011 it was -5 °C, never 5 °C, and 41 °F in the 1990s.",
    "The loss was 3 million dollars in the nineteenth century, at 3:00, one in eight.",
    "Two thirds of 12 files of 10 MB took 0 seconds, 1 hour 30 minutes or 90 minutes.",
    "In 1850 the 2nd of 20+ rooms had €5 a month, 5 euros and 5 of them.",
]


@pytest.mark.parametrize("sentence", CONTEXT)
def test_the_table_finds_what_a_look_at_all_figures_finds(sentence):
    index = ContextIndex.from_sentences(CONTEXT)
    known = [(place, figure) for place, figures in enumerate(index.figures) for figure in figures]
    for figure in figures_of(parse(sentence)):
        expected = tuple(each for each in known if same_value(figure, each[1]))
        assert index.figure_table.same(figure) == expected


def test_figures_far_away_are_not_looked_at(monkeypatch):
    looked_at = []
    monkeypatch.setattr(figure_table, "same_value", lambda one, two: looked_at.append(two) or same_value(one, two))
    sentences = [f"Part {number} costs {3 * number} euros." for number in range(1, 301)]
    index = ContextIndex.from_sentences(sentences)
    for sentence in sentences:
        contradiction_score(f"Now {sentence}", index)
    assert len(looked_at) < 300 * 300 / 10
