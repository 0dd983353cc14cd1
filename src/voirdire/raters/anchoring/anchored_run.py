"""From a project and a run to figures by the judge, by people, and corrected in two ways."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from voirdire.errors import not_installed
from voirdire.jury.worth import Worth, WorthSettings, judge_worth
from voirdire.jury.worth.assessment import of_flagged_only, runs_against, unless_disputed
from voirdire.jury.worth.report import judge_advice
from voirdire.raters.anchoring.records import (
    AnchoredFigure,
    Anchoring,
    Classes,
    Cluster,
    Counted,
    Distribution,
    Estimand,
)
from voirdire.raters.anchoring.wording import bias, disputed_items, few_groups, much_disputed, notes, unscored_note
from voirdire.raters.machine_ratings import Machine, Unit, VerdictSelection, machine_ratings
from voirdire.raters.records import Project, RatersError
from voirdire.raters.tasks import task_of
from voirdire.raters.tasks.base import Value
from voirdire.stats import Anchored, Interval, anchored_mean, corrected_share, corrected_shares, further_ratings
from voirdire.text.counting import counted

MISSING = (
    f"{not_installed('The interval of PPI++ that --json gives for comparison', 'ppi_py', 'web')} "
    "The corrected figures do not need it."
)
Floats = NDArray[np.float64]


class RatedUnit(NamedTuple):
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
    def below(self) -> Floats:
        """What stands below the line wherever something is said."""
        below = np.concatenate([self.people[1], self.machine[1]])
        known: Floats = below[np.isfinite(below)]
        return known

    @property
    def plain(self) -> bool:
        """Whether every unit counts as one: no ratio."""
        return bool((self.below == 1).all())


def rated_units(project: Project, machine: Machine) -> list[RatedUnit]:
    """The units of a run with what people settled on."""
    return [_rated_unit(project, unit) for unit in machine.units.values()]


def columns_of(units: Sequence[RatedUnit], estimand: Estimand, cluster: Cluster) -> Columns:
    """What is said of those units that a figure is about."""
    own = [each for each in units if estimand.applies(each.unit)]
    return Columns(
        people=_values_of_units(own, estimand.of, lambda each: each.gold),
        machine=_values_of_units(own, estimand.of, lambda each: each.unit.consensus),
        groups=np.array([cluster_of(each.unit, cluster) for each in own], dtype=np.str_),
        documents=np.array([each.unit.document for each in own], dtype=np.str_),
        weights=np.array([each.weight for each in own], dtype=np.float64),
    )


def cluster_of(unit: Unit, cluster: Cluster) -> str:
    """What a unit shares with those that it depends on."""
    return unit.group if cluster == "group" else unit.dialogue


def _rated_unit(project: Project, unit: Unit) -> RatedUnit:
    gold = None if unit.item is None else project.labelled.get(unit.item)
    if gold is None or unit.item is None:
        return RatedUnit(unit, None, 1.0)
    return RatedUnit(unit, gold.value, project.documents[project.items[unit.item].document].weight)


def _values_of_units(
    units: Sequence[RatedUnit],
    units_counted: Callable[[Value, Unit], Counted | None],
    value_of: Callable[[RatedUnit], Mapping[str, object] | None],
) -> Floats:
    nothing = (math.nan, math.nan)
    rows = []
    for each in units:
        value = value_of(each)
        rows.append(nothing if value is None else (units_counted(value, each.unit) or nothing))
    return np.array(rows, dtype=np.float64).reshape(-1, 2).T


def figure(
    units: Sequence[RatedUnit],
    estimand: Estimand,
    cluster: Cluster,
    model: str | None,
    *,
    with_independent: bool,
    unsettled: bool = False,
) -> AnchoredFigure | None:
    """A figure of some units; `None` where the machine says nothing that counts for it.

    Args:
        units: of the run, or of one model.
        estimand: what is figured.
        cluster: what was sampled.
        model: whose units they are.
        with_independent: whether `ppi_py` is there to give its interval.
        unsettled: whether so much is disputed that nothing can be said of the judges.
    """
    columns = columns_of(units, estimand, cluster)
    plain = _unpowered(_plain(columns, estimand.top))
    if plain is None:
        return None
    anchored = _anchored(columns, estimand.top, None)
    unscored = [each for each in units if each.unit.consensus is None and estimand.applies(each.unit)]
    # Of the judges only what they judged can tell.
    judged = columns_of([each for each in units if each not in unscored], estimand, cluster) if unscored else columns
    compared = _anchored(judged, estimand.top, None) if unscored else anchored
    differing = _differing(judged)
    verdict, interpretation = bias(
        *(estimand.says, estimand.top, plain, compared),
        ratings=int((judged.people[1] > 0).sum()),
        differing=differing,
        unscored=bool(unscored),
        unsettled=unsettled,
        cluster=cluster,
    )
    return AnchoredFigure(
        name=estimand.name,
        says=estimand.says,
        model=model,
        top=estimand.top,
        plain=plain,
        people=_unpowered(_anchored(columns, estimand.top, 0.0)),
        anchored=anchored,
        independent=independent_interval(columns) if with_independent else None,
        corrected=corrected_share(columns.people[0], columns.machine[0], columns.groups, weights=columns.weights)
        if estimand.binary
        else None,
        more=None if anchored is None else further_ratings(anchored, whole=plain),
        ratings=int((columns.people[1] > 0).sum()),
        compared=compared,
        differing=differing,
        unscored=len(unscored),
        unscored_rated=sum(each.gold is not None for each in unscored),
        could_be=_bounds(plain, len(unscored)) if estimand.binary and unscored else None,
        verdict=verdict,
        interpretation=interpretation,
    )


def worth(units: Sequence[RatedUnit], estimand: Estimand, cluster: Cluster, machine: Machine) -> Worth | None:
    """What the judge can be used for, as `jury worth` has it; `None` for a ratio, and with nothing that both judged."""
    columns = columns_of(units, estimand, cluster)
    if estimand.top is None or not np.isin(columns.below, (0.0, 1.0)).all():
        return None
    people, judge = (np.where(side[1] == 1, side[0], math.nan) for side in (columns.people, columns.machine))
    if not np.isfinite(people + judge).any():
        return None
    return judge_worth(
        machine.judge,
        judge,
        people,
        clusters=columns.groups,
        models=[each.unit.model or "" for each in units if estimand.applies(each.unit)],
        weights=columns.weights,
        settings=WorthSettings(high=estimand.top, turn=machine.turn),
    )


def distribution(units: Sequence[RatedUnit], classes: Classes, cluster: Cluster) -> Distribution | None:
    """Shares of classes; `None` where people or the machine name none, or all name the same."""
    own = [each for each in units if classes.applies(each.unit)]
    people = [None if each.gold is None else classes.of(each.gold) for each in own]
    machine = [None if each.unit.consensus is None else classes.of(each.unit.consensus) for each in own]
    weights = [each.weight for each in own]
    if not any(people) or not any(machine) or len({*people, *machine} - {None}) < 2:
        return None
    groups = [cluster_of(each.unit, cluster) for each in own]
    return Distribution(
        name=classes.name,
        n=sum(each is not None for each in people),
        plain=_shares(machine, [1.0] * len(own), classes.classes),
        people=_shares(people, weights, classes.classes),
        corrected=corrected_shares(people, machine, groups, classes.classes, weights=weights),
    )


def _plain(columns: Columns, top: float | None) -> Anchored | None:
    known = np.isfinite(columns.machine).all(axis=0)
    above, below = columns.machine[:, known]
    if not below.sum() > 0:
        return None
    return anchored_mean(above, above, columns.groups[known], sizes=(below, below), top=top, lam=0.0)


def _differing(columns: Columns) -> int:
    """Units that both have rated, and not alike."""
    both = np.isfinite(columns.people).all(axis=0) & np.isfinite(columns.machine).all(axis=0)
    return int((~np.isclose(columns.people, columns.machine).all(axis=0) & both).sum())


def _bounds(plain: Anchored, unscored: int) -> tuple[float, float]:
    """The machine's share if none of the units without a result counted, and if all of them did."""
    total = plain.n + unscored
    return plain.value * plain.n / total, (plain.value * plain.n + unscored) / total


