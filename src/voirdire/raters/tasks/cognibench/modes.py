"""Sequential decisions against direct classification: CogniBench's table 1 on a team's own statements."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from voirdire.data.json_values import as_object
from voirdire.detectors.records import LABELS
from voirdire.documents.cells import plain_table
from voirdire.documents.document import Section
from voirdire.raters.agreement.agreement import PER, Counts, Workload, count_statements, workload
from voirdire.raters.agreement.measures import (
    AgreementFigure,
    Coefficient,
    Floats,
    Table,
    ac,
    alpha,
    cuts_between,
    figure_of,
    independent,
    percent,
    tabulate,
    within,
)
from voirdire.raters.agreement.report import figure_cell, reading_blocks, workload_table
from voirdire.raters.records import Mode, Project, RatersError
from voirdire.raters.tasks.base import WorkloadLine
from voirdire.raters.tasks.cognibench.task import PUBLISHED, PUBLISHED_WORKLOAD, TASK
from voirdire.stats.jackknife import Bools, jackknife_estimate

_UNITS = {"agreement": "percentage points", "questions": "per 500 statements"}
"""What sentences are made of, and in which unit."""
_UNDEFINED = "One of the two has no statement with two ratings, or the coefficient is undefined there."


@dataclass(frozen=True, slots=True)
class ModeComparison:
    """Two projects side by side, and the paper's two lines."""

    sequential: Workload
    independent: Workload
    differences: dict[str, AgreementFigure]
    """Sequential minus independent: "agreement", "alpha", "AC1" (over all seven classes); per 500 statements
    "questions", "while rating", "afterwards". Intervals leave out a group in both projects at a time."""
    published: dict[Mode, WorkloadLine]
    shared: int
    """Statements that two people have rated in either project."""
    notes: tuple[str, ...]

    @property
    def interpretation(self) -> tuple[str, ...]:
        """What can be said, in sentences."""
        return tuple(_sentence(name, unit, self.differences[name]) for name, unit in _UNITS.items())

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {"interpretation": list(self.interpretation)} | as_object(self)

    def section(self) -> Section:
        """Sequential decisions beside direct classification, and the paper's two lines."""
        rows = (
            (name, figure_cell(figure, "+.1%" if name == "agreement" else "+.2f"))
            for name, figure in self.differences.items()
        )
        return Section(
            "modes",
            "Sequential decisions beside direct classification, per 500 statements",
            (
                *reading_blocks(self.interpretation, self.notes),
                workload_table("modes", [self.sequential, self.independent], PUBLISHED_WORKLOAD),
                plain_table("mode-differences", ("sequential - independent", "difference"), rows),
            ),
        )


class _Side(NamedTuple):
    """One project, as far as it is compared."""

    table: Table
    """Its statements with two ratings or more."""
    counts: Counts


def compare_modes(sequential: Project, independent_: Project) -> ModeComparison:
    """Compare the two ways of annotating.

    Args:
        sequential: a CogniBench project with the ladder's questions one at a time.
        independent_: one that asks for the class directly.

    Raises:
        RatersError: one of them is of another task or mode, or has no statement that two people have rated.
    """
    sides = [_side(project, mode) for project, mode in ((sequential, "sequential"), (independent_, "independent"))]
    texts = [_texts(project, side.table) for project, side in zip((sequential, independent_), sides, strict=True)]
    shared = len(texts[0].keys() & texts[1].keys())
    return ModeComparison(
        sequential=workload(sequential, independent(sequential), TASK.scales()[0]),
        independent=workload(independent_, independent(independent_), TASK.scales()[0]),
        differences=_differences(*sides),
        published=dict(PUBLISHED),
        shared=shared,
        notes=tuple(_notes(sequential, independent_, shared, len(texts[0]), len(texts[1]))),
    )


