"""Replies that are larger than any reply, or become so when they are unpacked: refused, whichever way they come."""

import asyncio
import gzip
import json
import tracemalloc
import zlib
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from tests.models._dialects import DIALECTS
from voirdire.models import ModelError, ModelOptions, open_model
from voirdire.models.providers import http
from voirdire.records import Settings, WireMessage

REPLY = json.dumps(next(each for each in DIALECTS if each.name == "openai-api").answer().body).encode()
LIMIT = 2**20


def raw_deflate(data):
    packer = zlib.compressobj(1, wbits=-zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


PACKED = {
    "gzip": ("gzip", lambda data: gzip.compress(data, 1)),
    "gzip within gzip": ("gzip, gzip", lambda data: gzip.compress(gzip.compress(data, 1))),
    "deflate": ("deflate", lambda data: zlib.compress(data, 1)),
    "deflate without its header": ("deflate", raw_deflate),
}


@cache
def bomb_of(kind):
    return PACKED[kind][1](b" " * (64 * LIMIT))


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        encoding, body = self.server.answer
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        if encoding:
            self.send_header("Content-Encoding", encoding)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        try:
            for piece in body:
                self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
            self.wfile.write(b"0\r\n\r\n")
        except OSError:
            self.close_connection = True

    def log_message(self, *_):
        pass


@contextmanager
def sending(encoding, body):
    """A server that answers every request with these pieces of a body."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.answer, server.daemon_threads, server.handle_error = (encoding, body), True, lambda *_: None
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture(params=["directly", "through a proxy"])
def ask(request, monkeypatch):
    """Ask the model behind a server, on either way that a request may take."""
    monkeypatch.setattr(http, "MOST_BYTES", LIMIT)
    for name in ("no_proxy", "NO_PROXY", "http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)

    def ask(server):
        url = f"http://127.0.0.1:{server.server_address[1]}"
        if request.param == "through a proxy":
            monkeypatch.setenv("HTTP_PROXY", url)
            url = "http://example.test"

        async def once():
            model = open_model("openai-api/m", ModelOptions(base_url=f"{url}/v1"))
            try:
                return await model.complete([WireMessage("user", "Who are you?")], Settings(max_tokens=16))
            finally:
                await model.aclose()

        return asyncio.run(once())

    with sending("", [REPLY]) as server:
        ask(server)  # so that what is imported at the first call is no memory of the next one
    return ask


def refused(ask, server):
    """The sentence that refuses it, and the memory it took at most."""
    tracemalloc.start()
    try:
        with pytest.raises(ModelError) as failed:
            ask(server)
        return str(failed.value), tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("kind", PACKED)
def test_a_reply_that_unpacks_to_more_than_the_limit_is_refused_before_it_fills_the_memory(ask, kind):
    encoding, bomb = PACKED[kind][0], bomb_of(kind)
    assert len(bomb) < LIMIT
    with sending(encoding, [bomb]) as server:
        said, peak = refused(ask, server)

    assert said.endswith("broke off (the response is longer than 1 MB).")
    assert peak < 12 * LIMIT


def nothing_without_an_end():
    """Gzip that unpacks to nothing, for ever."""
    yield zlib.compressobj(wbits=zlib.MAX_WBITS | 16).flush(zlib.Z_SYNC_FLUSH)
    while True:
        yield b"\0\0\0\xff\xff" * 2_000  # empty blocks


@pytest.mark.parametrize(
    ("encoding", "body"), [("", lambda: iter(lambda: b" " * 9_000, 0)), ("gzip", nothing_without_an_end)]
)
def test_a_reply_without_an_end_is_refused_and_its_connection_closed(ask, encoding, body):
    with sending(encoding, body()) as server:
        said, peak = refused(ask, server)

    assert said.endswith("broke off (the response is longer than 1 MB).")
    assert peak < 12 * LIMIT


@pytest.mark.parametrize("pack", [gzip.compress, zlib.compress, raw_deflate])
def test_a_packed_reply_within_the_limit_is_read(ask, pack):
    encoding = "gzip" if pack is gzip.compress else "deflate"
    with sending(encoding, [pack(REPLY)]) as server:
        assert ask(server).text


def test_what_can_t_be_unpacked_is_said_in_a_sentence(ask):
    with sending("gzip", [b"no gzip at all"]) as server:
        said, _ = refused(ask, server)

    assert "incorrect header check" in said
