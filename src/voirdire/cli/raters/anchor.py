"""`voirdire raters anchor`: a run's figures held to what people said of a part of it."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

import typer

from voirdire.cli._output import answer
from voirdire.cli.raters._app import app


class Unit(StrEnum):
    """What the run is taken to be a sample of."""

    group = "group"
    dialogue = "dialogue"


@app.command(
    epilog="Example: voirdire raters anchor ana.voirdire --with runs/first\n\n"
    "Example: voirdire raters anchor ana.voirdire --with runs/first --unit dialogue --json\n\n"
    "Example: voirdire raters anchor ana.voirdire --with runs/first --model openai/gpt-5.1"
)
def anchor(
    project: Path = typer.Argument(
        ..., help="Project in which people have rated a part of the run.", metavar="PROJECT"
    ),
    with_: Path = typer.Option(
        ...,
        "--with",
        help="The run; also what voirdire detect --out wrote (cognibench) or scored trials (integrity).",
        metavar="RUN",
    ),
    jury: str | None = typer.Option(
        None, help="Id of a jury that has judged a ddft run; without it, the run's own.", metavar="ID"
    ),
    unit: Unit = typer.Option(
        Unit.group,
        help="Intervals by concept, context or case (group), or by dialogue or response: of these concepts only.",
    ),
    model: list[str] = typer.Option(
        [], help="Only the figures of this model; as often as there are models to show.", metavar="NAME"
    ),
    json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Report a run's metrics with intervals that hold although its judges are biased.

    Beside each other: the machine alone, people alone, prediction-powered, and corrected for the judges' errors.
    """
    from voirdire.cli.show import raters_anchor as show
    from voirdire.raters.anchoring import anchor as anchored
    from voirdire.raters.project_loader import read_project

    found = anchored(read_project(project), with_, jury=jury, cluster=unit.value)
    if model:
        found = found.of_models(model)
    answer(found.as_dict(), lambda: show.anchoring(found), as_json=json)
