"""Labelled answers of our own that a detector can learn from, where tests of the release's half took the release."""

import json
import tempfile
from functools import cache
from pathlib import Path

from voirdire.cognibench.formats import read_data
from voirdire.cognibench.formats.released import write_released

_PLACES = (
    ("mill", "oats", "Orrin", "stone"),
    ("bridge", "trains", "Kessel", "iron"),
    ("harbour", "herring", "Varn", "granite"),
    ("observatory", "comets", "Tolm", "copper"),
    ("garden", "orchids", "Ebbing", "glass"),
    ("library", "maps", "Sorrow", "oak"),
    ("theatre", "operas", "Wendle", "velvet"),
    ("lighthouse", "ships", "Skarra", "brick"),
    ("brewery", "ale", "Dunmore", "timber"),
    ("railway", "coal", "Pell", "steel"),
    ("school", "weavers", "Aldine", "slate"),
    ("market", "wool", "Farrow", "marble"),
)
_FANCY = ("timeless wonder", "cherished memories", "breathtaking charm", "unforgettable romance", "heartfelt pride")


def _context(place, goods, town, stone, year):
    return (
        f"The {place} of {town} was built in {year}. It was made of {stone}. It served {goods} for three villages. "
        f"Its keeper, Ada Lorn, lived beside the {place}. It closed in {year + 90}. "
        f"A fire took the roof in {year + 40}."
    )


def _answers(place, goods, town, stone, year, number):
    """Two turns: [(question, [(sentence, label)])]."""
    fancy, other = _FANCY[number % 5], _FANCY[(number + 2) % 5]
    first = [
        (f"The {place} of {town} was built in {year}.", "faithful"),
        (f"It was made of {stone}.", "faithful"),
        (f"Visitors nowadays enjoy {fancy} and fresh inspiration there.", "speculative"),
        (f"Its keeper was Ada Lorn, who lived beside the {place}.", "faithful"),
    ]
    second = [
        (f"A fire took the roof in {year + 40}.", "faithful"),
        (f"Engineers from Lisbon installed {7 + number} electric elevators afterwards.", "invented"),
        (f"So {goods} mattered to three villages.", "reliable"),
        (f"Its legacy may inspire {other} across generations everywhere.", "speculative"),
        ("What closed after ninety years can be missed.", "irrefutable"),
    ]
    if number % 4 == 0:
        first.insert(0, ("Sure!", "irrelevant"))
    if number % 6 == 5:
        second.append((f"Everyone must admire the {place} more than bread.", "misleading"))
    return [(f"What was the {place}?", first), ("What became of it?", second)]


def lines():
    """Lines of a file of labelled dialogues."""
    made = []
    for number, place in enumerate(_PLACES):
        year = 1760 + 7 * number
        turns = [
            {
                "user": question,
                "assistant": " ".join(text for text, _ in sentences),
                "labels": dict(sentences),
            }
            for question, sentences in _answers(*place, year, number)
        ]
        made.append(
            {
                "id": f"d{number}",
                "group": f"g{number}",
                "context": _context(*place, year),
                "turns": turns,
                "topic": "places",
            }
        )
    return [json.dumps(each) for each in made]


@cache
def half():
    """All 24 answers about twelve contexts, as they are read."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "half.jsonl"
        path.write_text("\n".join(lines()), encoding="utf-8")
        return tuple(read_data(path).answers)


def write_half(folder):
    """The same in the release's layout."""
    write_released(half(), folder, lambda problem: None)
    return folder
