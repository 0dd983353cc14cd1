"""`voirdire report`: one file that says what a run, a comparison or a study found."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from voirdire.cli._output import hand_over, say
from voirdire.cli._values import JURY_OF_RUN, MAP
from voirdire.text.counting import counted

if TYPE_CHECKING:
    from voirdire.reports.builder import MadeReport


def report(
    runs: list[Path] = typer.Argument(
        ..., help="Run folders of one instrument, a file as for detect, or results as for audit.", metavar="RUN"
    ),
    out: Path | None = typer.Option(
        None,
        "-o",
        "--out",
        help="File to write (.html, .md, .json), or folder for csv, png and svg. By default a page goes into the run's "
        "folder, that of several runs into the current one; md and json are printed. An earlier report "
        "is replaced.",
        metavar="FILE",
    ),
    format: str | None = typer.Option(
        None,
        "--format",
        "--to",
        help="html, md, json, csv, png or svg; by default what FILE ends in, or html.",
        metavar="FORM",
    ),
    map: str | None = MAP,
    jury: str | None = JURY_OF_RUN,
    open: bool = typer.Option(False, "--open", help="Show the page in the browser."),
) -> None:
    """Make a report of one run or several: the verdict in plain words, figures, charts, all texts to read.

    The page is one file that works offline. md and json are for papers and for CI, csv has every table, png and svg
    every chart.
    """
    from voirdire.adapters.front.data import columns_of
    from voirdire.cli._progress import computing
    from voirdire.reports.builder import make_report

    with computing("Making the report"), columns_of(map, runs):
        made = make_report(runs, out=out, format=format, jury=jury)
    if made.text is not None:
        hand_over(made.text)
        return
    _tell(made)
    if open:
        _show(made)


def _tell(made: MadeReport) -> None:
    """Where it was written, and how much."""
    if len(made.paths) == 1:
        say(f"Written: {made.paths[0]} ({_size(made.size)}).")
    else:
        say(f"Written: {counted(len(made.paths), 'file')} in {made.paths[0].parent} ({_size(made.size)}):")
        for path in made.paths:
            say(f"  {path.name}")


def _show(made: MadeReport) -> None:
    import webbrowser

    if made.format != "html":
        say(f"Note: only a page is shown in the browser, not {made.format}.", err=True)
    elif not webbrowser.open(made.paths[0].resolve().as_uri()):
        say(f"Note: no browser was found here; open {made.paths[0]} in one.", err=True)


def _size(amount: int) -> str:
    return f"{amount / 1e6:.1f} MB" if amount >= 1e6 else f"{max(1, round(amount / 1e3)):,} kB"
