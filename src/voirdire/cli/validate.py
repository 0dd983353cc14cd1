"""`voirdire validate`: was the test itself sound?"""

from __future__ import annotations

from pathlib import Path

import typer

from voirdire.cli._checks import ACCEPT, STRICT, end_if_failed
from voirdire.cli._commands import common_options
from voirdire.cli._output import answer, say
from voirdire.cli._study_options import JSON
from voirdire.cli._values import JURY_OF_RUN, MAP


@common_options("all", "strict", "json")
def validate(
    run: Path = typer.Argument(..., help="Run folder, or results of an evaluation as for audit.", metavar="RUN"),
    all: bool = typer.Option(False, "--all", help="Print all: what every check saw, with quotes."),
    strict: bool = STRICT,
    json: bool = JSON,
    accept: list[str] = ACCEPT,
    jury: str | None = JURY_OF_RUN,
    map: str | None = MAP,
) -> None:
    """Check whether the test itself was sound, with quotes from the run. Nothing is called.

    Under --strict a run that one judge scored alone fails judge_agreement, which takes two; and so does a run whose
    conclusion is not to rely on the figures, such as one with too few concepts for intervals (no_intervals).
    """
    from voirdire.adapters.python_api.validation import validate as validate_run

    result = validate_run(run, jury, map=map)
    answer(result.to_dict(), result.document, as_json=json, details=all)
    reserved = [name for name, holds in result.reservations.items() if holds]
    known = [*result.frame["check"], *result.reservations]
    for check, why in result.result.unverified.items() if strict else ():
        if check not in accept:
            say(why, err=True)
    end_if_failed(strict, [*result.failed, *result.unverified, *reserved], accept, known)