def _anchored(columns: Columns, top: float | None, lam: float | None) -> Anchored | None:
    if not np.nansum(columns.people[1]) > 0:
        return None
    return anchored_mean(
        columns.people[0],
        columns.machine[0],
        columns.groups,
        sizes=(columns.people[1], columns.machine[1]),
        weights=columns.weights,
        documents=columns.documents,
        top=top,
        lam=lam,
    )


def _unpowered(estimate: Anchored | None) -> Anchored | None:
    """With the name of its method: the machine alone and people alone are powered by no prediction."""
    if estimate is None or estimate.interval is None:
        return estimate
    method = estimate.interval.method.removeprefix("prediction-powered ")
    return estimate._replace(interval=estimate.interval._replace(method=method))


def _shares(
    classes_of_units: Sequence[str | None], weights: Sequence[float], classes: Sequence[str]
) -> dict[str, float]:
    counts = dict.fromkeys(classes, 0.0)
    for name, weight in zip(classes_of_units, weights, strict=True):
        if name is not None:
            counts[name] += weight
    total = sum(counts.values())
    return {name: count / total for name, count in counts.items() if count}


def has_ppi_py() -> bool:
    """Whether `ppi_py` is there."""
    return find_spec("ppi_py") is not None


def independent_interval(columns: Columns, level: float = 0.95) -> Interval | None:
    """`ppi_py.ppi_mean_ci` with its own tuning of lam.

    `None` for a ratio, with nothing left unrated, where the machine says the same of all units, and where some units
    were likelier to be rated than others: the unrated are no sample of the run then, as it takes them to be.
    """
    rated, known = np.isfinite(columns.people[0]), np.isfinite(columns.machine[0])
    fitting = columns.plain and _even(columns.weights[rated])
    if not fitting or rated.sum() < 2 or not (~rated & known).any() or not (rated & known).any():
        return None
    machine = np.where(known, columns.machine[0], columns.machine[0][known].mean())
    if np.ptp(machine) == 0:
        return None  # its tuning of lam divides by the spread
    from ppi_py import ppi_mean_ci

    low, high = ppi_mean_ci(columns.people[0][rated], machine[rated], machine[~rated], alpha=1 - level)
    ends = float(np.squeeze(low)), float(np.squeeze(high))
    return Interval(*ends, level, "ppi_py, independent units") if np.isfinite(ends).all() else None


