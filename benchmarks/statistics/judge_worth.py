"""What forty ratings say of a judge: do corrected metrics hold, what do verdicts save, and are bad judges found out?

Simulates runs that judges of seven kinds have scored and people have rated in part, or draws runs from FRANK (human
factuality and automatic metrics of 2,246 summaries), and counts over many draws: how often each 95 % interval contains
the population's mean, how wide it is against people's alone, how many ratings that saves, and what is concluded.

    python -m benchmarks.statistics.judge_worth                          seven judges, 1,000 draws each
    python -m benchmarks.statistics.judge_worth --small                  20 draws each
    python -m benchmarks.statistics.judge_worth --frank frank.csv        the metrics of FRANK
    python -m benchmarks.statistics.judge_worth --whole                  whole documents are rated
    python -m benchmarks.statistics.judge_worth --by-model               each model and their differences, too
    python -m benchmarks.statistics.judge_worth --errors 0 0.005 0.01 0.02 0.05    judges that seldom err
    python -m benchmarks.statistics.judge_worth --informative            do items near the decision tell more?
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import expit, logit

from benchmarks._table import table
from voirdire.jury.worth import Worth, judge_worth
from voirdire.stats import Interval, anchored_mean

Floats = NDArray[np.float64]
Rng = np.random.Generator

MODELS, PER_MODEL = 4, 250
TRUE = 0.7
"""Share of items that are right, of a middling document and model."""
BETWEEN_DOCUMENTS, BETWEEN_MODELS = 0.7, (0.9, 0.3, -0.3, -0.9)
"""On the logit scale: a standard deviation, and shifts."""
GOOD = 0.6
DOCUMENTS = 499
"""Of FRANK, in each run: drawn with replacement."""
_POPULATION = 400_000


class Run(NamedTuple):
    """What a judge and, if asked, people say of the items of a run."""

    truth: Floats
    judge: Floats
    documents: NDArray[np.str_]
    models: NDArray[np.str_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One judge, over all draws; shares are of draws."""

    judge: str
    correlation: float
    people: float
    """Coverage of people's own interval."""
    chosen: float
    """Coverage of the interval that is recommended."""
    ratio: float
    """Its mean width over that of people's."""
    saved: float
    """Share of ratings that are not needed for the same width."""
    models: float
    """Coverage of the models' corrected metrics."""
    differences: float
    """Coverage of their differences."""
    widest: float
    """The largest width of a corrected interval, of all or of a model, over that of people's."""
    counts: float
    """Mean width of the Rogan-Gladen interval over people's; NaN for scores."""
    leave: float
    opposite: float
    correct: float
    trust: float
    undecided: float


def verdicts(kind: str | float, rng: Rng, truth: Floats, model: NDArray[np.intp], length: Floats) -> Floats:
    """What a judge of this kind, or with this share of errors, says of items that are right (1) or not (0)."""
    chance = rng.random(truth.size)

    def yes_or_no(sensitivity: Floats | float, specificity: Floats | float) -> Floats:
        return np.where(truth == 1, chance < sensitivity, chance >= specificity).astype(np.float64)

    if isinstance(kind, float):
        return yes_or_no(1 - kind, 1 - kind)
    if kind == "lenient":
        return yes_or_no(0.98, 0.6)
    if kind == "strict":
        return yes_or_no(0.75, 0.97)
    if kind == "noisy":
        return yes_or_no(0.87, 0.87)
    if kind == "favours a model":
        favoured = model == MODELS - 1
        return yes_or_no(np.where(favoured, 0.99, 0.93), np.where(favoured, 0.3, 0.93))
    if kind == "likes length":
        return expit(2 * (2 * truth - 1) + 1.5 * length)
    if kind == "useless":
        return yes_or_no(0.7, 0.3)
    return truth.copy()


KINDS = ("lenient", "strict", "noisy", "favours a model", "likes length", "useless", "perfect")


