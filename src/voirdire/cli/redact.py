"""`voirdire redact`: a copy of a run for others, without what is private."""

from __future__ import annotations

from pathlib import Path

import typer

from voirdire.cli._output import answer


def redact(
    run: Path = typer.Argument(..., help="Run folder.", metavar="RUN"),
    out: Path = typer.Option(
        ..., "-o", "--out", help="Where to write: a folder for the copy; nothing may be there yet."
    ),
    hide: list[str] | None = typer.Option(
        None, help="Hide what this regular expression matches, in every text; may be repeated.", metavar="REGEX"
    ),
    hide_text: list[str] | None = typer.Option(
        None, help="Hide this text wherever it stands, in any case; may be repeated.", metavar="TEXT"
    ),
    figures_only: bool = typer.Option(
        False, "--figures-only", help="Leave out the journal and every text: only figures and where they come from."
    ),
    json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Make a copy of a run to share: without keys, addresses, folders, machine, and the texts you name.

    Dialogues, verdicts and figures stay, and tables are made anew, so that show, report, validate and export read the
    copy. It can't be continued. What was taken out is counted; what was not looked for is said. With --figures-only
    the dialogues go too: such a copy is there to be read, and of the commands only verify takes it.
    """
    from voirdire.adapters.redacted_files import RedactPlan, redacted_document
    from voirdire.adapters.redaction import redact_run
    from voirdire.cli._progress import counting

    plan = RedactPlan(run, out, tuple(hide or ()), tuple(hide_text or ()), figures_only)
    with counting("rows copied", least=20_000) as tell:
        done = redact_run(plan, tell)
    answer(done.as_dict(), lambda: redacted_document(done), as_json=json)
