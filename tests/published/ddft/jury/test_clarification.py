import csv
import gzip
import json
from collections import Counter

from tests.jury.test_clarification import LABELS
from tests.published.records import TURNS
from voirdire.jury.clarification import asks_what_is_meant


def test_on_first_answers_held_out_from_its_making_the_rule_agrees_with_the_labels() -> None:
    answers = _published_first_answers()
    with LABELS.open(encoding="utf-8", newline="") as file:
        held_out = [row for row in csv.DictReader(file) if row["half"] == "held_out"]
    found = Counter(
        (row["label"] != "neither", asks_what_is_meant(answers[row["model"], row["concept"], float(row["level"])]))
        for row in held_out
    )
    assert found[True, True] / (found[True, True] + found[True, False]) >= 0.85  # sensitivity
    assert found[False, False] / (found[False, False] + found[False, True]) >= 0.95  # specificity


def _published_first_answers() -> dict[tuple[str, str, float], str]:
    with gzip.open(TURNS, "rt", encoding="utf-8") as lines:
        turns = [json.loads(line) for line in lines]
    return {(t["model"], t["concept"], float(t["level"])): t["response"] for t in turns if t["turn"] == 1}
