"""Options of every command that holds a run: what it may spend, how fast it asks, where it goes."""

from __future__ import annotations

import typer


def _above_zero(usd: float | None) -> float | None:
    if usd == 0:
        raise typer.BadParameter("a run that may spend nothing makes no call; give an amount above 0, or leave it out.")
    return usd


MAX_COST = typer.Option(
    None,
    "--max-cost",
    help="Stop when this many USD are spent; servers of your own count as 0 unless you give a price.",
    metavar="USD",
    callback=_above_zero,
)
MAX_CALLS = typer.Option(
    None, "--max-calls", help="Stop when the run has made this many calls in all, earlier sessions included.", min=1
)
CONNECTIONS = typer.Option(20, help="Calls at once per hosted model.", min=1, max=10_000)
TIMEOUT = typer.Option(
    120.0,
    "--timeout",
    help="Seconds an attempt at a hosted model may take.",
    min=1,
    max=86_400,
)
EXACT = typer.Option(
    False,
    "--exact",
    help="Local models repeat their replies exactly; two to three times slower.",
)
CACHE = typer.Option(
    None,
    "--cache",
    help="Folder of replies that runs share: what another run has asked with the same seed is not asked again.",
    metavar="DIR",
)
CALLS = typer.Option(
    None, "--run", help="Run folder of the model's calls; an existing one is continued.", metavar="RUN"
)
OUT = typer.Option(
    None,
    "-o",
    "--out",
    help="Where to write: a run folder; by default a new one below runs/. An existing run is continued.",
    metavar="RUN",
)
