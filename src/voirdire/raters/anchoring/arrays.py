"""The units of a run as arrays: what people and the machine say of each for one figure."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from voirdire.raters.anchoring.estimands import Counted, Estimand, Value
from voirdire.raters.anchoring.records import Cluster
from voirdire.raters.machine import Machine, Unit
from voirdire.raters.records import Project

Floats = NDArray[np.float64]


class Rated(NamedTuple):
    """A unit, what people settled on, and how many units that stands for."""

    unit: Unit
    gold: Value | None
    weight: float


class Columns(NamedTuple):
    """One figure of some units. Shapes (2, units) for what is above and below the line, NaN where nothing is said."""

    people: Floats
    machine: Floats
    groups: NDArray[np.str_]
    documents: NDArray[np.str_]
    weights: Floats

    @property
    def plain(self) -> bool:
        """Whether every unit counts as one: no ratio."""
        below = np.concatenate([self.people[1], self.machine[1]])
        return bool((below[np.isfinite(below)] == 1).all())


def rated_units(project: Project, machine: Machine) -> list[Rated]:
    """The units of a run with what people settled on."""
    return [_rated(project, unit) for unit in machine.units.values()]


def columns_of(units: Sequence[Rated], estimand: Estimand, cluster: Cluster) -> Columns:
    """What is said of those units that a figure is about."""
    own = [each for each in units if estimand.applies(each.unit)]
    return Columns(
        people=_counted(own, estimand.of, lambda each: each.gold),
        machine=_counted(own, estimand.of, lambda each: each.unit.consensus),
        groups=np.array([cluster_of(each.unit, cluster) for each in own], dtype=np.str_),
        documents=np.array([each.unit.document for each in own], dtype=np.str_),
        weights=np.array([each.weight for each in own], dtype=np.float64),
    )


def cluster_of(unit: Unit, cluster: Cluster) -> str:
    """What a unit shares with those that it depends on."""
    return unit.group if cluster == "group" else unit.dialogue


def _rated(project: Project, unit: Unit) -> Rated:
    found = None if unit.item is None else project.gold.get(unit.item)
    if found is None or unit.item is None:
        return Rated(unit, None, 1.0)
    return Rated(unit, found.value, project.documents[project.items[unit.item].document].weight)


def _counted(
    units: Sequence[Rated],
    of: Callable[[Value, Unit], Counted | None],
    said: Callable[[Rated], Mapping[str, object] | None],
) -> Floats:
    nothing = (math.nan, math.nan)
    rows = []
    for each in units:
        value = said(each)
        rows.append(nothing if value is None else (of(value, each.unit) or nothing))
    return np.array(rows, dtype=np.float64).reshape(-1, 2).T
