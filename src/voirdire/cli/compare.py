"""`voirdire compare`: which models differ, as far as their dialogues, or the items of an evaluation, can tell."""

from __future__ import annotations

from pathlib import Path

import typer

from voirdire.cli._commands import common_options
from voirdire.cli._output import answer
from voirdire.cli._values import JURY_OF_RUN, MAP


@common_options("metric", "all", "json")
def compare(
    runs: list[Path] = typer.Argument(
        ..., help="Run folders, or results of an evaluation as for audit.", metavar="RUN"
    ),
    metric: str | None = typer.Option(
        None, help="Metric: of runs ER (default), CI_raw, K, V_E, danger_zone_pct …", metavar="NAME"
    ),
    unit: str | None = typer.Option(
        None,
        help="Unit that is independent: of runs concept (default), or dialogue (which speaks of these concepts only).",
        metavar="UNIT",
    ),
    alpha: float = typer.Option(
        0.05, help="Significance level: of the tests, after correction for the number of pairs.", min=0.0001, max=0.5
    ),
    only_model: list[str] = typer.Option(
        [],
        "--only-model",
        help="Only this model: of an evaluation, may be repeated; of runs all are compared.",
        metavar="NAME",
    ),
    all: bool = typer.Option(False, "--all", help="Print all: every pair with its test, notes, cautions in full."),
    jury: str | None = JURY_OF_RUN,
    map: str | None = MAP,
    json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Say which models differ, by how much, and what can't be decided: differences with intervals, tests, ranks."""
    from voirdire.adapters.python_api.comparison import compare as compare_runs

    result = compare_runs(*runs, metric=metric, unit=unit, alpha=alpha, jury=jury, only_models=only_model, map=map)
    answer(result.to_dict(), result.document, as_json=json, details=all)
