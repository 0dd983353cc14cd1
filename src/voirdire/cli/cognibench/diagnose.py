"""`voirdire cognibench diagnose`: where a labeller and people disagree, and examples that teach the difference."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from voirdire.cli._commands import common_options
from voirdire.cli._detect_options import REQUIRE_MEANING
from voirdire.cli._output import answer, say
from voirdire.cli._run_options import CALLS
from voirdire.cli._values import ALL, ANSWERS, BASE_URL
from voirdire.cli.cognibench._app import app
from voirdire.detectors.records import Require

if TYPE_CHECKING:
    from voirdire.cognibench.diagnosis.comparing import Diagnosis


@app.command(epilog="Example: voirdire cognibench diagnose runs/labels --draft examples.yaml")
@common_options("human_labels", "draft", "writer", "json")
def diagnose(
    run: Path = typer.Argument(..., help="Run of voirdire label, or data with its labels.", metavar="RUN"),
    human_labels: Path | None = typer.Option(
        None, help=f"Human labels; without it, those that the run has kept. {ANSWERS}", metavar="DATA"
    ),
    draft: Path | None = typer.Option(None, help="Write contrastive examples there, for you to edit.", metavar="YAML"),
    limit: int = typer.Option(4, help="At most this many: examples to draft.", min=1, max=1000),
    writer: str | None = typer.Option(
        None, help="Model that writes: the examples' reasons; without it, rules do.", metavar="SPEC"
    ),
    examples: Path | None = typer.Option(
        None, help="Contrastive examples: those of the prompt, where the run does not say so: left out.", metavar="YAML"
    ),
    require: Require | None = typer.Option(
        None, help=f"{REQUIRE_MEANING}; without it, as in the run.", metavar="CRITERION"
    ),
    calls: Path | None = CALLS,
    base_url: str | None = BASE_URL,
    all: bool = ALL,
    json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Compare a labeller's labels with human ones, and group the errors that recur.

    With --draft, the most typical ones become contrastive examples: edit them, and give them to voirdire label
    --examples. The dialogues that they come from are then left out of scoring.
    """
    from voirdire.cognibench.diagnosis.comparing import diagnose as compare
    from voirdire.cognibench.diagnosis.matching import read_labellings
    from voirdire.cognibench.diagnosis.report import diagnosis_document, drafted_message
    from voirdire.reports.destination import check_new

    if draft is not None:
        check_new(draft)
    given = read_labellings(run, human_labels, examples=examples, require=require)
    result = compare(given.machine, given.human, given.require, without=given.without, of_the_data=given.cautions)
    drafted = 0 if draft is None else _draft(result, draft, limit, writer, calls, base_url)
    written = {} if draft is None else {"draft": str(draft), "drafted": drafted}
    answer(result.as_dict() | written, lambda: diagnosis_document(result), as_json=json, details=all)
    if draft is not None and not json:
        say(drafted_message(draft, drafted))


def _draft(
    result: Diagnosis, path: Path, number: int, writer: str | None, run: Path | None, base_url: str | None
) -> int:
    """Write examples; how many."""
    from voirdire.cognibench.diagnosis.examples import draft
    from voirdire.detectors.contrastive import write_contrasts

    contrasts = draft(result.errors, number)
    if writer is not None and contrasts:
        import asyncio

        from voirdire.cognibench.diagnosis.examples import write_reasons

        calls = run or Path("runs") / f"reasons-{path.stem}"
        reasoned = asyncio.run(write_reasons(contrasts, writer, calls, base_url=base_url))
        contrasts = reasoned.contrasts
        for why in reasoned.refused:
            say(why, err=True)
    write_contrasts(path, contrasts)
    return len(contrasts)
