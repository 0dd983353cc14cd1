"""Options that `calibrate` and the trainings share."""

from __future__ import annotations

from typing import Any

import typer

from voirdire.cli._values import ANSWERS

DATA: Any = typer.Option(..., "--data", help=f"Labelled answers: {ANSWERS}", metavar="DATA")
NEW_FOLDER: Any = typer.Option(
    ..., "-o", "--out", help="Where to write: a new folder for the detector.", metavar="FOLDER"
)
SEED: Any = typer.Option(0, help="Seed: of splits, order and new weights.")
EPOCHS: Any = typer.Option(3, help="How often every example is seen.", min=1, max=10_000)
DRY_RUN: Any = typer.Option(False, "--dry-run", help="Only say what would be done: examples, steps and sizes.")
JSON: Any = typer.Option(False, "--json", help="Print JSON.")
