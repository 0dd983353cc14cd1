"""`voirdire export`: give a run's results to other tools."""

from __future__ import annotations

from pathlib import Path

import typer

from voirdire.cli._output import answer
from voirdire.detectors.records import History, Require


def export(
    run: Path = typer.Argument(..., help="A labelled run, or any labelled data set that is read.", metavar="RUN"),
    to: str = typer.Option(..., help="sft, released, huggingface or jsonl.", metavar="TARGET"),
    out: Path = typer.Option(..., "-o", "--out", help="File or folder to write; nothing may be there yet."),
    split: float | None = typer.Option(None, help="Share of the groups that goes to train; the others are test."),
    seed: int = typer.Option(0, help="Seed of the split."),
    require: Require = typer.Option("grounded", help="sft: how strict, what counts as a hallucination."),
    history: History = typer.Option("none", help="sft: earlier turns that count as evidence beside the context."),
    json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Export labelled answers: chats that train a detector, the authors' layout, a data set for the hub, or JSON Lines.

    A manifest with the source's hash is written beside what is exported. Answers that share a context stay together.
    """
    from voirdire.cli.show import export as show
    from voirdire.cognibench.exporting import ExportPlan, export_answers

    plan = ExportPlan(source=run, target=to, out=out, split=split, seed=seed, require=require, history=history)
    done = export_answers(plan)
    for note in done.notes:
        typer.echo(f"Note: {note}", err=True)
    answer(done.as_dict(), lambda: show.exported(done), as_json=json)
