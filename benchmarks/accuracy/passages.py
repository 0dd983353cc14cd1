"""How well do detectors tell right sentences from wrong ones, beside one passage and beside several?

    python -m benchmarks.accuracy.passages [--detector NAME ...] [--passages 1 4]

The sentences of `passages.jsonl` were written for this, by writers who knew neither code nor training data: about half
of each set is wrong. `tuning` was looked at while rules and weights were chosen; `check` and `stranger` when it was
chosen which contradictions of the rules `entailment` keeps, so that their figures flatter, too. The other passages that
a sentence is held against are drawn from its own set.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks._table import table
from voirdire.detectors import Detector, DetectorOptions, Passage, open_detector
from voirdire.stats.auroc import auroc

SENTENCES = Path(__file__).with_name("passages.jsonl")


class Labelled(NamedTuple):
    """A sentence, what it is held against, and whether it is wrong."""

    context: str
    sentence: str
    wrong: bool


def read(name: str) -> dict[str, list[tuple[str, bool]]]:
    """The sentences of a set by passage, with whether each is wrong."""
    rows = map(json.loads, SENTENCES.read_text(encoding="utf-8").splitlines())
    return {
        row["passage"]: [(each["sentence"], each["label"] != "supported") for each in row["sentences"]]
        for row in rows
        if row["set"] == name
    }


def beside(passages: dict[str, list[tuple[str, bool]]], count: int, seed: int = 0) -> Iterator[Labelled]:
    """Every sentence beside its own passage and `count - 1` others, in random order."""
    chance = random.Random(seed)
    for own, sentences in passages.items():
        for sentence, wrong in sentences:
            context = [own, *chance.sample([each for each in passages if each != own], count - 1)]
            chance.shuffle(context)
            yield Labelled("\n\n".join(context), sentence, wrong)


def measure(detector: Detector, rows: Sequence[Labelled]) -> list[str]:
    """AUROC, wrong sentences found, right ones flagged."""
    each = detector.flag_many([Passage(row.context, (row.sentence,)) for row in rows])
    scores, wrong = np.nan_to_num([score for (score,) in each]), np.array([row.wrong for row in rows])
    flagged = scores >= detector.threshold
    found, false = (f"{flagged[part].sum()} of {part.sum()}" for part in (wrong, ~wrong))
    return [f"{auroc(scores, wrong):.2f}", found, false]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--detector", nargs="+", default=["entailment", "lexical"], help="names as `detect` takes them")
    parser.add_argument("--passages", nargs="+", type=int, default=[1, 4], help="how many each sentence stands beside")
    chosen = parser.parse_args()
    rows = []
    for name in chosen.detector:
        detector = open_detector(name, DetectorOptions())
        for half in ("tuning", "check", "stranger"):
            for count in chosen.passages:
                rows.append([name, half, str(count), *measure(detector, list(beside(read(half), count)))])
    print(table(["detector", "set", "passages", "AUROC", "found", "false alarms"], rows))


if __name__ == "__main__":
    main()
