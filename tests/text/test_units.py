"""Units as they stand in running text, and conversion between them."""

import pytest

from voirdire.text.units import _lists, _may_be_unit, _registry, converted, find_unit, units_of_spelling


@pytest.mark.parametrize(
    ("text", "units"),
    [(" km²", ("kilometer**2",)), (" in the", None), ("°C", ("degree_Celsius",)), (" books a year later", None)],
)
def test_a_unit_is_read_as_it_stands_in_running_text(text, units):
    found = find_unit(text, 0)
    assert (found and found.units) == units


def test_a_spelling_with_two_meanings_has_both_and_each_is_converted():
    assert units_of_spelling("pounds") == ("pound", "pound_sterling")
    assert converted(1, ("kilogram",), units_of_spelling("pounds")) == pytest.approx([2.2046], rel=1e-4)
    assert converted(1, ("euro",), ("dollar",)) == []


def test_whatever_pint_takes_for_one_of_our_units_is_looked_up():
    registry, lists = _registry(), _lists()
    units = [*lists.names, *lists.prefixed, *(f"kilo{unit}" for unit in lists.prefixed)]
    spellings = {spelling for unit in units for spelling in (unit, f"{unit}s", registry.get_symbol(unit))}
    known = {spelling for spelling in spellings if registry.parse_unit_name(spelling)}
    assert len(known) > 200
    assert known == set(filter(_may_be_unit, known))


def test_a_spelling_with_two_meanings_means_the_same_in_both_figures():
    degrees = find_unit("9 degrees", 1).units
    assert len(degrees) == 2
    assert converted(9, degrees, degrees) == [9]
