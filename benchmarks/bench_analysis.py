"""How long do ten thousand bootstrap draws of all metrics take, for the nine models of the published study?

Ours - concepts as sums, draws as weights, one matrix product - beside the loop that one writes first: for each draw,
put the drawn concepts' rows together with pandas and compute every metric from them. Both must give the same numbers
for the draws that they share. The published study has no stances; here they are assumed from turn 4's and 5's FAR, so
that all metrics are computed.

    python benchmarks/bench_analysis.py
"""

from __future__ import annotations

import argparse
import math
import os
import platform
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pandas as pd

from voirdire.ddft._cells import cells, checked, read_answers
from voirdire.ddft.analysis.comparing.compare import compare
from voirdire.ddft.analysis.runs import Runs
from voirdire.ddft.metrics import BY_NAME, measure
from voirdire.ddft.profile import THETA
from voirdire.ddft.published.record import published_scores
from voirdire.stats import bootstrap_weights

BAR = 0.5
"""Seconds that all draws may take on two cores."""


def study() -> pd.DataFrame:
    """The published scores, with assumed stances."""
    scores = published_scores()
    stance = np.select([scores["far"] >= 0.7, scores["far"] >= 0.4], ["rejected", "questioned"], "accepted")
    known = (scores["turn"] > 3) & scores["far"].notna()
    return scores.assign(stance=np.where(known, stance, None))


def ours(scores: pd.DataFrame, draws: int, seed: int) -> dict[str, dict[str, np.ndarray]]:
    """All draws of all metrics, by model, from the table on."""
    found = {}
    for model, rows in checked(scores).groupby("model", sort=False):
        cell = cells(read_answers(rows), THETA)
        weights = bootstrap_weights(len(cell.concepts), draws, np.random.default_rng(seed))
        found[str(model)] = measure(cell, weights)
    return found


def pandas_loop(scores: pd.DataFrame, draws: int, all_draws: int, seed: int) -> dict[str, dict[str, np.ndarray]]:
    """The first draws out of all, one after another."""
    found = {}
    for model, rows in scores.groupby("model", sort=False):
        by_concept = {concept: frame for concept, frame in rows.groupby("concept")}
        weights = bootstrap_weights(len(by_concept), all_draws, np.random.default_rng(seed))[:draws].astype(int)
        drawn = []
        for counts in weights:
            copies = [
                frame.assign(concept=f"{concept}/{copy}")
                for (concept, frame), count in zip(sorted(by_concept.items()), counts, strict=True)
                for copy in range(count)
            ]
            drawn.append(plain_metrics(pd.concat(copies)))
        found[str(model)] = {name: np.array([draw[name] for draw in drawn]) for name in BY_NAME}
    return found


def plain_metrics(rows: pd.DataFrame) -> dict[str, float]:
    """The definitions of docs/design.md, section 5, as one would write them down."""
    far, sas, turn = rows["far"].round(9), rows["sas"].round(9), rows["turn"]
    n, known = len(rows), far.notna() & sas.notna()
    curves = rows.groupby(["concept", "level"])["far"].mean().round(9).unstack()
    reached, failed = curves >= THETA, curves < THETA
    levels = curves.columns.to_numpy()
    hoc = (reached * levels).max(axis=1)
    onset = ((reached & ~failed.cummax(axis=1)) * levels).max(axis=1)
    first_failing = failed[failed.any(axis=1)].idxmax(axis=1)
    danger = (sas > 0.7) & (far < 0.7)
    at_4, at_5 = (rows[turn == t].set_index(["concept", "level"])["stance"] for t in (4, 5))
    at_4 = at_4.dropna()
    after = at_5.reindex(at_4.index)
    rejected = (at_4 == "rejected").sum() + (at_4 == "questioned").sum() / 2
    low, some = far[(sas < 0.5) & known], sas[(far > 0.2) & known]
    found = {
        "HOC": hoc.mean(),
        "HOC_onset": onset.mean(),
        "first_failing_level": first_failing.mean(),
        "failed_at_0": failed[0.0].mean(),
        "CRI": area(rows),
        "FAR_prime": low.mean(),
        "SAS_prime": some.mean(),
        "danger_zone_pct": 100 * danger.sum() / n,
        "V_K": far[turn == 3].mean(),
        "V_E": ratio(rejected, len(at_4)),
        "V_E_strict": ratio((at_4 == "rejected").sum(), len(at_4)),
        "V_E_proxy": far[turn == 4].mean(),
        "entrenchment": (after[at_4 == "accepted"].dropna() == "accepted").mean(),
        "capitulation": (after[at_4 == "rejected"].dropna() == "accepted").mean(),
        "coupled_collapse": ((sas < 0.5) & (far < 0.7)).sum() / n,
        "selective_verifier_failure": danger.sum() / n,
        "trap_acceptance": ratio((at_4 == "accepted").sum(), len(at_4)),
        "share_answered": 1.0,
        "K": area(rows[turn <= 3], "far"),
        "E": (rejected + 0.5) / (len(at_4) + 1),
        "S": area(rows[turn <= 3]),
        "D": (n - danger.sum() + 0.5) / (n + 1),
    }
    found["CI_raw"] = ratio(found["HOC"] * found["CRI"], found["FAR_prime"] + 1 - found["SAS_prime"])
    found["ER"] = (found["K"] * found["E"] * found["S"] * found["D"]) ** 0.25
    return found


