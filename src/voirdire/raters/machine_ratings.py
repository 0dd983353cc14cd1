"""What a run's judges said of every unit that people could rate, and of which of them a project holds items.

from voirdire.raters.machine_ratings import machine_ratings
machine_ratings(project, Path("runs/study"))
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from voirdire.instruments import instrument_of_run
from voirdire.jury.worth.tables import Columns
from voirdire.raters.records import Item, Project, RatersError
from voirdire.raters.tasks import open_task, task_of

CONSENSUS = "the jury"
_MANIFEST = "run.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """A turn, a statement or a response of a run, whether people have rated it or not."""

    id: str
    """As `Item.id` has it: the turn's key, `answer#place`, the response's id."""
    document: str
    """The answer or response that it stands in; of a turn, its key."""
    group: str
    """What it shares with others: concept, context, case; intervals are clustered by it."""
    dialogue: str
    """The narrower cluster: the dialogue, the answer, the response itself."""
    model: str | None = None
    """Who is measured, where the run knows."""
    turn: int | None = None
    """Of a dialogue, from 1."""
    level: float | None = None
    """Of a dialogue: the compression c."""
    text: str | None = None
    """What people read, where its id does not say: compared with what was rated."""
    words: int = 0
    """Of a statement."""
    item: str | None = None
    """Id of the project's live item that is this unit; `None` where the project lacks it."""
    consensus: Mapping[str, Any] | None = None
    """What the run takes it to be, in the form of its task; `None` where it is unscored."""
    judges: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """The same by judge; one that gave nothing is missing. Of a labelling run, its samples."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """What a run or a file says, laid beside a project."""

    task: str
    run: Path
    by: str
    """Who rated: the jury's id, the labelling model, the detector's file, the auditors."""
    judges: tuple[str, ...]
    units: Mapping[str, Unit]
    """By id, in the run's order."""
    unmatched: tuple[str, ...] = ()
    """Live items of the project that the run lacks, or cut otherwise."""
    notes: tuple[str, ...] = ()
    """What must be said beside it."""
    anchoring_notes: tuple[str, ...] = ()
    """What must be said beside figures that are anchored in people's ratings."""
    turn: tuple[str, ...] = ()
    """What would have people or the machine read the other way round; empty where it is known which way they run."""
    apart: bool = False
    """Whether its judges are no jury: each is compared with people by itself."""
    unit: str = ""
    """What each unit is, where that is not the task's own: "sentence"."""
    ungrouped: bool = False
    """Whether the data that the project was made of are not where they were, so that answers beyond the project count
    as a group each."""

    @property
    def judge(self) -> str:
        """Whose the consensus is: several judges', or the only one's."""
        return CONSENSUS if len(self.judges) > 1 else next(iter(self.judges), self.by)

    @property
    def by_item(self) -> dict[str, Unit]:
        """The units that the project has, by item id."""
        return {unit.item: unit for unit in self.units.values() if unit.item is not None}


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictSelection:
    """Which verdicts of some results are wanted."""

    columns: Columns = field(default_factory=Columns)
    metric: str | None = None
    """Of an evaluation: its name or its metric."""
    pairs: bool = False
    """Of pairs of outputs."""
    unnamed: bool = False
    """Of pairs whose models nobody has named."""
    epochs: bool = False
    """Of each repetition by itself, as people of a project have rated it; else the mean of all."""
    ends: tuple[float, float] = (0.0, 1.0)
    """Of people's scale."""
    rated: Collection[str] = ()
    """The items that people have rated: they tell which of several evaluations, or answers or sentences, are meant."""
    numbered: Mapping[str, Collection[str]] = field(default_factory=dict)
    """Of rated items, the texts by name: for tables that name no items, whose rows count by number."""

    @property
    def chooses(self) -> bool:
        """Whether the user has said which verdicts are meant."""
        return bool(self.columns.of_verdicts or self.metric)


def live_items(project: Project) -> dict[str, Item]:
    """Items that are not for practice, by id."""
    return {name: item for name, item in project.items.items() if item.pool == "live"}


def items_of_responses(project: Project) -> dict[str, str]:
    """Ids of the project's items by the ids that their responses have where they came from."""
    return {
        str(project.documents[item.document].source.get("item", name)): name
        for name, item in live_items(project).items()
    }


def match_units(
    project: Project, units: Iterable[Unit], items: Mapping[str, str]
) -> tuple[dict[str, Unit], tuple[str, ...]]:
    """The units with the project's items entered, and the items that are none of them.

    Args:
        project: with its items.
        units: of the run.
        items: ids of the project's items by the ids of the units that they are.
    """
    result = {unit.id: replace(unit, item=items.get(unit.id)) for unit in units}
    unit_items = {unit.item for unit in result.values()}
    return result, tuple(name for name in live_items(project) if name not in unit_items)


def machine_ratings(
    project: Project, run: Path, jury: str | None = None, selection: VerdictSelection | None = None
) -> Machine:
    """What a run says of each of its units, and which of them the project has.

    Args:
        project: of any task.
        run: a run folder of the task's instrument, or a file with judgements that the task can read.
        jury: the judges' names, or the id, of a jury that has judged a run; `None` for the run's own.
        selection: which verdicts of results are meant, and which are good; `None`: as their names, words or files say.

    Raises:
        RatersError: the run is another instrument's, or holds nothing yet.
        JuryError: no such jury has judged it.
        RunFolderError: there is no run, or its manifest is damaged.
    """
    task, selection = project.settings.task, selection or VerdictSelection()
    judgements = task_of(project.settings).judgements()
    is_run = not run.is_file() and (run / _MANIFEST).exists()
    if judgements.read_results is not None and not is_run:
        if not run.exists():
            raise RatersError(f"There is nothing at {run}; name results, a run or another project.")
        return judgements.read_results(project, run, selection)
    if selection.columns.good_verdict:
        raise RatersError(f"Which verdicts of {run} are good is known: leave out --good-verdict.")
    if selection.chooses:
        raise RatersError(f"What to read of {run} is known: leave out --map, --metric and the names of columns.")
    if run.is_file():
        if judgements.read_file is None:
            raise RatersError(f"{run} is a file; the project rates {task}, and a run folder of {task} is expected.")
        return judgements.read_file(project, run)
    _check_instrument(run, task, every=judgements.every_run)
    if jury is not None and not judgements.juries:
        raise RatersError(f"A run of {task} has no juries to choose from: leave out the jury {jury!r}.")
    return judgements.read_run(project, run, jury)


def _check_instrument(run: Path, task: str, *, every: bool) -> None:
    instrument = instrument_of_run(run).name
    if not (open_task(task).rates(instrument) if every else instrument == task):
        raise RatersError(f"The run in {run} is one of {instrument}; the project rates {task}: name a run of {task}.")