def _even(weights: np.ndarray[tuple[int], np.dtype[np.float64]]) -> bool:
    return bool((weights == weights[:1]).all())


def anchor(
    project: Project,
    run: Path,
    *,
    jury: str | None = None,
    cluster: Cluster = "group",
    selection: VerdictSelection | None = None,
) -> Anchoring:
    """A run's figures with prediction-powered intervals, and its rates corrected for its judges' errors.

    Args:
        project: in which people have rated a part of the run.
        run: its folder, or the file of a detector's findings or of scored trials.
        jury: the judges' names, or the id, of a jury that has judged a run; `None` for the run's own.
        cluster: what the run is a sample of: "group" (concepts, contexts, cases), or "dialogue" (dialogues and
            responses: the intervals then speak of these concepts, contexts or cases only).
        selection: as for `machine_ratings`.

    Raises:
        RatersError: nothing is settled, nothing of it is in the run, or this holds several judges that are no jury; or
            as `machine_ratings`.
    """
    if not project.labelled:
        raise RatersError(
            "No rating of this project is settled yet: each item needs "
            f"{counted(project.settings.raters_per_item, 'rating')}, and one more where raters differ."
        )
    task = task_of(project.settings)
    machine, judgements = machine_ratings(project, run, jury, selection), task.judgements()
    if machine.apart:
        raise RatersError(
            f"{run} holds several judges, and one is anchored at a time: {', '.join(machine.judges)}. Name one with "
            "--score-column, or give a table of one."
        )
    units = rated_units(project, machine)
    rated_count = sum(each.gold is not None for each in units)
    if not rated_count:
        raise RatersError(
            f"None of {counted(len(project.labelled), 'settled item')} is in {run}: name the run that the project was "
            "made from."
        )
    parts = _by_model(units)
    with_independent, unsettled, estimands = has_ppi_py(), much_disputed(project), judgements.estimands(machine)
    figures = [
        figure(own, estimand, cluster, model, with_independent=with_independent, unsettled=unsettled)
        for model, own in parts.items()
        for estimand in estimands
    ]
    kept_figures = [each for each in figures if each is not None]
    first = next((each for each in estimands if each.top is not None), None)
    if first is not None:
        kept_figures = [
            _concluded(each, worth(parts[each.model], first, cluster, machine), project)
            if each.name == first.name
            else each
            for each in kept_figures
        ]
    unscored = max(kept_figures, key=lambda each: each.unscored, default=None)
    distributions = [distribution(units, classes, cluster) for classes in judgements.distributions(machine)]
    word = task.nouns.group if cluster == "group" else task.nouns.dialogue
    rated_groups = max((each.people.groups_rated for each in kept_figures if each.people is not None), default=0)
    remarks = (
        *_opposite(columns_of(units, estimands[0], cluster), machine),
        *notes(project, machine, word, rated_count),
        *few_groups(rated_groups),
    )
    if unscored is not None and unscored.unscored:
        remarks = (unscored_note(unscored.unscored, unscored.unscored_rated, len(units)), *remarks)
    return Anchoring(
        run=run,
        task=machine.task,
        by=machine.by,
        cluster=cluster,
        clustered_by=word,
        rated=rated_count,
        disputed=disputed_items(project),
        units=len(units),
        unit=machine.unit or task.nouns.item,
        only_flagged=project.settings.only_flagged,
        figures=tuple(kept_figures),
        distributions=tuple(each for each in distributions if each is not None),
        not_anchored=judgements.not_anchored,
        notes=remarks if with_independent else (*remarks, MISSING),
    )


