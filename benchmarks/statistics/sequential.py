"""How many calls does stopping early save, and do its ranking and its intervals hold?

Six simulated models, neighbours 0.05 ER apart, three judges whose errors are known; dialogues are drawn, looked at and
stopped as in a run with `--stop-when` (`voirdire.ddft.stopping`), two hundred studies at once.

    python -m benchmarks sequential                        everything
    python -m benchmarks sequential -- --part bar          ranking, share of calls and coverage, by grid and width
    python -m benchmarks sequential -- --part order        dialogues spread over concepts, against whole concepts
    python -m benchmarks sequential -- --part calibrate    coverage by strength of the correction, other subjects
    python -m benchmarks sequential -- --part published    the published scores, their concepts drawn again
    python -m benchmarks sequential -- --small             a quick look
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.stats import kendalltau

from benchmarks._table import table
from benchmarks.statistics import _sequential_published as published_scores
from benchmarks.statistics import _sequential_studies as studies
from benchmarks.statistics._sequential_studies import Floats, Many
from voirdire.ddft.stopping import InterimAnalysis, StopRule, parse_rule
from voirdire.ddft.stopping.interim import first_analysis_size, size_after
from voirdire.stats import sequential

GRIDS = {"8 x 5": (8, 1), "20 x 5": (20, 1), "41 x 5": (41, 1), "41 x 5 x 2": (41, 2)}
"""Concepts and samples, at five levels: the paper's, 20, all that are packaged, and these twice."""
WIDTHS = {
    "8 x 5": (0.05, 0.08),
    "20 x 5": (0.05, 0.08),
    "41 x 5": (0.05, 0.06, 0.07),
    "41 x 5 x 2": (0.03, 0.05, 0.06),
}
ENOUGH = 0.9
"""Of Kendall's tau. Of six models' rankings only equal ones have more than 0.867."""
SAME = 1e-9


class Ended(NamedTuple):
    """One model in many studies, when the rule stopped it; one entry per study."""

    value: Floats
    covered: Floats
    dialogues: Floats
    analyses: Floats
    narrow: Floats


def run(model: Many, rule: StopRule, truth: float) -> Ended:
    """Go on until the rule stops each study."""
    first = first_analysis_size(rule, studies.LEVELS.size, model.dialogues)
    count = model.seen(first).er.size
    size, ended = np.full(count, first), [np.zeros(count) for _ in Ended._fields]
    going = np.ones(count, dtype=np.bool_)
    while going.any():
        now = int(size[going].min())
        low, high, half = model.half_widths(now, first)
        for study in np.flatnonzero(going & (size == now)):
            ended[3][study] += 1
            narrow = bool(half[study] <= rule.half_width)
            if narrow or now == model.dialogues:
                going[study] = False
                covered = low[study] <= truth <= high[study]
                for values, value in zip(ended, (model.seen(now).er[study], covered, now, None, narrow), strict=True):
                    if value is not None:
                        values[study] = value
            else:
                analysis = InterimAnalysis(now, float(half[study]))
                size[study] = size_after(analysis, rule, studies.LEVELS.size, model.dialogues)
    return Ended(*ended)


class Row(NamedTuple):
    """What many studies of several models gave."""

    share: float
    """Of the full grid's dialogues, and so of its calls."""
    tau: float
    """To the full grid's ranking of the same study: mean over studies."""
    same: float
    """Share of studies in which it is 0.9 or more."""
    tau_truth: float
    tau_full: float
    """Of the full grid's ranking to the true one."""
    coverage: float
    lowest: float
    highest: float
    """Of the models' own coverages."""
    narrow: float
    analyses: float


def summed(ended: Sequence[Ended], full: Sequence[Floats], truth: Sequence[float], dialogues: int) -> Row:
    """The figures of a table's row."""
    at_end, at_full = np.array([each.value for each in ended]), np.array(full)
    taus = [_tau(a, b) for a, b in zip(at_end.T, at_full.T, strict=True)]
    covered = [float(each.covered.mean()) for each in ended]
    return Row(
        share=float(np.mean([each.dialogues.mean() for each in ended])) / dialogues,
        tau=float(np.mean(taus)),
        same=float(np.mean([tau >= ENOUGH for tau in taus])),
        tau_truth=float(np.mean([_tau(study, truth) for study in at_end.T])),
        tau_full=float(np.mean([_tau(study, truth) for study in at_full.T])),
        coverage=float(np.mean(covered)),
        lowest=min(covered),
        highest=max(covered),
        narrow=float(np.mean([each.narrow.mean() for each in ended])),
        analyses=float(np.mean([each.analyses.mean() for each in ended])),
    )


def _tau(a: Sequence[float] | Floats, b: Sequence[float] | Floats) -> float:
    return float(kendalltau(a, b).statistic)


HEAD = ("calls", "tau", "tau >= 0.9", "tau to truth", "full grid's", "coverage", "by model", "narrow", "analyses")


def _shown(row: Row) -> list[str]:
    return [
        f"{row.share:.0%}",
        f"{row.tau:.3f}",
        f"{row.same:.0%}",
        f"{row.tau_truth:.3f}",
        f"{row.tau_full:.3f}",
        f"{row.coverage:.1%}",
        f"{row.lowest:.1%}-{row.highest:.1%}",
        f"{row.narrow:.0%}",
        f"{row.analyses:.1f}",
    ]


