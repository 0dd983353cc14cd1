"""Models asked by batch, against a server with the batch endpoints of three providers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.models.batch.memory_ledger import MemoryLedger
from tests.support.fake_batches import control, start_fake_batches, stats
from voirdire.models import Batching, BatchRecord, ModelError, ModelOptions, Pace, SpecError, open_model
from voirdire.records import Reply, Settings, Usage, WireMessage

QUICK = Pace(quiet=0.03, first=0.01, most=0.05)
SETTINGS = Settings(max_tokens=50)
SCHEMA = {
    "type": "object",
    "properties": {"far": {"type": "number"}, "why": {"type": "string"}},
    "required": ["far", "why"],
    "additionalProperties": False,
}
SPECS = {
    "openai/gpt-4o": "/v1",
    "openai-api/any": "/v1",
    "anthropic/claude-sonnet-4-5": "",
    "mistral/mistral-large-latest": "",
}
KEY = "sk-secret-0123456789"


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with start_fake_batches(key=KEY) as root:
        yield root


@pytest.fixture(autouse=True)
def calm(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No fault is left over from another test, and every provider has its key."""
    control(server, hold=False, most=None, missing=False, batches=[], requests=[], key=KEY)
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "MISTRAL_API_KEY"):
        monkeypatch.setenv(name, KEY)


def ask(
    root: str,
    texts: list[str],
    *,
    spec: str = "openai-api/any",
    ledger: MemoryLedger | None = None,
    said: list[str] | None = None,
    schema: dict[str, object] | None = None,
) -> list[Reply | ModelError]:
    """One call for each text, all at the same time: each with its reply or its error."""

    async def one(model, text: str) -> Reply | ModelError:
        try:
            return await model.complete([WireMessage("user", text)], SETTINGS, schema=schema, seed=1, timeout=60)
        except ModelError as error:
            return error

    async def play() -> list[Reply | ModelError]:
        options = ModelOptions(base_url=root + SPECS[spec])
        batching = Batching(ledger or MemoryLedger(), (said if said is not None else []).append, QUICK)
        model = open_model(spec, options, batching)
        try:
            return await asyncio.gather(*(one(model, text) for text in texts))
        finally:
            await model.aclose()

    return asyncio.run(play())


def sizes(root: str) -> list[int]:
    return [batch["requests"] for batch in stats(root)["batches"]]


@pytest.mark.parametrize("spec", SPECS)
def test_calls_at_the_same_time_go_as_one_batch_and_each_gets_its_own_reply(server: str, spec: str) -> None:
    before = len(sizes(server))
    replies = ask(server, [f"Say {number}." for number in range(5)], spec=spec)
    assert sizes(server)[before:] == [5]
    assert all(isinstance(reply, Reply) for reply in replies)
    assert len({reply.text for reply in replies}) == 5
    assert all(reply.usage.input_tokens + reply.usage.output_tokens > 0 for reply in replies)
    assert [json.loads(reply.sent)["messages"][-1]["content"] is not None for reply in replies] == [True] * 5
    batch = stats(server)["batches"][-1]["id"]
    assert all(f"By batch {batch}." in reply.warnings for reply in replies)


@pytest.mark.parametrize("spec", SPECS)
def test_a_schema_is_asked_for_as_in_an_ordinary_call(server: str, spec: str) -> None:
    (reply,) = ask(server, ["Judge."], spec=spec, schema=SCHEMA)
    assert isinstance(reply, Reply)
    assert json.loads(reply.text).keys() == {"far", "why"}


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("schema", [None, SCHEMA], ids=["text", "schema"])
def test_half_an_emoji_in_a_result_costs_no_reply(server: str, spec: str, schema: dict[str, object] | None) -> None:
    control(server, requests=["half_emoji", "ok"])
    halved, other = ask(server, ["Judge.", "Judge again."], spec=spec, schema=schema)
    assert isinstance(halved, Reply) and isinstance(other, Reply)
    text = json.loads(halved.text)["why"] if schema else halved.text
    assert text.encode("utf-8", "replace").decode().endswith((" ?", " \ufffd"))


