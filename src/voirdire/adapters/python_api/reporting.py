"""`voirdire.report`: one file that says what a run, or several, found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from voirdire.adapters.python_api.questions import columns_of
from voirdire.adapters.python_api.results import each_run, runs_of
from voirdire.data.paths import AnyPath, as_path
from voirdire.reports.builder import default_place, make_report


def report(
    *runs: AnyPath | list[AnyPath] | tuple[AnyPath, ...],
    out: AnyPath | None = None,
    to: str | None = None,
    jury: str | Sequence[str] | None = None,
    map: Mapping[str, str] | str | None = None,
) -> Path:
    """Make a report: the verdict in plain words, figures, charts, all texts to read. Nothing is called.

    Args:
        runs: run folders or loaded runs of one instrument, also as a list.
        out: the file (.html, .md, .json), or the folder for csv, png and svg. By default a run's report goes into its
            folder, that of several runs into the current one. An earlier report is replaced.
        to: the format: "html", "md", "json", "csv", "png" or "svg"; by default what `out` ends in, or "html".
        jury: under which to read the runs, by its judges' names or its id; the one each was loaded or run with by
            default.
        map: of a table of results, its columns, as for `audit`.

    Returns:
        Where it is: the file, or the folder.

    Raises:
        ReportError: runs of several instruments, an unknown format, or a place that must not be written to.
        RunFolderError: there is no run in a folder.

    Example:
        >>> import voirdire as vd
        >>> vd.report("runs/first", out="first.html")  # doctest: +SKIP
    """
    folders, chosen = runs_of(each_run(runs), jury)
    place = default_place(folders, to) if out is None else as_path(out)
    with columns_of(map, folders):
        make_report(folders, out=place, format=to, jury=chosen)
    return place
