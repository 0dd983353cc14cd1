"""What went over the wire during one call: bodies as text, and the warnings the provider's library gave.

A call runs inside `recording()`; hooks on the HTTP client and on Python's warnings find the call's record through a
context variable, so that many calls at once never mix. Headers, where keys travel, are never looked at.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    import httpx2


@dataclass(slots=True)
class Exchange:
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


_current: ContextVar[Exchange | None] = ContextVar("voirdire_exchange", default=None)


@contextmanager
def recording() -> Iterator[Exchange]:
    """Record what the current task sends and receives."""
    _route_warnings()
    exchange = Exchange()
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
