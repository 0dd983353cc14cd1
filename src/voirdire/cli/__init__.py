"""The command line: one small file per command group; parses, calls, prints."""

from __future__ import annotations

import sys

import typer

from voirdire.cli import (
    audit,
    cognibench,
    compare,
    concepts,
    ddft,
    detect,
    detectors,
    export,
    gate,
    integrity,
    jury,
    label,
    models,
    plan,
    rate,
    redact,
    report,
    run,
    show,
    validate,
    verify,
    view,
)
from voirdire.cli._commands import PROGRAM, Commands
from voirdire.cli._error_display import user_errors

app = Commands(
    name=PROGRAM,
    help="Put a language model on the stand: cross-examine it, have a jury judge it, see how far it can be relied on.",
    epilog="""\
Check answers: voirdire detect answers.jsonl

Examine a model: voirdire run -m local/smollm2-135m -p local -o runs/first

Read what it found: voirdire report runs/first --open""",
)
for _command, _example in (
    (detect.detect, "voirdire detect answers.jsonl"),
    (run.run, "voirdire run -m local/smollm2-135m -p local -o runs/first"),
    (show.show, "voirdire show runs/first --texts"),
    (report.report, "voirdire report runs/first -o first.html"),
    (view.view, "voirdire view runs --open"),
    (compare.compare, "voirdire compare runs/first runs/second --metric ER"),
    (validate.validate, "voirdire validate runs/first"),
    (gate.gate, "voirdire gate runs/first --min ER=0.5 --max danger_zone_pct=10 --bound"),
    (plan.plan, plan.EXAMPLES),
    (label.label, "voirdire label answers.jsonl --labeller openai/gpt-5.1 -o runs/labels"),
    (audit.audit, "voirdire audit results/ -o audit.html"),
    (run.score, "voirdire score runs/first --jury openai/gpt-5.1,anthropic/claude-opus-4-1"),
    (export.export, "voirdire export runs/labels --to sft --split 0.9 -o chats"),
    (verify.verify, "voirdire verify runs/first"),
    (redact.redact, "voirdire redact runs/first -o shared/first"),
):
    app.command(epilog="\n\n".join(f"Example: {each}" for each in _example.split("\n")))(_command)
for _name, _group in (
    ("rate", rate.app),
    ("concepts", concepts.app),
    ("jury", jury.app),
    ("detectors", detectors.app),
    ("models", models.app),
    ("ddft", ddft.app),
    ("cognibench", cognibench.app),
    ("integrity", integrity.app),
):
    app.add_typer(_group, name=_name)


@app.callback(invoke_without_command=True)
def _version(version: bool = typer.Option(False, "--version", help="Print the version and end.")) -> None:
    if version:
        from voirdire import __version__

        typer.echo(__version__)
        raise typer.Exit


def main() -> None:
    """Entry point of `voirdire`: a mistake ends in one sentence and exit code 1, or 2 if the command line is wrong."""
    with user_errors():
        app(prog_name=PROGRAM)
    sys.exit(0)
