import asyncio
import gzip
import json

import httpx2
import openai
import pytest
from aiohttp import web

from tests.models._dialects import DIALECTS
from tests.models._wire_server import Answer, WireServer
from voirdire.models import ModelOptions, open_model
from voirdire.models.providers import http
from voirdire.models.providers.fast_openai import lighten, sends_once
from voirdire.models.providers.http import AiohttpTransport, goes_through_proxy
from voirdire.records import Settings, WireMessage

COMPATIBLE = next(dialect for dialect in DIALECTS if dialect.name == "openai-api")


@pytest.fixture
def server():
    with WireServer() as running:
        yield running


def send(url, transport=None, **options):
    async def once():
        async with httpx2.AsyncClient(transport=transport or AiohttpTransport()) as client:
            return await client.post(url, **options)

    return asyncio.run(once())


async def served(handler, work):
    """What `work(url)` gives while a small server with this handler runs."""
    app = web.Application()
    app.router.add_post("/", handler)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        return await work(f"http://127.0.0.1:{runner.addresses[0][1]}/")
    finally:
        await runner.cleanup()


def test_bodies_and_headers_arrive_and_a_packed_response_is_unpacked():
    async def handler(request):
        said = json.dumps({"body": await request.text(), "key": request.headers["X-Key"]})
        return web.Response(body=gzip.compress(said.encode()), headers={"Content-Encoding": "gzip", "X-Mine": "ü"})

    async def work(url):
        async with httpx2.AsyncClient(transport=AiohttpTransport()) as client:
            return await client.post(url, content="größer", headers={"X-Key": "7"})

    found = asyncio.run(served(handler, work))
    assert found.json() == {"body": "größer", "key": "7"}
    assert found.status_code == 200


def test_calls_that_follow_each_other_share_a_connection():
    ports = []

    async def handler(request):
        ports.append(request.transport.get_extra_info("peername")[1])
        return web.Response(text="yes")

    async def work(url):
        async with httpx2.AsyncClient(transport=AiohttpTransport()) as client:
            for _ in range(5):
                await client.post(url)

    asyncio.run(served(handler, work))
    assert len(ports) == 5
    assert len(set(ports)) == 1


def test_a_hundred_calls_at_once_each_have_a_connection():
    together = asyncio.Event()
    waiting = []

    async def handler(request):
        waiting.append(request)
        if len(waiting) == 100:
            together.set()
        await asyncio.wait_for(together.wait(), 20)  # nobody is answered before all are there
        return web.Response(text="yes")

    async def work(url):
        async with httpx2.AsyncClient(transport=AiohttpTransport(), timeout=30) as client:
            return await asyncio.gather(*(client.post(url) for _ in range(100)))

    assert [answer.text for answer in asyncio.run(served(handler, work))] == ["yes"] * 100


def test_what_goes_wrong_is_raised_as_the_client_s_own_errors(server):
    with pytest.raises(httpx2.ConnectError):
        send("http://127.0.0.1:9/")
    server.answer = Answer({}, delay=0.5)
    with pytest.raises(httpx2.ReadTimeout):
        send(server.url + "/v1/chat/completions", json={}, timeout=0.1)


def test_a_server_that_hangs_up_is_a_protocol_error():
    async def handler(request):
        request.transport.abort()
        return web.Response()

    async def work(url):
        async with httpx2.AsyncClient(transport=AiohttpTransport()) as client:
            with pytest.raises(httpx2.RemoteProtocolError):
                await client.post(url)

    asyncio.run(served(handler, work))


def test_a_response_without_an_end_is_refused(monkeypatch):
    monkeypatch.setattr(http, "MOST_BYTES", 100_000)

    async def handler(request):
        response = web.StreamResponse()
        await response.prepare(request)
        try:
            while True:
                await response.write(b"x" * 10_000)
        except ConnectionError:
            return response

    async def work(url):
        async with httpx2.AsyncClient(transport=AiohttpTransport()) as client:
            with pytest.raises(httpx2.ReadError, match="longer than"):
                await client.post(url)

    asyncio.run(served(handler, work))


