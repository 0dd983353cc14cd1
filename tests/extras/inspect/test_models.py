"""Inspect's models in our own runs: `inspect/PROVIDER/NAME`."""

import asyncio
import json
import subprocess
import sys

import pytest
from inspect_ai.model import (
    GenerateConfig,
    Logprob,
    Logprobs,
    ModelOutput,
    ModelUsage,
    TopLogprob,
    get_model,
)
from inspect_ai.util import LimitExceededError

from tests.extras.inspect.scripted import output
from tests.support.fake_openai import control, start_fake_server, stats
from voirdire.adapters.inspect.models import InspectModel
from voirdire.models import ModelError, ModelOptions, SpecError, open_model
from voirdire.records import Settings, Usage, WireMessage

ASKED = [
    WireMessage("system", "Be brief."),
    WireMessage("user", "Yes?"),
    WireMessage("assistant", "Yes."),
    WireMessage("user", "No?"),
]
SCHEMA = {
    "type": "object",
    "properties": {
        "far": {"anyOf": [{"type": "number"}, {"type": "null"}]},
        "stance": {"type": "string", "enum": ["rejected"]},
    },
    "required": ["far", "stance"],
    "additionalProperties": False,
}


class Status(Exception):
    def __init__(self, code):
        super().__init__(f"answered {code}")
        self.status_code = code


def opened(reply, config=None, name="model", base=None):
    """An `InspectModel` over a mock that says `reply`, and what the mock was asked."""
    seen = []

    def outputs(input, tools, tool_choice, config):
        seen.append((input, config))
        if isinstance(reply, Exception):
            raise reply
        return reply

    theirs = get_model(f"mockllm/{name}", custom_outputs=outputs, config=config or GenerateConfig())
    return InspectModel(theirs, f"inspect/mockllm/{name}", base=base or GenerateConfig(max_retries=0)), seen


FIFTY = Settings(max_tokens=50)


def complete(model, settings=FIFTY, **options):
    return asyncio.run(model.complete(ASKED, settings, **options))


def test_what_is_asked_arrives_as_it_is():
    model, seen = opened(output("No."))

    complete(
        model, Settings(max_tokens=50, temperature=0.5, top_p=0.9, reasoning="low", logprobs=5), schema=SCHEMA, seed=7
    )

    ((messages, config),) = seen
    assert [(message.role, message.text) for message in messages] == [(each.role, each.content) for each in ASKED]
    assert (config.max_tokens, config.temperature, config.top_p, config.seed) == (50, 0.5, 0.9, 7)
    assert (config.reasoning_effort, config.logprobs, config.top_logprobs) == ("low", True, 5)
    assert config.response_schema.json_schema.model_dump(exclude_none=True) == SCHEMA
    assert model.output_mode(SCHEMA) == "json_schema" and model.output_mode(None) == "text"


def test_what_comes_back_is_a_reply():
    said = output("No.")
    said.usage = ModelUsage(
        input_tokens=10,
        input_tokens_cache_read=4,
        input_tokens_cache_write=1,
        output_tokens=9,
        reasoning_tokens=6,
        total_tokens=24,
    )
    yes, no = (TopLogprob(token=token, logprob=at) for token, at in (("Yes", -2.0), ("No", -0.1)))
    said.choices[0].logprobs = Logprobs(content=[Logprob(token="No", logprob=-0.1, top_logprobs=[yes, no])])
    model, _ = opened(said)

    reply = complete(model, Settings(max_tokens=50, logprobs=2))

    assert (reply.text, reply.finish_reason, reply.model) == ("No.", "stop", "mock")
    assert reply.usage == Usage(15, 9, 6, 4)
    assert reply.logprobs == (("No", -0.1), ("Yes", -2.0))
    assert reply.warnings == ()


@pytest.mark.parametrize(
    ("stop", "finish"),
    [("max_tokens", "length"), ("model_length", "length"), ("content_filter", "refusal"), ("unknown", "other")],
)
def test_how_a_reply_ended_is_told(stop, finish):
    model, _ = opened(output("N", stop))
    assert complete(model).finish_reason == finish


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (Status(401), "auth"),
        (Status(404), "not_found"),
        (Status(429), "rate_limit"),
        (Status(400), "bad_request"),
        (Status(503), "server"),
        (TimeoutError("too slow"), "timeout"),
        (ConnectionError("gone"), "connection"),
        (RuntimeError("odd"), "unexpected"),
    ],
)
def test_failures_have_our_kinds(error, kind):
    model, seen = opened(error)

    with pytest.raises(ModelError, match=r"^inspect/mockllm/model: the call failed with ") as raised:
        complete(model)

    assert raised.value.kind == kind and raised.value.__cause__ is error
    assert len(seen) == 1, "waiting and retrying are the runner's"


def test_keys_that_a_provider_echoes_are_hidden():
    model, _ = opened(RuntimeError("Incorrect API key provided: sk-abcdefghijkl123456"))

    with pytest.raises(ModelError) as raised:
        complete(model)

    assert "sk-abcdefghijkl" not in str(raised.value) and "[key]" in str(raised.value)


