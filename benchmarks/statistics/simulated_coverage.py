"""Do the intervals contain the truth, through the whole program?

Simulated subjects with known parameters are examined under `sound` (8 concepts, 5 levels) by the runner, judged by an
unbiased simulated judge, and profiled, with a new seed each time. The share of runs in which the default 95 % interval
contains the parameter should be 91 to 98 % (200 runs: 95 % plus or minus two standard errors).

    python -m benchmarks.statistics.simulated_coverage --runs 200
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import tempfile
from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path

from voirdire.ddft.concepts import ConceptFile, find_concepts
from voirdire.ddft.presets import Preset, load_preset
from voirdire.ddft.profile import Profile
from voirdire.ddft.results import Result
from voirdire.ddft.session import run_study
from voirdire.ddft.study import StudyPlan

SMALL = ("--runs", "2")

ACCURACY = (0.9, 0.5)  # at compression 0 and 1, linear between
COHERENCE = 0.85
REJECTION = (0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.95, 0.98)


def subject(reject: float) -> str:
    """The spec of a subject that rejects this share of traps."""
    low, high = ACCURACY
    return f"simulated/subject?accuracy={low}..{high}&coherence={COHERENCE}&reject={reject}"


def truth(reject: float) -> dict[str, float]:
    """The parameter behind each metric. K and V_K both estimate the accuracy: its mean over the levels."""
    accuracy = sum(ACCURACY) / 2
    return {"K": accuracy, "V_K": accuracy, "S": COHERENCE, "V_E": reject}


def run(
    seed: int, concepts: tuple[ConceptFile, ...], preset: Preset, where: Path
) -> list[tuple[float, str, float | None, float | None]]:
    plan = StudyPlan(
        models=tuple(subject(reject) for reject in REJECTION),
        concepts=concepts,
        preset=preset,
        jury=("simulated/judge",),
        seed=seed,
    )
    with tempfile.TemporaryDirectory(dir=where) as folder:
        result = asyncio.run(run_study(plan, Path(folder) / "run"))
    found = []
    for reject, profile in zip(REJECTION, sorted_profiles(result, plan), strict=True):
        for metric in truth(reject):
            interval = profile.intervals.get(metric)
            found.append((reject, metric, interval and interval.low, interval and interval.high))
    return found


def sorted_profiles(result: Result, plan: StudyPlan) -> list[Profile]:
    by_model = {profile.model: profile for profile in result.profiles}
    return [by_model[model] for model in plan.models]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--workdir", type=Path, default=Path(tempfile.gettempdir()))
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    concepts, preset = tuple(find_concepts()), load_preset("sound")
    inside: Counter[tuple[float, str]] = Counter()
    missing: Counter[tuple[float, str]] = Counter()
    width: defaultdict[tuple[float, str], float] = defaultdict(float)
    for seed in range(arguments.first_seed, arguments.first_seed + arguments.runs):
        for reject, metric, low, high in run(seed, concepts, preset, arguments.workdir):
            if low is None or high is None or math.isnan(low):
                missing[reject, metric] += 1
                continue
            inside[reject, metric] += low <= truth(reject)[metric] <= high
            width[reject, metric] += high - low
    report(arguments, inside, missing, width)


def report(
    arguments: argparse.Namespace,
    inside: Mapping[tuple[float, str], int],
    missing: Mapping[tuple[float, str], int],
    width: Mapping[tuple[float, str], float],
) -> None:
    rows = []
    for reject in REJECTION:
        for metric, value in truth(reject).items():
            given = arguments.runs - missing[reject, metric]
            rows.append(
                {
                    "reject": reject,
                    "metric": metric,
                    "truth": value,
                    "coverage": inside[reject, metric] / arguments.runs,
                    "without_interval": missing[reject, metric],
                    "mean_width": width[reject, metric] / given if given else None,
                }
            )
    if arguments.json:
        print(json.dumps({"runs": arguments.runs, "rows": rows}, indent=2))
        return
    print(f"{arguments.runs} runs of `sound`, 8 concepts x 5 levels, 40 dialogues per subject and run")
    print(f"{'rejection':>9} {'metric':>6} {'truth':>6} {'coverage':>9} {'mean width':>11} {'no interval':>12}")
    for row in rows:
        shown = "–" if row["mean_width"] is None else f"{row['mean_width']:.3f}"
        print(
            f"{row['reject']:9.2f} {row['metric']:>6} {row['truth']:6.2f} {row['coverage']:9.3f} {shown:>11} "
            f"{row['without_interval']:12d}"
        )


if __name__ == "__main__":
    main()
