"""How long do bootstrap, ICC and replication take, beside plain pandas and pingouin that do the same?

    python -m benchmarks.speed.analysis [--small]

Bootstrap: all draws of all metrics for the nine models of the published study; ours takes concepts as sums, draws as
weights, one matrix product, the plain loop puts the drawn concepts' rows together for each draw and computes every
metric from them. The published study has no stances; here they are assumed from turn 4's and 5's FAR, so that all
metrics are computed. ICC: of the study's turns by three judges, and its jackknife over concepts. Table 2: every figure,
and every figure without each concept. Whatever two ways have in common must come out the same. What the plain ways take
is CPU seconds, and so is the ratio: a busy machine changes them little.
"""

from __future__ import annotations

import argparse
import math
import os
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

import numpy as np
import pandas as pd
import pingouin

from benchmarks._machine import machine, versions
from benchmarks._table import table
from voirdire.ddft.analysis.comparing.compare import compare
from voirdire.ddft.analysis.runs import Runs
from voirdire.ddft.concept_sums import cells, checked, read_answers
from voirdire.ddft.metrics import BY_NAME, measure
from voirdire.ddft.profile import profiles
from voirdire.ddft.published import JUDGES, published_scores, published_turns
from voirdire.ddft.thresholds import PAPER
from voirdire.papers.ddft.replication import replicate
from voirdire.stats import bootstrap_weights, jackknife_t
from voirdire.stats.agreement import intraclass

BAR = 0.5
"""CPU seconds that all draws may take."""

EQUAL = 1e-9
PACKAGES = ("voirdire", "numpy", "pandas", "pingouin", "scipy")
HEAD = ("analysis", "ours, wall s", "ours, CPU s", "plain, CPU s", "ratio", "apart")


def study() -> pd.DataFrame:
    """The published scores, with assumed stances."""
    scores = published_scores()
    stance = np.select([scores["far"] >= 0.7, scores["far"] >= 0.4], ["rejected", "questioned"], "accepted")
    known = (scores["turn"] > 3) & scores["far"].notna()
    return scores.assign(stance=pd.Series(stance, scores.index).where(known, None))


def ours(scores: pd.DataFrame, draws: int, seed: int) -> dict[str, dict[str, np.ndarray]]:
    """All draws of all metrics, by model, from the table on."""
    found = {}
    for model, rows in checked(scores).groupby("model", sort=False):
        cell = cells(read_answers(rows))
        weights = bootstrap_weights(len(cell.concepts), draws, np.random.default_rng(seed))
        found[str(model)] = measure(cell, weights)
    return found


def pandas_loop(scores: pd.DataFrame, draws: int, all_draws: int, seed: int) -> dict[str, dict[str, np.ndarray]]:
    """The first draws out of all, one after another."""
    found = {}
    for model, rows in scores.groupby("model", sort=False):
        by_concept = {str(concept): frame for concept, frame in rows.groupby("concept")}
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
    known = far.notna() & sas.notna()
    n = known.sum()
    curves = rows.groupby(["concept", "level"])["far"].mean().round(9).unstack()
    reached, failed = curves >= PAPER.failed_level_far, curves < PAPER.failed_level_far
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


def timed(work: Callable[[], object], repeats: int = 9) -> Seconds:
    """Do the work several times."""
    took = []
    for _ in range(repeats):
        wall, cpu = time.perf_counter(), time.process_time()
        work()
        took.append(Seconds(time.perf_counter() - wall, time.process_time() - cpu))
    return min(took)


class Line(NamedTuple):
    """One comparison."""

    what: str
    ours: Seconds
    plain: float | None
    """CPU seconds of the plain way."""
    apart: float | None
    """The largest difference between the results of the two."""

    def row(self) -> tuple[str, ...]:
        """As strings."""
        took = f"{self.ours.wall:.3f}", f"{self.ours.cpu:.3f}"
        if self.plain is None or self.apart is None:
            return self.what, *took, "", "", ""
        ratio = self.plain / self.ours.cpu
        return (
            self.what,
            *took,
            f"{self.plain:,.2f}",
            f"{ratio:,.1f}" if ratio < 10 else f"{ratio:,.0f}",
            f"{self.apart:.0e}",
        )


def bootstrap(draws: int, loop_draws: int, seed: int) -> Line:
    """All metrics of nine models; the plain loop's time is scaled up from its few draws."""
    scores = study()
    start = time.process_time()
    loop = pandas_loop(scores, loop_draws, draws, seed)
    slow = (time.process_time() - start) * draws / loop_draws
    fast = timed(lambda: ours(scores, draws, seed))
    apart = largest_difference(ours(scores, draws, seed), loop)
    return Line(f"bootstrap, {draws:,} draws (plain: {loop_draws}, scaled up)", fast, slow, apart)


def icc() -> Line:
    """ICC(2,1) and ICC(3,1) of the turns that all judges scored."""
    scores, _ = judged(1)
    start = time.process_time()
    plain = plain_icc(scores)
    slow = time.process_time() - start
    found = intraclass(scores)
    apart = max(abs(found.icc_2_1.value - plain[0]), abs(found.icc_3_1.value - plain[1]))
    return Line("ICC of three judges", timed(lambda: intraclass(scores)), slow, apart)


