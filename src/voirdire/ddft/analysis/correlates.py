"""Does anything known of the models go with how they fare: parameters, vendor, MMLU, hallucinations in production?"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pandas as pd

from voirdire.data.json_values import as_plain
from voirdire.ddft import wording as wording  # what the reasons below read like
from voirdire.ddft.analysis.external_figures import Figures, FiguresError, as_numbers, not_a_number, read_figures
from voirdire.ddft.analysis.measures import Association, associate, known, measure_turns, study_of
from voirdire.ddft.analysis.runs import read_runs
from voirdire.ddft.concept_sums import Floats
from voirdire.ddft.metric_labels import in_words
from voirdire.ddft.thresholds import PAPER, Thresholds
from voirdire.reason_codes import Reason, reason
from voirdire.stats.association import Anova, detectable_correlation, one_way_anova
from voirdire.stats.comparison import holm

__all__ = ["Correlate", "Correlates", "FiguresError", "correlate", "correlate_runs"]

Outcome = Literal["associated", "no association shown", "cannot be decided at this n"]
MetricName = Literal["ER", "CI_raw"]

ALPHA, POWER = 0.05, 0.8
_MIN_TESTED = 3
_SIZE = re.compile(r"param|size|token|flop|compute", re.IGNORECASE)
"""Columns whose values span orders of magnitude: taken as logarithms too, as the paper does (DDFT table 3)."""


@dataclass(frozen=True, slots=True)
class Correlate:
    """One column of figures against a metric, across models."""

    column: str
    kind: Literal["numbers", "two groups", "groups", "not tested"]
    n: int
    """Models with both values."""
    spearman: Association | None = None
    pearson: Association | None = None
    """Of two groups: the point-biserial correlation, with the second group in alphabetical order as 1."""
    pearson_log: Association | None = None
    anova: Anova | None = None
    groups: Mapping[str, int] = field(default_factory=dict)
    """Models per group."""
    p: float | None = None
    """Of the test that decides, by permutation: Spearman's; of two groups the point-biserial; of more the ANOVA's."""
    smallest_p: float | None = None
    """That any order of the values could give."""
    p_holm: float | None = None
    """Holm's correction over the columns tested."""

    @property
    def detectable(self) -> float | None:
        """The |r| that this n would have found with a power of 80 %."""
        return None if self.pearson is None else known(detectable_correlation(self.n, power=POWER))

    @property
    def outcome(self) -> Outcome:
        """What the test decides."""
        if self.p_holm is None or self.smallest_p is None or self.smallest_p >= ALPHA:
            return "cannot be decided at this n"
        return "associated" if self.p_holm < ALPHA else "no association shown"

    @property
    def reason(self) -> Reason:
        """Why that is the outcome, and what it does not say."""
        if self.p_holm is None or self.smallest_p is None:
            return self._untested
        if self.smallest_p >= ALPHA:
            return reason("no_order_reaches", n=self.n, smallest_p=self.smallest_p)
        if self.p_holm < ALPHA:
            return reason("associated")
        if self.detectable is not None:
            return reason("not_associated", n=self.n, detectable=self.detectable)
        alone = sum(size == 1 for size in self.groups.values())
        code = "not_associated_single_groups" if alone else "not_associated_groups"
        return reason(code, n=self.n, groups=len(self.groups), alone=alone)

    @property
    def why(self) -> str:
        """The reason in words."""
        return str(self.reason)

    @property
    def _untested(self) -> Reason:
        if self.n < _MIN_TESTED:
            return reason("few_models_with_both", models=self.n)
        if self.groups:
            return reason("groups_of_one" if all(size == 1 for size in self.groups.values()) else "one_group")
        return reason("one_side_constant")

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        anova = as_plain(self.anova)
        associations = {name: getattr(self, name) for name in ("spearman", "pearson", "pearson_log")}
        return {
            "column": self.column,
            "kind": self.kind,
            "n": self.n,
            **{name: as_plain(association) for name, association in associations.items()},
            "anova": anova,
            "groups": dict(self.groups),
            **{name: getattr(self, name) for name in ("p", "p_holm", "smallest_p", "detectable", "outcome", "why")},
        }


@dataclass(frozen=True, slots=True)
class Correlates:
    """All columns of a file of figures against one metric."""

    metric: MetricName
    models: tuple[tuple[str, float | None], ...]
    """The study's models with the metric's values."""
    columns: tuple[Correlate, ...]
    cautions: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "metric": self.metric,
            "models": [{"model": model, "value": value} for model, value in self.models],
            "columns": as_plain(self.columns),
            "cautions": list(self.cautions),
        }


