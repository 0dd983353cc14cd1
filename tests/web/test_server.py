"""Whoever does not finish a request is not waited for."""

import asyncio
import socket
from contextlib import asynccontextmanager

from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse

from voirdire.web import server as module


async def echo(scope, receive, send):
    try:
        body = await Request(scope, receive).body()
    except ClientDisconnect:
        return
    await PlainTextResponse(body)(scope, receive, send)


WHOLE = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nok"


@asynccontextmanager
async def serving():
    """The address of a server that runs."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        served = module.make_server(echo, ending=lambda: None)
        running = asyncio.create_task(served.serve([listening]))
        yield listening.getsockname()
        served.should_exit = True
        await running


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
        async with serving() as address:
            return await asyncio.gather(
                *(talk(address, WHOLE[:length]) for length in (0, 9, len(WHOLE) - 1)),
                talk(address, WHOLE, WHOLE, WHOLE[:-1]),
                return_exceptions=True,
            )

    assert all(each in (b"", None) or isinstance(each, ConnectionError) for each in asyncio.run(main()))
    assert caplog.text == ""


def test_of_more_than_256_slow_requests_the_oldest_make_room_and_a_whole_one_is_answered(caplog):
    async def main():
        async with serving() as address:
            slow = []
            for _ in range(260):
                slow.append(await asyncio.open_connection(*address))
                slow[-1][1].write(WHOLE[:-1])
            reader, writer = await asyncio.open_connection(*address)
            writer.write(WHOLE)
            assert (await asyncio.wait_for(reader.readuntil(b"ok"), 20)).startswith(b"HTTP/1.1 200")
            ended = [each.at_eof() or each.exception() is not None for each, _ in slow]
            for _, each in (*slow, (reader, writer)):
                each.close()
        return ended

    ended = asyncio.run(main())
    assert ended == [True] * 5 + [False] * 255
    assert caplog.text == ""
