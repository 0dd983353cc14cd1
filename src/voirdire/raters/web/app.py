"""Which address leads to which page, and who may call: from where, and with which headers on every response."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Collection
from importlib.resources import files
from typing import NamedTuple

from jinja2 import BaseLoader
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from voirdire.raters.service import RatingService
from voirdire.raters.web import organiser, rating
from voirdire.raters.web.organiser import FigureBoard
from voirdire.raters.web.pages import HANDLERS, Pages, front

_SAFE = ("GET", "HEAD", "OPTIONS")
_HOST = re.compile(r"(?P<name>\[[0-9a-f:.]+\]|[^\[\]:/@]+)(?::[0-9]{1,5})?", re.IGNORECASE)
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # Addresses hold secrets: other sites are told nothing. Not "no-referrer": a form's Origin would then be "null".
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "X-Robots-Tag": "noindex",
}


class Hosts(NamedTuple):
    """By which names a server may be called: another site's name that leads here is none (DNS rebinding)."""

    names: Collection[str]
    addresses: bool = False
    """Also by any IP address: nobody can make one lead elsewhere."""

    def has(self, host: str) -> bool:
        """Whether a Host header, as "name:port", is one of them."""
        match = _HOST.fullmatch(host)
        if match is None:
            return False
        name = match["name"].strip("[]").lower().rstrip(".")
        return name in self.names or (self.addresses and _is_address(name))


class Guard:
    """Refuses strange hosts and requests that other sites make; sets the headers of every response."""

    def __init__(self, app: ASGIApp, hosts: Hosts) -> None:
        """Stand before `app`, which may be called by the names of `hosts`."""
        self.app = app
        self.hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request pass, or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(HEADERS)
                if not scope["path"].startswith("/static/"):
                    headers["Cache-Control"] = "no-store"
            await send(message)

        refusal = self._refusal(scope["method"], Headers(scope=scope))
        if refusal is not None:
            await refusal(scope, receive, send_guarded)
            return
        await self.app(scope, receive, send_guarded)

    def _refusal(self, method: str, headers: Headers) -> PlainTextResponse | None:
        if not self.hosts.has(headers.get("host", "")):
            return PlainTextResponse("This server does not answer to that name: see --name of rate serve.", 421)
        if method not in _SAFE and not self._is_own(headers):
            return PlainTextResponse("Requests from other sites are refused.", 403)
        return None

    def _is_own(self, headers: Headers) -> bool:
        """Whether one of our own pages sends this, or no page at all."""
        fetched = headers.get("sec-fetch-site")
        if fetched is not None:  # the browser's own word, wherever the connection is one that it trusts
            return fetched in ("same-origin", "none")
        origin = headers.get("origin")
        return origin is None or origin.partition("://")[2] == headers.get("host")


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


LOCAL = ("127.0.0.1", "localhost", "::1")


def make_app(
    service: RatingService,
    hosts: Hosts | None = None,
    loader: BaseLoader | None = None,
    board: FigureBoard | None = None,
) -> Guard:
    """The app of a project, as ASGI.

    Args:
        service: of the project; whoever opened its store closes it.
        hosts: names by which the server may be called, others are refused; `None` for those of this machine alone.
        loader: finds the templates; `None` for the packaged ones.
        board: works out the organiser's figures, to be closed by who gives it; `None` for one of its own.
    """
    app = Starlette(
        routes=[
            Route("/", front),
            Mount("/static", StaticFiles(directory=str(files("voirdire.raters.web") / "static"))),
            Mount("/w/{secret}", routes=rating.ROUTES),
            Mount("/o/{secret}", routes=organiser.ROUTES),
        ],
        exception_handlers=HANDLERS,
    )
    app.state.board = board or FigureBoard(service.store.path)
    app.state.service = service
    app.state.pages = Pages(service, loader)
    app.state.pages.prepare()
    return Guard(
        app, hosts or Hosts(LOCAL)
    )  # outermost: its headers are on every response, errors of the app's own among them