def simulate(kind: str | float, rng: Rng) -> Run:
    """A run of documents that every model answers about."""
    documents, model = np.repeat(np.arange(PER_MODEL), MODELS), np.tile(np.arange(MODELS), PER_MODEL)
    shifts = BETWEEN_DOCUMENTS * rng.standard_normal(PER_MODEL)
    chance = expit(logit(TRUE) + shifts[documents] + np.array(BETWEEN_MODELS)[model])
    truth = (rng.random(model.size) < chance).astype(np.float64)
    judged = verdicts(kind, rng, truth, model, rng.standard_normal(model.size))
    return Run(truth, judged, documents.astype(np.str_), np.array(list("abcd"))[model])


def population() -> dict[str, float]:
    """The true mean of each model, and of all."""
    shifts = BETWEEN_DOCUMENTS * np.random.default_rng(1).standard_normal(_POPULATION)
    means = {
        name: float(expit(logit(TRUE) + shifts + shift).mean())
        for name, shift in zip("abcd", BETWEEN_MODELS, strict=True)
    }
    return means | {"": float(np.mean(list(means.values())))}


def rate(run: Run, rated: int, rng: Rng, *, whole: bool) -> Floats:
    """People's ratings of so many items at random, or of whole documents; NaN elsewhere."""
    if whole:
        names = rng.permutation(np.unique(run.documents))
        sizes = np.cumsum([int((run.documents == name).sum()) for name in names])
        chosen = np.isin(run.documents, names[: int(np.searchsorted(sizes, rated)) + 1])
    else:
        chosen = np.isin(np.arange(run.truth.size), rng.choice(run.truth.size, rated, replace=False))
    return np.where(chosen, run.truth, np.nan)


def measure(
    name: str,
    runs: Iterator[Run],
    true: Mapping[str, float],
    rated: int,
    seed: int,
    *,
    whole: bool = False,
    by_model: bool = False,
) -> Row:
    """One judge over all runs."""
    rng, seen, correlations = np.random.default_rng(seed), [], []
    for run in runs:
        people, models = rate(run, rated, rng, whole=whole), run.models if by_model else None
        found = judge_worth(name, run.judge, people, clusters=run.documents, models=models)
        seen.append(_seen(found, true))
        known = np.isfinite(run.judge)
        correlations.append(np.corrcoef(run.truth[known], run.judge[known])[0, 1])
    mean = pd.DataFrame(seen).mean()
    ratio = float(mean["width"] / mean["people_width"])
    return Row(
        judge=name,
        correlation=float(np.mean(correlations)),
        people=mean["people"],
        chosen=mean["chosen"],
        ratio=ratio,
        saved=1 - ratio**2,
        models=mean["models"],
        differences=mean["differences"],
        widest=max(each["widest"] for each in seen),
        counts=float(mean["counts_width"] / mean["people_width"]),
        **{each: float(mean[each]) for each in ("leave", "opposite", "correct", "trust", "undecided")},
    )


def _seen(found: Worth, true: Mapping[str, float]) -> dict[str, float]:
    """What one draw adds to each column; NaN where it has none."""
    counts = None if found.counts is None else found.counts.interval
    models = [_covers(each.corrected.interval, true[each.model]) for each in found.models]
    gaps = [_covers(each.interval, true[each.first] - true[each.second]) for each in found.differences]
    return {
        "people": _covers(found.people.interval, true[""]),
        "chosen": _covers(found.best.interval, true[""]),
        "people_width": _width(found.people.interval),
        "width": _width(found.best.interval),
        "models": _mean(models),
        "differences": _mean(gaps),
        "widest": _widest(found),
        "counts_width": _width(counts),
        **{each: float(found.conclusion == each) for each in ("leave", "opposite", "correct", "trust", "undecided")},
    }


def _widest(found: Worth) -> float:
    pairs = [(found.best, found.people), *((each.corrected, each.people) for each in found.models)]
    return max(_width(corrected.interval) / _width(people.interval) for corrected, people in pairs if people.interval)


