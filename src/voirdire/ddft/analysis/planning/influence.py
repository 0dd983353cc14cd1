"""How much each dialogue moves a metric.

A metric is a function of totals. Its derivative by the weight of one dialogue, times the number of dialogues, is that
dialogue's influence: the mean of influences over many dialogues has, to first order, the metric's own error. That
carries analysis of variance from means to HOC, CI_raw or ER, with the metrics' one definition.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd

from voirdire.ddft._cells import Cells, Floats, Totals, cells, read_answers
from voirdire.ddft.metrics import BY_NAME

DIALOGUE = ["concept", "level", "sample"]

_STEP = 1e-4


def dialogue_cells(scores: pd.DataFrame, theta: float) -> Cells:
    """One model's sums with a row per dialogue, ordered by concept, level and sample.

    What is settled by a whole concept (HOC: the highest level it stands) is shared out evenly among its dialogues.
    Its variation then counts as the concept's, which more dialogues of the same concept do not lessen.

    Args:
        scores: of one model, as `checked` gives them back.
        theta: FAR below which a level counts as failed.
    """
    by_concept = cells(read_answers(scores), theta)
    number = scores.groupby(DIALOGUE, sort=True).ngroup()
    apart = cells(read_answers(scores.assign(concept=number.map("{:07d}".format))), theta)
    owners = scores.drop_duplicates(DIALOGUE).sort_values(DIALOGUE)["concept"].to_numpy()
    owner = np.searchsorted(np.array(by_concept.concepts), owners)
    added = np.zeros_like(by_concept.sums)
    np.add.at(added, owner, apart.sums)
    whole = ~np.isclose(added, by_concept.sums).all(axis=0)
    shared = by_concept.sums / np.bincount(owner)[:, np.newaxis]
    return replace(apart, sums=np.where(whole, shared[owner], apart.sums))


def influences(dialogues: Cells, metric: str) -> Floats:
    """Influence of each dialogue on a metric, in its unit; shape (dialogues,), NaN where the metric is undefined."""
    n = len(dialogues.concepts)
    base = dialogues.sums.sum(axis=0)[:, np.newaxis]
    moved = [
        BY_NAME[metric].formula(Totals(base + step * dialogues.sums.T, dialogues.places), dialogues.levels)
        for step in (_STEP, -_STEP)
    ]
    result: Floats = n * (moved[0] - moved[1]) / (2 * _STEP)
    return result
