"""Options of the commands that read answers or open a detector: which one, and how the file is read."""

from __future__ import annotations

from typing import Any

import typer

from voirdire.detectors.base import USUAL_DETECTOR

HISTORY_MEANING = "Earlier turns that count as evidence"
REQUIRE_MEANING = "What a cognitive statement must be: rational, grounded or irrefutable"
DETECTOR: Any = typer.Option(
    USUAL_DETECTOR, "--detector", help="Detector by name; see voirdire detectors list.", metavar="NAME"
)
THRESHOLD: Any = typer.Option(
    None, "--threshold", help="Flag scores from here on; else the detector's own.", min=0, max=1
)
HISTORY: Any = typer.Option("none", "--history", help=f"{HISTORY_MEANING}: none, user or all.", metavar="TURNS")
REQUIRE: Any = typer.Option("grounded", "--require", help=f"{REQUIRE_MEANING}.", metavar="CRITERION")
NOT_ENTAILED: Any = typer.Option(
    False, "--not-entailed", help="nli: flag what is not entailed, not only what is contradicted."
)
DEVICE: Any = typer.Option(
    "auto", "--device", help="Where neural networks run: cpu, cuda, cuda:1, mps, auto.", metavar="DEVICE"
)
BATCH_SIZE: Any = typer.Option(
    16, "--batch-size", help="Batch size: sentences at a time, for a neural detector.", min=1, max=100_000
)
COLUMNS: Any = typer.Option(
    None,
    "--map",
    help="What the file calls its fields: answer=response,context=retrieval.docs.",
    metavar="OURS=THEIRS,…",
)
SKIP_BAD: Any = typer.Option(
    False, "--skip-bad", help="Leave out entries that can't be used, and say how many there were."
)
