"""A server that speaks OpenAI's chat completions, in a process of its own, with settable speed and faults.

    python -m tests.support.fake_openai --port 0 --latency 0.1 --plan 429:2,500,ok,reset

prints its base URL and serves

    POST /v1/chat/completions   a reply that depends on model, messages and seed alone
    GET  /v1/models
    POST /control               any of the options below, as JSON
    GET  /stats                 what was asked so far; POST /control {"reset": true} forgets it

Options: `latency` (seconds, the median if `sigma` > 0 makes it log-normal; by model: `--latency 1,judge=0.5`),
`tokens_per_second` (time for a reply's length on top), `requests_per_minute` and `tokens_per_minute` (of each model;
429 with Retry-After beyond them), `burst_seconds`, `max_concurrent` (429 beyond it), `error_rate`, `error_status` and
`seed` (errors at random), `model` (any other is a 404), `key` (any other is a 401) and `plan`, a list of faults taken
one by one by the requests as they come (with `each`: by every distinct request from its start); `plans` has lists for
models, by the beginning of their names. `fake_faults` names the faults; "404..." is a model that is gone from then on.

With `--fast` replies are ready-made, for benchmarks (`fake_fast`): no counts of distinct requests, no `each`, and of
the faults only statuses with seconds, reset and hang.

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
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any
from weakref import WeakSet

from aiohttp import web

from tests.support import fake_fast
from tests.support.fake_faults import ELSEWHERE, is_answer, respond
from tests.support.fake_replies import fake_reply
from tests.support.fake_traffic import Options, Traffic, parse_latency, plan_of, plans_of

_ROOT = Path(__file__).parents[2]
_MARK = re.compile(r"\b[0-9a-f]{16,}\b")


class FakeOpenAI:
    def __init__(self, traffic: Traffic) -> None:
        self._traffic = traffic
        self._connections: WeakSet[asyncio.Transport] = WeakSet()

    def app(self) -> web.Application:
        app = web.Application(client_max_size=64 * 2**20)
        app.router.add_post("/v1/chat/completions", self.complete)
        app.router.add_post(ELSEWHERE, self.elsewhere)
        app.router.add_get("/v1/models", self.models)
        app.router.add_post("/control", self.control)
        app.router.add_get("/stats", self.stats)
        return app

    async def models(self, _: web.Request) -> web.Response:
        name = self._traffic.options.model or "fake"
        return web.json_response({"object": "list", "data": [{"id": name, "object": "model", "owned_by": "nobody"}]})

    async def control(self, request: web.Request) -> web.Response:
        problem = self._traffic.change(await request.json())
        return web.json_response({"problem": problem} if problem else {}, status=400 if problem else 200)

    async def stats(self, _: web.Request) -> web.Response:
        return web.json_response(self._traffic.counted())

    async def elsewhere(self, request: web.Request) -> web.Response:
        """Where a redirect leads: nobody should come, least of all with a key."""
        self._traffic.stats.elsewhere += 1
        return web.json_response(fake_reply(await request.json(), "elsewhere"))

    async def complete(self, request: web.Request) -> web.StreamResponse:
        raw = await request.read()
        body = json.loads(raw)
        name, model = _request_hash(body), str(body.get("model"))
        traffic = self._traffic
        seen = traffic.stats.requests[name]
        traffic.stats.requests[name] += 1
        self._count_connection(request)
        traffic.begin(model, len(raw))
        try:
            fault = traffic.fault(model, request.headers.get("Authorization"), len(raw) // 4, seen)
            reply = fake_reply(body, name)
            if fault == "ok" and (seconds := traffic.seconds(model, reply["usage"]["completion_tokens"])):
                await asyncio.sleep(seconds)
            traffic.stats.outcomes[fault] += 1
            if is_answer(fault):
                traffic.stats.answered += 1
                traffic.stats.replies[name] += 1
            return await respond(request, reply, fault)
        finally:
            traffic.end(model)

    def _count_connection(self, request: web.Request) -> None:
        if request.transport is not None and request.transport not in self._connections:
            self._connections.add(request.transport)
            self._traffic.stats.connections += 1


def _request_hash(body: dict[str, Any]) -> str:
    said = json.dumps([body.get("model"), body.get("messages"), body.get("seed")], sort_keys=True)
    return hashlib.sha256(_MARK.sub("", said).encode()).hexdigest()


# --- for tests ------------------------------------------------------------------------------------------


@contextmanager
def start_fake_server(*, fast: bool = False, **options: Any) -> Iterator[str]:
    """Run the server in a process of its own while the block runs; yields its base URL (".../v1")."""
    command = [sys.executable, "-m", "tests.support.fake_openai", "--port", "0", "--end-with-stdin"]
    command += ["--fast"] if fast else []
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


async def _serve(port: int, traffic: Traffic, end_with_stdin: bool, fast: bool) -> None:
    opened = await (fake_fast.serve(port, traffic) if fast else _serve_thoroughly(port, traffic))
    print(f"http://127.0.0.1:{opened}/v1", flush=True)
    ended = asyncio.Event()
    if end_with_stdin:
        loop = asyncio.get_running_loop()
        threading.Thread(target=_await_end, args=(loop, ended), daemon=True).start()
    await ended.wait()


async def _serve_thoroughly(port: int, traffic: Traffic) -> int:
    runner = web.AppRunner(FakeOpenAI(traffic).app(), access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port, backlog=1024).start()
    found: int = runner.addresses[0][1]
    return found


def _await_end(loop: asyncio.AbstractEventLoop, ended: asyncio.Event) -> None:
    """Whoever started the server is gone when its end of the pipe is closed, however it ended."""
    sys.stdin.buffer.raw.read()  # type: ignore[attr-defined]
    loop.call_soon_threadsafe(ended.set)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--fast", action="store_true")
    parser.add_argument("--end-with-stdin", action="store_true")
    kinds: dict[str, Any] = {"latency": parse_latency, "plan": plan_of, "plans": plans_of, "model": str, "key": str}
    kinds |= {"max_concurrent": int, "error_status": int, "seed": int}
    for option in fields(Options):
        flag = "--" + option.name.replace("_", "-")
        if option.name == "each":
            parser.add_argument(flag, action="store_true")
        else:
            parser.add_argument(flag, type=kinds.get(option.name, float), default=argparse.SUPPRESS)
    given = vars(parser.parse_args())
    port, end_with_stdin, fast = given.pop("port"), given.pop("end_with_stdin"), given.pop("fast")
    try:
        asyncio.run(_serve(port, Traffic(Options(**given)), end_with_stdin, fast))
    except KeyboardInterrupt:
        return


if __name__ == "__main__":
    main()
