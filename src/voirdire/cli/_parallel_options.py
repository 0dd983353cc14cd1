"""Options of the commands that can be spread over processes and machines."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import ExitStack
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from voirdire.documents.messages import shards_done

if TYPE_CHECKING:
    from voirdire.adapters.ray import Executor, Spread, SpreadRun


class Engine(StrEnum):
    """Who does the work."""

    LOCAL = "local"
    RAY = "ray"


ENGINE: Any = typer.Option(Engine.LOCAL, help="Who does the work: this machine, or a Ray cluster (extra ray).")
ADDRESS: Any = typer.Option(
    None,
    help="Of the Ray cluster that this machine is part of: auto, or HOST:PORT; else one is started here.",
    metavar="ADDRESS",
)
SHARDS_AT_A_TIME: Any = typer.Option(
    None, "--workers", help="Work at the same time: shards with ray; else one a CPU.", min=1, max=10_000
)
SHARD_ROWS: Any = typer.Option(None, "--shard-rows", help="ray: lines or rows in a shard.", min=1)
USUAL_ROWS = 10_000
"""Lines or rows in a shard of `detect`: some seconds of work."""
USUAL_ANSWERS = 1_000
"""Answers or responses in a shard that asks a model: minutes of work, and a journal of its own."""


def tell_shards(done: int, shards: int) -> None:
    """Say on stderr how far it is, a hundred times at most."""
    if done == shards or done % max(1, shards // 100) == 0:
        sys.stderr.write(f"{shards_done(done, shards)}\n")


def hold_spread(
    out: Path | None, spread: Spread, hold: Callable[[Path, Callable[[], Executor]], SpreadRun], json: bool
) -> None:
    """Hold a run in shards, and say what came of it; exit code 3 where something is left to do.

    Args:
        out: the folder.
        spread: over what.
        hold: holds the run, in a folder and with an executor that is opened when it is asked for.
        json: print JSON.

    Raises:
        ScaleError: no folder is named, or the run can't be held.
    """
    from voirdire.adapters.ray import ScaleError, check_installed, open_cluster
    from voirdire.adapters.ray.runs import spread_document
    from voirdire.cli._output import answer

    if out is None:
        raise ScaleError("--engine ray writes its shards to a folder: name it with -o OUT.")
    check_installed()
    with ExitStack() as stack:
        result = hold(out, lambda: stack.enter_context(open_cluster(spread)))
    answer(result.as_dict(), lambda: spread_document(result), as_json=json)
    if result.stopped:
        raise typer.Exit(3)
