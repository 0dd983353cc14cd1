"""uvicorn, set up for one project on one machine."""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp

_PATIENCE = 3
"""Seconds that answers under way are given when the server is stopped."""


class Server(uvicorn.Server):
    """Leaves signals to whoever runs it: `handle_exit` stops it, called again it waits for nobody."""

    def __init__(self, config: uvicorn.Config, ending: Callable[[], None]) -> None:
        """Serve as `config` says; `ending` is called when the end begins."""
        super().__init__(config)
        self._ending = ending

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Take none."""
        yield

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End; what is under way is given a moment, and nothing is said of whom that cuts off: they see it."""
        logging.getLogger("uvicorn.error").disabled = True
        self._ending()
        await super().shutdown(sockets)


def make_server(app: ASGIApp, ending: Callable[[], None]) -> Server:
    """A server of `app` that logs nothing but its own errors: addresses hold secrets.

    Args:
        app: to be served.
        ending: called when the end begins: ends what would hold it up.
    """
    config = uvicorn.Config(
        app,
        loop="asyncio",
        lifespan="off",
        ws="none",
        proxy_headers=False,
        server_header=False,
        access_log=False,
        log_level="error",
        timeout_graceful_shutdown=_PATIENCE,
    )
    return Server(config, ending)
