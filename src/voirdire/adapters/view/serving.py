"""Serving a folder of runs, until it is stopped."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from voirdire.errors import InputError
from voirdire.web.serving import listen, needing_extra, run_app

_HOST = "127.0.0.1"
"""Nobody else is listened to: runs hold every text that was sent and came back."""


class NoSuchFolder(InputError):
    """There is nothing to view."""


def served_at(folder: Path, address: str) -> str:
    """Where the page is."""
    return f"The folder {folder} is shown at {address} (Ctrl-C stops it)."


def serve(folder: Path, *, port: int, ready: Callable[[str], None]) -> None:
    """Serve the runs below a folder to this machine until Ctrl-C or SIGTERM. In the main thread.

    Args:
        folder: with runs somewhere below it, or a run's own.
        port: 0 for any that is free.
        ready: told the address once it can be called.

    Raises:
        NoSuchFolder: there is no such folder, or it can't be read.
        ServeError: the port can't be used, or a package is missing.
    """
    if not folder.is_dir():
        raise NoSuchFolder(f"There is no folder {folder}: name one that holds runs, such as runs.")
    if not os.access(folder, os.R_OK | os.X_OK, effective_ids=os.access in os.supports_effective_ids):
        raise NoSuchFolder(f"{folder} can't be read: its owner can allow it, or name another folder.")
    with needing_extra():
        from voirdire.adapters.view.app import make_app
        from voirdire.adapters.view.run_summaries import Board
    with listen(_HOST, port, options="--port") as listening:
        board = Board(folder)
        address = f"http://{_HOST}:{listening.getsockname()[1]}/"
        run_app(make_app(board), listening, ready=lambda: ready(address), ending=board.close)