def _measured(made: Sequence[Many], rule: StopRule, truth: Sequence[float]) -> list[str]:
    ended = [run(model, rule, true) for model, true in zip(made, truth, strict=True)]
    full = [model.seen(model.dialogues).er for model in made]
    return _shown(summed(ended, full, truth, made[0].dialogues))


def _of_family(
    family: str, concepts: int, samples: int, count: int, seed: Sequence[int], *, by_concept: bool = False
) -> tuple[list[Many], list[float]]:
    rng = np.random.default_rng(seed)
    subjects, truth = zip(*studies.six(family), strict=True)
    made = [studies.simulate(subject, count, concepts, samples, rng) for subject in subjects]
    return [Many(scores, by_concept=by_concept) for scores in made], list(truth)


def check() -> None:
    """Hold the arithmetic on many studies against what runs use."""
    rng = np.random.default_rng(1)
    made = {name: Many(studies.simulate(each, 3, 20, 1, rng)) for name, each in studies.CALIBRATING.items()}
    apart = max(model.agree(size) for model in made.values() for size in (30, 45, 100))
    if not apart < SAME:
        raise SystemExit(
            f"The widths here differ from those that runs see, by {apart:.2g}: this is to be mended first."
        )
    print(f"Half-widths here and those that runs see differ by at most {apart:.0e}.")


def bar(count: int, seed: int) -> None:
    """Six models, neighbours 0.05 apart, in three families, on four grids."""
    print(f"\nSix models, ER from 0.50 to 0.75; {count} studies a row; calls in % of the full grid's")
    rows = []
    for place, (grid, (concepts, samples)) in enumerate(GRIDS.items()):
        for number, family in enumerate(studies.FAMILIES):
            made, truth = _of_family(family, concepts, samples, count, [seed, place, number])
            for width in WIDTHS[grid]:
                rows.append([family, grid, f"±{width}", *_measured(made, StopRule("ER", width), truth)])
    print(table(("models", "grid", "ER", *HEAD), rows), flush=True)


def order(count: int, seed: int) -> None:
    """The same models, dialogues spread over concepts or concepts one by one."""
    print(f"\n41 concepts x 5 levels, ER±0.06, {count} studies a row, by what is drawn")
    rows = []
    for number, family in enumerate(studies.FAMILIES):
        for named, by_concept in (("dialogues", False), ("whole concepts", True)):
            made, truth = _of_family(family, 41, 1, count, [seed, 9, number], by_concept=by_concept)
            rows.append([family, named, *_measured(made, StopRule("ER", 0.06), truth)])
    print(table(("models", "drawn", *HEAD), rows), flush=True)


def calibrate(count: int, seed: int) -> None:
    """Coverage on other subjects by how much of alpha is kept back: what `stats.sequential` rests on."""
    count *= 5
    print(f"\nCoverage by strength of the correction, and lowest to highest of the subjects; {count} studies of each")
    rows = []
    chosen = sequential.SHARE_SPENT
    for grid, (concepts, samples) in (GRIDS | {"8 x 5 x 3": (8, 3)}).items():
        rng = np.random.default_rng([seed, 5, concepts, samples])
        made = {
            each: Many(studies.simulate(each, count, concepts, samples, rng)) for each in studies.CALIBRATING.values()
        }
        for width in (0.03, 0.05, 0.08):
            found = []
            for spent in (0.0, 0.25, 0.5, 0.75):
                sequential.SHARE_SPENT = spent
                each = [run(model, StopRule("ER", width), studies.true_er(who)) for who, model in made.items()]
                covered = [float(ended.covered.mean()) for ended in each]
                found.append(f"{np.mean(covered):.1%} ({min(covered):.1%}-{max(covered):.1%})")
            rows.append([grid, f"±{width}", *found])
    sequential.SHARE_SPENT = chosen
    print(table(("grid", "ER", "none", "0.25", "0.5 (used)", "0.75"), rows), flush=True)


def published(count: int, seed: int) -> None:
    """Nine published models; their eight concepts drawn with replacement, the same for all."""
    count = max(4, count // 4)
    print(f"\nThe published scores, nine models, concepts drawn again, {count} studies a row (they hold no ER)")
    rows = []
    for concepts in (8, 24, 40):
        rng = np.random.default_rng([seed, 7, concepts])
        picks = [rng.integers(0, 8, concepts) for _ in range(count)]
        for text in ("K±0.03", "S±0.03", "CI_raw±0.15"):
            ended, full, truth = published_scores.run(picks, parse_rule(text))
            each = [Ended(*np.array(model, dtype=np.float64).T) for model in ended]
            rows.append([text, f"{concepts} x 5", *_shown(summed(each, full, truth, 5 * concepts))])
    print(table(("rule", "grid", *HEAD), rows), flush=True)


PARTS = {"bar": bar, "order": order, "calibrate": calibrate, "published": published}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--studies", type=int, default=200)
    options.add_argument("--seed", type=int, default=2026)
    options.add_argument("--part", choices=(*PARTS, "all"), default="all")
    options.add_argument("--small", action="store_true", help="eight studies a row")
    asked = options.parse_args()
    count = 8 if asked.small else asked.studies
    check()
    for name in PARTS if asked.part == "all" else (asked.part,):
        PARTS[name](count, asked.seed)


if __name__ == "__main__":
    main()
