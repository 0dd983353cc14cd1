"""`voirdire ddft correlate`, `predictions`: what several models together say."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

import typer

from voirdire.cli._output import answer
from voirdire.cli._study_options import JSON
from voirdire.cli._values import ALL, JURY_OF_RUN
from voirdire.cli.ddft._app import app

RUNS = typer.Argument(..., help="Run folders, taken together as one study.", metavar="RUN…")


class Metric(StrEnum):
    """Metrics that figures are correlated with."""

    ER = "ER"
    CI_raw = "CI_raw"


@app.command(epilog="Example: voirdire ddft correlate runs/study --figures models.csv")
def correlate(
    runs: list[Path] = RUNS,
    figures: Path = typer.Option(
        ...,
        help="Figures of the models: a CSV with a column model; other columns hold figures or groups.",
        metavar="CSV",
    ),
    metric: Metric = typer.Option(
        Metric.ER, help="Metric: ER (falls back to CI_raw without stances), or CI_raw.", metavar="NAME"
    ),
    jury: str | None = JURY_OF_RUN,
    all: bool = ALL,
    json: bool = JSON,
) -> None:
    """Does anything known of the models (parameters, vendor, MMLU …) go with how they fare? Exact tests."""
    from voirdire.ddft.analysis.correlates import correlate_runs
    from voirdire.ddft.report.correlates import correlates_document

    result = correlate_runs(runs, figures, metric=metric.value, jury=jury)
    answer(result.as_dict(), lambda: correlates_document(result), as_json=json, details=all)


@app.command(epilog="Example: voirdire ddft predictions runs/study runs/study-without-trap --figures models.csv")
def predictions(
    runs: list[Path] = RUNS,
    figures: Path | None = typer.Option(
        None, help="Figures of the models: a CSV, for the prediction on size and architecture.", metavar="CSV"
    ),
    jury: str | None = JURY_OF_RUN,
    all: bool = ALL,
    json: bool = JSON,
) -> None:
    """Put the paper's predictions and design choices to the test: held, broken, or undecided at this n.

    Runs held with --trap none serve as the control of the fabrication.
    """
    from voirdire.papers.ddft.predictions import examine_runs
    from voirdire.papers.ddft.report import examination_document

    result = examine_runs(runs, jury=jury, figures=figures)
    answer(result.as_dict(), lambda: examination_document(result), as_json=json, details=all)
