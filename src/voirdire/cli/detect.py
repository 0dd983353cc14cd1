"""`voirdire detect`: from answers and what they had to rest on to the sentences that do not."""

from __future__ import annotations

import json as json_module
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import typer

from voirdire.detectors.records import History

FLAGGED = 100
"""Exit code for "something is flagged", apart from 1 for "the tool failed"."""


def detect(
    file: Path = typer.Argument(
        ...,
        help='JSON Lines: {"id", "context", "question", "answer"}, or with "turns": [{"user", "assistant"}].',
    ),
    detector: str = typer.Option("lexical", help="See voirdire detectors list.", metavar="NAME"),
    threshold: float | None = typer.Option(None, help="Flag scores from here on; else the detector's own."),
    history: History = typer.Option("none", help="Earlier turns that count as evidence beside the context."),
    contradiction: bool = typer.Option(
        True, "--contradiction/--no-contradiction", help="Compare numbers, names and negation with the context."
    ),
    not_entailed: bool = typer.Option(
        False, "--not-entailed", help="nli: flag what is not entailed, not only what is contradicted."
    ),
    markdown: bool = typer.Option(
        False, "--markdown", help="Cut at list items, table rows, headings and blank lines too."
    ),
    device: str = typer.Option("auto", help="Where a neural detector runs: cpu, cuda, cuda:1, mps, auto."),
    batch_size: int = typer.Option(16, "--batch-size", help="Sentences at once, for a neural detector.", min=1),
    base_url: str | None = typer.Option(None, "--base-url", help="Server of an openai-api/ model.", metavar="URL"),
    run: Path | None = typer.Option(None, "--run", help="Keeps the calls of a model that is asked.", metavar="RUN"),
    out: Path | None = typer.Option(None, "-o", "--out", help="Write one JSON line per sentence.", metavar="OUT.jsonl"),
    show: int = typer.Option(20, help="How many answers with flagged sentences are printed.", min=0),
    fail_on_flagged: bool = typer.Option(False, "--fail-on-flagged", help="Exit with 100 when anything is flagged."),
    json: bool = typer.Option(False, "--json", help="Print JSON, one object per answer and line."),
) -> None:
    """Flag the sentences of answers that their context does not carry. No key is needed."""
    from voirdire.cli.show import detect as shown
    from voirdire.cognibench import detecting
    from voirdire.cognibench.formats import Problems, iter_answers
    from voirdire.cognibench.records import CognibenchError
    from voirdire.detectors import DetectorOptions, open_detector

    options = DetectorOptions(
        device=device,
        batch_size=batch_size,
        threshold=threshold,
        contradiction=contradiction,
        not_entailed=not_entailed,
        base_url=base_url,
        folder=run,
    )
    opened = open_detector(detector, options)
    bar = opened.threshold if threshold is None else threshold
    problems, count, printed = Problems(), detecting.Count(), 0
    answers = iter_answers(file, tell=problems)
    if markdown:
        answers = map(detecting.cut_at_layout, answers)
    with ExitStack() as stack:
        write = stack.enter_context(detecting.writing(out, file)) if out is not None else None
        tell = stack.enter_context(shown.progress())
        for each in detecting.detect(answers, opened, threshold=bar, history=history, count=count):
            tell(count)
            if write is not None:
                write(each)
            if json:
                typer.echo(_line(each.as_dict()))
            elif each.flagged and printed < show and out is None:
                printed += 1
                typer.echo(shown.flagged(each))
    if not count.answers:
        raise CognibenchError(f"{file} holds no answers; one JSON object per line is expected.")
    for sentence in problems.sentences():
        typer.echo(f"Note: {sentence}", err=True)
    typer.echo(shown.summary(count, detector, bar, None if json or out else printed), err=json)
    if out is not None:
        typer.echo(f"Every sentence with its score is in {out}.", err=json)
    if fail_on_flagged and count.flagged:
        raise typer.Exit(FLAGGED)


def _line(data: Any) -> str:
    return json_module.dumps(data, ensure_ascii=False, allow_nan=False)
