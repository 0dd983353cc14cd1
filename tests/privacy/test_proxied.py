"""A proxy that repeats what it must not: the key, and its own password."""

import asyncio
import logging

import pytest

from tests.privacy.echoing import echoing
from voirdire.models import ModelError, ModelOptions, open_model
from voirdire.records import Settings, WireMessage
from voirdire.runs import Scrubber

KEY, PASSWORD = "zq7-PLANTED-key-91", "PLANTED-proxy-33"


def test_what_a_proxy_repeats_comes_back_without_keys(monkeypatch, caplog):
    """Such requests take another way, through httpx2's own transports, which log headers as they come."""
    caplog.set_level(logging.DEBUG)

    async def ask(name):
        model = open_model(f"openai-api/{name}", ModelOptions(base_url="http://example.test/v1"))
        try:
            return await model.complete([WireMessage("user", "Who are you?")], Settings(max_tokens=16))
        finally:
            await model.aclose()

    with echoing() as server:
        for name in ("no_proxy", "NO_PROXY", "http_proxy"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("HTTP_PROXY", f"http://ada:{PASSWORD}@127.0.0.1:{server.server_address[1]}")
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        reply = Scrubber().reply(asyncio.run(ask("talks")))
        with pytest.raises(ModelError) as failed:
            asyncio.run(ask("401-x"))
    assert server.authorized == [f"Bearer {KEY}"] * 2
    for text in (reply.text, reply.received, str(failed.value), caplog.text):
        assert KEY not in text
        assert PASSWORD not in text
        assert "YWRhOlBMQU5URUQt" not in text  # both of them, as Basic authorization has them
    assert "Proxy-Authorization: Basic [secret]" in reply.text
