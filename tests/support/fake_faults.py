"""What the fake server does to a request in place of a plain answer: every fault that it knows, by name.

A fault is a name, or a name and an argument after a colon; "..." at its end keeps it for all requests that follow.

- ok; an HTTP status ("500"); with ":TEXT" that is its Retry-After as it stands ("429:2", "429:-5", "429:soon"), and
  with ":date:SECONDS" it is the HTTP date so many seconds from now;
- of the connection: reset, hang, half (half of the body, then the end; also called truncated), trickle:SECONDS (the
  body drips), endless (a body that never ends), redirect:URL (307; without a URL to this server's /elsewhere);
- of the body: invalid_json, html:STATUS (an error page, 200 by default), text (the reply, said to be plain text), and
  body:JSON (that JSON in place of a completion);
- of the reply: refusal (content_filter and no words), refusal_field, empty, cut (finish reason length), null (no
  content), no_choices, model:NAME (as the one that answered), usage:JSON (for every count of tokens), no_usage;
- of what it says: other_schema (JSON that nobody asked for), prose (no JSON), number:JSON (for every number asked for),
  half_emoji (every sentence ends in half of a surrogate pair; where JSON was asked for, in its escape \\ud83d).

`JSON` stands on the wire as it is given, so that NaN and 1e999 can be had.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from email.utils import formatdate
from typing import Any

from aiohttp import web

FOR_EVER = "..."
ELSEWHERE = "/elsewhere/v1/chat/completions"
_DROPS = 20
"""Pieces that a trickling reply comes in."""
_BIT = b" " * 2**20
_RAW = "\ue000"
"""Stands where raw JSON goes, as Python's own would not be what was asked for."""
_OTHER = {"verdict": {"score": 9, "comment": "as good as it gets"}, "far": None}
_PAGE = "<html><head><title>502 Bad Gateway</title></head><body><h1>Bad gateway</h1></body></html>"

Reply = dict[str, Any]


def status_response(status: int, retry_after: str) -> web.Response:
    """An HTTP error in OpenAI's form."""
    kind, _, seconds = retry_after.partition(":")
    if kind == "date":
        retry_after = formatdate(time.time() + float(seconds), usegmt=True)
    headers = {"Retry-After": retry_after} if retry_after else {}
    error = {"message": f"fault {status} as planned", "type": "fake_error", "param": None, "code": str(status)}
    return web.json_response({"error": error}, status=status, headers=headers)


# --- faults of the connection and of the whole body -----------------------------------------------------


async def _reset(request: web.Request, _: bytes, __: str) -> web.StreamResponse:
    assert request.transport is not None
    request.transport.abort()
    return web.Response()


async def _hang(request: web.Request, _: bytes, __: str) -> web.StreamResponse:
    while request.transport is not None:  # until the client gives up
        await asyncio.sleep(0.02)
    return web.Response()


