"""What CogniBench's table 1 counts: agreement, and questions to the organiser per 500 statements."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from voirdire.raters.agreement.figures import Figure, clustered_figure
from voirdire.raters.agreement.tables import Table, tabulate
from voirdire.raters.records import Mode, Project, Rating
from voirdire.stats.clustered import mean_count, mean_score
from voirdire.stats.nominal import item_agreement

PER = 500  # CogniBench, table 1
_NONE = "No statement has been rated by two people."


class Published(NamedTuple):
    """A line of CogniBench's table 1, per 500 statements."""

    agreement: float
    """In [0, 1]."""
    questions: int
    in_the_moment: int
    afterwards: int


PUBLISHED: dict[Mode, Published] = {
    "independent": Published(0.9151, 25, 15, 10),  # CogniBench, table 1
    # The same table, second line. The copy at hand prints "12 (6 … + 7 …)" and, read a second time, "15 (6 … + 7 …)".
    # 6 and 7 make 13, and only 13 fits "reducing QA instances by 48%" beside the 25 of the other line (CogniBench 2.2).
    "sequential": Published(0.9619, 13, 6, 7),
}


class Workload(NamedTuple):
    """The same of a project's live statements that two people or more have rated; adjudicators' questions left out."""

    mode: Mode
    statements: int
    raters_per_statement: float
    """On average; the paper has two."""
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
        project: of the CogniBench task.
        table: of its labels.
    """
    items = [item for item, paired in zip(table.items, table.paired, strict=True) if paired]
    asked = {late: _asked(project, items, afterwards=late) for late in (False, True)}
    return Counts(table.groups[table.paired], item_agreement(table.values)[table.paired], asked[False], asked[True])


def workload(project: Project, ratings: Sequence[Rating], labels: Sequence[str]) -> Workload:
    """Table 1's figures for a project.

    Args:
        project: of the CogniBench task.
        ratings: independent, live ones.
        labels: all there are.
    """
    table = tabulate(project, ratings, lambda value: float(labels.index(value["label"])))
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
