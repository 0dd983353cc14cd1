"""The fake server does what tests and benchmarks rely on."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.fake_openai import control, start_fake_server, stats
from tests.support.http_model import HttpModel
from voirdire.models.base import ModelError
from voirdire.records import Reply, Settings, WireMessage

SETTINGS = Settings(max_tokens=50)
VERDICT = {
    "type": "object",
    "properties": {
        "far": {"anyOf": [{"type": "number", "minimum": 0, "maximum": 1}, {"type": "null"}]},
        "sas": {"type": "number", "minimum": 0, "maximum": 1},
        "no_claims": {"type": "boolean"},
        "stance": {"type": ["string", "null"], "enum": ["rejected", "questioned", "accepted", None]},
        "justification": {"type": "string"},
        "claims": {"type": "array", "items": {"$ref": "#/$defs/claim"}},
    },
    "$defs": {"claim": {"type": "object", "properties": {"n": {"type": "integer", "minimum": 1, "maximum": 9}}}},
}


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with start_fake_server() as base_url:
        yield base_url


@pytest.fixture
def base_url(server: str) -> str:
    control(server, latency=0, sigma=0, max_concurrent=None, model=None, key=None, plan=[], each=False, reset=True)
    return server


def ask(base_url: str, *texts: str, timeout: float = 10.0, at_once: bool = False, **options: Any) -> list[Any]:
    """Replies, or the kinds of the errors."""

    async def play() -> list[Any]:
        model = HttpModel(base_url)

        async def one(text: str) -> Reply | str:
            try:
                return await model.complete([WireMessage("user", text)], SETTINGS, timeout=timeout, **options)
            except ModelError as error:
                return f"{error.kind} {error.status or ''} {error.retry_after or ''}".strip()

        try:
            if at_once:
                return await asyncio.gather(*map(one, texts))
            return [await one(text) for text in texts]
        finally:
            await model.aclose()

    return asyncio.run(play())


def test_a_reply_depends_on_what_is_asked_and_not_on_the_fence(base_url: str) -> None:
    marked = "<<<BEGIN answer {}: data>>>"
    first, again, other = ask(base_url, marked.format("a" * 24), marked.format("0123" * 6), "something else")
    assert first == again != other
    assert ask(base_url, "something else", seed=5) != [other]
    assert first.usage.output_tokens > 0 and first.finish_reason == "stop"
    assert sorted(stats(base_url)["requests"].values()) == [1, 1, 2]


def test_a_schema_is_answered_with_json_that_fits(base_url: str) -> None:
    seen = [json.loads(reply.text) for reply in ask(base_url, *map(str, range(40)), schema=VERDICT)]
    for verdict in seen:
        assert verdict.keys() == VERDICT["properties"].keys()  # type: ignore[attr-defined]
        assert verdict["no_claims"] == (verdict["far"] is None)
        assert 0 <= verdict["sas"] <= 1 and verdict["stance"] in ("rejected", "questioned", "accepted")
        assert isinstance(verdict["justification"], str) and 1 <= verdict["claims"][0]["n"] <= 9
    assert len({verdict["sas"] for verdict in seen}) > 10
    assert {verdict["no_claims"] for verdict in seen} == {True, False}


def test_faults_come_in_the_order_of_the_plan(base_url: str) -> None:
    control(base_url, plan="429:2.5,429,500,503,401,404,reset,truncated,invalid_json,refusal,empty,cut,ok")
    *failures, refusal, empty, cut, full, after = ask(base_url, *["again"] * 14)
    assert failures[:6] == [
        "rate_limit 429 2.5",
        "rate_limit 429",
        "server 500",
        "server 503",
        "auth 401",
        "not_found 404",
    ]
    assert failures[6:] == ["connection", "connection", "server"]
    assert (refusal.text, refusal.finish_reason) == ("", "refusal")
    assert (empty.text, empty.finish_reason) == ("", "stop")
    assert cut.finish_reason == "length" and full.text.startswith(cut.text) and full == after
    assert stats(base_url)["outcomes"]["429:2.5"] == 1
    assert stats(base_url)["total"] == 14


def test_a_plan_can_be_gone_through_by_every_request(base_url: str) -> None:
    control(base_url, plan=[500, "ok"], each=True)
    outcomes = ask(base_url, "a", "b", "a", "b", "a")
    assert [isinstance(outcome, Reply) for outcome in outcomes] == [False, False, True, True, True]


def test_a_hanging_request_does_not_hold_up_the_others(base_url: str) -> None:
    control(base_url, plan=["hang"])
    assert ask(base_url, "a", timeout=0.1) == ["timeout"]
    assert isinstance(ask(base_url, "b")[0], Reply)


def test_too_many_at_once_are_turned_away(base_url: str) -> None:
    control(base_url, max_concurrent=3, latency=0.2)
    outcomes = ask(base_url, *map(str, range(10)), at_once=True)
    assert sum(isinstance(outcome, Reply) for outcome in outcomes) >= 3
    assert "rate_limit 429" in outcomes
    assert stats(base_url)["max_concurrent"] > 3


def test_a_key_and_a_model_can_be_required(base_url: str) -> None:
    control(base_url, key="another")
    assert ask(base_url, "a") == ["auth 401"]
    control(base_url, key="test-key", model="large")
    assert ask(base_url, "a") == ["not_found 404"]


def test_latency_is_waited_for(base_url: str) -> None:
    control(base_url, latency=0.05, sigma=0.5)
    assert ask(base_url, "a", timeout=0.001) == ["timeout"]
    assert isinstance(ask(base_url, "a")[0], Reply)
