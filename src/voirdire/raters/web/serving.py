"""Serving a project, until it is stopped."""

from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from voirdire.raters.records import RatersError
from voirdire.raters.store import Store
from voirdire.web.serving import is_local, listen, needing_extra, run_app

if TYPE_CHECKING:
    from voirdire.web.guard import Hosts

_PATIENCE = 0.5
"""Seconds that ratings which wait for another process's lock are given at the end: their pages never said "saved"."""


def serve(
    path: Path, *, host: str, port: int, names: tuple[str, ...] = (), ready: Callable[[Store, str], None]
) -> None:
    """Serve a project until Ctrl-C or SIGTERM; then what was sent is answered, and the file closed. In the main thread.

    Args:
        path: of the project.
        host: the address to listen at.
        port: 0 for any that is free.
        names: further names by which the server may be called.
        ready: told the store and the base address once it can be called.

    Raises:
        ServeError: the address can't be used, or a package is missing.
        RatersError: the project can't be used; or at the end: the file was moved, removed or replaced.
    """
    if not all(each.strip() for each in (host, *names)):  # to listen at "" is to listen at every address
        raise RatersError(
            "An empty --host or --server-name was given (a variable that is not set?): give one, or none."
        )
    with needing_extra():
        from voirdire.raters.service import RatingService, keep_address
        from voirdire.raters.web.app import make_app
        from voirdire.raters.web.organiser import FigureBoard
    with Store.open(path) as store, listen(host, port) as listening:
        board = FigureBoard(path)
        base = f"http://{_public_name(host, names)}:{listening.getsockname()[1]}"
        keep_address(path, base)
        app = make_app(RatingService(store), _hosts(host, names), board=board)
        run_app(app, listening, ready=lambda: ready(store, base), ending=board.close)
        store.close(_PATIENCE)
        store.check_there()


def _hosts(host: str, names: tuple[str, ...]) -> Hosts:
    from voirdire.web.guard import LOCAL, Hosts

    return Hosts(
        {*LOCAL, *(name.lower() for name in (host, *names))},
        not is_local(host),
        "See --server-name of voirdire rate serve.",
    )


def _public_name(host: str, names: tuple[str, ...]) -> str:
    """What raters call the server: its name, or an address that can be reached."""
    name = names[0] if names and not is_local(host) else host
    if name in ("0.0.0.0", "::"):  # noqa: S104 - not listened at: all addresses of this machine
        name = _own_address(socket.AF_INET6 if ":" in name else socket.AF_INET) or socket.gethostname()
    return f"[{name}]" if ":" in name else name


def _own_address(family: socket.AddressFamily) -> str | None:
    """The address of this machine that others reach, as far as it can be told; nothing is sent."""
    elsewhere = "2001:db8::1" if family == socket.AF_INET6 else "192.0.2.1"  # for documentation: RFC 3849, RFC 5737
    with socket.socket(family, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect((elsewhere, 9))
        except OSError:
            return None
        return str(asking.getsockname()[0])
