"""Agreement and questions to the organiser, per 500 items: what one way of annotating costs beside another."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from voirdire.raters.agreement.measures import Figure, Table, clustered_figure, tabulate
from voirdire.raters.records import Mode, Project, Rating
from voirdire.raters.tasks.base import Scale
from voirdire.stats.clustered import mean_count, mean_score
from voirdire.stats.nominal import item_agreement

PER = 500
_NONE = "No statement has been rated by two people."


class Workload(NamedTuple):
    """Of a project's live statements that two people or more have rated; adjudicators' questions left out."""

    mode: Mode
    statements: int
    raters_per_statement: float
    """On average."""
    agreement: Figure
    """Mean over statements of the share of pairs of raters who agree on the class; in [0, 1]."""
    in_the_moment: Figure
    """Questions per 500 statements that were asked while the statement was being rated."""
    afterwards: Figure
    """Likewise, once its rating was complete."""
    questions: Figure
    """Both."""
    asked: tuple[int, int]
    """In the moment and afterwards, in plain numbers."""
    elsewhere: int
    """Questions on something else: no statement, practice, or statements that lack a second rating."""


class Counts(NamedTuple):
    """Statement by statement, shape (statements,) each."""

    groups: NDArray[np.object_]
    agreement: NDArray[np.float64]
    in_the_moment: NDArray[np.float64]
    afterwards: NDArray[np.float64]


def count_statements(project: Project, table: Table) -> Counts:
    """Agreement and questions of every statement that two people have rated.

    Args:
        project: with its questions.
        table: of its labels.
    """
    items = [item for item, paired in zip(table.items, table.paired, strict=True) if paired]
    asked = {late: _asked(project, items, afterwards=late) for late in (False, True)}
    return Counts(table.groups[table.paired], item_agreement(table.values)[table.paired], asked[False], asked[True])


def workload(project: Project, ratings: Sequence[Rating], scale: Scale) -> Workload:
    """A project's figures.

    Args:
        project: with its questions.
        ratings: independent, live ones.
        scale: what raters agree on.
    """
    table = tabulate(project, ratings, scale.number)
    counts = count_statements(project, table)
    asked = int(counts.in_the_moment.sum()), int(counts.afterwards.sum())
    paired = table.values[table.paired]
    return Workload(
        mode=project.settings.mode,
        statements=len(counts.groups),
        raters_per_statement=float((~np.isnan(paired)).sum(axis=1).mean()) if len(paired) else math.nan,
        agreement=clustered_figure(mean_score(counts.agreement, counts.groups, top=1.0), _NONE),
        in_the_moment=_per_500(counts.in_the_moment, counts),
        afterwards=_per_500(counts.afterwards, counts),
        questions=_per_500(counts.in_the_moment + counts.afterwards, counts),
        asked=asked,
        elsewhere=len(project.questions) - sum(asked),
    )


def _asked(project: Project, items: Sequence[str], *, afterwards: bool) -> NDArray[np.float64]:
    place = {item: number for number, item in enumerate(items)}
    found = np.zeros(len(items))
    for question in project.questions:
        rater = project.raters.get(question.rater)
        if question.item in place and question.afterwards == afterwards and rater and rater.role == "rater":
            found[place[question.item]] += 1
    return found


def _per_500(numbers: NDArray[np.float64], counts: Counts) -> Figure:
    return clustered_figure(mean_count(numbers, counts.groups), _NONE, PER)