def test_the_request_is_the_ordinary_call_s(server: str) -> None:
    async def ordinary() -> Reply:
        model = open_model("openai-api/any", ModelOptions(base_url=f"{server}/v1"))
        try:
            return await model.complete([WireMessage("user", "Hello.")], SETTINGS, schema=SCHEMA, seed=1)
        finally:
            await model.aclose()

    plain = asyncio.run(ordinary())
    (batched,) = ask(server, ["Hello."], schema=SCHEMA)
    assert isinstance(batched, Reply)
    assert json.loads(batched.sent) == json.loads(plain.sent)
    assert replace(batched, warnings=(), sent="", received="") == replace(plain, warnings=(), sent="", received="")


@pytest.mark.parametrize(
    ("fault", "kind", "retryable"),
    [
        ("400", "bad_request", False),
        ("429", "rate_limit", True),
        ("500", "server", True),
        ("expired", "server", True),
        ("none", "server", True),
    ],
)
def test_an_error_of_one_request_is_its_own(server: str, fault: str, kind: str, retryable: bool) -> None:
    control(server, requests=["ok", fault])
    outcomes = ask(server, ["One.", "Two.", "Three."])
    errors = [outcome for outcome in outcomes if isinstance(outcome, ModelError)]
    assert [(error.kind, error.retryable) for error in errors] == [(kind, retryable)]


@pytest.mark.parametrize("fault", ["400", "529", "expired"])
def test_errors_are_read_in_anthropic_s_form_too(server: str, fault: str) -> None:
    control(server, requests=[fault])
    broken, fine = ask(server, ["One.", "Two."], spec="anthropic/claude-sonnet-4-5")
    assert isinstance(fine, Reply)
    assert isinstance(broken, ModelError)
    assert broken.kind == ("bad_request" if fault == "400" else "server")


@pytest.mark.parametrize(
    ("fault", "kind", "retryable"),
    [
        ("expired", "server", True),
        ("cancelled", "unexpected", False),
        ("failed:invalid_json_line", "bad_request", False),
        ("failed:model_not_found", "not_found", False),
        ("http:401", "auth", False),
        ("http:400", "bad_request", False),
    ],
)
def test_a_batch_that_fails_is_an_error_of_each_request(server: str, fault: str, kind: str, retryable: bool) -> None:
    control(server, batches=[fault])
    ledger = MemoryLedger()
    errors = ask(server, ["One.", "Two."], ledger=ledger)
    assert [(error.kind, error.retryable) for error in errors if isinstance(error, ModelError)] == [
        (kind, retryable)
    ] * 2
    assert bool(ledger.refused) == fault.startswith("http:")


@pytest.mark.parametrize("spec", ["openai-api/any", "anthropic/claude-sonnet-4-5", "mistral/mistral-large-latest"])
@pytest.mark.parametrize("fault", ["http:503", "lost"])
def test_a_batch_is_sent_again_only_if_it_did_not_arrive(server: str, spec: str, fault: str) -> None:
    control(server, batches=[fault])
    before = len(sizes(server))
    texts = [f"{spec} {fault} {number}" for number in range(3)]
    assert all(isinstance(reply, Reply) for reply in ask(server, texts, spec=spec))
    assert sizes(server)[before:] == [3]


def test_more_than_the_provider_lets_wait_is_sent_in_smaller_batches(server: str) -> None:
    control(server, most=4)
    said: list[str] = []
    replies = ask(server, [f"Small {number}." for number in range(10)], said=said)
    assert all(isinstance(reply, Reply) for reply in replies)
    assert any("smaller ones follow" in line for line in said)


def test_a_server_without_batch_endpoints_says_so(server: str) -> None:
    control(server, missing=True)
    (error,) = ask(server, ["Hello."])
    assert isinstance(error, ModelError)
    assert error.kind == "not_found"
    assert "no batch endpoint; leave out --batch" in str(error)


