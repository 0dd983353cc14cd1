"""`voirdire verify`: is a run, an export or a report still what was written?"""

from __future__ import annotations

from pathlib import Path

import typer

from voirdire.cli._output import answer
from voirdire.cli._values import ALL
from voirdire.data.json_values import as_plain


def verify(
    paths: list[Path] = typer.Argument(
        ...,
        help="Run folders; exports with their manifest; a report or copy of figures (with --origin).",
        metavar="PATH",
    ),
    head: str | None = typer.Option(
        None, help="The SHA-256 that was published as the run's journal head.", metavar="DIGEST"
    ),
    origin: Path | None = typer.Option(
        None, help="The run that an export, a report or a redacted copy was made of.", metavar="RUN"
    ),
    all: bool = ALL,
    json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Say whether a run, an export or a report was altered.

    Exit code: 0 if all is well, 1 if something differs or can't be told.

    Of a run: the journal and its hash chain, run.json, what is kept, and every table, made again of the journal. Of an
    export: every file against its manifest. Nothing is written, no model is asked, and a run may be going on.
    """
    from voirdire.adapters import verify as verification
    from voirdire.adapters.verify_journals import verified_document

    result = verification.verify(paths, head=head, run=origin)
    answer(as_plain(result), lambda: verified_document(result), as_json=json, details=all)
    if any(not each.ok for each in result):
        raise typer.Exit(1)
