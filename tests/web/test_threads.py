"""A server that is stopped does not wait for what its pages still have made."""

import asyncio
import socket
import threading
import time

import pytest
from starlette.responses import PlainTextResponse

from voirdire.web import server as module
from voirdire.web.threads import in_thread


def test_a_thread_gives_what_its_work_returns_or_raises():
    def fail():
        raise KeyError("gone")

    assert asyncio.run(in_thread(lambda: 3)) == 3
    with pytest.raises(KeyError, match="gone"):
        asyncio.run(in_thread(fail))


def test_a_server_stops_while_a_page_is_made_and_connections_are_open(monkeypatch):
    monkeypatch.setattr(module, "_PATIENCE", 0.2)
    begun, end = threading.Event(), threading.Event()

    def make():
        begun.set()
        end.wait(20)
        return "made"

    async def app(scope, receive, send):
        await PlainTextResponse(await in_thread(make))(scope, receive, send)

    async def main():
        with socket.socket() as listening:
            listening.bind(("127.0.0.1", 0))
            listening.listen()
            server = module.make_server(app, ending=lambda: None)
            running = asyncio.create_task(server.serve([listening]))
            opened = [await asyncio.open_connection(*listening.getsockname()) for _ in range(3)]
            opened[0][1].write(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            while not begun.is_set():
                await asyncio.sleep(0.01)
            server.should_exit = True
            await running

    before = time.monotonic()
    asyncio.run(main())
    took = time.monotonic() - before
    end.set()
    assert took < 10
