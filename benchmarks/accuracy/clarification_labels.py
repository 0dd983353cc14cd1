"""How well does `asks_what_is_meant` agree with first answers labelled by hand?

    python -m benchmarks.accuracy.clarification_labels PATH/turns.jsonl.gz

The rules were set on the tuning half; the held-out half was drawn and labelled afterwards, before the rules were run
on it, and the rules were not changed for it.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

from voirdire.ddft.judge_accuracy import published_turns
from voirdire.jury.clarification import asks_what_is_meant, clarification

NEEDS = "the published turns.jsonl.gz"

LABELS = Path(__file__).parents[2] / "tests" / "jury" / "clarification_labels.csv"


def main(path: Path) -> None:
    first = {turn.dialogue: turn.response for turn in published_turns(path) if turn.turn == 1}
    with LABELS.open(encoding="utf-8", newline="") as file:
        rows = [
            (row["half"], row["label"] != "neither", first[row["model"], row["concept"], float(row["level"])])
            for row in csv.DictReader(file)
        ]
    for half in ("tuning", "held_out"):
        asked = [asks_what_is_meant(answer) for where, label, answer in rows if where == half and label]
        others = [not asks_what_is_meant(answer) for where, label, answer in rows if where == half and not label]
        print(f"{half}: sensitivity {sum(asked)}/{len(asked)}, specificity {sum(others)}/{len(others)}")
    asks = sum(map(asks_what_is_meant, first.values()))
    blank = sum(asks_what_is_meant(answer) or clarification(answer).blank for answer in first.values())
    print(f"labelled by hand: {sum(label for _, label, _ in rows)} of {len(rows)} ask or say none was given")
    print(f"all first answers, by rule: {asks} of {len(first)} ask or say none was given")
    print(f"{blank} of {len(first)} do, or speak of something blank, empty or missing")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
