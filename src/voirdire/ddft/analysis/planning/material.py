"""What the models of a study did, and how much each dialogue moves a metric, laid out for an analysis of variance.

A metric is a function of totals. Its derivative by the weight of one dialogue, times the number of dialogues, is that
dialogue's influence: the mean of influences over many dialogues has, to first order, the metric's own error. That
carries analysis of variance from means to HOC, CI_raw or ER, with the metrics' one definition.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import pandas as pd

from voirdire.ddft.analysis.comparing.shared import metric_of
from voirdire.ddft.concept_sums import Cells, Floats, Totals, cells, checked, read_answers
from voirdire.ddft.metrics import BY_NAME, values
from voirdire.ddft.thresholds import PAPER, Thresholds
from voirdire.errors import InputError

DIALOGUE = ["concept", "level", "sample"]

_STEP = 1e-4


def dialogue_cells(scores: pd.DataFrame, thresholds: Thresholds = PAPER) -> Cells:
    """One model's sums with a row per dialogue, ordered by concept, level and sample.

    What is settled by a whole concept (HOC: the highest level it stands) is shared out evenly among its dialogues.
    Its variation then counts as the concept's, which more dialogues of the same concept do not lessen.

    Args:
        scores: of one model, as `checked` gives them back.
        thresholds: what metrics count by.
    """
    by_concept = cells(read_answers(scores, thresholds))
    number = scores.groupby(DIALOGUE, sort=True).ngroup()
    apart = cells(read_answers(scores.assign(concept=number.map("{:07d}".format)), thresholds))
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


_CELL = ["model", *DIALOGUE, "turn"]


class PowerError(InputError):
    """A comparison that can't be planned: one sentence says what was given and what is expected."""


@dataclass(frozen=True, slots=True)
class Layout:
    """How much a study asks of each model."""

    concepts: int
    levels: int
    samples: int
    judges: int


@dataclass(frozen=True, slots=True)
class Material:
    """Sums per dialogue of every model of a study, of the same dialogues in the same order."""

    models: tuple[str, ...]
    consensus: tuple[Cells, ...]
    """By model."""
    by_judge: tuple[tuple[Cells, ...], ...]
    """By judge, then model; empty when a single judge sat."""
    layout: Layout

    def estimates(self, metric: str) -> tuple[Floats, Floats]:
        """A metric of each model, and with each concept left out: shapes (models,) and (models, concepts)."""
        concepts = self.layout.concepts
        left_in = 1 - np.repeat(np.eye(concepts), self.layout.levels * self.layout.samples, axis=1)
        weights = np.vstack([np.ones(left_in.shape[1]), left_in])
        estimates = np.array([metric_of(cells, metric, weights) for cells in self.consensus])
        return estimates[:, 0], estimates[:, 1:]


