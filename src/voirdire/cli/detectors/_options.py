"""Options that `calibrate` and the trainings share."""

from __future__ import annotations

from typing import Any

import typer

from voirdire.cli._values import ANSWERS

DATA: Any = typer.Option(..., "--data", help=f"Labelled answers: {ANSWERS}", metavar="DATA")
NEW_FOLDER: Any = typer.Option(..., "-o", "--out", help="A new folder for the detector.", metavar="FOLDER")
REQUIRE: Any = typer.Option("grounded", help="How strict: what counts as a hallucination.")
HISTORY: Any = typer.Option("none", help="Earlier turns that count as evidence beside the context.")
DEVICE: Any = typer.Option("auto", help="cpu, cuda, cuda:1, mps, or auto.", metavar="DEVICE")
SEED: Any = typer.Option(0, help="Of splits, order and new weights.")
EPOCHS: Any = typer.Option(3, help="How often every example is seen.", min=1, max=10_000)
DRY_RUN: Any = typer.Option(False, "--dry-run", help="Say what would be done, and end.")
JSON: Any = typer.Option(False, "--json", help="Print JSON.")
