"""Judges of the same outputs, held against one another: agreement, leniency, and the order of models under each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from voirdire.data.json_values import as_object
from voirdire.errors import InputError
from voirdire.evaluation.checks.judges import JudgeCopy, judge_copies
from voirdire.evaluation.records import Evaluation, Floats, Places
from voirdire.reason_codes import Reason, reason
from voirdire.stats.agreement import (
    intraclass,
    krippendorff_alpha,
    leniency,
    mean_absolute_difference,
    pairwise,
    pearson,
)
from voirdire.stats.correlation import spearman
from voirdire.stats.rating_estimates import Estimate

_FEWEST_SCORES = 10
"""Of a judge, below which none can be called far off."""


class NoJudgesError(InputError):
    """Results without two judges of the same outputs: one sentence says what to do."""


@dataclass(frozen=True, slots=True)
class JudgePair:
    """Two judges on the outputs that both have scored."""

    a: str
    b: str
    n: int
    """Outputs."""
    correlation: float | None
    """Pearson's; `None` where one of them gives one score to all."""
    same: float | None
    """Share of outputs with equal scores, to nine decimals."""
    difference: float | None
    """Mean absolute difference."""
    order: float | None
    """Spearman's, of the models' means under each; `None` for fewer than three models."""

    def as_dict(self) -> dict[str, Any]:
        """Plain values that JSON can hold."""
        return as_object(self)


@dataclass(frozen=True, slots=True)
class Judge:
    """One judge beside the others."""

    judge: str
    n: int
    """Outputs that it scored."""
    mean: float | None
    leniency: Estimate
    """How much higher it scores than the others on the same outputs."""
    with_others: float | None
    """Correlation with the mean of the others, on outputs that it and another scored."""


class RepeatingJudge(NamedTuple):
    """A judge who repeats another, so that the two count once."""

    judge: str
    repeats: str
    why: Reason


@dataclass(frozen=True, slots=True)
class PanelAgreement:
    """A panel: judges of the same outputs."""

    name: str
    models: int
    outputs: int
    """Scored by two judges or more who count."""
    alpha: Estimate
    """Krippendorff's, interval scale, over outputs; the interval is clustered by item."""
    single: Estimate
    """ICC(2,1): absolute agreement of a single judge."""
    mean_of_all: Estimate
    """ICC(2,k): the same of the mean of all."""
    judges: tuple[Judge, ...]
    pairs: tuple[JudgePair, ...]
    left_out: tuple[RepeatingJudge, ...]
    """Judges left out of agreement and of the others' leniency. Nobody, where no two are left who judged the same."""
    far_off: tuple[Reason, ...]
    """Single scores that lie far outside all others of their judge."""
    copied: Reason | None
    """That two of the judges who count are no two, as `copied_judge` finds: they agree by more than their verdicts."""

    def as_dict(self) -> dict[str, Any]:
        """Plain values that JSON can hold."""
        return as_object(self)


def agreements(evaluations: Sequence[Evaluation]) -> list[PanelAgreement]:
    """A panel for each evaluation whose outputs two judges or more have scored, the largest first.

    Judges whose scores lie in files of their own are held together where metric, models and items are the same. Files
    that name the same judge are evaluations of their own.
    """
    groups: dict[tuple[str, str], list[list[Evaluation]]] = defaultdict(list)
    for each in evaluations:
        if each.judges:
            panels = groups[each.format, each.metric]
            judges = set(each.judges)
            free = (own for own in panels if not any(judges & set(other.judges) for other in own))
            panel = next(free, None)
            if panel is None:
                panels.append([each])
            else:
                panel.append(each)
    matches = [one for panels in groups.values() for own in panels if (one := _agreement(own)) is not None]
    return sorted(matches, key=lambda each: -each.outputs)


