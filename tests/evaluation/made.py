"""Evaluations of our own, for tests of checks: rows in, an `Evaluation` out."""

import numpy as np

from voirdire.evaluation.records import Evaluation
from voirdire.evaluation.table import Rows


def evaluation_of(rows, **fields):
    """An evaluation of these rows, each a mapping by column; the model is "m" where a row names none."""
    table = Rows()
    for row in rows:
        table.add({"model": "m", **row})
    return Evaluation(**{"name": "made", "format": "made", "metric": "score", "rows": table.frame(), **fields})


def scores_of(scores, **columns):
    """An evaluation of scores by model, each a list by item; `columns` are lists by item, the same for all models."""
    items = range(max(map(len, scores.values())))
    shared = [{name: values[item] for name, values in columns.items()} for item in items]
    return evaluation_of(
        {"item": f"i{item}", "model": model, "score": score, **shared[item]}
        for model, own in scores.items()
        for item, score in enumerate(own)
    )


def random_scores(seed, *chances, items=200):
    """Right and wrong answers, 1.0 and 0.0, of a model for each chance: "m0", "m1" …"""
    rng = np.random.default_rng(seed)
    return {f"m{place}": (rng.random(items) < chance).astype(float).tolist() for place, chance in enumerate(chances)}
