"""Serving a project, until it is stopped."""

from __future__ import annotations

import gc
import socket
from collections.abc import Callable
from pathlib import Path

from voirdire.raters.records import RatersError
from voirdire.raters.store import Store

LOCAL = ("127.0.0.1", "localhost", "::1")


def serve(
    path: Path, *, host: str, port: int, names: tuple[str, ...] = (), ready: Callable[[Store, str], None]
) -> None:
    """Serve a project.

    Args:
        path: of the project.
        host: the address to listen at.
        port: 0 for any that is free.
        names: further names by which the server may be called.
        ready: told the store and the base address once it can be called.

    Raises:
        RatersError: the project or the address can't be used, or a package is missing.
    """
    try:
        import uvicorn

        from voirdire.raters.web.app import make_app
    except ImportError as missing:
        raise RatersError(f"The raters' app needs {missing.name}: pip install 'voirdire[raters]'.") from None
    listening = _listen(host, port)
    try:
        with Store.open(path) as store:
            app = make_app(store, (*LOCAL, host, *names))
            config = uvicorn.Config(app, log_level="warning", access_log=False, server_header=False)
            shown = f"[{host}]" if ":" in host else host
            ready(store, f"http://{shown}:{listening.getsockname()[1]}")
            gc.freeze()
            uvicorn.Server(config).run(sockets=[listening])
    finally:
        listening.close()


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(512)
    except OSError as error:
        listening.close()
        raise RatersError(f"The address {host}:{port} can't be used: {error.strerror}; give another --port.") from None
    return listening