def _agreement(evaluations: Sequence[Evaluation]) -> PanelAgreement | None:
    judges = sorted({judge for each in evaluations for judge in each.judges})
    units: dict[tuple[str, str, str], int] = {}
    cells: dict[tuple[int, int], list[float]] = defaultdict(list)
    for each in evaluations:
        columns = (each.rows[name].astype(object) for name in ("model", "item", "baseline", "judge", "score"))
        for model, item, baseline, judge, score in zip(*columns, strict=True):
            if isinstance(judge, str) and score == score:
                unit = units.setdefault((str(model), str(item), str(baseline)), len(units))
                cells[unit, judges.index(judge)].append(float(score))
    ratings = np.full((len(units), len(judges)), np.nan)
    for place, scores in cells.items():
        ratings[place] = sum(scores) / len(scores)
    shared = (~np.isnan(ratings)).sum(axis=1) >= 2
    if not shared.any():
        return None
    ratings = ratings[shared]
    names = [name for name, unit in sorted(units.items(), key=lambda pair: pair[1]) if shared[unit]]
    known = ~np.isnan(ratings).all(axis=0)
    ratings, judges = ratings[:, known], [judge for judge, one in zip(judges, known, strict=True) if one]
    copies = judge_copies(evaluations)
    left_out = repeating_judges(copies, judges, (~np.isnan(ratings)).sum(axis=0))
    names_out = {each.judge for each in left_out}
    voices = ratings[:, [judge not in names_out for judge in judges]]
    voiced = (~np.isnan(voices)).sum(axis=1) >= 2
    if not voiced.any():  # nobody is left who judged the same
        left_out, names_out, voices, voiced = (), set(), ratings, np.ones(len(ratings), dtype=np.bool_)
    models = np.unique([model for model, *_ in names], return_inverse=True)[1]
    items = np.unique([item for _, item, _ in names], return_inverse=True)[1]
    icc = intraclass(voices[voiced], clusters=items[voiced])
    return PanelAgreement(
        name=evaluations[0].name if len(evaluations) == 1 else evaluations[0].metric,
        models=int(models.max()) + 1,
        outputs=int(voiced.sum()),
        alpha=krippendorff_alpha(voices[voiced], "interval", items[voiced]),
        single=icc.icc_2_1,
        mean_of_all=icc.icc_2_k,
        judges=_judges(ratings, judges, items, {each.judge: each.repeats for each in left_out}),
        pairs=_pairs(ratings, judges, models),
        left_out=left_out,
        far_off=tuple(_far_off(ratings, judges, names)),
        copied=next((copy.finding for copy in copies if not names_out.intersection(copy.pair)), None),
    )


def repeating_judges(copies: Sequence[JudgeCopy], judges: Sequence[str], scored: Places) -> tuple[RepeatingJudge, ...]:
    """Who repeats a judge that stays: those stay who scored the most outputs, of these the first.

    Args:
        copies: among the judges.
        judges: their names.
        scored: shape (judges,), how many outputs each scored.
    """
    whole = {frozenset(copy.pair): copy for copy in copies if copy.is_whole}
    independent: list[str] = []
    repeating = []
    for place in np.argsort(-scored, kind="stable"):
        judge = judges[place]
        repeated = next((other for other in independent if frozenset((judge, other)) in whole), None)
        if repeated is None:
            independent.append(judge)
        else:
            repeating.append(RepeatingJudge(judge, repeated, whole[frozenset((judge, repeated))].finding))
    return tuple(repeating)


def _far_off(ratings: Floats, judges: Sequence[str], outputs: Sequence[tuple[str, str, str]]) -> Iterator[Reason]:
    """Of each judge, one score that lies farther from all its others than these from each other: a slip, perhaps."""
    for place, judge in enumerate(judges):
        known = np.flatnonzero(~np.isnan(ratings[:, place]))
        order = known[np.argsort(ratings[known, place], kind="stable")]
        scores = ratings[order, place]
        if len(scores) < _FEWEST_SCORES:
            continue
        for end, others in ((-1, scores[:-1]), (0, scores[1:])):
            low, high, value = float(others[0]), float(others[-1]), float(scores[end])
            if max(low - value, value - high) > high - low > 0:
                model, item, _ = outputs[order[end]]
                yield reason("evaluation_far_off", judge=judge, item=item, model=model, value=value, low=low, high=high)


def _judges(ratings: Floats, judges: Sequence[str], items: Places, repeats: Mapping[str, str]) -> tuple[Judge, ...]:
    """Each beside the others who count; who repeats another, in that one's place."""
    matches = []
    for place, judge in enumerate(judges):
        others = ratings[:, [name not in repeats and name not in (judge, repeats.get(judge)) for name in judges]]
        own = ratings[:, place]
        both = ~np.isnan(own) & (~np.isnan(others)).any(axis=1)
        with_others = pearson(own[both], np.nanmean(others[both], axis=1)) if both.any() else np.nan
        known = own[~np.isnan(own)]
        lenient = leniency(np.column_stack([own, others]), items)[0]
        matches.append(Judge(judge, known.size, _finite(known.mean()), lenient, _finite(with_others)))
    return tuple(matches)


def _pairs(ratings: Floats, judges: Sequence[str], models: Places) -> tuple[JudgePair, ...]:
    correlations = pairwise(ratings, pearson)
    differences = pairwise(ratings, mean_absolute_difference)
    same = pairwise(ratings, lambda a, b: float((np.round(a - b, 9) == 0).mean()) if len(a) else np.nan)
    matches = []
    for a, b in combinations(range(len(judges)), 2):
        both = ~np.isnan(ratings[:, [a, b]]).any(axis=1)
        matches.append(
            JudgePair(
                judges[a],
                judges[b],
                int(both.sum()),
                _finite(correlations[a, b]),
                _finite(same[a, b]),
                _finite(differences[a, b]),
                _order(ratings[both, a], ratings[both, b], models[both]),
            )
        )
    return tuple(matches)


def _order(a: Floats, b: Floats, models: Places) -> float | None:
    there = np.unique(models)
    if there.size < 3:
        return None
    means = [[float(scores[models == model].mean()) for model in there] for scores in (a, b)]
    return _finite(spearman(*means, draws=0).rho)


def _finite(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
