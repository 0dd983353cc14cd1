"""A real HTTP server on this machine that answers as it is told and keeps what it was asked."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web


@dataclass(frozen=True)
class Answer:
    """What the server answers to every request."""

    body: Any
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    """Seconds before anything is sent."""
    drip: float = 0.0
    """Seconds over which the body arrives, a blank at a time ahead of the rest."""


@dataclass(frozen=True)
class Seen:
    """One request as it arrived."""

    path: str
    body: dict[str, Any]
    raw: str
    headers: Mapping[str, str]


class WireServer:
    """Use as a context manager; `url` is the server's root, without a slash at its end."""

    def __init__(self) -> None:
        self.answer = Answer({})
        self.seen: list[Seen] = []
        self.url = ""
        self._loop = asyncio.new_event_loop()
        self._up = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self) -> WireServer:
        self._thread.start()
        assert self._up.wait(10), "the test server did not start"
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._start())
        self._up.set()
        self._loop.run_forever()
        self._loop.run_until_complete(self._runner.cleanup())
        self._loop.close()

    async def _start(self) -> None:
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", self._handle)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0, handler_cancellation=True)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}"

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        raw = await request.text()
        self.seen.append(Seen(request.path, json.loads(raw) if raw else {}, raw, dict(request.headers)))
        answer = self.answer
        await asyncio.sleep(answer.delay)
        text = answer.body if isinstance(answer.body, str) else json.dumps(answer.body)
        if answer.drip:
            return await _dripping(request, text, answer.drip)
        return web.Response(
            text=text, status=answer.status, headers=dict(answer.headers), content_type="application/json"
        )


async def _dripping(request: web.Request, text: str, seconds: float) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "application/json"})
    await response.prepare(request)
    for _ in range(10):
        await response.write(b" ")
        await asyncio.sleep(seconds / 10)
    await response.write(text.encode())
    return response
