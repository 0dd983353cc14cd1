"""Whoever does not finish a request is not waited for."""

import asyncio
import socket

from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse

from voirdire.web import server as module


async def echo(scope, receive, send):
    try:
        body = await Request(scope, receive).body()
    except ClientDisconnect:
        return
    await PlainTextResponse(body)(scope, receive, send)


def test_a_request_that_does_not_end_in_time_is_hung_up_on_and_others_are_answered(monkeypatch, caplog):
    monkeypatch.setattr(module, "_SLOWEST", 0.2)

    async def talk(address, sent, *more):
        reader, writer = await asyncio.open_connection(*address)
        writer.write(sent)
        for part in more:
            assert (await reader.readuntil(b"ok"))[-2:] == b"ok"
            writer.write(part)
        found = await asyncio.wait_for(reader.read(), 20)
        writer.close()
        return found

    async def main():
        whole = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nok"
        with socket.socket() as listening:
            listening.bind(("127.0.0.1", 0))
            listening.listen()
            served = module.make_server(echo, ending=lambda: None)
            running = asyncio.create_task(served.serve([listening]))
            address = listening.getsockname()
            found = await asyncio.gather(
                *(talk(address, whole[:length]) for length in (0, 9, len(whole) - 1)),
                talk(address, whole, whole, whole[:-1]),
                return_exceptions=True,
            )
            served.should_exit = True
            await running
        return found

    assert all(each in (b"", None) or isinstance(each, ConnectionError) for each in asyncio.run(main()))
    assert caplog.text == ""