def _side(project: Project, mode: str) -> _Side:
    settings = project.settings
    if settings.task != TASK.name or settings.mode != mode:
        raise RatersError(
            f"{settings.title!r} is a project of {settings.task} in the mode {settings.mode}; one of cognibench in the "
            f"mode {mode} is needed here, to compare the two ways of annotating."
        )
    table = tabulate(project, independent(project), TASK.scales()[0].number)
    if not table.paired.any():
        raise RatersError(
            f"No statement of {settings.title!r} has been rated by two people: there is nothing to compare."
        )
    paired = table.paired
    items = tuple(item for item, twice in zip(table.items, paired, strict=True) if twice)
    return _Side(
        Table(items, table.raters, table.groups[paired], table.values[paired]), count_statements(project, table)
    )


def _texts(project: Project, table: Table) -> dict[tuple[str, str], str]:
    """Item ids by what was rated: the document's source and the statement's words."""
    result = {}
    for name in table.items:
        item = project.items[name]
        document = project.documents[item.document]
        answer = str(document.source.get("answer", document.id))
        result[answer, str(document.body["statements"][item.place]["text"])] = name
    return result


def _differences(one: _Side, other: _Side) -> dict[str, AgreementFigure]:
    coefficients: dict[str, Coefficient] = {
        "agreement": percent,
        "alpha": alpha("nominal"),
        "AC1": ac(cuts_between(len(LABELS))),
    }
    result = {
        name: within(_difference(one, other, _of_values(statistic)), 1.0 if statistic is percent else 2.0)
        for name, statistic in coefficients.items()
    }
    counted: dict[str, Callable[[Counts], Floats]] = {
        "questions": lambda counts: counts.in_the_moment + counts.afterwards,
        "while rating": lambda counts: counts.in_the_moment,
        "afterwards": lambda counts: counts.afterwards,
    }
    return result | {name: _difference(one, other, _of_counts(statistic)) for name, statistic in counted.items()}


def _difference(one: _Side, other: _Side, figure: Callable[[_Side, Bools], float]) -> AgreementFigure:
    groups = np.concatenate([one.table.groups, other.table.groups])
    border = len(one.table.items)

    def difference(left_in: Bools) -> float:
        return figure(one, left_in[:border]) - figure(other, left_in[border:])

    return figure_of(jackknife_estimate(difference, groups), len(set(groups)), _UNDEFINED)


def _of_values(coefficient: Coefficient) -> Callable[[_Side, Bools], float]:
    return lambda side, left_in: coefficient(side.table.values[left_in]) if left_in.any() else math.nan


def _of_counts(numbers: Callable[[Counts], Floats]) -> Callable[[_Side, Bools], float]:
    return lambda side, left_in: PER * float(numbers(side.counts)[left_in].mean()) if left_in.any() else math.nan


def _sentence(name: str, unit: str, figure: AgreementFigure) -> str:
    times = 100 if name == "agreement" else 1
    if figure.value is None or figure.low is None or figure.high is None:
        return f"Of the difference in {name} nothing can be said: {(figure.reason or '').lower()}"
    low, high, value = times * figure.low, times * figure.high, times * figure.value
    if low <= 0 <= high:
        return f"No difference in {name} is shown: {value:+.1f} {unit} ({low:+.1f} to {high:+.1f})."
    more = "more" if value > 0 else "less" if name == "agreement" else "fewer"
    return f"Sequential decisions give {abs(value):.1f} {unit} {more} {name} ({low:+.1f} to {high:+.1f})."


def _notes(sequential: Project, independent_: Project, shared: int, one: int, other: int) -> list[str]:
    notes = []
    if shared < max(one, other):
        notes.append(
            f"Not the same statements: {shared:,} of {one:,} and {other:,} were rated twice in both modes, so a "
            "difference may be one of statements."
        )
    people = [
        {rater.name for rater in project.raters.values() if rater.role == "rater"}
        for project in (sequential, independent_)
    ]
    both = sorted(people[0] & people[1])
    if shared and both:
        notes.append(
            f"{', '.join(both)} worked in both modes: what they remember of the first makes them agree more in the "
            "second."
        )
    return notes
