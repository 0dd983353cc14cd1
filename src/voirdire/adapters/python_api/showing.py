"""`voirdire.show`: what a run found, or what results of an evaluation say, as the terminal has it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from voirdire.adapters.python_api.questions import columns_of
from voirdire.adapters.python_api.results import Shown, runs_of
from voirdire.data.paths import AnyPath
from voirdire.documents.document import Document, first_text, in_python, with_details, without_details
from voirdire.errors import InputError
from voirdire.instruments import data_at, instrument_of_run, run_advice
from voirdire.instruments.instrument import RunSummary

if TYPE_CHECKING:
    from voirdire.instruments import Data


class NothingToShow(InputError):
    """The run is of an instrument that has no results of its own, or no texts."""


class ShownRun(Shown):
    """What was found. Printed it is what the terminal shows, and a notebook shows the same."""

    _more = "all=True"

    def __init__(self, result: RunSummary, *, all: bool, texts: bool) -> None:
        self._summary, self._all, self._texts = result, all, texts

    @property
    def headline(self) -> str:
        """The conclusion, in one line."""
        return first_text(self._summary.document())

    def document(self) -> Document:
        """As the command prints it."""
        shown = (with_details if self._all else without_details)(self._summary.document())
        if not self._texts or self._summary.texts is None:
            return shown
        return replace(shown, sections=(*self._summary.texts().sections, *shown.sections))

    def values(self) -> dict[str, Any]:
        """As the command's `--json`."""
        return dict(self._summary.data)

    def __str__(self) -> str:
        from voirdire.reports.formats.terminal import to_terminal

        return str(to_terminal(in_python(self.document(), self._more))).rstrip()


def show(
    run: AnyPath,
    jury: str | Sequence[str] | None = None,
    *,
    all: bool = False,
    texts: bool = False,
    map: Mapping[str, str] | str | None = None,
) -> ShownRun:
    """Show what a run found. Nothing is called.

    Args:
        run: a run's folder, or a loaded run; or results of an evaluation, as `audit` reads them.
        jury: under which to read it, by its judges' names or its id; the one it was loaded or run with by default.
        all: every figure, not only the first ones.
        texts: every text first, with its scores.
        map: of a table of results, its columns, as for `audit`.

    Raises:
        RunFolderError, StudyError, JuryError: there is no run, or this jury has judged nothing in it.
        NothingToShow: there are no results or texts to show.
        NoDataError: there is something else in the folder.

    Example:
        >>> import voirdire as vd
        >>> print(vd.show("runs/first"))  # doctest: +SKIP
    """
    (folder,), chosen = runs_of([run], jury)
    with columns_of(map, [folder]):
        data = data_at([folder])
        if data is not None:
            return ShownRun(_of_data(folder, data, options=chosen is not None or texts), all=all, texts=False)
    result = _of_run(folder, chosen)
    if texts and result.texts is None:
        raise NothingToShow(f"The texts of {folder} are in its report: voirdire report {folder}.")
    return ShownRun(result, all=all, texts=texts)


def _of_run(run: Path, jury: str | None) -> RunSummary:
    instrument = instrument_of_run(run)
    if jury is not None and not instrument.by_jury:
        raise NothingToShow(f"--jury chooses among the juries of a run; {run}, a run of {instrument.name}, has none.")
    if instrument.summary is not None:
        return instrument.summary(run, jury)
    if instrument.document is not None:
        report = instrument.document([run], jury)
        return RunSummary(report.data, lambda: report)
    advice = instrument.no_report.format(run=run) or "its tables can be exported: voirdire export"
    raise NothingToShow(f"There is nothing to show of {run}, a run of {instrument.name!r}: {advice}.")


def _of_data(path: Path, data: Data, *, options: bool) -> RunSummary:
    """What data say that are no run."""
    if data.summary is None:
        advice = run_advice(path) or f" Make a report of it: voirdire report {path}."
        raise NothingToShow(f"There is nothing to show of {path}, {data.what}.{advice}")
    if options:
        raise NothingToShow(f"--jury and --texts are for runs; {path} is {data.what}: voirdire report {path}.")
    return data.summary([path])
