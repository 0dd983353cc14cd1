"""Models compared in pairs (CogniBench 4.7, Fig. 8), and data sets by how cognitive their answers are (Fig. 2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from voirdire.cognibench.dynamics.estimates import Estimate, Floats, of_sums, share, sums_by_group
from voirdire.cognibench.dynamics.rows import CLAIMS, Rows, rows_of
from voirdire.cognibench.dynamics.shares import Basics, basics, cognitive_share
from voirdire.data.plain import as_plain
from voirdire.detectors.records import Answer
from voirdire.stats.comparison import holm, swap_test

FIGURES = ("cognitive_share", "factual_hallucination", "cognitive_hallucination")


@dataclass(frozen=True, slots=True)
class Difference:
    """A figure of one model less that of another, over the references that both answered."""

    figure: str
    first: str
    second: str
    references: int
    """That both answered."""
    difference: Estimate
    p: float | None
    """Two-sided swap test: the two models' answers on a reference are exchanged."""
    p_holm: float | None
    """Corrected over all pairs, figure by figure."""

    def as_dict(self) -> dict[str, Any]:
        """The difference as plain values."""
        return {
            "figure": self.figure,
            "models": [self.first, self.second],
            "references": self.references,
            "difference": self.difference.as_dict(),
            "p": self.p,
            "p_holm": self.p_holm,
        }


def compare_models(rows: Rows) -> list[Difference]:
    """Compare every two models on each figure; models that share no reference are not compared."""
    models = sorted(rows.answers["model"].unique())
    found = []
    for figure in FIGURES:
        pairs = [_difference(rows, figure, a, b) for a, b in combinations(models, 2)]
        known = [pair for pair in pairs if pair.references]
        p = holm([np.nan if pair.p is None else pair.p for pair in known])
        found += [
            replace(pair, p_holm=None if np.isnan(each) else float(each)) for pair, each in zip(known, p, strict=True)
        ]
    return found


def _difference(rows: Rows, figure: str, first: str, second: str) -> Difference:
    statements = rows.statements
    groups = [set(rows.part("model", name).answers["group"]) for name in (first, second)]
    both = sorted(groups[0] & groups[1])
    here = statements[statements["group"].isin(both)]
    base, hit = _FIGURES[figure](here)
    columns = [here["model"] == name for name in (first, second)]
    sums = sums_by_group(here["group"], *(part & own for own in columns for part in (base & hit, base)))
    found = of_sums(sums, _gap, n=int(base.sum()))
    p = None if found.value is None else _swapped(sums)
    return Difference(figure, first, second, len(both), found, p, None)


def _gap(total: Floats) -> Floats:
    """The first side's share less the second's; columns: hits and trials of each."""
    return np.asarray(total[..., 0] / total[..., 1] - total[..., 2] / total[..., 3], dtype=np.float64)


def _swapped(sums: Floats) -> float:
    exchanged = sums[:, [2, 3, 0, 1]] - sums

    def statistic(swaps: NDArray[np.bool_]) -> Floats:
        with np.errstate(divide="ignore", invalid="ignore"):
            return _gap(sums.sum(axis=0) + swaps.astype(np.float64) @ exchanged)

    return swap_test(statistic, len(sums)).p


_FIGURES: dict[str, Callable[[Any], tuple[Any, Any]]] = {
    "cognitive_share": lambda s: (s["type"].isin(CLAIMS), s["type"] == "cognitive"),
    "factual_hallucination": lambda s: (s["type"] == "factual", s["hallucinated"]),
    "cognitive_hallucination": lambda s: (s["type"] == "cognitive", s["hallucinated"]),
}


Predict = Callable[[str, Sequence[str]], Sequence[float]]
"""Takes a context and an answer's sentences; gives each sentence's probability to be cognitive."""


@dataclass(frozen=True, slots=True)
class DataSet:
    """A data set beside others."""

    name: str
    basics: Basics
    labelled: Estimate | None
    """Cognitive share by the labels, among factual and cognitive statements; `None`: no labels."""
    predicted: Estimate | None
    """Cognitive share of all sentences by the type classifier; `None`: not asked for."""

    def as_dict(self) -> dict[str, Any]:
        """The data set as plain values."""
        return {
            "name": self.name,
            "basics": self.basics.as_dict(),
            "cognitive_share_labelled": as_plain(self.labelled),
            "cognitive_share_predicted": as_plain(self.predicted),
        }


def compare_datasets(sets: Mapping[str, Sequence[Answer]], predict: Predict | None = None) -> list[DataSet]:
    """Put data sets side by side.

    Where one of them has no labels, types are predicted for all of them, so that like stands beside like: a predicted
    share is no labelled one.

    Args:
        sets: answers by the data set's name.
        predict: gives the probabilities; the packaged classifier by default, asked only where it is needed.
    """
    lacking = any(not any(answer.labelled for answer in answers) for answers in sets.values())
    return [_data_set(name, answers, (predict or _packaged()) if lacking else None) for name, answers in sets.items()]


def _data_set(name: str, answers: Sequence[Answer], predict: Predict | None) -> DataSet:
    labelled = any(answer.labelled for answer in answers)
    return DataSet(
        name=name,
        basics=basics(answers),
        labelled=cognitive_share(rows_of(answers)) if labelled else None,
        predicted=None if predict is None else _predicted(answers, predict),
    )


def _predicted(answers: Sequence[Answer], predict: Predict) -> Estimate:
    hits: list[bool] = []
    groups: list[str] = []
    for answer in answers:
        given = predict(answer.context, [statement.text for statement in answer.statements])
        hits += [probability >= 0.5 for probability in given]
        groups += [answer.group] * len(answer.statements)
    return share(hits, groups)


def _packaged() -> Predict:
    from voirdire.detectors.types import type_probabilities

    return type_probabilities