def _mean(values: list[float]) -> float:
    known = [each for each in values if not np.isnan(each)]
    return float(np.mean(known)) if known else np.nan


def _covers(interval: Interval | None, value: float) -> float:
    return np.nan if interval is None else float(interval.low <= value <= interval.high)


def _width(interval: Interval | None) -> float:
    return np.nan if interval is None else interval.high - interval.low


def simulated(
    rated: int,
    draws: int,
    seed: int,
    kinds: Sequence[str | float] = KINDS,
    *,
    whole: bool = False,
    by_model: bool = False,
) -> Iterator[Row]:
    """The seven judges, or others."""
    true = population()
    for number, kind in enumerate(kinds):
        rng = np.random.default_rng((seed, number))
        runs = (simulate(kind, rng) for _ in range(draws))
        name = kind if isinstance(kind, str) else f"errs in {100 * kind:g} %"
        yield measure(name, runs, true, rated, seed + number, whole=whole, by_model=by_model)


def read_frank(path: Path) -> pd.DataFrame:
    """FRANK's summaries; a metric that is missing is left missing."""
    return pd.read_csv(path, dtype={"document": str, "model": str})


def frank_metrics(frank: pd.DataFrame) -> list[str]:
    """The automatic metrics: all columns after the human one."""
    return list(frank.columns[list(frank.columns).index("human_factuality") + 1 :])


def frank_runs(frank: pd.DataFrame, metric: str, draws: int, rng: Rng) -> Iterator[Run]:
    """Runs of some of the documents, each with all its summaries, drawn with replacement."""
    rows = frank.groupby("document").indices
    places_of = [np.asarray(each) for each in rows.values()]
    for _ in range(draws):
        chosen = rng.integers(len(places_of), size=DOCUMENTS)
        places = np.concatenate([places_of[each] for each in chosen])
        documents = np.repeat(np.arange(DOCUMENTS), [places_of[each].size for each in chosen]).astype(np.str_)
        part = frank.iloc[places]
        yield Run(
            part["human_factuality"].to_numpy(),
            part[metric].to_numpy(dtype=np.float64),
            documents,
            part["model"].to_numpy(dtype=np.str_),
        )


def frank_truth(frank: pd.DataFrame) -> dict[str, float]:
    """The mean human factuality of each model, and of all."""
    means = frank.groupby("model")["human_factuality"].mean()
    return {str(name): float(value) for name, value in means.items()} | {"": float(frank["human_factuality"].mean())}


def of_frank(path: Path, rated: int, draws: int, seed: int, *, whole: bool = False) -> Iterator[Row]:
    """FRANK's metrics."""
    frank = read_frank(path)
    true = frank_truth(frank)
    for number, metric in enumerate(frank_metrics(frank)):
        rng = np.random.default_rng((seed, number))
        runs = frank_runs(frank, metric, draws, rng)
        yield measure(metric, runs, true, rated, seed + number, whole=whole)


def informative(rated: int, draws: int, seed: int) -> Iterator[tuple[str, float, float, float, float]]:
    """Do ratings near the judge's decision tell more? Name, both coverages, width against random, ratings saved.

    The judge's score is the chance that an item is right, and an item is drawn in proportion to the standard deviation
    that this foretells, sqrt(score * (1 - score)), at least a share of the largest: the best case for such a sample.
    """
    rng, n = np.random.default_rng(seed), 1500
    for sharpness in (1.0, 2.0, 3.0):
        score = expit(logit(TRUE) + sharpness * rng.standard_normal(n))
        truth = (rng.random(n) < score).astype(np.float64)
        for least in (0.1, 0.3, 0.5):
            spread = np.sqrt(score * (1 - score))
            sizes = np.ones(n), np.maximum(spread / spread.max(), least)
            (plain, width), (near, narrow) = (_drawn(truth, score, size, rated, draws, rng) for size in sizes)
            name = f"spread {sharpness:g}, at least {least:g}"
            yield name, plain, near, narrow / width, 1 - (narrow / width) ** 2