def correlate_runs(
    paths: Sequence[Path], figures: Path, *, metric: MetricName = "ER", jury: str | None = None
) -> Correlates:
    """Correlate figures from a CSV file with a metric of the models of these runs.

    Raises:
        FiguresError: the file can't be used.
        RunFolderError, StudyError, RunsError: as for `read_runs`.
        RunsError: the runs are different tests, or were judged differently.
    """
    runs = read_runs(paths, jury)
    runs.check_comparable()
    models = list(dict.fromkeys(str(model) for model in runs.scores["model"]))
    correlates = correlate(
        runs.scores, read_figures(figures, models, runs.own_names), metric=metric, thresholds=runs.thresholds
    )
    return Correlates(
        correlates.metric,
        correlates.models,
        correlates.columns,
        (*runs.cautions, *runs.repetition, *correlates.cautions),
    )


def correlate(
    scores: pd.DataFrame,
    figures: Figures,
    *,
    metric: MetricName = "ER",
    seed: int = 0,
    thresholds: Thresholds = PAPER,
) -> Correlates:
    """Correlate every column of figures with a metric of the models.

    Args:
        scores: as `profiles` takes them.
        figures: of the same models.
        metric: ER, or the paper's CI_raw. Where a model's ER is unknown for want of stances, CI_raw is taken for all.
        seed: of the bootstrap and of random permutations.
        thresholds: what the metric counts by.
    """
    study = study_of(scores, seed=seed, thresholds=thresholds)
    values = measure_turns(study)
    cautions = []
    if metric == "ER" and np.isnan(values["V_E"][0]).any():
        metric = "CI_raw"
        cautions.append(
            "ER is unknown, since no stance towards the fabrication is; the paper's CI_raw stands in its place."
        )
    y = values[metric]
    unknown = [model for model, value in zip(study.models, y[0], strict=True) if math.isnan(value)]
    if unknown:
        cautions.append(f"{in_words(metric)} is undefined for {', '.join(unknown)}: left out.")
    tested = [_tested(str(name), figures.table[name], y, seed) for name in figures.table.columns]
    adjusted = holm([math.nan if each.p is None else each.p for each in tested])
    columns = tuple(replace(each, p_holm=known(p)) for each, p in zip(tested, adjusted, strict=True))
    models = tuple((model, known(value)) for model, value in zip(study.models, y[0], strict=True))
    return Correlates(metric, models, columns, (*cautions, *_reading(figures, columns)))


def _tested(name: str, column: pd.Series, y: Floats, seed: int) -> Correlate:
    numbers = as_numbers(column)
    return _groups(name, column, y, seed) if numbers is None else _numbers(name, numbers, y, seed)


def _numbers(name: str, x: Floats, y: Floats, seed: int) -> Correlate:
    spearman, pearson = (associate(x, y, kind, seed=seed) for kind in ("spearman", "pearson"))
    logs = bool(_SIZE.search(name)) and bool((x[~np.isnan(x)] > 0).all())
    return Correlate(
        name,
        "numbers",
        spearman.exact.n,
        spearman=spearman,
        pearson=pearson,
        pearson_log=associate(np.log10(x), y, "pearson", seed=seed) if logs else None,
        p=known(spearman.exact.p),
        smallest_p=known(spearman.exact.smallest_p),
    )


def _groups(name: str, column: pd.Series, y: Floats, seed: int) -> Correlate:
    there = column.notna().to_numpy() & ~np.isnan(y[0])
    labels = column[there].astype(str).str.strip()
    sizes = {str(group): int(n) for group, n in labels.value_counts().sort_index().items()}
    n = int(there.sum())
    if len(sizes) == 2:
        x = np.full(len(column), np.nan)
        x[there] = (labels == max(sizes)).to_numpy(dtype=np.float64)
        association = associate(x, y, "pearson", seed=seed)
        p, smallest = known(association.exact.p), known(association.exact.smallest_p)
        return Correlate(name, "two groups", n, groups=sizes, pearson=association, p=p, smallest_p=smallest)
    anova = one_way_anova(y[0][there], labels.to_numpy(dtype=str), seed=seed)
    p, smallest = known(anova.p_permutation), known(anova.smallest_p)
    if p is None:
        return Correlate(name, "not tested", n, groups=sizes)
    return Correlate(name, "groups", n, groups=sizes, anova=anova, p=p, smallest_p=smallest)


def _reading(figures: Figures, columns: Sequence[Correlate]) -> list[str]:
    """How the file was read: models without a match, columns that are not what they seem."""
    cautions = []
    if figures.without:
        cautions.append(f"No figures are given for {', '.join(figures.without)}.")
    if figures.unmatched:
        cautions.append(f"Not in the study: {', '.join(figures.unmatched)}.")
    if figures.repeated:
        cautions.append(
            f"{', '.join(figures.repeated)} stands in several runs and is counted once for each: p-values take them "
            "for different models, and are too small."
        )
    for name in figures.table.columns:
        odd = not_a_number(figures.table[name])
        if odd is not None:
            cautions.append(f"{name} holds text beside numbers ({odd!r}): its values are taken for names of groups.")
    logs = [each.column for each in columns if each.pearson_log]
    if logs:
        cautions.append(f"Pearson's r of {', '.join(logs)} is given for logarithms too (ranks do not change).")
    return cautions
