"""Verdicts out of whatever holds them: results of evaluations that `audit` reads, and plain tables."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from voirdire.evaluation.formats import FORMATS, long_table, read_paths
from voirdire.evaluation.records import Evaluation
from voirdire.jury.worth.tables import Columns, Key, Verdicts, read_verdicts

PAIR = " against "
"""Between the names of two models whose outputs were compared."""


def evaluations_in(results: Path) -> Sequence[Evaluation] | None:
    """What the readers of evaluations find; `None` of a plain table of verdicts."""
    if results.is_dir() or any(each.sniff(results) for each in FORMATS if each is not long_table.FORMAT):
        return read_paths([results]).evaluations
    return None


def verdicts_in_table(results: Path, columns: Columns, *, pairs: bool) -> Verdicts:
    """Of a plain table; of `pairs` of outputs, where they are wanted and it names models."""
    verdicts = read_verdicts(results, columns)
    return verdicts if not pairs or verdicts.models is None else verdicts_on_pairs(verdicts)


def verdicts_in_evaluation(evaluation: Evaluation, *, pairs: bool) -> Verdicts:
    """Of an evaluation, on its outputs or on `pairs` of them."""
    verdicts = verdicts_of_evaluation(evaluation)
    if not pairs:
        return verdicts
    return _against_baseline(verdicts, evaluation) if evaluation.has("baseline") else verdicts_on_pairs(verdicts)


def verdicts_on_pairs(verdicts: Verdicts) -> Verdicts:
    """Of each two models' outputs on an item: 1 where a judge scores the first higher, 0 where lower, else 0.5."""
    by_item: dict[str, dict[str, int]] = {}
    for place, key in enumerate(verdicts.keys):
        by_item.setdefault(key.item, {})[key.model] = place
    pairs = [(item, one, other) for item, models in by_item.items() for one, other in combinations(sorted(models), 2)]
    first = [by_item[item][one] for item, one, _ in pairs]
    second = [by_item[item][other] for item, _, other in pairs]
    return Verdicts(
        keys=tuple(Key(item, PAIR.join((one, other))) for item, one, other in pairs),
        clusters=tuple(verdicts.clusters[place] for place in first),
        scores={name: 0.5 + np.sign(values[first] - values[second]) / 2 for name, values in verdicts.scores.items()},
        texts=("",) * len(pairs),
        reasons={name: ("",) * len(pairs) for name in verdicts.scores},
    )


def _against_baseline(verdicts: Verdicts, evaluation: Evaluation) -> Verdicts:
    """The same, each output named with the one that it was compared with."""
    rows = evaluation.rows[["item", "model", "baseline"]].astype(object).itertuples(index=False)
    baselines = {Key(_named(item), _named(model)): _named(baseline) for item, model, baseline in rows}
    named = tuple(Key(key.item, PAIR.join((key.model, baselines[key]))) for key in verdicts.keys)
    return replace(verdicts, keys=named)


def verdicts_of_evaluation(evaluation: Evaluation) -> Verdicts:
    """The rows of an evaluation as verdicts: means over epochs, by item, model and judge.

    Where nobody is named as the judge, the metric is.
    """
    rows = evaluation.rows
    judges = rows["judge"].astype(object).where(rows["judge"].notna(), evaluation.metric).to_numpy()
    columns = (rows[name].astype(object).to_numpy() for name in ("item", "model", "cluster", "output", "verdict"))
    places: dict[Key, int] = {}
    clusters: list[str] = []
    texts: list[str] = []
    scores: dict[str, dict[int, list[float]]] = {}
    reasons: dict[str, dict[int, str]] = {}
    for judge, item, model, cluster, output, verdict, score in zip(judges, *columns, rows["score"], strict=True):
        key = Key(_named(item), _named(model))
        place = places.setdefault(key, len(places))
        if place == len(clusters):
            clusters.append(_named(cluster) or key.item)
            texts.append(_named(output))
        scores.setdefault(str(judge), {}).setdefault(place, []).append(score)
        reasons.setdefault(str(judge), {})[place] = _named(verdict)
    everything = range(len(places))
    return Verdicts(
        keys=tuple(places),
        clusters=tuple(clusters),
        scores={
            judge: np.array([np.mean(own.get(place, [math.nan])) for place in everything])
            for judge, own in scores.items()
        },
        texts=tuple(texts),
        reasons={judge: tuple(own.get(place, "") for place in everything) for judge, own in reasons.items()},
    )


def _named(cell: Any) -> str:
    return cell if isinstance(cell, str) else ""
