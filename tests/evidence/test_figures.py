"""How a figure of a sentence is read: its unit, its bound, what it counts, dates and verbs that look alike."""

import pytest

from voirdire.evidence import ContextIndex, find_contradictions
from voirdire.evidence.amounts import numbers_of
from voirdire.evidence.figure_contradictions import with_context_units
from voirdire.evidence.figures import figures_of, other_figures
from voirdire.evidence.matching import match_of
from voirdire.evidence.tokens import parse
from voirdire.text.units import family


@pytest.mark.parametrize(
    ("sentence", "bound", "about"),
    [
        ("It has more than 80 rooms.", 1, True),
        ("It has at least 80 rooms.", 1, True),
        ("It has fewer than 80 rooms.", -1, True),
        ("It has around 80 rooms.", 0, True),
        ("It has 80 rooms or more.", 0, False),
        ("It has 80 or more rooms.", 1, True),
        ("It weighs 80 kg or less.", -1, True),
        ("It is for those older than 80.", 1, True),
        ("It pays within 80 days.", -1, True),
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


def test_a_bound_is_read_across_the_end_of_a_line() -> None:
    (figure,) = figures_of(parse("It is pressed down not\nmore than 6 times."))
    assert (figure.bound, figure.bounded) == (-1, "not\nmore than 6")


def others(mine: str, theirs: str) -> list[tuple[str, str]]:
    found = other_figures(figures_of(parse(mine)), figures_of(parse(theirs)))
    return [(one.text, other.text) for one, other in found]


@pytest.mark.parametrize(
    ("mine", "theirs", "expected"),
    [
        ("It weighs 5 kg.", "It weighs 7 kg.", [("5 kg", "7 kg")]),
        ("It weighs 5 kg.", "It weighs 5,000 g.", []),
        ("It came out from 1949 to 1952.", "It came out in 1949.", []),
        ("It costs 5 percent more.", "It has 7 rooms.", []),
    ],
)
def test_of_two_sentences_that_say_the_same_other_figures_of_a_sort_are_named(mine, theirs, expected) -> None:
    assert others(mine, theirs) == expected


SEASON = "The tower opened in 1889. It is open from 1 April to 31 October."


@pytest.mark.parametrize(
    ("sentence", "is_other"),
    [
        ("The tower opened in 1889.", False),
        ("The tower opened in 1898.", True),  # "1 April" is of every year, and says nothing of one
        ("It is open on 5 May.", False),
        ("It is open on 5 December.", True),
        ("It is open until 30 October.", True),
        ("It closes on 30 October.", True),
        ("It is open from 1 April 2024.", False),
    ],
)
def test_a_date_without_a_year_says_nothing_of_a_year_and_a_season_holds_its_days(sentence, is_other):
    found = [each.kind for each in find_contradictions(sentence, ContextIndex.from_context(SEASON))]
    assert found == (["date"] if is_other else [])


@pytest.mark.parametrize(
    ("context", "sentence", "shown"),
    [
        ("The pool is 25 metres long.", "The pool is 2,500 cm long.", "The pool is 25 metres long."),
        ("The pool is 25 metres long.", "The pool is 250 cm long.", "The pool is 250 cm long."),
        ("The film lasts 90 minutes.", "It lasts 1.5 hours.", "It lasts 90 minutes."),
        ('[{"name": "Yoga", "fee": 5}, {"name": "Aqua", "fee": 7}]', "Yoga costs £5.", "Yoga costs 5."),
        ("The pool has 5 lanes.", "It costs £5.", "It costs £5."),
        (
            "Clubs with up to 50 members pay £120.",
            "A club with 30 members pays £120.",
            "A club with up to 50 members pays £120.",
        ),
        (
            "| Value | Fee |\n|---|---|\n| up to £2,000 | £4 |\n| £2,001 to £5,000 | £7 |",
            "For £3,000 the fee is £7.",
            "For £2,001 to £5,000 the fee is £7.",
        ),
    ],
)
def test_a_sentence_is_shown_to_a_model_with_the_figures_of_its_context(context, sentence, shown):
    assert with_context_units(match_of(sentence, ContextIndex.from_context(context))) == shown
