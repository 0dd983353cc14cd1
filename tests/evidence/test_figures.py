"""How a figure of a sentence is read: its unit, its bound, what it counts, dates and verbs that look alike."""

import pytest

from voirdire.evidence.amounts import numbers_of
from voirdire.evidence.figures import figures_of
from voirdire.evidence.tokens import parse
from voirdire.text.units import family


@pytest.mark.parametrize(
    ("sentence", "bound", "about"),
    [
        ("It has more than 80 rooms.", 1, True),
        ("It has at least 80 rooms.", 1, True),
        ("It has fewer than 80 rooms.", -1, True),
        ("It has around 80 rooms.", 0, True),
        ("It has 80+ rooms.", 0, True),
        ("It has 80 rooms.", 0, False),
    ],
)
def test_a_figure_knows_whether_it_is_a_bound_or_rough(sentence: str, bound: int, about: bool) -> None:
    (figure,) = figures_of(parse(sentence))
    assert (figure.bound, figure.about) == (bound, about)


def test_units_of_one_quantity_form_a_family() -> None:
    km, mile, dollars = (figures_of(parse(text))[0] for text in ("5 km away", "a 5-mile walk", "It cost $5 then"))
    assert family(km.units) == family(mile.units) == {frozenset({("[length]", 1)})}
    assert km.units != mile.units
    assert family(dollars.units) == {frozenset({("money", 1)})}


def test_a_count_knows_what_is_counted() -> None:
    (figure,) = figures_of(parse("There are three of the main school districts."))
    assert figure.noun == next(iter(parse("main").stems))


@pytest.mark.parametrize("text", ["in march 2014 they", "on may 3, 1990 they", "on 21 may.", "the 5th of march, they"])
def test_months_that_are_verbs_are_read_in_dates(text: str) -> None:
    assert [number.month for number in numbers_of(parse(text))] in ([3], [5])


def test_a_verb_is_no_month() -> None:
    assert all(number.month is None for number in numbers_of(parse("They may visit 5 of them, and 30 march home")))