def _concluded(of: AnchoredFigure, assessed: Worth | None, project: Project) -> AnchoredFigure:
    """The figure, with what can be done with the judge that it is by."""
    if assessed is None:
        return of
    if project.settings.only_flagged:
        assessed = of_flagged_only(assessed)
    else:
        assessed = unless_disputed(assessed, disputed_items(project))
    return replace(of, worth=assessed, interpretation=judge_advice(assessed))


def _opposite(columns: Columns, machine: Machine) -> tuple[str, ...]:
    """That people and the machine run opposite ways, where that is shown and one of the two may be read wrongly."""
    both = np.isfinite(columns.people[0]) & np.isfinite(columns.machine[0])
    if not machine.turn or not both.any():
        return ()
    people, judge = columns.people[0][both], columns.machine[0][both]
    against = runs_against(people, judge, columns.groups[both], columns.weights[both], machine.turn)
    return () if against is None else (f"{machine.by} and people run against each other; {against}.",)


def _by_model(units: list[RatedUnit]) -> dict[str | None, list[RatedUnit]]:
    """All units, and where several models are known those of each; a single model has them all."""
    parts: dict[str | None, list[RatedUnit]] = {}
    for each in units:
        parts.setdefault(each.unit.model, []).append(each)
    if len(parts) == 1:
        return parts
    return {None: units} | {model: own for model, own in parts.items() if model is not None}
