"""How the stage reads a sentence: figures with their surroundings, negations, names in lower case."""

import pytest

from voirdire.detectors.contradiction.amounts import numbers_of
from voirdire.detectors.contradiction.figures import figures_of
from voirdire.detectors.contradiction.nametable import NameTable
from voirdire.detectors.contradiction.polarity import negations
from voirdire.detectors.contradiction.words import read
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
    (figure,) = figures_of(read(sentence))
    assert (figure.bound, figure.about) == (bound, about)


def test_units_of_one_quantity_form_a_family() -> None:
    km, mile, dollars = (figures_of(read(text))[0] for text in ("5 km away", "a 5-mile walk", "It cost $5 then"))
    assert family(km.units) == family(mile.units) == {frozenset({("[length]", 1)})}
    assert km.units != mile.units
    assert family(dollars.units) == {frozenset({("money", 1)})}


def test_a_count_knows_what_is_counted() -> None:
    (figure,) = figures_of(read("There are three of the main school districts."))
    assert figure.noun == next(iter(read("main").stems))


@pytest.mark.parametrize("text", ["in march 2014 they", "on may 3, 1990 they", "on 21 may.", "the 5th of march, they"])
def test_months_that_are_verbs_are_read_in_dates(text: str) -> None:
    assert [number.month for number in numbers_of(read(text))] in ([3], [5])


def test_a_verb_is_no_month() -> None:
    assert all(number.month is None for number in numbers_of(read("They may visit 5 of them, and 30 march home")))


@pytest.mark.parametrize(
    "sentence",
    ["It is not open.", "It isn't open.", "It never opened.", "It failed to open.", "It was unable to open."],
)
def test_negations_are_found_with_what_they_reach(sentence: str) -> None:
    (found,) = negations(read(sentence))
    assert any(stem.startswith("open") for stem in found.scope)


@pytest.mark.parametrize(
    "sentence",
    ["Not only the barons came.", "See no. 5.", "They asked whether or not it is.", "Please note it.", "A few came."],
)
def test_what_only_looks_like_a_negation_is_none(sentence: str) -> None:
    assert negations(read(sentence)) == []


def test_names_are_found_again_in_lower_case_and_common_words_are_none() -> None:
    table = NameTable.of([read("He met Anna Bellamy by the Royal Chapel. A chapel is small.")])
    (mention,) = table.mentions(read("It was anna bellamy's idea."))
    assert mention.text == "anna bellamy's"
    assert not table.mentions(read("the chapel of a royal house"))


def test_of_joins_the_words_of_a_name_and_a_comma_parts_two() -> None:
    table = NameTable.of([read("They went to the University of Ghent with Marta, Jonas and the rest.")])
    assert [each.text for each in table.mentions(read("the university of ghent, marta"))] == [
        "university of ghent",
        "marta",
    ]
