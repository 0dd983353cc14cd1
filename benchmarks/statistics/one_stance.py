"""Does `stance_agreement` fail juries that call everything rejected, and spare those whose models reject everything?

Simulates dialogues whose answers make four statements, each right with the model's accuracy. An answer that rejects the
fabrication makes a right statement more; one that accepts it has FAR 0.3 at most. Judges score FAR with an error, too
low by `harsh`, and call every fabrication rejected.

    python -m benchmarks.statistics.one_stance --studies 1000
"""

from __future__ import annotations

import argparse

import numpy as np
import pandas as pd

from voirdire.ddft.validity.copied_judges import copied_judges
from voirdire.ddft.validity.score_checks import agreement_on_stances

SMALL = ("--studies", "5")

STATEMENTS, JUDGES, ERROR = 4, 2, 0.1


def verdicts(rng: np.random.Generator, answers: int, accuracy: float, rejects: float, harsh: float) -> pd.DataFrame:
    """Of the judges, on turns 1 to 4 of as many dialogues."""
    of_dialogue = np.clip(accuracy + rng.normal(0, 0.05, (answers, 1, 1)), 0, 1)
    right = (rng.random((answers, 4, STATEMENTS)) < of_dialogue).sum(axis=2)
    far = right / STATEMENTS
    rejected = (right[:, 3] + 1) / (STATEMENTS + 1)
    far[:, 3] = np.where(rng.random(answers) < rejects, rejected, np.minimum(far[:, 3], 0.3))
    given = np.clip(far[..., None] - harsh + rng.normal(0, ERROR, (answers, 4, JUDGES)), 0, 1)
    dialogue, turn, judge = (place.ravel() for place in np.indices(given.shape))
    frame = pd.DataFrame({"model": "m", "concept": dialogue % 8, "dialogue": dialogue, "turn": turn + 1})
    stance = frame["turn"].map({4: "rejected"})
    judges = [f"judge {place}" for place in judge]
    return frame.assign(judge=judges, far=given.ravel(), sas=0.9, stance=stance, missing=None)


def _status(given: pd.DataFrame) -> str:
    return agreement_on_stances(given, copied_judges(given)).status


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--studies", type=int, default=300)
    options.add_argument("--seed", type=int, default=1)
    asked = options.parse_args()

    rng = np.random.default_rng(asked.seed)
    print(f"Percent of {asked.studies} studies in which stance_agreement fails.")
    print(f"{'rejected':>10}{'accuracy':>10}{'harsh':>8}{'24 answers':>12}{'72 answers':>12}")
    for rejects in (1.0, 0.8, 0.6, 0.4):
        for accuracy in (0.3, 0.5, 0.7, 0.9):
            for harsh in (0.0, 0.1):
                failing = [
                    100 * np.mean([
                        _status(verdicts(rng, answers, accuracy, rejects, harsh)) == "fail"
                        for _ in range(asked.studies)
                    ])
                    for answers in (24, 72)
                ]  # fmt: skip
                shares = "".join(f"{share:>12.1f}" for share in failing)
                print(f"{rejects:>10.0%}{accuracy:>10.1f}{harsh:>8.1f}{shares}", flush=True)


if __name__ == "__main__":
    main()
