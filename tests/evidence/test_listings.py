"""The header of a table says what its figures are in, and lists end where their lines do."""

import pytest

from voirdire.evidence import ContextIndex, find_contradictions
from voirdire.evidence.listings import listings

PER_KWH = "| Plan | Price per kWh |\n|---|---|\n| Basic | 0.31 euros |\n| Green | 0.34 euros |"
PER_MONTH = "Plan | Price per month\nBasic | 12 euros\nGreen | 15 euros"
BOTH = (
    "| Plan | Price per kWh | Monthly fee |\n|---|---|---|\n| Basic | 0.31 euros | 9 euros |\n"
    "| Green | 0.34 euros | 12 euros |"
)
KILOGRAMS = "| Item | Weight (kg) |\n|---|---|\n| Box | 12 |\n| Crate | 1200 |"


@pytest.mark.parametrize(
    ("context", "sentence", "changed"),
    [
        (PER_KWH, "The Basic plan costs 0.31 euros per kWh.", False),
        (PER_KWH, "The Basic plan costs 0.31 euros.", False),
        (PER_KWH, "The Green plan costs 0.31 euros per kWh.", True),
        ("Plan; Price per kWh\nBasic; 0.31 euros\nGreen; 0.34 euros", "Basic costs 0.31 euros per kWh.", False),
        ("Plan,Price per kWh\nBasic,0.31 euros\nGreen,0.34 euros", "Basic costs 0.35 euros per kWh.", True),
        (PER_MONTH, "The Green plan costs 15 euros per month.", False),
        (PER_MONTH, "The Green plan costs 180 euros a year.", False),
        (PER_MONTH, "The Green plan costs 15 euros a year.", True),
        (BOTH, "Basic costs 9 euros per month and 0.31 euros per kWh.", False),
        (BOTH, "Basic costs 9 euros per kWh.", True),
        (KILOGRAMS, "The box weighs 12 kg.", False),
        (KILOGRAMS, "The box weighs 12 pounds.", True),
        (KILOGRAMS, "The crate weighs 1.2 tonnes.", False),
        (KILOGRAMS.replace(" (kg)", " in kg"), "The box weighs 12,000 grams.", False),
    ],
)
def test_the_unit_of_a_header_holds_for_its_column(context, sentence, changed):
    assert bool(find_contradictions(sentence, ContextIndex.from_context(context))) is changed


def test_lines_of_one_shape_are_a_list_and_prose_is_none():
    lines = ["Costs:", "- Rent: 300", "- Food: 350", "It is dear, they say.", "We pay, of course.", "A; B", "1; 2"]
    assert [(list(each.places), each.header) for each in listings(lines)] == [([1, 2], ()), ([6], ("A", " B"))]
