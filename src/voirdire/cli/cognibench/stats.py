"""`voirdire cognibench stats`: analyses of labelled answers, and the paper's numbers beside recomputed ones."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from voirdire.cli._detect_options import REQUIRE
from voirdire.cli._output import answer
from voirdire.cli._values import ALL, ANSWERS
from voirdire.cli.cognibench._app import app
from voirdire.detectors.records import Require

if TYPE_CHECKING:
    from voirdire.cognibench.dynamics.report import Dynamics


class By(StrEnum):
    """What answers are cut by."""

    all = "all"
    turn = "turn"
    position = "position"
    model = "model"
    topic = "topic"
    dataset = "dataset"


@app.command(epilog="Example: voirdire cognibench stats runs/labelled --by turn --chart turns.html")
def stats(
    data: list[Path] = typer.Argument(..., help=f"Labelled answers: {ANSWERS}", metavar="DATA…"),
    require: Require = REQUIRE,
    by: By = typer.Option(By.all, help="Show only the figures by this."),
    published: bool = typer.Option(
        False, "--published", help="The paper's numbers beside those of DATA, CogniBench's release or a part of it."
    ),
    scaling: str | None = typer.Option(
        None, help="How F1 grows with training data: lexical-learned, trained anew on shares of DATA.", metavar="NAME"
    ),
    chart: Path | None = typer.Option(None, help="Save a chart: what is shown (.html, .svg, .png).", metavar="FILE"),
    all: bool = ALL,
    json: bool = typer.Option(False, "--json", help="Print JSON: all figures, whatever --by."),
) -> None:
    """What labelled answers are made of, and where they are unfaithful: by turn, position, topic, model, data set."""
    if published:
        _published(data, by, chart, json, details=all)
    elif scaling is not None:
        _scaling(scaling, data, require, chart, json)
    else:
        _analyses(data, require, by, chart, json, details=all)


def _analyses(data: list[Path], require: Require, by: By, chart: Path | None, json: bool, *, details: bool) -> None:
    from voirdire.cognibench.dynamics.report import examine_files
    from voirdire.cognibench.dynamics.tables import dynamics_document

    result = examine_files(data, require)
    result.require_part(by.value)
    if chart is not None:
        _draw(result, by, chart)
    answer(result.as_dict(), lambda: dynamics_document(result, by.value), as_json=json, details=details)


def _published(data: list[Path], by: By, chart: Path | None, json: bool, *, details: bool) -> None:
    from voirdire.cognibench.dynamics.estimates import read_one
    from voirdire.papers.cognibench.replication import replicate
    from voirdire.papers.cognibench.report import replication_document

    result = replicate(read_one(data))
    if chart is not None:
        _draw(result.dynamics, by, chart)
    answer(result.as_dict(), lambda: replication_document(result), as_json=json, details=details)


def _scaling(detector: str, data: list[Path], require: Require, chart: Path | None, json: bool) -> None:
    from voirdire.cognibench.dynamics.estimates import read_one
    from voirdire.cognibench.dynamics.scaling import scale
    from voirdire.cognibench.dynamics.tables import scaling_document

    result = scale(detector, read_one(data), require)
    if chart is not None:
        from voirdire.cognibench.report.charts import scaling_chart
        from voirdire.reports.chart_files import save_chart

        save_chart(scaling_chart(result), chart)
    answer(result.as_dict(), lambda: scaling_document(result), as_json=json)


def _draw(result: Dynamics, by: By, path: Path) -> None:
    from voirdire.cognibench.report.charts import dynamics_chart
    from voirdire.reports.chart_files import save_chart

    save_chart(dynamics_chart(result, by.value), path)