async def _half(request: web.Request, body: bytes, _: str) -> web.StreamResponse:
    """Promise the whole body, send half of it, and hang up."""
    response = await _begun(request, len(body))
    await response.write(body[: len(body) // 2])
    assert request.transport is not None
    request.transport.close()
    return response


async def _trickle(request: web.Request, body: bytes, seconds: str) -> web.StreamResponse:
    """Send the body in small pieces, over so many seconds."""
    response = await _begun(request, len(body))
    size = -(-len(body) // _DROPS)
    for start in range(0, len(body), size):
        await asyncio.sleep(float(seconds or 1) / _DROPS)
        await response.write(body[start : start + size])
    return response


async def _endless(request: web.Request, body: bytes, _: str) -> web.StreamResponse:
    """Send a body that has no end, until the client has had enough."""
    response = await _begun(request, None)
    try:
        await response.write(body[:1])
        while True:
            await response.write(_BIT)
    except ConnectionError:
        return response


async def _redirect(request: web.Request, _: bytes, url: str) -> web.StreamResponse:
    return web.Response(status=307, headers={"Location": url or str(request.url.with_path(ELSEWHERE))})


async def _invalid_json(_: web.Request, __: bytes, ___: str) -> web.StreamResponse:
    return web.Response(text='{"choices": [{"mess', content_type="application/json")


async def _html(_: web.Request, __: bytes, status: str) -> web.StreamResponse:
    return web.Response(text=_PAGE, content_type="text/html", status=int(status or 200))


async def _text(_: web.Request, body: bytes, __: str) -> web.StreamResponse:
    return web.Response(body=body, content_type="text/plain")


async def _body(_: web.Request, __: bytes, content: str) -> web.StreamResponse:
    return web.Response(text=content, content_type="application/json")


async def _begun(request: web.Request, length: int | None) -> web.StreamResponse:
    sized = {} if length is None else {"Content-Length": str(length)}
    response = web.StreamResponse(headers={"Content-Type": "application/json", **sized})
    await response.prepare(request)
    return response


_OF_THE_BODY: dict[str, Callable[[web.Request, bytes, str], Awaitable[web.StreamResponse]]] = {
    "reset": _reset,
    "hang": _hang,
    "half": _half,
    "truncated": _half,
    "trickle": _trickle,
    "endless": _endless,
    "redirect": _redirect,
    "invalid_json": _invalid_json,
    "html": _html,
    "text": _text,
    "body": _body,
}
_ANSWERED = ("trickle", "text")
"""Of these, those whose reply is there in the end."""


# --- faults of the reply --------------------------------------------------------------------------------


def _saying(text: str, finish_reason: str = "stop") -> Callable[[Reply, str], None]:
    def change(reply: Reply, _: str) -> None:
        reply["choices"][0]["message"]["content"] = text
        reply["choices"][0].update(finish_reason=finish_reason, logprobs=None)

    return change


def _refusal_field(reply: Reply, _: str) -> None:
    reply["choices"][0]["message"].update(content=None, refusal="I can't help with that.")


def _cut(reply: Reply, _: str) -> None:
    message = reply["choices"][0]["message"]
    message["content"] = message["content"][: len(message["content"]) // 2]
    reply["choices"][0]["finish_reason"] = "length"


def _null(reply: Reply, _: str) -> None:
    reply["choices"][0]["message"]["content"] = None


def _no_choices(reply: Reply, _: str) -> None:
    reply["choices"] = []


def _model(reply: Reply, name: str) -> None:
    reply["model"] = name


def _usage(reply: Reply, _: str) -> None:
    reply["usage"] = dict.fromkeys(reply["usage"], _RAW)


def _no_usage(reply: Reply, _: str) -> None:
    del reply["usage"]


def _number(reply: Reply, content: str) -> None:
    message = reply["choices"][0]["message"]
    said = json.loads(message["content"])
    changed = {name: _RAW if type(value) in (int, float) else value for name, value in said.items()}
    message["content"] = json.dumps(changed).replace(json.dumps(_RAW), content)


def half_emoji(reply: Reply, _: str = "") -> None:
    """End the sentences of a reply in half of a surrogate pair."""
    message = reply["choices"][0]["message"]
    try:
        message["content"] = json.dumps(_ending_in_half(json.loads(message["content"])))
    except ValueError:
        message["content"] = _ending_in_half(message["content"])


def _ending_in_half(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _ending_in_half(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_ending_in_half(each) for each in value]
    return f"{value} \ud83d" if isinstance(value, str) and " " in value else value


_OF_THE_REPLY: dict[str, Callable[[Reply, str], None]] = {
    "refusal": _saying("", "content_filter"),
    "refusal_field": _refusal_field,
    "empty": _saying(""),
    "cut": _cut,
    "null": _null,
    "no_choices": _no_choices,
    "model": _model,
    "usage": _usage,
    "no_usage": _no_usage,
    "other_schema": _saying(json.dumps(_OTHER)),
    "prose": _saying("The answer is excellent; I give it a 0.9 for accuracy and a 1.0 for form."),
    "number": _number,
    "half_emoji": half_emoji,
}


# --- what the server calls ------------------------------------------------------------------------------


def unknown_fault(fault: str) -> bool:
    """Whether there is no fault of this name."""
    name = fault.removesuffix(FOR_EVER).partition(":")[0]
    return not (name == "ok" or name.isdigit() or name in _OF_THE_BODY or name in _OF_THE_REPLY)


def is_answer(fault: str) -> bool:
    """Whether a client that waits gets a whole reply, whatever it says."""
    name = fault.partition(":")[0]
    return name == "ok" or name in _OF_THE_REPLY or name in _ANSWERED


async def respond(request: web.Request, reply: Reply, fault: str) -> web.StreamResponse:
    """Answer a request for which `reply` was made, as the fault has it."""
    name, _, argument = fault.partition(":")
    if name.isdigit():
        return status_response(int(name), argument)
    if name in _OF_THE_REPLY:
        _OF_THE_REPLY[name](reply, argument)
    text = json.dumps(reply)
    body = (text.replace(json.dumps(_RAW), argument) if name == "usage" else text).encode()
    if name in _OF_THE_BODY:
        return await _OF_THE_BODY[name](request, body, argument)
    return web.Response(body=body, content_type="application/json")