def icc_jackknife(copies: int) -> Line:
    """ICC(3,1) with its jackknife-t interval, among so many times eight concepts: plainly, anew without each."""
    scores, concepts = judged(copies)
    start = time.process_time()
    left_out = [plain_icc(scores[concepts != concept])[1] for concept in np.unique(concepts)]
    slow = time.process_time() - start
    z = [math.log((1 + 2 * value) / (1 - value)) for value in (plain_icc(scores)[1], *left_out)]
    interval = jackknife_t(z[0], z[1:])
    low, high = ((math.exp(end) - 1) / (math.exp(end) + 2) for end in (interval.low, interval.high))
    whole = intraclass(scores, clusters=concepts).icc_3_1
    fast = timed(lambda: intraclass(scores, clusters=concepts), 3)
    return Line(
        f"its interval over {8 * copies} concepts", fast, slow, max(abs(whole.low - low), abs(whole.high - high))
    )


def judged(copies: int) -> tuple[np.ndarray, np.ndarray]:
    """FAR of the turns that all judges scored, shape (turns, judges), and their concepts; each so many times."""
    turns = published_turns()
    columns = [f"far_{judge}" for judge in JUDGES]
    known = turns[turns[columns].notna().all(axis=1)]
    concepts = [known["concept"] + f" {copy}" for copy in range(copies)]
    return np.tile(known[columns].to_numpy(), (copies, 1)), pd.concat(concepts).to_numpy(dtype=str)


def plain_icc(scores: np.ndarray) -> tuple[float, float]:
    """ICC(2,1) and ICC(3,1) by pingouin."""
    items, judges = scores.shape
    long = pd.DataFrame(
        {"turn": np.repeat(np.arange(items), judges), "judge": np.tile(range(judges), items), "far": scores.ravel()}
    )
    table = pingouin.intraclass_corr(long, targets="turn", raters="judge", ratings="far")["ICC"]
    return float(table.iloc[1]), float(table.iloc[2])


def table_2_intervals() -> Line:
    """Table 2 and what its intervals are made of: every figure without each concept in turn."""
    scores = published_scores()
    start = time.process_time()
    plain = {}
    for model, rows in scores.groupby("model"):
        plain[str(model)] = table_2(rows)
        for concept in rows["concept"].unique():
            table_2(rows[rows["concept"] != concept])
    slow = time.process_time() - start
    ours = {profile.model: profile.metrics for profile in profiles(scores, draws=0)}
    pairs = [(ours[model][name].value, value) for model, metrics in plain.items() for name, value in metrics.items()]
    apart = max(math.inf if value is None else abs(value - expected) for value, expected in pairs)
    return Line(
        "Table 2 of nine models, with intervals", timed(lambda: profiles(scores, draws=0), 3), slow, float(apart)
    )


def replication() -> Line:
    """All claims of the paper."""
    return Line("replicate, all 114 claims", timed(replicate, 3), None, None)


def table_2(rows: pd.DataFrame) -> dict[str, float]:
    """The columns of Table 2, of one model."""
    names = ("HOC", "CRI", "FAR_prime", "SAS_prime", "CI_raw", "danger_zone_pct")
    found = plain_metrics(rows.assign(stance=None))
    return {name: found[name] for name in names}


def comparisons() -> Iterator[Line]:
    """Every pair of the nine models, with intervals and tests."""
    runs = Runs((), study(), pd.DataFrame(), ())
    for unit in ("concept", "dialogue"):
        yield Line(f"compare 36 pairs in ER, by {unit}", timed(partial(compare, runs, "ER", unit), 3), None, None)


def main() -> None:
    """Print the table; fails where results differ or the bootstrap is slow."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--draws", type=int, default=10_000)
    options.add_argument("--loop-draws", type=int, default=20, help="draws of the plain loop, which is scaled up")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--small", action="store_true", help="a quick look: 500 draws, two of the plain loop")
    asked = options.parse_args()
    draws, loop_draws = (500, 2) if asked.small else (asked.draws, asked.loop_draws)
    print(f"{machine()}\n{versions(*PACKAGES)}; load {os.getloadavg()[0]:.1f}\n")
    boot = bootstrap(draws, loop_draws, asked.seed)
    lines = [boot, icc(), icc_jackknife(1), icc_jackknife(2 if asked.small else 10)]
    lines += [table_2_intervals(), replication(), *comparisons()]
    print(table(HEAD, [line.row() for line in lines]))
    worst = max(line.apart for line in lines if line.apart is not None)
    print(f"\nLargest difference of results: {worst:.0e} (must be below {EQUAL:.0e})")
    if worst > EQUAL:
        raise SystemExit("Failed: the two ways differ.")
    if boot.ours.cpu > BAR:
        raise SystemExit(f"Failed: all draws must take less than {BAR} s of CPU.")


if __name__ == "__main__":
    main()
