"""People beside a run's jury, labeller, detector or auditors."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from voirdire.data.plain import as_object
from voirdire.raters.agreement.figures import MIN_GROUPS
from voirdire.raters.agreement.tables import Value, group_of
from voirdire.raters.comparing._bench import Bench, Who
from voirdire.raters.comparing._tasks import BY_TASK
from voirdire.raters.comparing.categories import Confusion, Flagging
from voirdire.raters.comparing.closeness import Closeness
from voirdire.raters.comparing.findings import FindingComparison
from voirdire.raters.comparing.messages import reading
from voirdire.raters.comparing.people import rated_items, raters_of
from voirdire.raters.comparing.scores import ScoreComparison
from voirdire.raters.comparing.texts import check_texts
from voirdire.raters.machine import Machine, machine_ratings
from voirdire.raters.records import Project, RatersError, TaskName
from voirdire.text.counting import counted


@dataclass(frozen=True, slots=True)
class Comparison:
    """People beside a machine."""

    title: str
    task: TaskName
    run: Path
    by: str
    """Who judged: the jury's id, the labelling model, the detector's file, the auditors."""
    judges: tuple[str, ...]
    names: dict[str, str]
    """Raters' names by id."""
    rated: int
    """Live items with a person's rating."""
    matched: int
    """Of these, how many the run holds."""
    missing: tuple[str, ...]
    """Ids of the others."""
    undecided: int
    """Of the matched ones, how many the machine left without a result."""
    settled: int
    """Of the matched ones, how many have a gold rating."""
    groups: int
    """Of the matched ones."""
    closeness: tuple[Closeness, ...]
    """Whether the machine agrees with people as people do with each other; the consensus first."""
    scores: tuple[ScoreComparison, ...] = ()
    """All people together beside the consensus and every judge, then every rater beside each of them."""
    confusions: tuple[Confusion, ...] = ()
    flags: tuple[Flagging, ...] = ()
    """Of CogniBench projects: under each requirement, in words and in sentences."""
    findings: tuple[FindingComparison, ...] = ()
    """Of integrity projects: the consensus, then each auditor."""
    notes: tuple[str, ...] = ()

    @property
    def reading(self) -> tuple[str, ...]:
        """What can be said, in sentences."""
        return reading(self.closeness, self.scores)

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {"reading": list(self.reading)} | as_object(self)


def compare_with(project: Project, run: Path, jury: str | None = None) -> Comparison:
    """Compare people's ratings with what a run says of the same items.

    Args:
        project: of any task.
        run: a run folder of the same instrument; for cognibench also what `voirdire detect --out` wrote; for
            integrity also a file of scored trials.
        jury: id of a jury that has judged a DDFT run; `None` for the run's own.

    Raises:
        RatersError: there are no live ratings, the run is another instrument's or holds none of the rated items, or
            what people rated has another text there.
        RunFolderError: there is no run.
    """
    rated = rated_items(project)
    machine = machine_ratings(project, run, jury)
    units = machine.by_item
    check_texts(project, machine, [each.item for each in rated])
    there = tuple(each for each in rated if each.item in units)
    if not there:
        raise RatersError(
            f"None of {counted(len(rated), 'item')} that people rated is in {run}; name the run that was rated."
        )
    bench = Bench(there, raters_of(project, there), _said(machine))
    decided = bench.said[machine.by, True]
    return Comparison(
        title=project.settings.title,
        task=project.settings.task,
        run=run,
        by=machine.by,
        judges=machine.judges,
        names={rater.id: rater.name for rater in project.raters.values()},
        rated=len(rated),
        matched=len(there),
        missing=tuple(each.item for each in rated if each.item not in units),
        undecided=sum(each.item not in decided for each in there),
        settled=sum(each.gold is not None for each in there),
        groups=len({group_of(project, each.item) for each in there}),
        notes=(*machine.notes, *_notes(bench, project.settings.task)),
        **BY_TASK[project.settings.task](project, machine, bench),
    )


def _notes(bench: Bench, task: TaskName) -> list[str]:
    notes = []
    groups, settled = len(set(bench.groups)), sum(each.gold is not None for each in bench.rated)
    if groups < MIN_GROUPS:
        notes.append(f"No intervals: they need {MIN_GROUPS} groups, and the items compared are of {groups}.")
    if left := len(bench.rated) - settled:
        stands = (
            "the label that more than half of their raters give stands"
            if task == "cognibench"
            else "the mean of their scores, and the category that more than half of their raters give, stand"
        )
        notes.append(
            f"{left:,} of {counted(len(bench.rated), 'item')} {'is' if left == 1 else 'are'} not settled yet: "
            f"{stands} for people."
        )
    return notes


def _said(machine: Machine) -> dict[Who, dict[str, Value]]:
    units = machine.by_item
    found = {(machine.by, True): {item: unit.consensus for item, unit in units.items() if unit.consensus is not None}}
    if machine.task != "cognibench" and len(machine.judges) > 1:
        for judge in machine.judges:
            found[judge, False] = {item: unit.judges[judge] for item, unit in units.items() if judge in unit.judges}
    return found
