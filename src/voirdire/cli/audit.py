"""`voirdire audit`: can these results of an evaluation be believed?"""

from __future__ import annotations

from pathlib import Path

import typer

from voirdire.cli._checks import ACCEPT, STRICT, end_if_failed
from voirdire.cli._commands import common_options
from voirdire.cli._output import answer, say
from voirdire.cli._study_options import JSON
from voirdire.cli._values import MAP


@common_options("out", "all", "strict", "json")
def audit(
    paths: list[Path] = typer.Argument(..., help="Results of evaluations: files, or folders of them.", metavar="PATH"),
    out: Path | None = typer.Option(
        None,
        "-o",
        "--out",
        help="Where to write: a report, .html, .md or .json. An earlier report is replaced.",
        metavar="FILE",
    ),
    show: int = typer.Option(
        20, help="How many are shown: items to read in the report, the most telling first; 0 for none.", min=0
    ),
    all: bool = typer.Option(False, "--all", help="Print all: ranks, every check, and what was read, too."),
    strict: bool = STRICT,
    accept: list[str] = ACCEPT,
    json: bool = JSON,
    map: str | None = MAP,
) -> None:
    """Say whether results that somebody else made can be believed: recompute, check, compare. Nothing is called.

    Reads files and folders of Inspect, lm-eval, HELM, AlpacaEval, promptfoo, DeepEval and Every Eval Ever, and any long
    table (CSV, JSON, Parquet) with a row for each item and model.
    """
    from voirdire.adapters.python_api.auditing import audit as audit_results
    from voirdire.cli._progress import steps
    from voirdire.documents.messages import writing, written

    try:
        with steps() as progress:
            result = audit_results(paths, map, progress=progress)
            if out is not None:
                progress(writing(out))
                result.save(out, show)
    except KeyboardInterrupt:
        raise KeyboardInterrupt("Interrupted. Nothing was written.") from None
    if out is not None:
        say(written(out), err=True)
    answer(result.to_dict(), result.document, as_json=json, details=all)
    end_if_failed(strict, result.failed, accept, result.checks["check"])