def test_what_inspect_would_try_again_is_one_attempt_too(monkeypatch):
    model, seen = opened(ConnectionError("gone"))
    monkeypatch.setattr("inspect_ai.model._providers.mockllm.MockLLM.should_retry", lambda self, error: True)

    with pytest.raises(ModelError) as raised:
        complete(model)

    assert raised.value.kind == "connection" and len(seen) == 1


def test_a_limit_of_inspects_is_no_failure_of_a_call():
    model, _ = opened(LimitExceededError("token", value=2, limit=1))
    with pytest.raises(LimitExceededError):
        complete(model)


def test_what_the_user_set_for_a_model_stands():
    model, seen = opened(output("No."), GenerateConfig(max_tokens=9000, temperature=1.0))

    complete(model, Settings(max_tokens=50, temperature=0.0, top_p=0.5))

    assert (seen[0][1].max_tokens, seen[0][1].temperature, seen[0][1].top_p) == (9000, 1.0, 0.5)


@pytest.mark.parametrize(
    ("known_as", "settings", "limit"),
    [
        ("openai/gpt-5.1", Settings(max_tokens=50), 10_050),
        ("openai/gpt-5.1", Settings(max_tokens=50, reasoning="none"), 50),
        ("anthropic/claude-opus-4-1", Settings(max_tokens=50), 50),
        ("anthropic/claude-opus-4-1", Settings(max_tokens=50, reasoning="low"), 10_050),
        ("openai/gpt-4o", Settings(max_tokens=50), 50),
    ],
)
def test_models_that_think_first_have_room_for_their_answer(known_as, settings, limit, monkeypatch):
    model, seen = opened(output("No."))
    monkeypatch.setattr("inspect_ai.model._providers.mockllm.MockLLM.canonical_name", lambda self: known_as)
    monkeypatch.setattr("inspect_ai.model._model_info._result_cache", {})

    reply = complete(model, settings)

    assert seen[0][1].max_tokens == limit
    assert bool(reply.warnings) == (limit > 50)


def test_a_spec_opens_it_in_any_python_program():
    model = open_model("inspect/mockllm/model")
    assert model.identity.spec == "inspect/mockllm/model"
    assert model.identity.endpoint == "inspect:mockllm"
    assert model.price(Usage(1, 1)) is None, "nobody knows, so that a limit on cost refuses to start"
    paid = open_model("inspect/mockllm/model", ModelOptions(price_per_million=(1.0, 2.0)))
    assert paid.price(Usage(1_000_000, 500_000)) == 2.0


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("inspect/openai/gpt-5", "inspect/openai/gpt-5 can't be opened by Inspect: .*OPENAI_API_KEY"),
        ("inspect/nowhere/x", "inspect/nowhere/x can't be opened by Inspect: Model API nowhere"),
        ("inspect/mockllm", "can't be opened by Inspect: Model name 'mockllm' should be"),
    ],
)
def test_what_can_not_be_opened_is_one_sentence(spec, sentence, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(SpecError, match=sentence) as error:
        open_model(spec)
    assert "[bold]" not in str(error.value)


def test_without_the_extra_a_sentence_says_what_to_install(monkeypatch):
    for name in [name for name in sys.modules if name.startswith(("inspect_ai", "voirdire.adapters.inspect."))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "inspect_ai", None)

    with pytest.raises(SpecError, match=r"needs inspect-ai, which is not installed: pip install 'voirdire\[inspect\]'"):
        open_model("inspect/mockllm/model")


def test_a_run_of_ours_is_held_with_a_model_of_inspects(tmp_path, environment):
    command = [sys.executable, "-m", "voirdire", "run", "-m", "inspect/mockllm/model", "--json"]
    options = ["--concepts", "recursion", "--levels", "0", "-o", str(tmp_path / "run")]

    done = subprocess.run([*command, *options], capture_output=True, text=True, env=environment, timeout=300)

    assert done.returncode == 0, done.stderr
    printed = json.loads(done.stdout)
    assert printed["complete"] and printed["totals"]["calls"] == 5 and printed["totals"]["unknown_price"] == 5
    assert printed["models"][0]["model"] == "inspect/mockllm/model"


def test_an_output_without_a_choice_is_an_empty_reply():
    model, _ = opened(ModelOutput(model="mock", usage=ModelUsage(input_tokens=1, output_tokens=0, total_tokens=1)))
    reply = complete(model)
    assert (reply.text, reply.finish_reason) == ("", "other")


def test_the_providers_own_library_makes_one_request_too(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "test")
    with start_fake_server() as address:
        control(address, plan=["500", "500", "500"])
        model = open_model("inspect/openai/gpt-4.1", ModelOptions(base_url=address))

        async def twice():
            with pytest.raises(ModelError) as error:
                await model.complete(ASKED, FIFTY)
            requests = stats(address)["total"]
            control(address, plan=[])
            reply = await model.complete(ASKED, FIFTY, schema=SCHEMA)
            await model.aclose()
            return error.value, requests, reply

        error, requests, reply = asyncio.run(twice())

    assert error.kind == "server" and error.status == 500
    assert requests == 1
    assert set(json.loads(reply.text)) == {"far", "stance"}
    assert reply.usage.input_tokens > 0 and reply.model == "gpt-4.1"
    assert model.price(reply.usage) is None, "a server of one's own is not billed at OpenAI's price"
