"""One figure: by the machine, by people, anchored, corrected."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from voirdire.raters.anchoring.arrays import Columns, Rated, cluster_of, columns_of
from voirdire.raters.anchoring.estimands import Classes, Estimand
from voirdire.raters.anchoring.independent import independent_interval
from voirdire.raters.anchoring.messages import bias
from voirdire.raters.anchoring.records import Cluster, Distribution, Figure
from voirdire.stats import Anchored, anchored_mean, corrected_share, corrected_shares, more_ratings


def figure(
    units: Sequence[Rated],
    estimand: Estimand,
    cluster: Cluster,
    model: str | None,
    *,
    beside: bool,
    unsettled: bool = False,
) -> Figure | None:
    """A figure of some units; `None` where the machine says nothing that counts for it.

    Args:
        units: of the run, or of one model.
        estimand: what is figured.
        cluster: what was sampled.
        model: whose units they are.
        beside: whether `ppi_py` is there to give its interval.
        unsettled: whether so much is disputed that nothing can be said of the judges.
    """
    columns = columns_of(units, estimand, cluster)
    plain = _unpowered(_plain(columns, estimand.top))
    if plain is None:
        return None
    anchored = _anchored(columns, estimand.top, None)
    ratings = int((columns.people[1] > 0).sum())
    verdict, reading = bias(
        *(estimand.says, estimand.top, plain, anchored), ratings=ratings, unsettled=unsettled, cluster=cluster
    )
    return Figure(
        name=estimand.name,
        says=estimand.says,
        model=model,
        top=estimand.top,
        plain=plain,
        people=_unpowered(_anchored(columns, estimand.top, 0.0)),
        anchored=anchored,
        independent=independent_interval(columns) if beside else None,
        corrected=corrected_share(columns.people[0], columns.machine[0], columns.groups, weights=columns.weights)
        if estimand.binary
        else None,
        more=None if anchored is None else more_ratings(anchored, whole=plain),
        ratings=ratings,
        verdict=verdict,
        reading=reading,
    )


def distribution(units: Sequence[Rated], classes: Classes, cluster: Cluster) -> Distribution | None:
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


def _unpowered(found: Anchored | None) -> Anchored | None:
    """With the name of its method: the machine alone and people alone are powered by no prediction."""
    if found is None or found.interval is None:
        return found
    method = found.interval.method.removeprefix("prediction-powered ")
    return found._replace(interval=found.interval._replace(method=method))


def _shares(named: Sequence[str | None], weights: Sequence[float], classes: Sequence[str]) -> dict[str, float]:
    counts = dict.fromkeys(classes, 0.0)
    for name, weight in zip(named, weights, strict=True):
        if name is not None:
            counts[name] += weight
    whole = sum(counts.values())
    return {name: count / whole for name, count in counts.items() if count}
