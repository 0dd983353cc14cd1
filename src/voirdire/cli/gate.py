"""`voirdire gate`: floors and ceilings for a run's figures, for continuous integration."""

from __future__ import annotations

from pathlib import Path

import typer

from voirdire.cli._checks import ACCEPT
from voirdire.cli._commands import common_options
from voirdire.cli._output import answer
from voirdire.cli._values import JURY_OF_RUN, MAP, ONLY_MODEL

GATE_FAILED = 100
"""Exit code: the tool worked, and a limit was not kept. 1 says that the tool failed."""


@common_options("floor", "ceiling", "limits", "bound", "sound", "junit", "all", "json")
def gate(
    runs: list[Path] = typer.Argument(
        ..., help="Run folders, or results of an evaluation as for audit.", metavar="RUN"
    ),
    floor: list[str] = typer.Option([], "--min", help="Floor, such as ER=0.5; may be repeated.", metavar="NAME=X"),
    ceiling: list[str] = typer.Option(
        [], "--max", help="Ceiling, such as danger_zone_pct=10; may be repeated.", metavar="NAME=X"
    ),
    limits: Path | None = typer.Option(
        None, help="YAML file with min, max, bound, sound, accept, allow_incomplete.", metavar="FILE"
    ),
    bound: bool = typer.Option(False, "--bound", help="The unfavourable end of the 95 % interval counts."),
    sound: bool = typer.Option(False, "--sound", help="A failed check fails, and figures not to be relied on."),
    accept: list[str] = ACCEPT,
    allow_incomplete: bool = typer.Option(False, "--allow-incomplete", help="A run that is not complete may pass."),
    only_model: list[str] = ONLY_MODEL,
    map: str | None = MAP,
    jury: str | None = JURY_OF_RUN,
    junit: Path | None = typer.Option(None, help="JUnit XML to write, for a CI service.", metavar="FILE"),
    all: bool = typer.Option(False, "--all", help="Print all: every limit with its figure, n and interval."),
    json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Pass or fail runs by limits on their figures. Exit code 0: all limits are kept; 100: not; 1: the tool failed.

    A run that is not complete fails, and so does an undefined metric, or one without an interval under --bound. Under
    --sound a judge who scored alone is a warning. Nothing is called.
    """
    from voirdire.adapters.gate import gate as hold_gate
    from voirdire.adapters.gate import write_junit
    from voirdire.adapters.gate_limits import read_limits
    from voirdire.adapters.gate_report import gate_document
    from voirdire.reports.formats.junit import clear_junit

    asked = read_limits(
        floors=floor,
        ceilings=ceiling,
        file=limits,
        bound=bound,
        sound=sound,
        accept=accept,
        allow_incomplete=allow_incomplete,
    )
    if junit is not None:
        clear_junit(junit, "gate")
    verdict = hold_gate(runs, asked, models=only_model, jury=jury, map=map)
    if junit is not None:
        write_junit(verdict, junit)
    answer(verdict.as_dict(), lambda: gate_document(verdict), as_json=json, details=all)
    if not verdict.passed:
        raise typer.Exit(GATE_FAILED)
