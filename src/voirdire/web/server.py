"""uvicorn, set up for one app on one machine."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

_PATIENCE = 1
"""Seconds that answers under way are given when the server is stopped."""


_MOST_CONNECTIONS = 256
"""Beyond it whoever has waited longest for the rest of a request makes room."""
_SLOWEST = 20.0
"""Seconds in which a request has to come to its end."""


class Protocol(H11Protocol):
    """Hangs up on who does not finish a request, so that slow ones never keep others from being served."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for a request, and no longer than it may take."""
        super().connection_made(transport)
        self._await_request()
        there = [each for each in self.connections if isinstance(each, Protocol) and not each.transport.is_closing()]
        waiting = [each for each in there if each.is_waiting]
        if len(there) > _MOST_CONNECTIONS and waiting:
            min(waiting, key=lambda each: each.since).transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._deadline.cancel()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self._deadline.cancel()
        self._await_request()
        super().on_response_complete()

    @property
    def is_waiting(self) -> bool:
        """Whether the rest of a request, or all of it, has not come yet."""
        return self.cycle is None or self.cycle.response_complete or self.cycle.more_body

    def _await_request(self) -> None:
        self.since = self.loop.time()
        self._deadline = self.loop.call_later(_SLOWEST, self._hang_up)

    def _hang_up(self) -> None:
        if self.is_waiting:
            self.transport.abort()


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
        http=Protocol,
        backlog=_MOST_CONNECTIONS,
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
