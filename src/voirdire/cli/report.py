"""`voirdire report`: one file that says what a run, a comparison or a study found."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from voirdire.cli import _detect_options
from voirdire.cli._commands import common_options
from voirdire.cli._output import hand_over, say
from voirdire.cli._values import JURY_OF_RUN
from voirdire.detectors.base import USUAL_DETECTOR
from voirdire.detectors.records import History

if TYPE_CHECKING:
    from voirdire.instruments import AnswerCheck
    from voirdire.reports.builder import MadeReport


_OF_ANSWERS = frozenset({"answer", "context"})
"""Fields that `--map` names of a file of answers, and never of a table of results."""


@common_options("out", "to", "jury", "open")
def report(
    runs: list[Path] = typer.Argument(
        ..., help="Run folders of one instrument, a file as for detect, or results as for audit.", metavar="RUN"
    ),
    out: Path | None = typer.Option(
        None,
        "-o",
        "--out",
        help="Where to write: a file (.html, .md, .json), or a folder for csv, png and svg. By default a page goes "
        "into the run's folder, that of several runs into the current one; md and json are printed. An earlier report "
        "is replaced.",
        metavar="FILE",
    ),
    to: str | None = typer.Option(
        None,
        help="Format to write: html, md, json, csv, png or svg; by default what FILE ends in, or html.",
        metavar="FORMAT",
    ),
    jury: str | None = JURY_OF_RUN,
    detector: str = _detect_options.DETECTOR,
    threshold: float | None = _detect_options.THRESHOLD,
    history: History = _detect_options.HISTORY,
    map: str | None = typer.Option(
        None,
        help="What the file calls its fields: of answers answer=…,context=…; of results item=…,model=…,score=….",
        metavar="OURS=THEIRS,…",
    ),
    skip_bad: bool = _detect_options.SKIP_BAD,
    open: bool = typer.Option(False, "--open", help="Show the page in the browser."),
) -> None:
    """Make a report of one run or several: the verdict in plain words, figures, charts, all texts to read.

    Of a file of answers, the report says what --detector flags; the options from --detector to --skip-bad are those of
    voirdire detect. The page is one file that works offline. md and json are for papers and for CI, csv has every
    table, png and svg every chart.
    """
    from voirdire.adapters.python_api.questions import columns_of
    from voirdire.cli._progress import computing
    from voirdire.reports.builder import make_report

    of_results = map is not None and not _OF_ANSWERS & {part.partition("=")[0].strip() for part in map.split(",")}
    checked = _checked(detector, threshold, history, None if of_results else map, skip_bad)
    with computing("Making the report"), columns_of(map if of_results else None, runs):
        made = make_report(runs, out=out, format=to, jury=jury, of_answers=checked)
    if made.text is not None:
        hand_over(made.text)
        return
    say(made.summary())
    if open:
        _show(made)


def _checked(
    detector: str, threshold: float | None, history: History, columns: str | None, skip_bad: bool
) -> AnswerCheck | None:
    """How a file of answers is checked, where in another way than usual."""
    from voirdire.instruments import AnswerCheck

    usual = AnswerCheck(USUAL_DETECTOR)
    asked = AnswerCheck(detector, threshold, history, columns, skip_bad)
    return None if asked == usual else asked


def _show(made: MadeReport) -> None:
    import webbrowser

    from voirdire.documents.messages import no_browser, only_pages

    if made.format != "html":
        say(only_pages(made.format), err=True)
    elif not webbrowser.open(made.paths[0].resolve().as_uri()):
        say(no_browser(made.paths[0]), err=True)
