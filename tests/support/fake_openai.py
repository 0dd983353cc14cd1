"""A server that speaks OpenAI's chat completions, in a process of its own, with settable speed and faults.

    python -m tests.support.fake_openai --port 0 --latency 0.1 --plan 429:2,500,ok,reset

prints its base URL and serves

    POST /v1/chat/completions   a reply that depends on model, messages and seed alone
    GET  /v1/models
    POST /control               any of the options below, as JSON
    GET  /stats                 what was asked so far; POST /control {"reset": true} forgets it

Options: `latency` (seconds; the median, if `sigma` > 0 makes it log-normal), `max_concurrent` (429 beyond it),
`model` (any other is a 404), `key` (any other is a 401) and `plan`, a list of faults taken one by one by the requests
as they come (with `each`: by every distinct request from its start). A fault is an HTTP status, with ":SECONDS" for a
Retry-After, or one of ok, reset, hang, truncated, invalid_json, refusal, empty, cut.

A mark on a fence (a long hexadecimal number) counts for nothing: two runs that ask the same get the same replies.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import re
import subprocess
import sys
import threading
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from pathlib import Path
from random import Random
from typing import Any

from aiohttp import web

from tests.support.fake_replies import fake_reply

_ROOT = Path(__file__).parents[2]
_MARK = re.compile(r"\b[0-9a-f]{16,}\b")


@dataclass
class Options:
    latency: float = 0.0
    sigma: float = 0.0
    max_concurrent: int | None = None
    model: str | None = None
    key: str | None = None
    plan: list[str] = field(default_factory=list)
    each: bool = False


@dataclass
class Stats:
    total: int = 0
    answered: int = 0
    max_concurrent: int = 0
    requests: Counter[str] = field(default_factory=Counter)
    """How often each distinct request came."""
    replies: Counter[str] = field(default_factory=Counter)
    """How often each distinct request was answered in full."""
    outcomes: Counter[str] = field(default_factory=Counter)
    """What became of the requests: "ok" or the fault."""


class FakeOpenAI:
    def __init__(self, options: Options) -> None:
        self._options = options
        self._stats = Stats()
        self._running = 0
        self._random = Random(0)

    def app(self) -> web.Application:
        app = web.Application(client_max_size=64 * 2**20)
        app.router.add_post("/v1/chat/completions", self.complete)
        app.router.add_get("/v1/models", self.models)
        app.router.add_post("/control", self.control)
        app.router.add_get("/stats", self.stats)
        return app

    async def models(self, _: web.Request) -> web.Response:
        name = self._options.model or "fake"
        return web.json_response({"object": "list", "data": [{"id": name, "object": "model", "owned_by": "nobody"}]})

    async def control(self, request: web.Request) -> web.Response:
        changes = await request.json()
        if changes.pop("reset", False):
            self._stats = Stats()
        known = {option.name for option in fields(Options)}
        if not changes.keys() <= known:
            return _error(400, f"unknown options: {sorted(changes.keys() - known)}")
        for name, value in changes.items():
            setattr(self._options, name, _plan(value) if name == "plan" else value)
        return web.json_response({})

    async def stats(self, _: web.Request) -> web.Response:
        return web.json_response(vars(self._stats))

    async def complete(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        name = _request_hash(body)
        seen = self._stats.requests[name]
        self._stats.requests[name] += 1
        self._stats.total += 1
        self._running += 1
        self._stats.max_concurrent = max(self._stats.max_concurrent, self._running)
        try:
            fault = self._fault(request, body, seen)
            if self._options.latency and fault == "ok":
                await asyncio.sleep(self._latency())
            self._stats.outcomes[fault] += 1
            return await self._respond(request, body, name, fault)
        finally:
            self._running -= 1

    def _fault(self, request: web.Request, body: dict[str, Any], seen: int) -> str:
        options = self._options
        if options.key is not None and request.headers.get("Authorization") != f"Bearer {options.key}":
            return "401"
        if options.model is not None and body.get("model") != options.model:
            return "404"
        if options.max_concurrent is not None and self._running > options.max_concurrent:
            return "429"
        if options.each:
            return options.plan[seen] if seen < len(options.plan) else "ok"
        return options.plan.pop(0) if options.plan else "ok"

    def _latency(self) -> float:
        return self._options.latency * self._random.lognormvariate(0.0, self._options.sigma)

    async def _respond(self, request: web.Request, body: dict[str, Any], name: str, fault: str) -> web.StreamResponse:
        if fault == "reset":
            assert request.transport is not None
            request.transport.abort()
            return web.Response()
        if fault == "hang":
            while request.transport is not None:  # until the client gives up
                await asyncio.sleep(0.02)
            return web.Response()
        if fault == "invalid_json":
            return web.Response(text='{"choices": [{"mess', content_type="application/json")
        status, _, retry_after = fault.partition(":")
        if status.isdigit():
            return _error(int(status), f"fault {status} as planned", retry_after)
        reply = fake_reply(body, name, fault)
        if fault == "truncated":
            return await _half(request, json.dumps(reply).encode())
        self._stats.answered += 1
        self._stats.replies[name] += 1
        return web.json_response(reply)


def _error(status: int, message: str, retry_after: str = "") -> web.Response:
    headers = {"Retry-After": retry_after} if retry_after else {}
    error = {"message": message, "type": "fake_error", "param": None, "code": str(status)}
    return web.json_response({"error": error}, status=status, headers=headers)


async def _half(request: web.Request, body: bytes) -> web.StreamResponse:
    """Promise the whole body, send half of it, and hang up."""
    response = web.StreamResponse(headers={"Content-Type": "application/json", "Content-Length": str(len(body))})
    await response.prepare(request)
    await response.write(body[: len(body) // 2])
    assert request.transport is not None
    request.transport.close()
    return response


def _request_hash(body: dict[str, Any]) -> str:
    said = json.dumps([body.get("model"), body.get("messages"), body.get("seed")], sort_keys=True)
    return hashlib.sha256(_MARK.sub("", said).encode()).hexdigest()


def _plan(value: str | list[str | int]) -> list[str]:
    faults = value.split(",") if isinstance(value, str) else value
    return [str(fault) for fault in faults if fault]


# --- for tests ------------------------------------------------------------------------------------------


@contextmanager
def start_fake_server(**options: Any) -> Iterator[str]:
    """Run the server in a process of its own while the block runs; yields its base URL (".../v1")."""
    command = [sys.executable, "-m", "tests.support.fake_openai", "--port", "0", "--end-with-stdin"]
    server = subprocess.Popen(command, cwd=_ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert server.stdin is not None and server.stdout is not None
    try:
        base_url = server.stdout.readline().strip()
        if not base_url:
            raise RuntimeError("The fake server did not start.")
        if options:
            control(base_url, **options)
        yield base_url
    finally:
        server.terminate()
        server.wait(10)
        server.stdin.close()
        server.stdout.close()


def control(base_url: str, **options: Any) -> None:
    """Change the server's options; `reset=True` forgets what was counted."""
    url = base_url.removesuffix("/v1") + "/control"
    urllib.request.urlopen(urllib.request.Request(url, json.dumps(options).encode()), timeout=10).close()


