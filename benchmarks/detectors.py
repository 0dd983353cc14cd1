"""How many statements a second does each detector score?

Every detector scores the same answers several times, alone, in this process; what it loads late is loaded before.
Printed are the median wall-clock speed, that of CPU time (what one core does, whatever else runs on the machine), and
the ratio of the latter to the first detector's.

    python benchmarks/detectors.py DATA --detector lexical --detector type --detector nli:MODEL --device cpu
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from voirdire.cognibench.formats import read_answers
from voirdire.detectors import Detector, DetectorOptions, Passage, open_detector, passage_of

DEFAULT = ("lexical", "lexical-learned", "type")
WITHOUT_STAGE = "without contradictions"


class Speed(NamedTuple):
    """Statements a second."""

    name: str
    wall: float
    cpu: float


def measure(name: str, detector: Detector, passages: Sequence[Passage], times: int) -> Speed:
    """The median of several passes, after one that isn't counted."""
    detector.flag_many(passages)
    sentences = sum(len(passage.sentences) for passage in passages)
    wall, cpu = [], []
    for _ in range(times):
        started = time.perf_counter(), time.process_time()
        detector.flag_many(passages)
        wall.append(sentences / (time.perf_counter() - started[0]))
        cpu.append(sentences / max(time.process_time() - started[1], 1e-9))
    return Speed(name, statistics.median(wall), statistics.median(cpu))


def opened(names: Sequence[str], options: DetectorOptions) -> dict[str, Detector]:
    """Detectors by what they are called in the table; lexical ones also without the contradiction stage."""
    found = {}
    for name in names:
        found[name] = open_detector(name, options)
        if name.startswith("lexical"):
            plain = DetectorOptions(device=options.device, batch_size=options.batch_size, contradiction=False)
            found[f"{name}, {WITHOUT_STAGE}"] = open_detector(name, plain)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("data", type=Path, help="answers, labelled or not")
    parser.add_argument("--detector", action="append", help="repeatable")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--batch-size", type=int, default=16)
    parser.add_argument("--times", type=int, default=5)
    given = parser.parse_args()
    passages = [passage_of(answer) for answer in read_answers(given.data)]
    detectors = opened(given.detector or DEFAULT, DetectorOptions(device=given.device, batch_size=given.batch_size))
    speeds = [measure(name, detector, passages, given.times) for name, detector in detectors.items()]
    sentences = sum(len(passage.sentences) for passage in passages)
    where = f"{os.cpu_count()} cores, Python {platform.python_version()}"
    print(f"{len(passages):,} answers, {sentences:,} statements; {where}")
    print(f"{'detector':40}{'wall, per s':>14}{'CPU, per s':>14}{'CPU, per min':>14}{'ratio':>10}")
    for each in speeds:
        print(
            f"{each.name:40}{each.wall:14,.0f}{each.cpu:14,.0f}{60 * each.cpu:14,.0f}{each.cpu / speeds[0].cpu:10.2f}"
        )


if __name__ == "__main__":
    main()
