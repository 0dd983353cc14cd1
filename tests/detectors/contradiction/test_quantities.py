"""The same quantity in other figures is no contradiction, another quantity is one; likewise for double negation."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from voirdire.detectors import open_detector
from voirdire.detectors.contradiction import ContextIndex, find_contradictions
from voirdire.text.units import _lists, _may_be_unit, _registry, converted, find_unit, named

HERE = Path(__file__).parent
CASES = [
    (case["context"], sentence, kind == "changed")
    for name in ("quantities", "permissions")
    for case in yaml.safe_load((HERE / f"{name}.yaml").read_text())
    for kind in ("same", "changed")
    for sentence in case.get(kind, ())
]
LEXICAL = open_detector("lexical")


@pytest.mark.parametrize(("context", "sentence", "changed"), CASES)
def test_another_quantity_is_flagged_and_the_same_in_other_words_is_not(context, sentence, changed):
    (score,) = LEXICAL.flag(context, [sentence])
    assert (score >= LEXICAL.threshold) is changed
    assert bool(find_contradictions(sentence, ContextIndex.of(context))) is changed


@pytest.mark.parametrize(
    ("context", "sentence", "theirs", "mine"),
    [
        ("The port runs at 2.5 Gbit/s.", "The port runs at 2.5 Mbit/s.", "2.5 Gbit/s", "2.5 Mbit/s"),
        ("Store it at 25 °C in the dark.", "Store it at 25 °F in the dark.", "25 °C", "25 °F"),
        ("Refunds are paid within 14 days.", "Refunds are paid within 30 days.", "14 days", "30 days"),
        ("The fee for a licence is $48.2m.", "The fee for a licence is €48.2m.", "$48.2m", "€48.2m"),
        ("It takes 3 to 5 days to arrive.", "It takes 3 to 5 weeks to arrive.", "5 days", "5 weeks"),
        ("It hardens down to -20 °C outside.", "It hardens down to 20 °C outside.", "-20 °C", "20 °C"),
        ("It hardens down to -20 °C outside.", "It hardens down to -40 °C outside.", "-20 °C", "-40 °C"),
        ("Store it below 50 °C in the dark.", "Store it above 50 °C in the dark.", "below 50 °C", "above 50 °C"),
    ],
)
def test_a_reason_names_both_figures_with_their_units(context, sentence, theirs, mine):
    ((*_, reason),) = LEXICAL.reasons(context, [sentence])
    assert reason.endswith(f"the context says “{theirs}”, the sentence “{mine}”")


@pytest.mark.parametrize(
    ("text", "units"),
    [(" km²", ("kilometer**2",)), (" in the", None), ("°C", ("degree_Celsius",)), (" books a year later", None)],
)
def test_a_unit_is_read_as_it_stands_in_running_text(text, units):
    found = find_unit(text, 0)
    assert (found and found.units) == units


def test_a_spelling_with_two_meanings_has_both_and_each_is_converted():
    assert named("pounds") == ("pound", "pound_sterling")
    assert converted(1, ("kilogram",), named("pounds")) == pytest.approx([2.2046], rel=1e-4)
    assert converted(1, ("euro",), ("dollar",)) == []


def test_pint_is_opened_only_for_a_unit():
    context = "It has had 12 floors, 3 doors and one roof since 1990. It stands by the river."
    code = (
        "import sys; from voirdire.detectors.lexical import LexicalDetector;"
        f"LexicalDetector().flag({context!r}, ['It has 12 floors.', 'It stands by a wood.']);"
        "sys.exit('pint' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_whatever_pint_takes_for_one_of_our_units_is_looked_up():
    registry, lists = _registry(), _lists()
    units = [*lists.names, *lists.prefixed, *(f"kilo{unit}" for unit in lists.prefixed)]
    spellings = {spelling for unit in units for spelling in (unit, f"{unit}s", registry.get_symbol(unit))}
    known = {spelling for spelling in spellings if registry.parse_unit_name(spelling)}
    assert len(known) > 200
    assert known == set(filter(_may_be_unit, known))
