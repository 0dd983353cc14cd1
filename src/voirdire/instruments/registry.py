"""Which instruments there are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from voirdire.documents.document import Document
from voirdire.errors import InputError
from voirdire.instruments.data import AnswerCheck, Data, NearlyDataError
from voirdire.instruments.instrument import Instrument
from voirdire.runs import RunFolder
from voirdire.text.counting import counted

_MANIFEST, _JOURNAL = "run.json", "journal.sqlite"
_MOST_NAMED = 3

_MODULES = {
    "ddft": "voirdire.ddft.instrument",
    "evaluation": "voirdire.evaluation.instrument",  # before what reads any table
    "cognibench": "voirdire.cognibench.labelling.instrument",
    "cognibench-dialogues": "voirdire.cognibench.generation.instrument",
    "integrity": "voirdire.integrity.instrument",
    "cognibench-reasons": "voirdire.cognibench.diagnosis.examples",
    "integrity-facts": "voirdire.integrity.fact_candidates",
    "detector": "voirdire.detectors.instrument",
    "jury-bench": "voirdire.jury.judge_accuracy.instrument",
    "jury-injection": "voirdire.jury.injection.instrument",
}
"""Where each one is described, by the name in run.json. They are imported when one is asked for."""


def instruments() -> list[Instrument]:
    """All of ours."""
    return [instrument_of(name) for name in _MODULES]


@cache
def instrument_of(name: str) -> Instrument:
    """What is known of an instrument; of one that is not ours, its name."""
    module = _MODULES.get(name)
    if module is None:
        return Instrument(name=name)
    instrument: Instrument = import_module(module).INSTRUMENT
    return instrument


def instrument_of_run(path: Path) -> Instrument:
    """The instrument that a run is of; one without a name where run.json names none.

    Raises:
        RunFolderError: there is no run, or its manifest is damaged.
    """
    with RunFolder.open(path, read_only=True) as folder:
        return instrument_of(str(folder.manifest.get("instrument", "")))


class NoDataError(InputError):
    """A path that holds nothing that is read: one sentence says what it could be."""


def is_run(path: Path) -> bool:
    """Whether a path is meant as a run: a folder with a manifest or a journal, or the manifest itself."""
    return path.name == _MANIFEST or any((path / name).exists() for name in (_MANIFEST, _JOURNAL))


def run_advice(path: Path) -> str:
    """What to name in place of a file that lies in a run, as a sentence; "" for other files."""
    return f" It lies in the run {path.parent}: name that." if is_run(path.parent) else ""


def instrument_of_data(path: Path) -> Instrument:
    """The instrument that reads what is at a path and is no run.

    Raises:
        NoDataError: it is a folder of runs; or none does: the sentence ends in why the last one that was asked does
            not, or is that of the one whose data it is all but sure to be.
    """
    if runs := _runs_within(path):
        named = ", ".join(map(str, runs[:_MOST_NAMED])) + (" …" if len(runs) > _MOST_NAMED else "")
        raise NoDataError(
            f"{path} is a folder with {counted(len(runs), 'run')} in it: name what is meant ({named}), or look at all "
            f"of it with voirdire view {path}"
        )
    if path.is_dir() and not any(path.iterdir()):
        raise NoDataError(f"{path} is an empty folder: name a run's folder, or a file.")
    why, nearly = "", ""
    reading = [each for each in instruments() if each.data is not None]
    for each in reading:
        try:
            _data(each).check(path)
        except NearlyDataError as error:
            nearly = nearly or str(error)
        except InputError as error:
            why = str(error)
        else:
            return each
    if nearly:
        raise NoDataError(nearly)
    known = " or ".join(_data(each).what for each in reading)
    raise NoDataError(f"{path} is neither the folder of a run nor data that are read ({known}): {why}")


def _runs_within(path: Path) -> list[Path]:
    """The runs that lie in a folder; none if it can't be looked into."""
    try:
        return sorted(each for each in path.iterdir() if each.is_dir() and is_run(each)) if path.is_dir() else []
    except OSError:
        return []


class ListedData(NamedTuple):
    """Data that are no run, in a list of a folder."""

    instrument: str = ""
    """Which reads them; "" where none does."""
    files: tuple[Path, ...] = ()
    """The files that are read where their path is named; none where it looks like none."""


def listed_data(path: Path) -> ListedData:
    """What a list of a folder says of a path that is no run: little is read of it."""
    for each in instruments():
        if each.data is not None and each.data.files is not None and (files := each.data.files(path)):
            return ListedData(each.name, files)
    return ListedData()


def data_at(paths: Sequence[Path]) -> Data | None:
    """What is at these paths, where they are no runs; `None` where they are: the one answer to what a path is.

    A path that does not exist is taken for a run, which whoever opens it then misses.

    Raises:
        NoDataError: what is there is neither a run nor data, or they are data of several kinds, or with runs.
    """
    other = [path for path in paths if path.exists() and not is_run(path)]
    if not other:
        return None
    results = {path: instrument_of_data(path) for path in other}
    if len(other) < len(paths):
        run = next(path for path in paths if path not in results)
        raise NoDataError(f"{other[0]} is no run, and {run} is one: name either runs or data.")
    if len({each.name for each in results.values()}) > 1:
        listed = ", ".join(f"{path} is {_data(each).what}" for path, each in results.items())
        raise NoDataError(f"The paths hold different things: {listed}. Name those of one kind.")
    return results[paths[0]].data


def answer_checker() -> Callable[[Path, AnswerCheck], Document]:
    """What makes the report on a file of answers that is checked as asked."""
    return next(each.data.checked for each in instruments() if each.data is not None and each.data.checked is not None)


def _data(instrument: Instrument) -> Data:
    if instrument.data is None:
        raise TypeError(f"{instrument.name} reads runs alone")
    return instrument.data
