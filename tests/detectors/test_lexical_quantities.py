"""`lexical` flags another quantity, and not the same quantity in other figures; its reasons name both."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.evidence.cases import contexts
from voirdire.detectors import open_detector

LEXICAL = open_detector("lexical")


@pytest.mark.parametrize(("context", "changed"), contexts("quantities", "permissions", "figure_pairs"))
def test_another_quantity_is_flagged_and_the_same_in_other_words_is_not(context, changed):
    scores = LEXICAL.flag(context, list(changed))
    assert {each: score >= LEXICAL.threshold for each, score in zip(changed, scores, strict=True)} == changed


@pytest.mark.parametrize(
    ("context", "sentence", "theirs", "mine"),
    [
        ("The port runs at 2.5 Gbit/s.", "The port runs at 2.5 Mbit/s.", "2.5 Gbit/s", "2.5 Mbit/s"),
        ("Store it at 25 °C in the dark.", "Store it at 25 °F in the dark.", "25 °C", "25 °F"),
        ("Refunds are paid within 14 days.", "Refunds are paid within 30 days.", "14 days", "30 days"),
        ("The fee for a licence is $48.2m.", "The fee for a licence is €48.2m.", "$48.2m", "€48.2m"),
        ("It takes 3 to 5 days to arrive.", "It takes 3 to 5 weeks to arrive.", "3 to 5 days", "5 weeks"),
        ("It hardens down to -20 °C outside.", "It hardens down to 20 °C outside.", "-20 °C", "20 °C"),
        ("It hardens down to -20 °C outside.", "It hardens down to -40 °C outside.", "-20 °C", "-40 °C"),
        ("Store it below 50 °C in the dark.", "Store it above 50 °C in the dark.", "below 50 °C", "above 50 °C"),
    ],
)
def test_a_reason_names_both_figures_with_their_units(context, sentence, theirs, mine):
    ((*_, reason),) = LEXICAL.reasons(context, [sentence])
    assert reason.endswith(f": “{mine}” differs from “{theirs}” in “{context}”")


def test_pint_is_opened_only_for_a_unit():
    context = "It has had 12 floors, 3 doors and one roof since 1990. It stands by the river."
    code = (
        "import sys; from voirdire.detectors.lexical import LexicalDetector;"
        f"LexicalDetector().flag({context!r}, ['It has 12 floors.', 'It stands by a wood.']);"
        "sys.exit('pint' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_of_a_table_the_row_that_a_sentence_names_is_quoted():
    context = (
        "item,site,stock,reorder_level\nChlorine 13 %,Leith,640,500\nChlorine 13 %,Morton,410,600\nSalt,Leith,95,80"
    )
    (closest,) = open_detector("lexical").closest(context, ["Chlorine at Morton must be ordered again."])
    assert closest == "| Chlorine 13 % | Morton | 410 | 600 |"


def test_a_figure_in_a_band_is_as_good_as_the_band():
    context = "| Zone | up to 10 kg | 10–20 kg | over 20 kg |\n|---|---|---|---|\n| EU | €14.50 | €22.00 | €38.00 |"
    sentences = ["A parcel of 15 kg to an EU country costs €22.00.", "A parcel of 15 kg to an EU country costs €38.00."]
    right, wrong = LEXICAL.flag(context, sentences)
    assert right < LEXICAL.threshold <= wrong