@dataclass(frozen=True, slots=True)
class Effects:
    """Influences on one metric, dialogue by dialogue, of the models of a study."""

    metric: str
    models: tuple[str, ...]
    """Those for which the metric is defined."""
    consensus: Floats
    """Shape (models, concepts, levels, samples)."""
    by_judge: Floats
    """Shape (judges, models, concepts, levels, samples); NaN where a judge alone leaves the metric undefined."""
    layout: Layout
    undefined: tuple[str, ...]
    """Models left out."""

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Places of the two models of each pair."""
        return list(combinations(range(len(self.models)), 2))

    def differences(self) -> Floats:
        """Per pair, A - B; shape (pairs, concepts, levels, samples). Of one model: as if another varied as it does."""
        return self.paired(self.consensus)

    def judged_differences(self) -> Floats:
        """The same of each judge alone; shape (judges, pairs, concepts, levels, samples)."""
        return np.array([self.paired(judge) for judge in self.by_judge])

    def paired(self, by_model: Floats) -> Floats:
        """Differences of every two models."""
        if len(by_model) == 1:
            return np.asarray(np.sqrt(2.0) * by_model, dtype=np.float64)
        first, second = np.array(self.pairs).T
        return np.asarray(by_model[first] - by_model[second], dtype=np.float64)


def balanced_turns(scores: pd.DataFrame) -> tuple[pd.DataFrame, int]:
    """The turns that all models were asked, of concepts that have all dialogues; and how many dialogues are left out.

    Raises:
        PowerError: fewer than three concepts remain.
    """
    scores = checked(scores)
    shared = scores.groupby([*DIALOGUE, "turn"])["model"].transform("nunique") == scores["model"].nunique()
    common = scores[shared]
    dialogues = common.drop_duplicates(DIALOGUE)
    whole = dialogues.groupby("concept").size() == len(dialogues.drop_duplicates(DIALOGUE[1:]))
    turns = common[common["concept"].isin(whole.index[whole])].sort_values(_CELL).reset_index(drop=True)
    concepts = turns["concept"].nunique()
    if concepts < 3:
        raise PowerError(
            f"Variance between concepts needs at least three that all models were examined on; there are {concepts}: "
            "hold a pilot with three concepts or more."
        )
    left_out = len(scores.drop_duplicates(["model", *DIALOGUE])) - len(turns.drop_duplicates(["model", *DIALOGUE]))
    return turns, left_out


def material_of(scores: pd.DataFrame, verdicts: pd.DataFrame, thresholds: Thresholds = PAPER) -> Material:
    """Lay a study out.

    Args:
        scores: as `balanced` gives them.
        verdicts: one row per turn and judge; may hold turns that `scores` does not.
        thresholds: what metrics count by.
    """
    frames = {str(model): frame for model, frame in scores.groupby("model", sort=False)}
    judges = sorted(verdicts["judge"].unique())
    return Material(
        models=tuple(frames),
        consensus=tuple(dialogue_cells(frame, thresholds) for frame in frames.values()),
        by_judge=tuple(
            tuple(dialogue_cells(_as_judged(frame, verdicts, judge), thresholds) for frame in frames.values())
            for judge in (judges if len(judges) > 1 else ())
        ),
        layout=Layout(
            scores["concept"].nunique(), scores["level"].nunique(), scores["sample"].nunique(), max(1, len(judges))
        ),
    )


def effects_of(material: Material, metric: str) -> Effects:
    """Influences of dialogues on a metric, by consensus and by each judge alone.

    Raises:
        PowerError: the metric is undefined for every model.
    """
    layout = material.layout
    shape = (layout.concepts, layout.levels, layout.samples)
    consensus = np.array([influences(cells, metric) for cells in material.consensus])
    defined = np.isfinite(consensus).all(axis=1)
    if not defined.any():
        reason = values(material.consensus[0])[metric].reason
        raise PowerError(f"{metric} has no value in this study: {reason}; choose another with --metric.")
    places = np.flatnonzero(defined)
    alone = [influences(judge[model], metric) for judge in material.by_judge for model in places]
    return Effects(
        metric=metric,
        models=tuple(material.models[model] for model in places),
        consensus=consensus[places].reshape(-1, *shape),
        by_judge=np.array(alone).reshape(len(material.by_judge), places.size, *shape),
        layout=layout,
        undefined=tuple(model for model, known in zip(material.models, defined, strict=True) if not known),
    )


def _as_judged(scores: pd.DataFrame, verdicts: pd.DataFrame, judge: str) -> pd.DataFrame:
    """One model's rows with a single judge's scores in place of the consensus."""
    known = [name for name in ("far", "sas", "no_claims", "stance") if name in verdicts]
    single = verdicts.loc[verdicts["judge"] == judge, [*_CELL, *known]]
    rows = scores.drop(columns=known).merge(single, on=_CELL, how="left")
    missing = rows["sas"].isna().map({True: "no verdict", False: None}).astype("object")
    return rows.assign(unscored=missing.where(rows["sas"].isna(), None))
