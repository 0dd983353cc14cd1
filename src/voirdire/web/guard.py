"""Who may call a web app: by which name and from which site; and the headers on every response."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Collection
from typing import NamedTuple

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOCAL = ("127.0.0.1", "localhost", "::1")
"""The names of this machine alone."""
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
    advice: str = ""
    """What to do about a name that is refused, as a sentence."""

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
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)  # a page that runs scripts of its own has a policy of its own
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
            return PlainTextResponse(f"This server does not answer to that name. {self.hosts.advice}".rstrip(), 421)
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
