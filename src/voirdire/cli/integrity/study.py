"""`voirdire integrity study`: scored trials, and how far those who judged them can be trusted."""

from __future__ import annotations

from pathlib import Path

import typer

from voirdire.cli._output import answer, say
from voirdire.cli.integrity._app import app


@app.command("import", epilog="Example: voirdire integrity import integrity_trials.json.gz -o answers.jsonl")
def import_(
    trials: Path = typer.Argument(..., help="Scored trials: integrity_trials.json.gz.", metavar="TRIALS"),
    out: Path = typer.Option(
        ..., "-o", "--out", help="Where to write: JSON Lines; nothing may be there yet.", metavar="FILE"
    ),
) -> None:
    """Make responses that `audit` takes of scored trials; the mean of their judges stands as the holistic score."""
    import json as json_module

    from voirdire.integrity.trial_items import items_message, trial_items
    from voirdire.integrity.trials import read_trials
    from voirdire.reports.destination import check_new

    check_new(out)
    items = list(trial_items(read_trials(trials)))
    out.write_text("".join(json_module.dumps(item, ensure_ascii=False) + "\n" for item in items), encoding="utf-8")
    say(items_message(out, len(items)))


@app.command(epilog="Example: voirdire integrity study integrity_trials.json.gz --json")
def study(
    trials: Path = typer.Argument(..., help="Scored trials: integrity_trials.json.gz.", metavar="TRIALS"),
    json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Study scored trials: do the judges agree, what do their dimensions measure, do they cite what is there?"""
    from voirdire.integrity.trials import read_trials

    scored = read_trials(trials)  # a wrong file is said to be one before the slow imports

    from voirdire.papers.integrity.report import study_document
    from voirdire.papers.integrity.study import study as study_trials
    from voirdire.papers.integrity.tables import as_dict

    result = study_trials(scored)
    answer(as_dict(result) if json else None, lambda: study_document(result), as_json=json)
