"""`voirdire ddft replicate`: the published study, recomputed."""

from __future__ import annotations

from pathlib import Path

import typer

from voirdire.cli._output import answer
from voirdire.cli._study_options import JSON
from voirdire.cli._values import ALL
from voirdire.cli.ddft._app import app


@app.command(epilog="Example: voirdire ddft replicate --chart curves.html")
def replicate(
    claim: str | None = typer.Option(None, help="Show one claim in full, with its exact definition.", metavar="ID"),
    chart: Path | None = typer.Option(
        None, help="Save a chart: FAR and SAS by compression, a panel per model (.html, .svg or .png).", metavar="FILE"
    ),
    all: bool = ALL,
    json: bool = JSON,
) -> None:
    """Recompute the published study: Table 2, and every claim of the paper that its scores can decide.

    Needs no run and no network: the published scores come with the package.
    """
    from voirdire.papers.ddft.replication import replicate as recompute
    from voirdire.papers.ddft.replication import replicate_claim
    from voirdire.papers.ddft.report import claim_document, replication_document

    one = None if claim is None else replicate_claim(claim)
    if one is not None and chart is None:
        answer(one.as_dict(), lambda: claim_document(one), as_json=json)
        return
    result = recompute()
    if chart is not None:
        from voirdire.reports.chart_files import curves_by_model, save_chart

        save_chart(curves_by_model(result.curves, "All turns"), chart)
    if one is not None:
        answer(one.as_dict(), lambda: claim_document(one), as_json=json)
        return
    answer(result.as_dict(), lambda: replication_document(result), as_json=json, details=all)


@app.command("import", epilog="Example: voirdire ddft import turns.jsonl.gz -o runs/published")
def import_(
    source: Path = typer.Argument(..., help="turns.jsonl.gz, or a folder with a JSON file per dialogue."),
    out: Path = typer.Option(..., "-o", "--out", help="Where to write: a new run folder.", metavar="RUN"),
    json: bool = JSON,
) -> None:
    """Make a run of a published record: its dialogues and its judges' scores, as they are."""
    import asyncio

    from voirdire.ddft.importing import import_record
    from voirdire.ddft.report.show import import_document

    result = asyncio.run(import_record(source, out))
    data = result.result.as_dict() | {"skipped": list(result.skipped)}
    answer(data, lambda: import_document(result), as_json=json)
