"""From a project and a run to anchored figures."""

from __future__ import annotations

from pathlib import Path

from voirdire.raters.anchoring.figures import MISSING, Rated, distribution, figure, installed, rated_units
from voirdire.raters.anchoring.messages import disputed_items, much_disputed, notes
from voirdire.raters.anchoring.records import Anchoring, Cluster
from voirdire.raters.machine import machine_ratings
from voirdire.raters.records import Project, RatersError
from voirdire.raters.tasks import open_task
from voirdire.text.counting import counted


def anchor(project: Project, run: Path, *, jury: str | None = None, cluster: Cluster = "group") -> Anchoring:
    """A run's figures with prediction-powered intervals, and its rates corrected for its judges' errors.

    Args:
        project: in which people have rated a part of the run.
        run: its folder, or the file of a detector's findings or of scored trials.
        jury: id of a jury that has judged a run; `None` for the run's own.
        cluster: what the run is a sample of: "group" (concepts, contexts, cases), or "dialogue" (dialogues and
            responses: the intervals then speak of these concepts, contexts or cases only).

    Raises:
        RatersError: nothing is settled, or nothing of it is in the run; or as `machine_ratings`.
    """
    if not project.gold:
        raise RatersError(
            "No rating of this project is settled yet: each item needs "
            f"{counted(project.settings.raters_per_item, 'rating')}, and one more where raters differ."
        )
    task = open_task(project.settings.task)
    machine, judgements = machine_ratings(project, run, jury), task.judgements()
    units = rated_units(project, machine)
    rated = sum(each.gold is not None for each in units)
    if not rated:
        raise RatersError(
            f"None of {counted(len(project.gold), 'settled item')} is in {run}: name the run that the project was made "
            "from."
        )
    parts = _by_model(units)
    beside, unsettled = installed(), much_disputed(project)
    figures = [
        figure(own, estimand, cluster, model, beside=beside, unsettled=unsettled)
        for model, own in parts.items()
        for estimand in judgements.estimands(machine)
    ]
    distributions = [distribution(units, classes, cluster) for classes in judgements.distributions(machine)]
    word = task.nouns.group if cluster == "group" else task.nouns.dialogue
    said = notes(project, machine, word, rated)
    return Anchoring(
        run=run,
        task=machine.task,
        by=machine.by,
        cluster=cluster,
        clustered_by=word,
        rated=rated,
        disputed=disputed_items(project),
        units=len(units),
        figures=tuple(each for each in figures if each is not None),
        distributions=tuple(each for each in distributions if each is not None),
        not_anchored=judgements.not_anchored,
        notes=said if beside else (*said, MISSING),
    )


def _by_model(units: list[Rated]) -> dict[str | None, list[Rated]]:
    """All units, and where several models are known those of each; a single model has them all."""
    found: dict[str | None, list[Rated]] = {}
    for each in units:
        found.setdefault(each.unit.model, []).append(each)
    if len(found) == 1:
        return found
    return {None: units} | {model: own for model, own in found.items() if model is not None}
