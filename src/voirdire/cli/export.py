"""`voirdire export`: give a run's results to other tools."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import typer

from voirdire.cli._detect_options import HISTORY_MEANING, REQUIRE_MEANING
from voirdire.cli._output import answer, say
from voirdire.cli._values import JURY_OF_RUN, MAP
from voirdire.detectors.records import History, Require


def export(
    runs: list[Path] = typer.Argument(
        ..., help="Run folder, or a labelled data set; dpo and sft take several ddft runs.", metavar="RUN"
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
        None, help="dpo, sft of ddft runs: rejecting a trap, accuracy alone as the control arm, or both (default)."
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
    from voirdire.adapters.export import export_run
    from voirdire.adapters.export_files import ExportPlan, exported_document
    from voirdire.adapters.front.data import columns_of

    plan = ExportPlan(
        runs=tuple(runs),
        target=to,
        out=out,
        jury=jury,
        split=split,
        seed=seed,
        require=require,
        history=history,
        arm=arm,
        theta=theta,
    )
    with columns_of(map, runs):
        done = export_run(plan)
    for note in done.notes:
        say(f"Note: {note}", err=True)
    answer(done.as_dict(), lambda: exported_document(done), as_json=json)