def stats(base_url: str) -> dict[str, Any]:
    """What the server has counted."""
    with urllib.request.urlopen(base_url.removesuffix("/v1") + "/stats", timeout=10) as answer:
        counted: dict[str, Any] = json.load(answer)
    return counted


# --- as a program ---------------------------------------------------------------------------------------


async def _serve(port: int, options: Options, end_with_stdin: bool) -> None:
    runner = web.AppRunner(FakeOpenAI(options).app(), access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", port, backlog=1024)
    await site.start()
    print(f"http://127.0.0.1:{runner.addresses[0][1]}/v1", flush=True)
    ended = asyncio.Event()
    if end_with_stdin:
        loop = asyncio.get_running_loop()
        threading.Thread(target=_await_end, args=(loop, ended), daemon=True).start()
    await ended.wait()
    await runner.cleanup()


def _await_end(loop: asyncio.AbstractEventLoop, ended: asyncio.Event) -> None:
    """Whoever started the server is gone when its end of the pipe is closed, however it ended."""
    sys.stdin.buffer.raw.read()  # type: ignore[attr-defined]
    loop.call_soon_threadsafe(ended.set)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--latency", type=float, default=0.0)
    parser.add_argument("--sigma", type=float, default=0.0)
    parser.add_argument("--max-concurrent", type=int)
    parser.add_argument("--model")
    parser.add_argument("--key")
    parser.add_argument("--plan", type=_plan, default=[])
    parser.add_argument("--each", action="store_true")
    parser.add_argument("--end-with-stdin", action="store_true")
    given = vars(parser.parse_args())
    port, end_with_stdin = given.pop("port"), given.pop("end_with_stdin")
    try:
        asyncio.run(_serve(port, Options(**given), end_with_stdin))
    except KeyboardInterrupt:
        return


if __name__ == "__main__":
    main()