def _drawn(truth: Floats, score: Floats, size: Floats, rated: int, draws: int, rng: Rng) -> tuple[float, float]:
    """Coverage and mean width where items are drawn with a chance in proportion to their size."""
    covered, widths, items = [], [], np.arange(truth.size)
    for _ in range(draws):
        chosen, chance = _systematic(size, rated, rng)
        people = np.full(truth.size, np.nan)
        people[chosen] = truth[chosen]
        interval = anchored_mean(people, score, items, weights=1 / chance).interval
        covered.append(_covers(interval, float(truth.mean())))
        widths.append(_width(interval))
    return float(np.mean(covered)), float(np.mean(widths))


def _systematic(size: Floats, n: int, rng: Rng) -> tuple[NDArray[np.intp], Floats]:
    """A systematic sample in random order, and the chance of each item; sizes are small enough that none exceeds 1."""
    chance = n * size / size.sum()
    order = rng.permutation(size.size)
    steps = np.floor(np.concatenate([[0.0], np.cumsum(chance[order])]) - rng.random())
    return order[np.diff(steps) > 0], chance


def _percent(value: float) -> str:
    return "–" if np.isnan(value) else f"{100 * value:.1f}"


def _shown(row: Row) -> list[str]:
    width = "–" if np.isnan(row.counts) else f"{row.counts:.2f}"
    coverages = (row.people, row.chosen, row.models, row.differences)
    said = (row.leave, row.opposite, row.correct, row.trust, row.undecided)
    return [
        row.judge,
        f"{row.correlation:.2f}",
        *map(_percent, coverages),
        f"{row.ratio:.3f}",
        f"{row.widest:.3f}",
        _percent(row.saved),
        width,
        *map(_percent, said),
    ]


HEAD = (
    *("judge", "r", "people", "chosen", "models", "differences", "width", "widest", "saved", "counts"),
    *("leave", "opposite", "correct", "trust", "undecided"),
)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--small", action="store_true", help="20 draws of each")
    options.add_argument("--draws", type=int, default=1000)
    options.add_argument("--rated", type=int, default=40)
    options.add_argument("--whole", action="store_true", help="whole documents are rated, not items at random")
    options.add_argument("--by-model", action="store_true", help="also the models and their differences")
    options.add_argument("--errors", type=float, nargs="+", help="judges with these shares of errors, not the seven")
    options.add_argument("--informative", action="store_true", help="compare random items with those near the decision")
    options.add_argument("--frank", type=Path, help="the table of FRANK's summaries")
    options.add_argument("--seed", type=int, default=11)
    options.add_argument("--json", type=Path, help="write the rows there")
    asked = options.parse_args()
    draws = 20 if asked.small else asked.draws
    if asked.informative:
        print(f"{draws} draws, {asked.rated} ratings: items near the decision against random ones, coverage in percent")
        head = ("judge", "random", "near", "width", "saved")
        near = list(informative(asked.rated, draws, asked.seed))
        print(table(head, [[n, _percent(a), _percent(b), f"{w:.3f}", _percent(s)] for n, a, b, w, s in near]))
        return
    if asked.frank:
        rows = list(of_frank(asked.frank, asked.rated, draws, asked.seed, whole=asked.whole))
    else:
        kinds = asked.errors or KINDS
        rows = list(simulated(asked.rated, draws, asked.seed, kinds, whole=asked.whole, by_model=asked.by_model))
    print(f"{draws} draws, {asked.rated} ratings each; coverage, ratings saved and conclusions in percent")
    print(table(HEAD, list(map(_shown, rows))))
    if asked.json:
        asked.json.write_text(json.dumps([asdict(row) for row in rows], indent=1).replace("NaN", "null"))


if __name__ == "__main__":
    main()
