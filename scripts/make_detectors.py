"""Train the packaged detectors: python scripts/make_detectors.py ../shared/data/cognibench_dev."""

import sys
from pathlib import Path

from voirdire.cognibench.formats import read_released
from voirdire.detectors.learning import DETECT, TYPE, train

PACKAGED = Path(__file__).parents[1] / "src" / "voirdire" / "data" / "detectors"

if __name__ == "__main__":
    answers = read_released(Path(sys.argv[1]))
    for task in (DETECT, TYPE):
        made = train(answers, PACKAGED / task.kind, task=task, source="CogniBench, development half of the release")
        print(task.kind, made.threshold, made.figures, f"{made.seconds} s")
