"""A server with the batch endpoints of OpenAI, Anthropic and Mistral, in a process of its own.

    python -m tests.support.fake_batches --port 0

prints its root ("http://127.0.0.1:PORT") and serves `/v1/files`, `/v1/batches`, `/v1/messages/batches`,
`/v1/batch/jobs`, and `/v1/chat/completions` for calls that are answered at once. POST /control takes the options below
as JSON, GET /stats says what was asked.

Options: `hold` (no batch ends while it is on), `key` (any other is a 401), `most` (a batch with more requests fails, as
too many tokens are enqueued), `missing` (there are no batch endpoints), `batches` (faults taken one by one by the
batches as they come) and `requests` (faults taken one by one by the requests in them). A batch's fault is ok, expired,
cancelled, failed:CODE, http:STATUS (not taken) or lost (taken, but the answer says 500); a request's is ok, none (left
out of the results), half_emoji (as in `fake_faults`), expired, or an HTTP status.
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
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from aiohttp import web

from tests.support.fake_faults import half_emoji
from tests.support.fake_replies import fake_reply

_ROOT = Path(__file__).parents[2]
_CUSTOM_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")
Body = dict[str, Any]


@dataclass
class Options:
    hold: bool = False
    key: str | None = None
    most: int | None = None
    missing: bool = False
    batches: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)


@dataclass
class Batch:
    id: str
    form: str
    items: list[tuple[str, Body]]
    fault: str
    faults: list[str]
    metadata: Body
    created: float = field(default_factory=time.time)


class FakeBatches:
    def __init__(self) -> None:
        self.options = Options()
        self.files: dict[str, bytes] = {}
        self.batches: dict[str, Batch] = {}
        self.submitted: Counter[str] = Counter()
        """How often each distinct request came in a batch that was taken."""
        self.calls = 0
        """Requests that were answered at once."""
        self.looks = 0

    def app(self) -> web.Application:
        app = web.Application(client_max_size=256 * 2**20, middlewares=[self.guard])
        app.add_routes(
            [
                web.post("/control", self.control),
                web.get("/stats", self.stats),
                web.post("/v1/chat/completions", self.complete),
                web.post("/v1/files", self.upload),
                web.get("/v1/files/{id}/content", self.content),
                web.post("/v1/batches", self.create_openai),
                web.get("/v1/batches", self.list_openai),
                web.get("/v1/batches/{id}", self.look_openai),
                web.post("/v1/messages/batches", self.create_anthropic),
                web.get("/v1/messages/batches", self.list_anthropic),
                web.get("/v1/messages/batches/{id}", self.look_anthropic),
                web.get("/v1/messages/batches/{id}/results", self.results_anthropic),
                web.post("/v1/batch/jobs", self.create_mistral),
                web.get("/v1/batch/jobs", self.list_mistral),
                web.get("/v1/batch/jobs/{id}", self.look_mistral),
            ]
        )
        return app

    @web.middleware
    async def guard(self, request: web.Request, handler: Any) -> web.StreamResponse:
        open_to_all = request.path in ("/control", "/stats")
        given = request.headers.get("Authorization", "").removeprefix("Bearer ") or request.headers.get("X-Api-Key")
        if not open_to_all and self.options.key not in (None, given):
            return error(401, f"no such key: {given}")
        if self.options.missing and not open_to_all and request.path != "/v1/chat/completions":
            return error(404, "Not Found")
        answer: web.StreamResponse = await handler(request)
        return answer

    async def control(self, request: web.Request) -> web.Response:
        for name, value in (await request.json()).items():
            setattr(self.options, name, value)
        return web.json_response({})

    async def stats(self, _: web.Request) -> web.Response:
        batches = [{"id": each.id, "requests": len(each.items)} for each in self.batches.values()]
        counted = {"batches": batches, "submitted": self.submitted, "calls": self.calls, "looks": self.looks}
        return web.json_response(counted)

    async def complete(self, request: web.Request) -> web.Response:
        self.calls += 1
        body = await request.json()
        return web.json_response(fake_reply(body, _hash(body)))

    # --- batches, whatever the form -----------------------------------------------------------------------

    def take(
        self, form: str, items: list[tuple[str, Body]], metadata: Body
    ) -> tuple[Batch | None, web.Response | None]:
        """A new batch, and an error to answer with in its place."""
        ids = [custom_id for custom_id, _ in items]
        if len(set(ids)) < len(ids) or not all(map(_CUSTOM_ID.fullmatch, ids)):
            return None, error(400, "bad or repeated custom_id")
        fault = self.options.batches.pop(0) if self.options.batches else "ok"
        if fault.startswith("http:"):
            return None, error(int(fault.removeprefix("http:")), "not now, as planned")
        if self.options.most is not None and len(items) > self.options.most:
            fault = "failed:token_limit_exceeded"
        faults = [self.options.requests.pop(0) if self.options.requests else "ok" for _ in items]
        batch = Batch(f"{form}_{len(self.batches) + 1}", form, items, fault, faults, metadata)
        self.batches[batch.id] = batch
        if not fault.startswith("failed"):
            self.submitted.update(_hash(body) for _, body in items)
        return batch, error(500, "lost, as planned") if fault == "lost" else None

    def status(self, batch: Batch) -> str:
        self.looks += 1
        if self.options.hold:
            return "in_progress"
        return {"ok": "completed", "lost": "completed"}.get(batch.fault, batch.fault.partition(":")[0])

    def outcomes(self, batch: Batch) -> Iterator[tuple[str, Body, str]]:
        """(custom id, body, fault) of every request that the results name."""
        if batch.fault not in ("ok", "lost"):
            return
        for (custom_id, body), fault in zip(batch.items, batch.faults, strict=True):
            if fault != "none":
                yield custom_id, body, fault

    # --- OpenAI -------------------------------------------------------------------------------------------

    async def upload(self, request: web.Request) -> web.Response:
        form = await request.post()
        assert form["purpose"] == "batch"
        uploaded = form["file"]
        assert isinstance(uploaded, web.FileField)
        name = f"file-{len(self.files) + 1}"
        self.files[name] = uploaded.file.read()
        return web.json_response({"id": name, "object": "file"})

    async def content(self, request: web.Request) -> web.Response:
        name = request.match_info["id"]
        if name in self.files:
            return web.Response(body=self.files[name])
        kind, _, batch = name.partition("-")
        lines = [self.line(*outcome) for outcome in self.outcomes(self.batches[batch])]
        chosen = [line for line in lines if (line["error"] is None and _good(line)) == (kind == "output")]
        plain = "half_emoji" in self.batches[batch].faults  # half of a pair has no UTF-8: it comes as an escape
        return web.Response(text="".join(json.dumps(line, ensure_ascii=plain) + "\n" for line in chosen))

    def line(self, custom_id: str, body: Body, fault: str) -> Body:
        if fault == "expired":
            problem = {"code": "batch_expired", "message": "This request could not be executed in time."}
            return {"id": "r", "custom_id": custom_id, "response": None, "error": problem}
        status = 200 if fault in ("ok", "half_emoji") else int(fault)
        said = fake_reply(body, _hash(body)) if status == 200 else {"error": {"message": f"fault {fault} as planned"}}
        if fault == "half_emoji":
            half_emoji(said)
            said["model"] += " \ud83d"
        if body.get("tools"):
            _call_tool(said)
        response = {"status_code": status, "request_id": "q", "body": said}
        return {"id": "r", "custom_id": custom_id, "response": response, "error": None}

    async def create_openai(self, request: web.Request) -> web.Response:
        asked = await request.json()
        assert asked["completion_window"] == "24h"
        items = self.read_lines(asked["input_file_id"])
        assert all(line["url"] == asked["endpoint"] and line["method"] == "POST" for line in items)
        batch, instead = self.take("batch", _pairs(items), asked.get("metadata") or {})
        return instead or web.json_response(self.shown_openai(batch))

    async def list_openai(self, request: web.Request) -> web.Response:
        found = [self.shown_openai(each) for each in reversed(self.batches.values()) if each.form == "batch"]
        return web.json_response({"object": "list", "data": found[: int(request.query["limit"])]})

    async def look_openai(self, request: web.Request) -> web.Response:
        return web.json_response(self.shown_openai(self.batches.get(request.match_info["id"])))

    def shown_openai(self, batch: Batch | None) -> Body:
        assert batch is not None
        status = self.status(batch)
        shown = {"id": batch.id, "object": "batch", "status": status, "created_at": int(batch.created)}
        shown |= {"metadata": batch.metadata, "output_file_id": None, "error_file_id": None, "errors": None}
        if status == "completed":
            shown |= {"output_file_id": f"output-{batch.id}", "error_file_id": f"error-{batch.id}"}
        if status == "failed":
            shown["errors"] = {"data": [{"code": batch.fault.partition(":")[2], "message": "failed as planned"}]}
        return shown

    def read_lines(self, file: str) -> list[Body]:
        return [json.loads(line) for line in self.files[file].splitlines()]

    # --- Mistral ------------------------------------------------------------------------------------------

    async def create_mistral(self, request: web.Request) -> web.Response:
        asked = await request.json()
        (file,) = asked["input_files"]
        assert asked["model"] and asked["endpoint"] == "/v1/chat/completions"
        batch, instead = self.take("job", _pairs(self.read_lines(file)), asked["metadata"])
        return instead or web.json_response(self.shown_mistral(batch))

    async def list_mistral(self, _: web.Request) -> web.Response:
        found = [self.shown_mistral(each) for each in self.batches.values() if each.form == "job"]
        return web.json_response({"data": found, "total": len(found)})

    async def look_mistral(self, request: web.Request) -> web.Response:
        return web.json_response(self.shown_mistral(self.batches[request.match_info["id"]]))

    def shown_mistral(self, batch: Batch | None) -> Body:
        assert batch is not None
        names = {"in_progress": "RUNNING", "completed": "SUCCESS", "expired": "TIMEOUT_EXCEEDED", "failed": "FAILED"}
        shown: Body = {"id": batch.id, "status": names[self.status(batch)], "metadata": batch.metadata, "errors": []}
        return shown | {"output_file": f"output-{batch.id}", "error_file": f"error-{batch.id}"}

    # --- Anthropic ----------------------------------------------------------------------------------------

    async def create_anthropic(self, request: web.Request) -> web.Response:
        asked = await request.json()
        assert request.headers["anthropic-version"]
        items = [(each["custom_id"], each["params"]) for each in asked["requests"]]
        batch, instead = self.take("msgbatch", items, {})
        return instead or web.json_response(self.shown_anthropic(batch))

    async def list_anthropic(self, _: web.Request) -> web.Response:
        found = [self.shown_anthropic(each) for each in reversed(self.batches.values()) if each.form == "msgbatch"]
        return web.json_response({"data": found, "has_more": False})

    async def look_anthropic(self, request: web.Request) -> web.Response:
        return web.json_response(self.shown_anthropic(self.batches[request.match_info["id"]]))

    async def results_anthropic(self, request: web.Request) -> web.Response:
        batch = self.batches[request.match_info["id"]]
        lines = [{"custom_id": each[0], "result": _anthropic_result(*each[1:])} for each in self.outcomes(batch)]
        if batch.fault == "expired":
            lines = [{"custom_id": custom_id, "result": {"type": "expired"}} for custom_id, _ in batch.items]
        return web.Response(text="".join(json.dumps(line) + "\n" for line in lines))

    def shown_anthropic(self, batch: Batch | None) -> Body:
        assert batch is not None
        ended = self.status(batch) != "in_progress"
        counts = {"processing": 0 if ended else len(batch.items), "succeeded": len(batch.items) if ended else 0}
        return {
            "id": batch.id,
            "type": "message_batch",
            "processing_status": "ended" if ended else "in_progress",
            "request_counts": counts,
            "created_at": datetime.fromtimestamp(batch.created, UTC).isoformat(),
        }


def error(status: int, message: str) -> web.Response:
    return web.json_response({"type": "error", "error": {"type": "fake", "message": message}}, status=status)


def _pairs(lines: list[Body]) -> list[tuple[str, Body]]:
    return [(line["custom_id"], line["body"]) for line in lines]


def _good(line: Body) -> bool:
    return bool(line["response"]["status_code"] == 200)


def _call_tool(reply: Body) -> None:
    message = reply["choices"][0]["message"]
    function = {"name": "answer", "arguments": json.dumps({"far": 0.5, "why": message["content"]})}
    message.update(content="", tool_calls=[{"id": "t", "type": "function", "function": function}])


def _anthropic_result(body: Body, fault: str) -> Body:
    if fault == "expired":
        return {"type": "expired"}
    if fault not in ("ok", "half_emoji"):
        kind = {"400": "invalid_request_error", "529": "overloaded_error"}[fault]
        return {"type": "errored", "error": {"type": "error", "error": {"type": kind, "message": "as planned"}}}
    schema = ((body.get("output_config") or {}).get("format") or {}).get("schema")
    wanted = {"type": "json_schema", "json_schema": {"schema": schema}} if schema else None
    reply = fake_reply({"messages": [], "response_format": wanted}, _hash(body))
    if fault == "half_emoji":
        half_emoji(reply)
    text = reply["choices"][0]["message"]["content"]
    message = {
        "id": "m",
        "type": "message",
        "role": "assistant",
        "model": body["model"],
        "content": [{"type": "text", "text": text}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 100, "output_tokens": 20},
    }
    return {"type": "succeeded", "message": message}


def _hash(body: Body) -> str:
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()


# --- for tests ------------------------------------------------------------------------------------------


@contextmanager
def start_fake_batches(**options: Any) -> Iterator[str]:
    """Run the server in a process of its own while the block runs; yields its root."""
    command = [sys.executable, "-m", "tests.support.fake_batches"]
    server = subprocess.Popen(command, cwd=_ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert server.stdin is not None and server.stdout is not None
    try:
        root = server.stdout.readline().strip()
        if not root:
            raise RuntimeError("The fake server did not start.")
        control(root, **options)
        yield root
    finally:
        server.terminate()
        server.wait(10)
        server.stdin.close()
        server.stdout.close()


def control(root: str, **options: Any) -> None:
    """Change the server's options."""
    urllib.request.urlopen(urllib.request.Request(f"{root}/control", json.dumps(options).encode()), timeout=10).close()


def stats(root: str) -> dict[str, Any]:
    """What the server has counted."""
    with urllib.request.urlopen(f"{root}/stats", timeout=10) as answer:
        counted: dict[str, Any] = json.load(answer)
    return counted


# --- as a program ---------------------------------------------------------------------------------------


async def _serve(port: int) -> None:
    runner = web.AppRunner(FakeBatches().app(), access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    print(f"http://127.0.0.1:{runner.addresses[0][1]}", flush=True)
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    threading.Thread(target=_await_end, args=(loop, ended), daemon=True).start()
    await ended.wait()


def _await_end(loop: asyncio.AbstractEventLoop, ended: asyncio.Event) -> None:
    """Whoever started the server is gone when its end of the pipe is closed, however it ended."""
    sys.stdin.buffer.raw.read()  # type: ignore[attr-defined]
    loop.call_soon_threadsafe(ended.set)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    asyncio.run(_serve(parser.parse_args().port))