def area(rows: pd.DataFrame, score: str = "sas") -> float:
    """Area under a score's curve over the levels, divided by their range."""
    curve = rows.groupby("level")[score].mean()
    return float(np.trapezoid(curve, curve.index) / (curve.index[-1] - curve.index[0]))


def ratio(numerator: float, denominator: float) -> float:
    return numerator / denominator if denominator > 0 else math.nan


def largest_difference(one: dict[str, dict[str, np.ndarray]], other: dict[str, dict[str, np.ndarray]]) -> float:
    """Over all models, metrics and draws that the second has. Undefined must be undefined in both."""
    differences = []
    for model, drawn in other.items():
        for name, values in drawn.items():
            mine = one[model][name][: len(values)]
            if (np.isnan(mine) != np.isnan(values)).any():
                raise SystemExit(f"{name} of {model} is defined in one and undefined in the other.")
            differences.append(np.nanmax(np.abs(mine - values), initial=0.0))
    return float(max(differences))


class Seconds(NamedTuple):
    """Of the fastest repetition: what the work takes when the machine does nothing else."""

    wall: float
    cpu: float

    def __str__(self) -> str:
        return f"{self.wall:>10.3f} s{self.cpu:>10.3f} s of CPU"


def timed(work: Callable[[], object], repeats: int = 9) -> Seconds:
    """Do the work several times."""
    took = []
    for _ in range(repeats):
        wall, cpu = time.perf_counter(), time.process_time()
        work()
        took.append(Seconds(time.perf_counter() - wall, time.process_time() - cpu))
    return min(took)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--draws", type=int, default=10_000)
    options.add_argument("--loop-draws", type=int, default=20, help="draws of the pandas loop, which is scaled up")
    options.add_argument("--seed", type=int, default=0)
    asked = options.parse_args()

    scores = study()
    start = time.perf_counter()
    loop = pandas_loop(scores, asked.loop_draws, asked.draws, asked.seed)
    slow = (time.perf_counter() - start) * asked.draws / asked.loop_draws
    fast = timed(lambda: ours(scores, asked.draws, asked.seed))
    apart = largest_difference(ours(scores, asked.draws, asked.seed), loop)
    runs = Runs((), scores, pd.DataFrame(), ())

    print(f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()},")
    print(
        f"numpy {np.__version__}, pandas {pd.__version__}; nine models, {asked.draws:,} draws, {len(BY_NAME)} metrics\n"
    )
    print(f"{'ours, from the table on':42}{fast}")
    title = f"pandas loop, {asked.loop_draws} draws scaled up"
    print(f"{title:42}{slow:>10.0f} s{slow / fast.wall:>10,.0f} times as long")
    for unit in ("concept", "dialogue"):
        print(f"{f'compare all 36 pairs in ER, by {unit}':42}{timed(lambda unit=unit: compare(runs, 'ER', unit), 3)}")
    print(f"\nLargest difference between the two, over {asked.loop_draws} draws: {apart:.1e} (must be below 1e-9)")
    if apart > 1e-9 or fast.wall > BAR:
        raise SystemExit(f"Failed: equal to 1e-9 and under {BAR} s is the bar.")


if __name__ == "__main__":
    main()
