"""Listening at an address and serving an app there, until it is stopped."""

from __future__ import annotations

import gc
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ipaddress import ip_address
from typing import TYPE_CHECKING

from voirdire.errors import InputError, not_installed

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from voirdire.web.server import Server

_WAITING = 512
"""Connections that may wait to be taken."""


STOPPED = "Stopped."
"""Said when an app is no longer served."""


class ServeError(InputError):
    """An app that can't be served: one sentence says why and what to do."""


@contextmanager
def needing_extra() -> Iterator[None]:
    """Import within it what the extra brings.

    Raises:
        ServeError: it is not installed.
    """
    try:
        yield
    except ImportError as missing:
        package = (missing.name or "").split(".")[0]
        raise ServeError(not_installed("The web app", package, "web")) from None


def run_app(app: ASGIApp, listening: socket.socket, *, ready: Callable[[], None], ending: Callable[[], None]) -> None:
    """Serve an app until Ctrl-C or SIGTERM; then what was sent is answered. In the main thread.

    Args:
        app: to be served.
        listening: where it is called.
        ready: called once it can be.
        ending: called when the end begins: ends what would hold it up.
    """
    with needing_extra():
        from voirdire.web.server import make_server
    server = make_server(app, ending)
    gc.collect()
    gc.freeze()  # what stays for good need not be looked through again and again
    with _stopped_by_signals(server):
        ready()
        server.run(sockets=[listening])


@contextmanager
def listen(host: str, port: int, options: str = "--port or --host") -> Iterator[socket.socket]:
    """A socket at this address and port (0 for any that is free); `options` choose another.

    Raises:
        ServeError: nothing can listen there.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as listening:
        try:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind((host, port))
            listening.listen(_WAITING)
        except OSError as error:
            raise ServeError(
                f"The server can't listen at {host}:{port}: {error.strerror}; give another {options}."
            ) from None
        yield listening


def is_local(host: str) -> bool:
    """Whether only this machine can call a server that listens there."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


@contextmanager
def _stopped_by_signals(server: Server) -> Iterator[None]:
    before = {number: signal.signal(number, server.handle_exit) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
