"""HTTP for many calls at once: requests of an httpx2 client go out through aiohttp, which costs half the CPU time.

One connection pool per model, without a bound of its own: how many calls run at once is the runner's business, and a
connection that has served one call waits for the next.
"""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterable, AsyncIterator, Iterator
from contextlib import aclosing, contextmanager
from functools import cache
from ipaddress import ip_address
from typing import cast
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import aiohttp
import httpx2
from yarl import URL

KEEPALIVE_SECONDS = 30.0
"""How long a connection without a call is kept open."""

MOST_BYTES = 64 * 2**20
"""A response that is longer, as it comes or unpacked, is refused: no reply of a model comes near."""

_OF_THE_BODY = (b"content-encoding", b"content-length", b"transfer-encoding")
_ERRORS: tuple[tuple[type[Exception], type[httpx2.TransportError]], ...] = (
    (aiohttp.ConnectionTimeoutError, httpx2.ConnectTimeout),
    (aiohttp.ServerTimeoutError, httpx2.ReadTimeout),
    (TimeoutError, httpx2.ReadTimeout),
    (aiohttp.InvalidURL, httpx2.UnsupportedProtocol),
    (aiohttp.ClientConnectorError, httpx2.ConnectError),
    (aiohttp.ServerDisconnectedError, httpx2.RemoteProtocolError),
    (aiohttp.ClientPayloadError, httpx2.RemoteProtocolError),
    (aiohttp.ClientError, httpx2.ReadError),
    (OSError, httpx2.ReadError),
)
"""The first that fits counts."""


class AiohttpTransport(httpx2.AsyncBaseTransport):
    """Sends what an httpx2 client asks for through aiohttp, and reads each response to its end, unpacked.

    For the event loop that sends the first request, and no other.
    """

    def __init__(self) -> None:
        self._session: aiohttp.ClientSession | None = None

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send one request once.

        Raises:
            httpx2.TransportError: whatever went wrong on the way.
        """
        with _translated(request):
            sending = self._open().request(
                request.method,
                URL(str(request.url), encoded=True),
                headers=[(name.decode("ascii"), value.decode("latin-1")) for name, value in request.headers.raw],
                data=await request.aread() or None,
                allow_redirects=False,
                timeout=_timeout(request),
            )
            async with sending as response:
                stream = _Body(response.content.iter_any())
                return await whole(
                    httpx2.Response(response.status, headers=response.raw_headers, stream=stream, request=request)
                )

    def __del__(self) -> None:
        # Connections of a loop that is gone went with it; aiohttp would complain that nobody closed them.
        connector = self._session.connector if self._session is not None else None
        if connector is not None and not connector.closed:
            aiohttp.BaseConnector.close(connector).__await__()

    async def aclose(self) -> None:
        """Close all connections."""
        if self._session is not None:
            await self._session.close()

    def _open(self) -> aiohttp.ClientSession:
        if self._session is None:
            connector = aiohttp.TCPConnector(limit=0, ssl=_trusted(), keepalive_timeout=KEEPALIVE_SECONDS)
            self._session = aiohttp.ClientSession(
                connector=connector, auto_decompress=False, cookie_jar=aiohttp.DummyCookieJar()
            )
        return self._session


class _Body(httpx2.AsyncByteStream):
    """The pieces of a body as they come, never more of them than `MOST_BYTES`."""

    def __init__(self, pieces: AsyncIterable[bytes]) -> None:
        self._pieces = pieces

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for piece in self._pieces:
            size += len(piece)
            _check_size(size)
            yield piece


async def whole(response: httpx2.Response) -> httpx2.Response:
    """The response, read to its end and unpacked, piece by piece: a small one may unpack to gigabytes.

    Raises:
        httpx2.ReadError: it is longer than `MOST_BYTES`.
        httpx2.DecodingError: it can't be unpacked.
    """
    if response.is_stream_consumed:
        return response
    arriving = cast(httpx2.AsyncByteStream, response.stream)
    limited = httpx2.Response(
        response.status_code, headers=response.headers, stream=_Body(arriving), request=response.request
    )
    pieces, size = [], 0
    try:
        async with aclosing(limited.aiter_bytes()) as unpacked:
            async for piece in unpacked:
                size += len(piece)
                _check_size(size)
                pieces.append(piece)
    finally:
        await response.aclose()
    return with_content(response, b"".join(pieces))


def with_content(response: httpx2.Response, content: bytes) -> httpx2.Response:
    """The response with other, unpacked content: without the headers that speak of the body as it came."""
    headers = [(name, value) for name, value in response.headers.raw if name.lower() not in _OF_THE_BODY]
    return httpx2.Response(response.status_code, headers=headers, content=content, request=response.request)


def _check_size(size: int) -> None:
    if size > MOST_BYTES:
        raise httpx2.ReadError(f"the response is longer than {MOST_BYTES >> 20} MB")


def goes_through_proxy(url: str | None) -> bool:
    """Whether the environment sends requests to this address (`None`: not known yet) through a proxy.

    A server on this machine is always reached directly.
    """
    if url is not None and is_this_machine(url):
        return False
    proxies = getproxies()
    if url is None:
        return bool(proxies.keys() & {"http", "https", "all"})
    parts = urlsplit(url)
    return bool(proxies.keys() & {parts.scheme, "all"}) and not proxy_bypass(parts.netloc)


def is_this_machine(url: str) -> bool:
    """Whether an address is this machine's own."""
    host = urlsplit(url).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


@cache
def _trusted() -> ssl.SSLContext:
    """Which certificates are trusted: those that httpx2 trusts. Reading them takes a while."""
    return httpx2.create_ssl_context()


def _timeout(request: httpx2.Request) -> aiohttp.ClientTimeout:
    limits = request.extensions.get("timeout", {})
    return aiohttp.ClientTimeout(total=None, sock_connect=limits.get("connect"), sock_read=limits.get("read"))


@contextmanager
def _translated(request: httpx2.Request) -> Iterator[None]:
    """Raise aiohttp's errors as those of httpx2."""
    try:
        yield
    except httpx2.TransportError:
        raise
    except Exception as error:
        meaning = next((to for source, to in _ERRORS if isinstance(error, source)), None)
        if meaning is None:
            raise
        raise meaning(str(error) or type(error).__name__, request=request) from error