@pytest.mark.parametrize("spec", ["openai-api/any", "anthropic/claude-sonnet-4-5"])
def test_a_later_session_takes_its_replies_from_the_batch_of_an_earlier_one(server: str, spec: str) -> None:
    texts = [f"{spec} once {number}" for number in range(4)]
    ledger = MemoryLedger()
    control(server, requests=["ok", "none"])
    first = ask(server, texts, spec=spec, ledger=ledger)
    before = len(sizes(server))
    again = ask(server, texts, spec=spec, ledger=ledger)
    assert [outcome for outcome in first if isinstance(outcome, Reply)] == [again[0], again[2], again[3]]
    # What the first batch had no result for goes off in a second one.
    assert isinstance(again[1], Reply)
    assert sizes(server)[before:] == [1]


@pytest.mark.parametrize("spec", ["openai-api/any", "anthropic/claude-sonnet-4-5", "mistral/mistral-large-latest"])
def test_a_batch_whose_arrival_was_not_written_down_is_found_again(server: str, spec: str) -> None:
    texts = [f"{spec} lost {number}" for number in range(3)]
    ledger = MemoryLedger()
    ask(server, texts, spec=spec, ledger=ledger)
    (name,) = ledger.kept
    ledger.kept[name] = replace(ledger.kept[name], id=None)
    before = len(sizes(server))
    assert all(isinstance(reply, Reply) for reply in ask(server, texts, spec=spec, ledger=ledger))
    assert sizes(server)[before:] == []


def test_a_batch_that_carries_our_name_is_written_down_once_it_is_found(server: str) -> None:
    ledger = MemoryLedger()
    ask(server, ["Found?"], ledger=ledger)
    ((name, record),) = ledger.kept.items()
    ledger.kept[name] = replace(record, id=None)
    ask(server, ["Found?"], ledger=ledger)
    assert ledger.kept[name] == record


def test_a_batch_that_never_arrived_is_sent_anew(server: str) -> None:
    ledger = MemoryLedger()
    record = BatchRecord("never", f"{server}/v1", "2026-01-01T00:00:00+00:00", ("id of", "no request"))
    ask(server, ["Never."], ledger=ledger)
    ((name, sent),) = ledger.kept.items()
    ledger.kept = {"never": replace(record, requests=sent.requests)}
    before = len(sizes(server))
    assert isinstance(ask(server, ["Never."], ledger=ledger)[0], Reply)
    assert sizes(server)[before:] == [1]
    assert ledger.refused == ["never"]
    assert name not in ledger.kept


def test_equal_requests_at_the_same_time_each_get_an_answer(server: str) -> None:
    assert all(isinstance(reply, Reply) for reply in ask(server, ["Same.", "Same.", "Same."]))


def test_keys_are_in_no_record_and_no_error(server: str) -> None:
    ledger, said = MemoryLedger(), []
    replies = ask(server, ["Where is the key?"], ledger=ledger, said=said)
    control(server, key=None)
    address = server.replace("://", f"://user:{KEY}@")
    assert isinstance(ask(address, ["And one in the address?"], ledger=ledger, said=said)[0], Reply)
    control(server, key="another")
    errors = ask(server, ["Where is the key?"], ledger=MemoryLedger(), said=said)
    assert isinstance(errors[0], ModelError)
    assert errors[0].kind == "auth"
    for kept in (ledger.kept, said, replies, str(errors[0])):
        assert KEY not in repr(kept)


@pytest.mark.parametrize(
    ("spec", "share"), [("openai/gpt-4o", 0.5), ("anthropic/claude-sonnet-4-5", 0.5), ("openai-api/any", 1.0)]
)
def test_the_price_is_the_batch_s(spec: str, share: float) -> None:
    options = ModelOptions(base_url="http://127.0.0.1:9/v1", price_per_million=(2.0, 8.0))
    usage = Usage(1_000_000, 1_000_000)
    batching = Batching(MemoryLedger(), print)
    plain, batched = open_model(spec, options), open_model(spec, options, batching)
    assert plain.price(usage) == 10.0
    assert batched.price(usage) == 10.0 * share
    assert plain.identity == batched.identity


@pytest.mark.parametrize("spec", ["local/smollm2-135m", "simulated/steady", "google/gemini-2.0-flash"])
def test_a_provider_without_batches_is_refused_in_one_sentence(spec: str) -> None:
    with pytest.raises(SpecError, match=f"{spec} can't be asked by batch.*leave out --batch"):
        open_model(spec, ModelOptions(), Batching(MemoryLedger(), print))
