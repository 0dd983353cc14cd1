"""The fake server does what tests and benchmarks rely on."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any
from urllib.error import HTTPError

import pytest

from tests.support.fake_openai import control, start_fake_server, stats
from tests.support.fake_traffic import Bucket, Options, Traffic, latency_of, parse_latency
from tests.support.http_model import HttpModel
from voirdire.jury.rubric import verdict_schema
from voirdire.jury.verdict_parsing import ParsedVerdict, parse_verdict
from voirdire.models.base import ModelError
from voirdire.records import Reply, Settings, WireMessage

SETTINGS = Settings(max_tokens=50)
DEFAULTS = asdict(Options())
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
    control(server, **DEFAULTS, reset=True)
    return server


@pytest.fixture(scope="module")
def fast_server() -> Iterator[str]:
    with start_fake_server(fast=True) as base_url:
        yield base_url


@pytest.fixture
def fast(fast_server: str) -> str:
    control(fast_server, **DEFAULTS, reset=True)
    return fast_server


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


def test_a_fault_can_stay_and_every_model_can_have_a_plan_of_its_own(base_url: str) -> None:
    control(base_url, plan=["500"], plans={"fa": ["ok", "404..."]})
    outcomes = ask(base_url, "a", "b", "c")
    assert [isinstance(outcome, Reply) for outcome in outcomes] == [True, False, False]
    control(base_url, plans={"fa": ["ok", "404..."]}, each=True)
    assert ask(base_url, "d", "d", "d", "e")[1:3] == ["not_found 404", "not_found 404"]
    control(base_url, plans={"other": ["404..."]}, each=False)
    assert ask(base_url, "f")[0] == "server 500"


def test_a_fault_that_nobody_knows_is_refused(base_url: str) -> None:
    with pytest.raises(HTTPError):
        control(base_url, plan=["ok", "exploding"])
    with pytest.raises(HTTPError):
        control(base_url, plans={"fake": ["404", "gone..."]})


def test_numbers_stand_in_a_verdict_as_they_are_given(base_url: str) -> None:
    control(base_url, plan=["number:1e999", 'number:"0.8"', "other_schema", "prose"])
    told = [reply.text for reply in ask(base_url, *"abcd", schema=VERDICT)]
    assert '"sas": 1e999' in told[0] and '"sas": "0.8"' in told[1]
    assert "sas" not in json.loads(told[2]) and not told[3].startswith("{")


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


def test_latency_can_differ_between_models() -> None:
    assert parse_latency("0.5") == 0.5
    latency = parse_latency("1,judge=0.5,judge-2=2")
    assert [latency_of(latency, name) for name in ("subject", "judge-1", "judge-2")] == [1, 0.5, 2]
    assert latency_of(parse_latency("judge=0.5"), "subject") == 0


def test_a_reply_takes_its_tokens_time_and_a_log_normal_latency_has_its_median() -> None:
    traffic = Traffic(Options(latency=1.0, tokens_per_second=50))
    assert traffic.seconds("m", 100) == 3.0
    traffic.change({"sigma": 0.5, "tokens_per_second": None})
    drawn = sorted(traffic.seconds("m", 100) for _ in range(2001))
    assert drawn[1000] == pytest.approx(1.0, rel=0.1)
    assert drawn[1680] / drawn[1000] == pytest.approx(math.exp(0.5), rel=0.15)


def test_a_bucket_fills_with_time_and_holds_no_more_than_its_burst() -> None:
    bucket = Bucket(rate=2.0, capacity=4.0, now=0.0)
    assert bucket.missing(3, 0.0) == 0
    bucket.level -= 3
    assert bucket.missing(3, 0.0) == 1.0
    assert bucket.missing(3, 0.5) == 0.5
    assert bucket.missing(100, 60.0) == 0  # more than it can ever hold: passes when full
    assert bucket.level == 4


def test_beyond_a_models_rate_calls_are_told_when_to_come_again(base_url: str) -> None:
    control(base_url, requests_per_minute=6, burst_seconds=20)  # two at once, then one in ten seconds
    first, second, third = ask(base_url, "a", "b", "c")
    assert isinstance(first, Reply) and isinstance(second, Reply)
    kind, status, wait = third.split()
    assert (kind, status) == ("rate_limit", "429") and 0 < float(wait) <= 10
    control(base_url, requests_per_minute=None, tokens_per_minute=6, burst_seconds=600)  # sixty tokens at once
    small, large, after = ask(base_url, "a", "long " * 100, "a")
    assert isinstance(small, Reply) and isinstance(after, Reply)
    assert large.startswith("rate_limit 429")


def test_errors_come_at_random_and_again_with_the_same_seed(base_url: str) -> None:
    def outcomes(seed: int) -> list[bool]:
        control(base_url, error_rate=0.5, error_status=503, seed=seed, reset=True)
        return [isinstance(reply, Reply) for reply in ask(base_url, *["again"] * 20)]

    assert outcomes(1) == outcomes(1) != outcomes(2)
    assert 0 < stats(base_url)["outcomes"]["503"] < 20


def test_a_trickling_reply_is_whole_in_the_end_and_late(base_url: str) -> None:
    (whole,) = ask(base_url, "a")
    control(base_url, plan=["trickle:0.2", "trickle:5"])
    assert ask(base_url, "a") == [whole]
    assert ask(base_url, "a", timeout=0.1) == ["timeout"]


def test_calls_and_connections_are_counted_by_model(base_url: str) -> None:
    ask(base_url, "a", "b", "c")
    counted = stats(base_url)
    assert counted["connections"] == 1
    assert counted["models"]["fake"]["calls"] == 3 and counted["models"]["fake"]["max_concurrent"] == 1
    assert 0 < counted["first"] <= counted["last"] and counted["cpu"] > 0


def test_the_fast_server_answers_with_texts_of_real_length_and_verdicts_that_can_be_read(fast: str) -> None:
    control(fast, reset=True)
    answers = ask(fast, *map(str, range(30)))
    assert all(1000 < len(answer.text) < 2500 for answer in answers)
    assert len({answer.text for answer in answers}) > 5
    for stance in (False, True):
        schema = verdict_schema("both", with_stance=stance, far_always=False)
        for reply in ask(fast, *map(str, range(10)), schema=schema):
            verdict = parse_verdict(reply.text, expects_stance=stance)
            assert isinstance(verdict, ParsedVerdict) and (verdict.stance is not None) == stance
            assert 200 < len(verdict.justification) < 600
    counted = stats(fast)
    assert counted["models"]["fake"]["calls"] == counted["answered"] == 50
    assert counted["connections"] == 3


def test_the_fast_server_turns_away_as_the_thorough_one_does(fast: str) -> None:
    control(fast, plan="429:2.5,500,reset,ok", reset=True)
    assert ask(fast, *["a"] * 3) == ["rate_limit 429 2.5", "server 500", "connection"]
    assert isinstance(ask(fast, "a")[0], Reply)
    control(fast, requests_per_minute=6, burst_seconds=10)
    assert [isinstance(reply, Reply) for reply in ask(fast, "a", "b")] == [True, False]
    with pytest.raises(HTTPError):
        control(fast, speed=3)
    with pytest.raises(HTTPError):
        control(fast, plan="trickle")
