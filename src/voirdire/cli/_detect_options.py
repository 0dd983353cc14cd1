"""Options of every command that checks a file of answers: by which detector, and how the file is read."""

from __future__ import annotations

from typing import Any

import typer

from voirdire.detectors.base import USUAL_DETECTOR

DETECTOR: Any = typer.Option(USUAL_DETECTOR, "--detector", help="See voirdire detectors list.", metavar="NAME")
THRESHOLD: Any = typer.Option(
    None, "--threshold", help="Flag scores from here on; else the detector's own.", min=0, max=1
)
HISTORY: Any = typer.Option("none", "--history", help="Earlier turns that count as evidence beside the context.")
COLUMNS: Any = typer.Option(
    None,
    "--map",
    help="What the file calls its fields: answer=response,context=retrieval.docs.",
    metavar="OURS=THEIRS,…",
)
SKIP_BAD: Any = typer.Option(
    False, "--skip-bad", help="Leave out entries that can't be used, and say how many there were."
)
