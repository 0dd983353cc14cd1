"""`voirdire export`: give a run's results to other tools."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import typer

from voirdire.cli._commands import common_options
from voirdire.cli._detect_options import HISTORY_MEANING, REQUIRE_MEANING
from voirdire.cli._output import answer, say
from voirdire.cli._values import JURY_OF_RUN, MAP
from voirdire.detectors.records import History, Require


@common_options("to", "out", "split", "map", "json")
def export(
    runs: list[Path] = typer.Argument(
        ..., help="Run folder, or a labelled data set; dpo and sft take several runs.", metavar="RUN"
    ),
    to: str = typer.Option(
        ...,
        help="Format to write: parquet, csv, jsonl, huggingface, dpo, sft, inspect; labelled answers: also released; "
        "results of an evaluation: every-eval-ever.",
        metavar="FORMAT",
    ),
    out: Path = typer.Option(..., "-o", "--out", help="Where to write: nothing may be there yet."),
    map: str | None = MAP,
    jury: str | None = JURY_OF_RUN,
    arm: Literal["verification", "knowledge", "both"] | None = typer.Option(
        None,
        help="dpo, sft of dialogues: rejecting a fabrication, accuracy alone as the control arm, or both (default).",
    ),
    theta: float | None = typer.Option(
        None, help="Knowledge arm: FAR from which an answer is accurate [0.7].", min=0, max=1
    ),
    split: float | None = typer.Option(
        None, help="Share that goes to train, of the concepts (labelled answers: of the groups); the rest is test."
    ),
    seed: int = typer.Option(0, help="Seed: of the split, and of what is drawn."),
    require: Require | None = typer.Option(
        None, help=f"{REQUIRE_MEANING}; for sft of labelled answers, grounded by default.", metavar="CRITERION"
    ),
    history: History | None = typer.Option(
        None,
        help=f"{HISTORY_MEANING}: none, user or all; for sft of labelled answers, none by default.",
        metavar="TURNS",
    ),
    json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Export a run, or labelled answers, as tables, a data set for the hub, training data or an Inspect log.

    A manifest beside it says what it was made from, what is missing, and the SHA-256 of every file. Nothing that is
    there is written over.
    """
    from voirdire.adapters.python_api.exporting import export as export_runs
    from voirdire.documents.messages import note

    done = export_runs(
        runs,
        to,
        out,
        jury=jury,
        arm=arm,
        theta=theta,
        split=split,
        seed=seed,
        require=require,
        history=history,
        map=map,
    )
    for each in done.export.notes:
        say(note(each), err=True)
    answer(done.to_dict(), done.document, as_json=json)
