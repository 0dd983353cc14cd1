"""What goes over the wire during a call and what comes back: recorded as text, and cleaned of the keys that went out.

A call runs inside `recording()`; hooks on the HTTP client and on Python's warnings find the call's record through a
context variable, so that many calls at once never mix. Headers, where keys travel, are never looked at.

It stands below the providers' libraries, so that none of their exceptions and logs ever holds a key that came back.
Half of a surrogate pair, for which there is no UTF-8, becomes U+FFFD here: some of the libraries refuse all of a reply
that has one.
"""

from __future__ import annotations

import logging
import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TextIO

import httpx2

from voirdire.models.providers.http import whole, with_content
from voirdire.models.secrets import MASK, forms_of, hide, is_secret, known_secrets


@dataclass(slots=True)
class HttpExchange:
    """The HTTP traffic of one call."""

    sent: str = ""
    """Body of the last request."""
    received: str = ""
    """Body of the last response."""
    requests: int = 0
    moved_to: str | None = None
    """Where the last response sent its caller instead, which is never followed: the key would go along."""
    notices: list[str] = field(default_factory=list)
    """Warnings given while the call ran."""


_current: ContextVar[HttpExchange | None] = ContextVar("voirdire_exchange", default=None)


@contextmanager
def recording() -> Iterator[HttpExchange]:
    """Record what the current task sends and receives."""
    _route_warnings()
    exchange = HttpExchange()
    token = _current.set(exchange)
    try:
        yield exchange
    finally:
        _current.reset(token)


async def note_request(request: httpx2.Request) -> None:
    """Request hook of the HTTP client."""
    exchange = _current.get()
    if exchange is not None:
        exchange.requests += 1
        exchange.sent = (await request.aread()).decode("utf-8", "replace")


async def note_response(response: httpx2.Response) -> None:
    """Response hook of the HTTP client; the body stays readable for the library."""
    exchange = _current.get()
    if exchange is not None:
        await response.aread()
        exchange.received = response.text
        exchange.moved_to = response.headers.get("location") if response.is_redirect else None


def note(text: str) -> None:
    """Add to the warnings of the current task's call."""
    exchange = _current.get()
    if exchange is not None:
        exchange.notices.append(text)


# --- warnings -------------------------------------------------------------------------------------------
# warnings.catch_warnings() changes global state for as long as it is open, so it can't be held across an await.
# Instead one hook stays in place, which passes on every warning that is not given inside a call.

_show_otherwise = warnings.showwarning


def _show(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    exchange = _current.get()
    if exchange is None:
        _show_otherwise(message, category, filename, lineno, file, line)
    elif str(message) not in exchange.notices:
        exchange.notices.append(str(message))


def _route_warnings() -> None:
    global _show_otherwise
    if warnings.showwarning is not _show:
        _show_otherwise = warnings.showwarning
        warnings.showwarning = _show
        # Every call must get its own copy, where Python would show one per place in the code.
        warnings.filterwarnings("always", category=UserWarning, module=r"pydantic_ai\b|voirdire\.models\b")


_LOUD = [
    *("httpx", "httpx2"),
    *(
        f"{library}.{part}"
        for library in ("httpcore", "httpcore2")
        for part in ("connection", "http11", "http2", "proxy", "socks")
    ),
]
"""Loggers that write addresses and responses' headers down as they come, where they stand below this."""

_MAY_BE_HALF = re.compile(rb"\\u[dD][89a-fA-F]")
_ESCAPES = re.compile(
    rb"\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})"
)
"""In JSON: a backslash, a whole surrogate pair, or (the group) half of one."""


class CleaningTransport(httpx2.AsyncBaseTransport):
    """Passes requests on, with the parameters that belong to the server's address, and responses without secrets."""

    def __init__(self, carrier: httpx2.AsyncBaseTransport, secrets: Sequence[str], query: str = "") -> None:
        self._carrier = carrier
        self._query = query
        self._forms = [form.encode() for form in forms_of(filter(is_secret, secrets))]

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send one request, and read its response to its end, as long as that is not too far."""
        response = await self._carrier.handle_async_request(self._addressed(request))
        response.request = request
        response = await whole(response)
        body = response.content
        headers = [(name, self._clean(value)) for name, value in response.headers.raw]
        clean = _without_halves(self._clean(body))
        if clean == body and headers == response.headers.raw:
            return response
        response.headers = httpx2.Headers(headers)
        return with_content(response, clean)

    async def aclose(self) -> None:
        """Close what carries the requests."""
        await self._carrier.aclose()

    def _addressed(self, request: httpx2.Request) -> httpx2.Request:
        """The request with the address's parameters, which no library above needs to know, and some write down."""
        if not self._query:
            return request
        query = "&".join(part for part in (request.url.query.decode(), self._query) if part)
        url = request.url.copy_with(query=query.encode())
        return httpx2.Request(
            request.method, url, headers=request.headers, stream=request.stream, extensions=request.extensions
        )

    def _clean(self, data: bytes) -> bytes:
        for form in self._forms:
            if form in data:
                data = data.replace(form, MASK.encode())
        return data


def _without_halves(body: bytes) -> bytes:
    """The body with the escape of U+FFFD for that of half a surrogate pair."""
    if _MAY_BE_HALF.search(body) is None:
        return body
    return _ESCAPES.sub(lambda match: rb"\ufffd" if match[1] else match[0], body)


def clean(client: httpx2.AsyncClient, secrets: Sequence[str], query: str = "") -> None:
    """Have a client's responses cleaned, by whatever way its requests go.

    httpx2 chooses among transports of its own where the environment names proxies, and offers no other place to stand.

    Args:
        client: sends the requests.
        secrets: what went to the server, and must not come back.
        query: of the server's address, added to each request on its way out.
    """
    client._transport = CleaningTransport(client._transport, secrets, query)
    client._mounts = {
        pattern: None if carrier is None else CleaningTransport(carrier, secrets, query)
        for pattern, carrier in client._mounts.items()
    }


class _HidesSecrets(logging.Filter):
    """Takes known secrets out of a record's text, and lets it pass."""

    def filter(self, record: logging.LogRecord) -> bool:
        text = record.getMessage()
        clean_text = hide(text, forms_of(known_secrets()))
        if clean_text != text:
            record.msg, record.args = clean_text, ()
        return True


_HIDES = _HidesSecrets()
for _name in _LOUD:
    logging.getLogger(_name).addFilter(_HIDES)
