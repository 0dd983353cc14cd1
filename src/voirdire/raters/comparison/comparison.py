"""People beside a run's jury, labeller, detector or auditors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict

from voirdire.data.json_values import as_object
from voirdire.jury.worth.assessment import against
from voirdire.raters.agreement.agreement import with_ends
from voirdire.raters.agreement.measures import MIN_GROUPS, group_of
from voirdire.raters.comparison.findings import FindingComparison
from voirdire.raters.comparison.measures import Closeness, Confusion, Flagging, ScoreComparison
from voirdire.raters.comparison.rated_items import ComparisonData, JudgeKey, rated_items, raters_of
from voirdire.raters.machine_ratings import Machine, VerdictSelection, machine_ratings
from voirdire.raters.records import Project, RatersError
from voirdire.raters.tasks import open_task, task_of
from voirdire.raters.tasks.base import Value
from voirdire.reason_codes import Param, Reason, declare, reason
from voirdire.text.counting import counted

LEADING = {"ICC(2,1)", "kappa", "positive agreement"}
"""The coefficients that sentences are made of; the others stand in the tables."""

declare(
    {
        "rate_merged": "merged in this comparison: {labels}. The judge's numbers can't tell these apart, so people's "
        "kappa here is not that of all labels, which the organiser's page shows",
        "rate_only_flagged": "people rated flagged sentences only, which tell how many flags are right, but nothing of "
        "how far a detector agrees with them or how strict it is; have a random part of all rated",
        "rate_ties": "a person calls a tie on {people:,} of {items:count item}, {machine} on {machine_ties:,}. Where "
        "only one side calls a tie, the two differ, however well the machine tells the better answer from the worse. "
        "Only a figure with ties left out can tell how well it does that",
    }
)

_SHOWN = 0.005
"""Differences that are nowhere larger matter to nobody."""


class ComparisonParts(TypedDict, total=False):
    """The parts of a comparison that differ from task to task."""

    closeness: tuple[Closeness, ...]
    scores: tuple[ScoreComparison, ...]
    confusions: tuple[Confusion, ...]
    flags: tuple[Flagging, ...]
    findings: tuple[FindingComparison, ...]
    cautions: tuple[Reason, ...]
    """What must be said with them: see `PeopleComparison`."""
    notes: tuple[str, ...]
    """What may be said beside them."""


@dataclass(frozen=True, slots=True)
class PeopleComparison:
    """People beside a machine."""

    title: str
    task: str
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
    """Of statements: under each requirement, in words and in sentences."""
    findings: tuple[FindingComparison, ...] = ()
    """Of tasks in which raters mark things: the consensus, then each judge."""
    cautions: tuple[Reason, ...] = ()
    """What must be said beside the reading: that figures here are not those of the ratings alone."""
    notes: tuple[str, ...] = ()

    @property
    def interpretation(self) -> tuple[str, ...]:
        """What can be said, in sentences; nothing of all items where people rated only what a detector flagged."""
        if any(each.code == "rate_only_flagged" for each in self.cautions):
            return ()
        ties = {each["machine"]: each["scale"] for each in self.cautions if each.code == "rate_ties"}
        return interpretation(
            self.closeness, self.scores, open_task(self.task).judgements().leading, ties, self.matched
        )

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {"interpretation": list(self.interpretation)} | as_object(self)


def compare_with(
    project: Project, run: Path, jury: str | None = None, selection: VerdictSelection | None = None
) -> PeopleComparison:
    """Compare people's ratings with what a run says of the same items.

    Args:
        project: of any task.
        run: a run folder of the task's instrument, or a file with judgements that the task can read.
        jury: the judges' names, or the id, of a jury that has judged a run; `None` for the run's own.
        selection: as for `machine_ratings`.

    Raises:
        RatersError: there are no live ratings, the run is another instrument's or holds none of the rated items, or
            what people rated has another text there.
        RunFolderError: there is no run.
    """
    rated = rated_items(project)
    machine = machine_ratings(project, run, jury, selection)
    judgements, units = task_of(project.settings).judgements(), machine.by_item
    judgements.check_texts(project, machine, [each.item for each in rated])
    there = tuple(each for each in rated if each.item in units)
    if not there:
        raise RatersError(
            f"None of {counted(len(rated), 'item')} that people rated is in {run}; name the run that was rated."
        )
    data = ComparisonData(there, raters_of(project, there), _by_machine(machine, judgements.each_judge))
    decided = {item for (_, whole), values in data.by_machine.items() if whole for item in values}
    compared = judgements.compare(project, machine, data)
    if project.settings.only_flagged:
        compared["cautions"] = (reason("rate_only_flagged"), *compared.get("cautions", ()))
    compared["notes"] = (
        *_opposite(compared.get("scores", ()), machine),
        *machine.notes,
        *compared.get("notes", ()),
        *_notes(data, judgements.unsettled),
        *_of_ties(compared.get("flags", ())),
    )
    return PeopleComparison(
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
        **compared,
    )


def _opposite(scores: Sequence[ScoreComparison], machine: Machine) -> list[str]:
    """That people and the machine run opposite ways, where that is shown and one of the two may be read wrongly."""
    return [
        f"{each.machine} and people run against each other; {against(r.value, r.low, r.high, machine.turn)}."
        for each in scores
        for r in [each.pearson]
        if each.consensus
        and not each.people
        and machine.turn
        and r.value is not None
        and r.low is not None
        and r.high is not None
        and r.high < 0
    ]


def _notes(data: ComparisonData, unsettled: str) -> list[str]:
    notes = []
    groups, settled = len(set(data.groups)), sum(each.gold is not None for each in data.rated)
    if groups < MIN_GROUPS:
        notes.append(f"No intervals: they need {MIN_GROUPS} groups, and the items compared are of {groups}.")
    items = counted(len(data.rated), "item")
    awaited = sum(each.awaited for each in data.rated)
    if awaited:
        notes.append(
            f"{awaited:,} of {items} {'lacks' if awaited == 1 else 'lack'} ratings: what is there does not stand for "
            "people."
        )
    if open_count := len(data.rated) - settled - awaited:
        notes.append(
            f"{open_count:,} of {items} {'is' if open_count == 1 else 'are'} not settled yet: {unsettled} for people."
        )
    return notes


def _of_ties(flags: Sequence[Flagging]) -> list[str]:
    """Why fewer items count under one requirement than under another."""
    if len({each.items for each in flags}) < 2:
        return []
    return [
        "Hallucinations found: n differs by requirement. Where raters differ on an item, their labels can tie under "
        "one requirement and agree under another; an item with a tie has no majority and is left out."
    ]


def _by_machine(machine: Machine, each_judge: bool) -> dict[JudgeKey, dict[str, Value]]:
    units = machine.by_item
    if machine.apart:
        return {
            (judge, True): {item: unit.judges[judge] for item, unit in units.items() if judge in unit.judges}
            for judge in machine.judges
        }
    result = {(machine.by, True): {item: unit.consensus for item, unit in units.items() if unit.consensus is not None}}
    if each_judge and len(machine.judges) > 1:
        for judge in machine.judges:
            result[judge, False] = {item: unit.judges[judge] for item, unit in units.items() if judge in unit.judges}
    return result


def text_differs_error(what: str, run: Path) -> RatersError:
    """The error where something that was rated has another text in a run."""
    return RatersError(
        f"{what} has another text in {run} than the one that was rated; compare with the run that people saw."
    )


def interpretation(
    closeness: Sequence[Closeness],
    scores: Sequence[ScoreComparison],
    leading: Sequence[Sequence[str]],
    ties: Mapping[Param, Param],
    matched: int,
) -> tuple[str, ...]:
    """Whether the consensus is as close to people as they are to each other, and on which side of them it is.

    The same of each judge, where they are no jury.

    Args:
        closeness: of a comparison.
        scores: likewise.
        leading: the scales that sentences are made of; of those in one list, the first that was compared.
        ties: by machine that does not call ties as people do, the scale on which nothing can be concluded for that.
        matched: items that both have rated.
    """
    compared = {each.scale for each in closeness if each.consensus and each.coefficient in LEADING}
    names = {next((name for name in names if name in compared), "") for names in leading}
    chosen = [each for each in closeness if each.consensus and each.coefficient in LEADING and each.scale in names]
    biases = [each for each in scores if each.consensus and not each.people]
    several = len({each.machine for each in chosen} | {each.machine for each in biases}) > 1

    def called(machine: str) -> str:
        return machine if several else "the machine"

    return (
        *(_of_closeness(each, called(each.machine), ties.get(each.machine) == each.scale, matched) for each in chosen),
        *(_of_bias(each, called(each.machine)) for each in biases),
    )


def _of_closeness(each: Closeness, machine: str, has_ties: bool, matched: int) -> str:
    name = _scale_name(each.scale)
    if each.people.value is None or each.with_machine.value is None:
        why = each.people.reason or each.with_machine.reason or "it is undefined."
        return f"{name}: whether {machine} is as close to people as they are to each other can't be told: " + (
            why[0].lower() + why[1:]
        )
    others = f" of {matched:,}; the others lack such a rating by {machine} or by two people"
    measured = f"{each.coefficient}, mean over raters, the same {each.items:,} items{others * (each.items < matched)}"
    concluded = _difference(each, machine)
    if has_ties:
        concluded = (
            f"nothing is concluded from this, because it counts ties, which {machine} never or hardly ever calls"
        )
    return (
        f"{name}: people agree with each other at {with_ends(each.people)}, with {machine} at "
        f"{with_ends(each.with_machine)} ({measured}); {concluded}."
    )


def _difference(each: Closeness, machine: str) -> str:
    low, high = each.difference.low, each.difference.high
    if low is None or high is None:
        return "the difference has no interval"
    if high < 0:
        return f"{machine} is farther from people than they are from each other, by {-high:.2f} to {-low:.2f}"
    if low > 0:
        return f"{machine} is closer to people than they are to each other, by {low:.2f} to {high:.2f}"
    return f"no difference is shown; it may be as much as {-low:.2f} farther from them, or {high:.2f} closer"


def _of_bias(each: ScoreComparison, machine: str) -> str:
    bias = each.bias
    if bias.value is None or bias.low is None or bias.high is None:
        why = (bias.reason or "there is no interval.").lower()
        return f"{_scale_name(each.scale)}: whether {machine} is lenient can't be told: {why}"
    if max(abs(bias.low), abs(bias.high)) < _SHOWN:
        return f"{_scale_name(each.scale)}: {machine} and people differ by less than {_SHOWN:g} on average."
    if bias.low > 0 or bias.high < 0:
        side = "more lenient" if bias.value > 0 else "stricter"
        least, most = sorted((abs(bias.low), abs(bias.high)))
        return f"{_scale_name(each.scale)}: {machine} is {side} than people, by {least:.2g} to {most:.2g}."
    reach = max(abs(bias.low), abs(bias.high))
    return f"{_scale_name(each.scale)}: {machine} is not shown to be lenient or strict; up to {reach:.2g} is possible."


def _scale_name(scale: str) -> str:
    return scale[0].upper() + scale[1:]
