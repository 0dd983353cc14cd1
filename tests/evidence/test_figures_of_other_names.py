"""Figures that the context gives of another name, row or record, and what looks like it."""

import json

import pytest

from voirdire.evidence import ContextIndex, find_contradictions

STATIONS = (
    "Brunvik has 4 platforms. Oldmoor has 6 platforms. Brunvik opened in 1897, and its ticket office closes at 18:30. "
    "Oldmoor opened in 1931. Its ticket office closes at 20:00."
)
RIVERS = "The Alder rises at 1,250 m in the Hask hills, while the Morva rises at 840 m."
STAFF = "Anna Keller joined the firm in March 2015. She leads 12 engineers. Tomas Ruiz leads 7 engineers."
FARES = """\
| Destination | Adult | Child | Duration |
|---|---|---|---|
| Brunvik | 12.50 | 6.20 | 45 minutes |
| Oldmoor | 18.00 | 9.00 | 70 minutes |
"""
LISTED = "Station: Brunvik\nPlatforms: 4\nParking spaces: 60\n\nStation: Oldmoor\nPlatforms: 6\nParking spaces: 120\n"
PHONES = json.dumps(
    [
        {"name": "Lumo X", "weight": "172 g", "price": "499 euros"},
        {"name": "Lumo Pro", "weight": "205 g", "price": "799 euros"},
    ]
)


def siblings(sentence, context):
    found = find_contradictions(sentence, ContextIndex.from_context(context))
    return [(each.about, each.evidence, each.claim) for each in found if each.about]


@pytest.mark.parametrize(
    ("sentence", "context", "expected"),
    [
        ("Brunvik has 6 platforms.", STATIONS, ("Brunvik", "4 platforms", "6 platforms")),
        ("Oldmoor opened in 1897.", STATIONS, ("Oldmoor", "1931", "1897")),
        ("The ticket office at Brunvik closes at 20:00.", STATIONS, ("Brunvik", "18:30", "20:00")),
        ("The Morva rises at 1,250 m.", RIVERS, ("Morva", "840 m", "1,250 m")),
        ("Keller leads 7 engineers.", STAFF, ("Anna Keller", "12 engineers", "7 engineers")),
        ("An adult ticket to Brunvik costs 18 euros.", FARES, ("Brunvik", "Adult: 12.50", "18 euros")),
        ("The journey to Brunvik takes 70 minutes.", FARES, ("Brunvik", "Duration: 45 minutes", "70 minutes")),
        ("There are 120 parking spaces at Brunvik.", LISTED, ("Brunvik", "Parking spaces: 60", "120 parking")),
        ("The Lumo X weighs 205 g.", PHONES, ("Lumo X", "weight: 172 g", "205 g")),
    ],
)
def test_a_figure_of_another_name_contradicts(sentence, context, expected):
    assert siblings(sentence, context) == [expected]


@pytest.mark.parametrize(
    ("sentence", "context"),
    [
        ("Brunvik has 4 platforms.", STATIONS),
        ("Oldmoor has 6 platforms, more than Brunvik.", STATIONS),  # names both
        ("Brunvik has 6 platforms.", STATIONS + " In summer Brunvik has 6 platforms."),  # given of it, too
        ("Brunvik has 6 platforms.", STATIONS + " Each station has 6 platforms."),  # of no name, or of all
        ("Brunvik has 6 staff.", STATIONS),  # nothing of that kind is given of it
        ("Brunvik does not have 6 platforms.", STATIONS),
        ("Brunvik has more than 3 platforms.", STATIONS.replace("Oldmoor has 6", "Oldmoor has 3")),
        ("The Morva rises at 840 m.", RIVERS),
        ("Tomas Ruiz leads 12 engineers.", STAFF.replace("Anna Keller joined", "Anna Keller and Tomas Ruiz joined")),
        ("Two children travel to Brunvik for 12.40 euros.", FARES),
        ("A return journey to Brunvik takes twice 45 minutes.", FARES),
        ("Parking at Brunvik takes 60 cars.", LISTED),
        ("Opium was sold until 1946 and banned in 1949.", "Opium was sold until 1946; Ceylon banned it in 1949."),
        ("Logs of 33 cm are too long for the Ask.", "Model Ask takes logs of 25 cm. Model Ek takes logs of 33 cm."),
        ("Marwa was ahead of Brunvik in 1931.", STATIONS + " Marwa lies ahead."),
        ("The laptop has 1,000 GB of disk.", "The laptop has 16 GB of memory and a 1 TB disk."),
    ],
)
def test_what_may_be_of_the_name_does_not(sentence, context):
    assert siblings(sentence, context) == []


def test_a_sentence_without_a_name_belongs_to_the_last_one_of_its_paragraph_only():
    apart = "Brunvik is old. It has 4 platforms.\n\nOldmoor is new.\n\nIt has 6 platforms."
    assert siblings("Brunvik has 6 platforms.", apart) == []
    assert siblings("Brunvik has 6 platforms.", apart.replace("new.\n\n", "new. ")) != []


@pytest.mark.parametrize(("told", "own"), [("is open until 10 p.m.", "6 p.m."), ("opens at 6 a.m.", "8 a.m.")])
def test_another_closing_time_is_shown_beside_the_closing_time(told, own):
    context = "The York pool is open 6 a.m. to 10 p.m. every day. The Leeds pool is open 8 a.m. to 6 p.m. on weekdays."
    (contradiction,) = find_contradictions(f"The Leeds pool {told}", ContextIndex.from_context(context))
    assert contradiction.evidence == own
