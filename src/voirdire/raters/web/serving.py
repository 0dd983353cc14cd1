"""Serving a project, until it is stopped."""

from __future__ import annotations

import gc
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING

from voirdire.raters.records import RatersError
from voirdire.raters.store import Store

if TYPE_CHECKING:
    from voirdire.raters.web.app import Hosts
    from voirdire.raters.web.server import Server

_WAITING = 512
"""Connections that may wait to be taken."""


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
        RatersError: the project or the address can't be used, or a package is missing; or at the end: the file was
            moved, removed or replaced.
    """
    if not all(each.strip() for each in (host, *names)):  # to listen at "" is to listen at every address
        raise RatersError("An empty --host or --name was given (a variable that is not set?): give one, or none.")
    try:
        from voirdire.raters.service import RatingService
        from voirdire.raters.web.app import make_app
        from voirdire.raters.web.organiser import FigureBoard
        from voirdire.raters.web.server import make_server
    except ImportError as missing:
        package = (missing.name or "").split(".")[0]
        raise RatersError(f"The raters' app needs {package}: pip install 'voirdire[web]'.") from None
    with Store.open(path) as store, _listening(host, port) as listening:
        board = FigureBoard(path)
        server = make_server(make_app(RatingService(store), _hosts(host, names), board=board), ending=board.close)
        gc.collect()
        gc.freeze()  # what stays for good need not be looked through again and again
        with _stopped_by_signals(server):
            ready(store, f"http://{_public_name(host, names)}:{listening.getsockname()[1]}")
            server.run(sockets=[listening])
        store.check_there()


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


@contextmanager
def _listening(host: str, port: int) -> Iterator[socket.socket]:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as listening:
        try:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind((host, port))
            listening.listen(_WAITING)
        except OSError as error:
            raise RatersError(
                f"The server can't listen at {host}:{port}: {error.strerror}; give another --port or --host."
            ) from None
        yield listening


def _hosts(host: str, names: tuple[str, ...]) -> Hosts:
    from voirdire.raters.web.app import LOCAL, Hosts

    return Hosts({*LOCAL, *(name.lower() for name in (host, *names))}, addresses=not is_local(host))


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