def test_connections_of_a_loop_that_is_gone_are_let_go_silently(server, recwarn, caplog):
    server.answer = COMPATIBLE.answer()
    model = open_model("openai-api/x", ModelOptions(base_url=server.url + "/v1"))
    for _ in range(3):
        asyncio.run(model.complete((WireMessage("user", "Hello?"),), Settings(max_tokens=5)))
    del model
    assert [str(each.message) for each in recwarn if "nclosed" in str(each.message)] == []
    assert "Unclosed" not in caplog.text


@pytest.mark.parametrize(
    ("environment", "url", "expected"),
    [
        ({}, "https://api.example.org/v1", False),
        ({"https_proxy": "http://proxy:3128"}, "https://api.example.org/v1", True),
        ({"https_proxy": "http://proxy:3128"}, "http://api.example.org/v1", False),
        ({"https_proxy": "http://proxy:3128"}, None, True),
        ({"all_proxy": "socks5://proxy:1080"}, "https://api.example.org/v1", True),
        ({"https_proxy": "http://proxy:3128", "no_proxy": "example.org"}, "https://api.example.org/v1", False),
        ({"http_proxy": "http://proxy:3128"}, "http://127.0.0.1:8000/v1", False),
        ({"http_proxy": "http://proxy:3128"}, "http://localhost:8000/v1", False),
    ],
)
def test_a_proxy_of_the_environment_is_used_but_never_for_this_machine(monkeypatch, environment, url, expected):
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert goes_through_proxy(url) is expected


def bodies(server, make):
    """The request that a client of the library sends, as `make` changes it, and without its headers of the moment."""
    server.answer = COMPATIBLE.answer()

    async def ask():
        http = httpx2.AsyncClient(transport=AiohttpTransport())
        client = openai.AsyncOpenAI(base_url=server.url + "/v1", api_key="k", http_client=http)
        make(client, http)
        found = await client.chat.completions.create(
            model="m",
            messages=[{"role": "system", "content": "Über"}, {"role": "user", "content": "Größe?"}],
            max_tokens=7,
            seed=openai.omit,
            timeout=openai.NOT_GIVEN,
            response_format={"type": "json_schema", "json_schema": {"name": "a", "schema": {"type": "object"}}},
            extra_headers={"X-Mine": "1"},
            extra_body={"cache_prompt": False},
        )
        await client.close()
        return found

    found = asyncio.run(ask())
    return server.seen[-1], found


def test_the_light_way_sends_and_returns_what_the_library_does(server):
    usual, one = bodies(server, lambda client, http: None)
    light, other = bodies(server, lighten)
    assert light.body == usual.body
    assert light.path == usual.path
    theirs, ours = ({name.lower(): value for name, value in seen.headers.items()} for seen in (usual, light))
    for name in ("authorization", "content-type", "accept", "x-mine"):
        assert ours[name] == theirs[name]
    assert other.model_dump() == one.model_dump()


@pytest.mark.parametrize(
    ("base", "asked"),
    [
        ("http://api.example", "http://api.example/chat/completions"),
        ("http://api.example/", "http://api.example/chat/completions"),
        ("http://127.0.0.1:9", "http://127.0.0.1:9/chat/completions"),
        ("http://127.0.0.1:9/v1", "http://127.0.0.1:9/v1/chat/completions"),
        ("http://127.0.0.1:9/v1/", "http://127.0.0.1:9/v1/chat/completions"),
    ],
)
def test_a_request_and_its_key_go_to_the_host_that_was_named_also_without_a_path(base, asked):
    addresses = []

    def answer(request):
        addresses.append(str(request.url))
        return httpx2.Response(400, json={"error": {"message": "no"}})

    async def ask():
        async with httpx2.AsyncClient(transport=httpx2.MockTransport(answer)) as http_client:
            client = openai.AsyncOpenAI(base_url=base, api_key="k", http_client=http_client)
            lighten(client, http_client)
            with pytest.raises(openai.APIError):
                await client.chat.completions.create(model="m", messages=[])

    asyncio.run(ask())
    assert addresses == [asked]


def test_a_client_that_adds_something_of_its_own_stays_as_it_is():
    client = openai.AsyncOpenAI(base_url="http://127.0.0.1:9/v1", api_key="k", default_query={"tenant": "7"})
    before = type(client.chat.completions)
    assert not sends_once(client)
    lighten(client, httpx2.AsyncClient())
    assert type(client.chat.completions) is before
    assert sends_once(client)
