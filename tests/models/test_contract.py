"""One contract for every provider, kept against a real HTTP server that speaks the provider's format."""

import asyncio
import json
import time
from email.utils import formatdate

import pytest

from tests.models._dialects import DIALECTS, SCHEMA, Dialect, chat_reply
from tests.models._wire_server import Answer, WireServer
from voirdire.models import Model, ModelError, ModelOptions, open_model
from voirdire.records import Settings, Usage, WireMessage

KEY = "planted-key-0123456789"
MESSAGES = (
    WireMessage("system", "You are asked about phonemes."),
    WireMessage("user", "What is one?"),
    WireMessage("assistant", "A sound."),
    WireMessage("user", "Name two."),
)
SETTINGS = Settings(max_tokens=321, temperature=0.25, top_p=0.9)
COMPATIBLE = next(dialect for dialect in DIALECTS if dialect.name == "openai-api")
OPENAI = next(dialect for dialect in DIALECTS if dialect.name == "openai")

every_provider = pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)


class Bench:
    """The server, and models that stay open: one client per model, as in a run."""

    def __init__(self, server: WireServer) -> None:
        self.server = server
        self.runner = asyncio.Runner()
        self.models: dict[str, Model] = {}

    def model(self, dialect: Dialect, spec: str | None = None) -> Model:
        spec = spec or dialect.spec
        if spec not in self.models:
            self.models[spec] = connect(self.server, dialect, spec)
        return self.models[spec]

    def ask(self, dialect, answer=None, *, spec=None, settings=SETTINGS, **call):
        self.server.answer = answer or dialect.answer()
        return self.runner.run(self.model(dialect, spec).complete(MESSAGES, settings, **call))

    def close(self) -> None:
        for model in self.models.values():
            self.runner.run(model.aclose())
        self.runner.close()


@pytest.fixture(scope="module")
def open_bench():
    with WireServer() as server, pytest.MonkeyPatch.context() as patch:
        for dialect in DIALECTS:
            patch.setenv(dialect.key_env, KEY)
        for name in ("OPENAI_BASE_URL", "ANTHROPIC_BASE_URL", "OPENAI_API_VERSION", "AZURE_OPENAI_ENDPOINT"):
            patch.delenv(name, raising=False)
        bench = Bench(server)
        yield bench
        bench.close()


@pytest.fixture
def bench(open_bench):
    open_bench.server.seen.clear()
    return open_bench


@pytest.fixture
def server(bench):
    return bench.server


def connect(server: WireServer, dialect: Dialect, spec: str | None = None, **options) -> Model:
    return open_model(spec or dialect.spec, ModelOptions(base_url=server.url + dialect.base_path, **options))


def fail(bench, dialect, answer, **call) -> ModelError:
    with pytest.raises(ModelError) as caught:
        bench.ask(dialect, answer, **call)
    return caught.value


# --- what goes out --------------------------------------------------------------------------------------


@every_provider
def test_the_request_carries_messages_and_settings_where_the_provider_wants_them(bench, server, dialect):
    bench.ask(dialect, seed=99)
    (seen,) = server.seen
    assert seen.path == dialect.path
    assert dialect.conversation(seen.body) == [(message.role, message.content) for message in MESSAGES]
    assert dialect.limit(seen.body) == 321
    assert dialect.temperature(seen.body) == 0.25
    assert dialect.seed(seen.body) == (99 if dialect.takes_seed else None)


@every_provider
def test_the_schema_goes_out_in_the_providers_native_way(bench, server, dialect):
    reply = bench.ask(dialect, dialect.answer('{"far": 1.0, "why": "x"}'), schema=SCHEMA)
    (seen,) = server.seen
    sent = dialect.schema(seen.body)
    assert sent["properties"].keys() == SCHEMA["properties"].keys()
    assert sent["required"] == SCHEMA["required"]
    assert json.loads(reply.text) == {"far": 1.0, "why": "x"}
    assert ("tools" in seen.body) == (dialect.name == "mistral")
    assert bench.model(dialect).output_mode(SCHEMA) == "json_schema"
    assert bench.model(dialect).output_mode(None) == "text"


def test_without_a_schema_no_form_is_asked_for(bench, server):
    bench.ask(COMPATIBLE)
    assert "response_format" not in server.seen[0].body
    assert "tools" not in server.seen[0].body


def test_a_compatible_server_gets_the_schema_as_it_was_given(bench, server):
    schema = {"type": "object", "properties": {"far": {"type": "number", "minimum": 0, "maximum": 1}}}
    bench.ask(COMPATIBLE, schema=schema)
    assert COMPATIBLE.schema(server.seen[0].body) == schema


def test_an_answer_given_as_a_tool_call_is_its_arguments(bench):
    mistral = next(dialect for dialect in DIALECTS if dialect.name == "mistral")
    call = {"id": "abcdefghi", "type": "function", "function": {"name": "answer", "arguments": '{"far": 0.5}'}}
    body = chat_reply("", "stop", finish_reason="tool_calls")
    body["choices"][0]["message"] = {"role": "assistant", "content": "", "tool_calls": [call]}
    reply = bench.ask(mistral, Answer(body), schema=SCHEMA)
    assert json.loads(reply.text) == {"far": 0.5}
    assert reply.finish_reason == "stop"


@every_provider
def test_the_key_travels_in_a_header_and_nowhere_else(bench, server, dialect):
    reply = bench.ask(dialect)
    (seen,) = server.seen
    assert KEY in " ".join(seen.headers.values())
    assert KEY not in seen.raw
    model = bench.model(dialect)
    assert KEY not in f"{reply!r} {model!r} {model.identity!r}"


def test_api_key_env_names_another_variable(server, monkeypatch):
    monkeypatch.setenv("ANOTHER_KEY", "another-key-9876543210")
    server.answer = COMPATIBLE.answer()
    model = connect(server, COMPATIBLE, api_key_env="ANOTHER_KEY")
    asyncio.run(model.complete(MESSAGES, SETTINGS))
    assert server.seen[0].headers["Authorization"] == "Bearer another-key-9876543210"


def test_a_compatible_server_needs_no_key(server, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY")
    server.answer = COMPATIBLE.answer()
    assert asyncio.run(connect(server, COMPATIBLE).complete(MESSAGES, SETTINGS)).text == "Hello."


# --- one attempt ----------------------------------------------------------------------------------------


@every_provider
@pytest.mark.parametrize("status", [200, 401, 408, 409, 429, 500, 503])
def test_one_call_is_one_request_whatever_the_server_says(bench, server, dialect, status):
    if status == 200:
        bench.ask(dialect)
    else:
        fail(bench, dialect, Answer({"error": {"message": "no"}}, status))
    assert len(server.seen) == 1


@every_provider
def test_one_call_is_one_request_when_the_time_is_up(bench, server, dialect):
    error = fail(bench, dialect, Answer(dialect.reply("late", "stop"), delay=3.0), timeout=0.15)
    assert error.kind == "timeout"
    assert "0.15 s" in str(error)
    assert len(server.seen) == 1


def test_the_time_is_for_the_whole_call_also_when_the_body_comes_in_drops(bench):
    error = fail(bench, COMPATIBLE, Answer(chat_reply("late", "stop"), drip=2.0), timeout=0.3)
    assert error.kind == "timeout"


# --- what comes back ------------------------------------------------------------------------------------


@every_provider
def test_half_a_surrogate_pair_becomes_a_mark_and_a_whole_one_stays(bench, dialect):
    text = 'half \ud83d, whole \U0001f600, "\\\\ud83d" no escape'
    assert bench.ask(dialect, dialect.answer(text)).text == text.replace("\ud83d,", "\ufffd,")
    judged = {"far": 1.0, "why": "half \ud83d"}
    reply = bench.ask(dialect, dialect.answer(json.dumps(judged)), schema=SCHEMA)
    assert json.loads(reply.text) == judged


@every_provider
def test_the_reply_is_text_usage_and_the_name_the_provider_gave(bench, dialect):
    reply = bench.ask(dialect, dialect.answer("Twelve."))
    assert reply.text == "Twelve."
    assert reply.finish_reason == "stop"
    assert reply.model == "served-name"
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (11, 7)


@pytest.mark.parametrize("name", ["openai", "openai-responses", "google"])
def test_reasoning_and_cached_tokens_are_told_apart(bench, name):
    dialect = next(dialect for dialect in DIALECTS if dialect.name == name)
    assert bench.ask(dialect).usage == Usage(11, 7, reasoning_tokens=2, cached_tokens=4)


@every_provider
def test_a_reply_cut_at_the_limit_says_so(bench, dialect):
    reply = bench.ask(dialect, dialect.answer("Cut", "length"))
    assert reply.finish_reason == "length"
    assert "The reply was cut at the limit." in reply.warnings


@pytest.mark.parametrize("name", ["openai", "openai-responses", "anthropic", "google", "azure", "openai-api"])
def test_a_refusal_is_a_reply(bench, name):
    dialect = next(dialect for dialect in DIALECTS if dialect.name == name)
    assert bench.ask(dialect, dialect.answer("", "refusal")).finish_reason == "refusal"


def test_a_refusal_in_a_field_of_its_own_is_the_text(bench):
    body = chat_reply("", "stop")
    body["choices"][0]["message"] = {"role": "assistant", "content": None, "refusal": "I can't help with that."}
    reply = bench.ask(OPENAI, Answer(body))
    assert (reply.finish_reason, reply.text) == ("refusal", "I can't help with that.")


def test_a_prompt_that_azure_filters_is_a_refusal_and_no_error(bench):
    azure = next(dialect for dialect in DIALECTS if dialect.name == "azure")
    filtered = {"error": {"code": "content_filter", "message": "filtered", "status": 400}}
    reply = bench.ask(azure, Answer(filtered, 400))
    assert (reply.finish_reason, reply.text) == ("refusal", "")


def test_thoughts_are_not_part_of_the_text(bench):
    body = chat_reply("<think>perhaps</think>Two.", "stop")
    assert bench.ask(COMPATIBLE, Answer(body)).text.strip() == "Two."
    body["choices"][0]["message"] = {"role": "assistant", "content": "Two.", "reasoning_content": "perhaps"}
    assert bench.ask(COMPATIBLE, Answer(body)).text == "Two."


def test_an_unknown_finish_reason_is_other(bench):
    assert bench.ask(COMPATIBLE, Answer(chat_reply("x", "stop", finish_reason="tired"))).finish_reason == "other"


@pytest.mark.parametrize("dialect", [OPENAI, COMPATIBLE], ids=lambda dialect: dialect.name)
def test_log_probabilities_of_the_first_token_come_most_probable_first(bench, server, dialect):
    tops = [{"token": "0", "logprob": -2.5, "bytes": None}, {"token": "1", "logprob": -0.1, "bytes": None}]
    tokens = [
        {"token": "1", "logprob": -0.1, "bytes": None, "top_logprobs": tops},
        {"token": ".", "logprob": -0.2, "bytes": None, "top_logprobs": []},
    ]
    body = chat_reply("1.", "stop", logprobs={"content": tokens, "refusal": None})
    reply = bench.ask(dialect, Answer(body), settings=Settings(max_tokens=20, logprobs=5))
    assert (server.seen[0].body["logprobs"], server.seen[0].body["top_logprobs"]) == (True, 5)
    assert reply.logprobs == (("1", -0.1), ("0", -2.5))


def test_asking_for_log_probabilities_in_vain_is_noted(bench):
    anthropic = next(dialect for dialect in DIALECTS if dialect.name == "anthropic")
    reply = bench.ask(anthropic, settings=Settings(max_tokens=20, logprobs=5))
    assert reply.logprobs == ()
    assert "No log-probabilities came back." in reply.warnings


@every_provider
def test_both_bodies_are_kept_as_they_were_on_the_wire(bench, server, dialect):
    reply = bench.ask(dialect)
    assert reply.sent == server.seen[0].raw
    assert json.loads(reply.received) == server.answer.body


def test_a_key_that_a_message_holds_does_not_get_into_the_record(bench):
    bench.server.answer = COMPATIBLE.answer()
    call = bench.model(COMPATIBLE).complete((WireMessage("user", f"my key is {KEY}"),), SETTINGS)
    assert KEY not in repr(bench.runner.run(call))


def test_a_server_that_echoes_the_key_does_not_get_it_into_the_record(bench):
    reply = bench.ask(COMPATIBLE, Answer({**chat_reply("x", "stop"), "echo": f"Bearer {KEY}"}))
    assert KEY not in repr(reply)


# --- warnings -------------------------------------------------------------------------------------------


@every_provider
def test_a_dropped_seed_is_noted_only_where_it_is_dropped(bench, dialect):
    warnings = " ".join(bench.ask(dialect, seed=5).warnings)
    assert ("seed" in warnings) == (not dialect.takes_seed)


def test_a_model_that_takes_no_temperature_is_noted_every_time(bench, server):
    for _ in range(2):
        reply = bench.ask(OPENAI, spec="openai/o3")
        # What the request lacks, and what the library says of it, which Python would show only once.
        assert sum("temperature" in warning for warning in reply.warnings) == 2
        assert "temperature" not in server.seen[-1].body


def test_warnings_of_calls_at_the_same_time_do_not_mix(bench, server):
    async def both():
        dropping, taking = (bench.model(OPENAI, spec) for spec in ("openai/o3", "openai/gpt-4o"))
        return await asyncio.gather(dropping.complete(MESSAGES, SETTINGS), taking.complete(MESSAGES, SETTINGS))

    server.answer = OPENAI.answer()
    dropped, taken = bench.runner.run(both())
    assert any("temperature" in warning for warning in dropped.warnings)
    assert taken.warnings == ()


# --- reasoning ------------------------------------------------------------------------------------------


def test_reasoning_effort_is_passed_on_and_thoughts_get_room_beside_the_answer(bench, server):
    reply = bench.ask(OPENAI, spec="openai/o3", settings=Settings(max_tokens=100, reasoning="low"))
    body = server.seen[0].body
    assert body["reasoning_effort"] == "low"
    assert body["max_completion_tokens"] == 100 + 4_096
    assert "The limit was 100 tokens and 4096 more for reasoning." in reply.warnings


def test_anthropics_thinking_budget_stays_below_the_limit(bench, server):
    anthropic = next(dialect for dialect in DIALECTS if dialect.name == "anthropic")
    for effort in ("minimal", "low", "medium", "high"):
        bench.ask(anthropic, settings=Settings(max_tokens=100, reasoning=effort))
        body = server.seen[-1].body
        assert body["thinking"]["budget_tokens"] < body["max_tokens"]


def test_gemini_thinks_unless_told_not_to(bench, server):
    google = next(dialect for dialect in DIALECTS if dialect.name == "google")
    bench.ask(google, spec="google/gemini-2.5-flash", settings=Settings(max_tokens=100))
    bench.ask(google, spec="google/gemini-2.5-flash", settings=Settings(max_tokens=100, reasoning="none"))
    assert [google.limit(seen.body) for seen in server.seen] == [10_100, 100]
    assert list(server.seen[1].body["generationConfig"]["thinkingConfig"].values()) == [0]


def test_a_model_that_does_not_reason_keeps_its_limit_and_the_drop_is_noted(bench, server):
    reply = bench.ask(OPENAI, settings=Settings(max_tokens=100, reasoning="high"))
    assert server.seen[0].body["max_completion_tokens"] == 100
    assert any("reasoning" in warning for warning in reply.warnings)


def test_an_effort_that_does_not_exist_is_refused_before_anything_is_sent(bench, server):
    error = fail(bench, OPENAI, OPENAI.answer(), settings=Settings(max_tokens=9, reasoning="enormous"))
    assert error.kind == "bad_request"
    assert "'enormous'" in str(error)
    assert server.seen == []


# --- failures -------------------------------------------------------------------------------------------

KINDS = {
    400: "bad_request",
    401: "auth",
    403: "auth",
    404: "not_found",
    409: "unexpected",
    413: "bad_request",
    422: "bad_request",
    429: "rate_limit",
    500: "server",
    503: "server",
    529: "server",
}


@every_provider
@pytest.mark.parametrize("status", KINDS)
def test_every_status_has_its_kind(bench, dialect, status):
    error = fail(bench, dialect, Answer({"error": {"message": f"it failed with {KEY} in it"}}, status))
    assert (error.kind, error.status) == (KINDS[status], status)
    assert str(error).startswith(dialect.spec)
    assert "it failed with" in str(error)
    assert "\n" not in str(error)
    assert KEY not in str(error) and KEY not in repr(error)


@every_provider
@pytest.mark.parametrize(
    ("header", "seconds"), [({"Retry-After": "7"}, 7.0), ({"retry-after-ms": "1500"}, 1.5), ({}, None)], ids=str
)
def test_the_wait_that_the_server_asks_for_is_told(bench, dialect, header, seconds):
    error = fail(bench, dialect, Answer({"error": {"message": "slow down"}}, 429, header))
    assert error.retry_after == seconds


@every_provider
def test_the_wait_may_be_given_as_a_date(bench, dialect):
    date = formatdate(time.time() + 60, usegmt=True)
    error = fail(bench, dialect, Answer({"error": {"message": "slow down"}}, 429, {"Retry-After": date}))
    assert error.retry_after is not None and 30 < error.retry_after <= 61


@every_provider
def test_a_body_that_is_no_json_is_the_servers_failure_and_may_be_tried_again(bench, dialect):
    error = fail(bench, dialect, Answer("<html>gateway</html>"))
    assert error.kind == "server"
    assert error.retryable


@every_provider
def test_a_redirect_is_not_followed_and_where_it_leads_is_told(bench, server, dialect):
    error = fail(bench, dialect, Answer({}, 307, {"Location": f"{server.url}/elsewhere?k={KEY}"}))
    assert (error.kind, error.retryable) == ("not_found", False)
    assert f"sends callers on to {server.url}/elsewhere" in str(error) and KEY not in str(error)
    assert [seen.path for seen in server.seen if "elsewhere" in seen.path] == []
    assert len(server.seen) == 1


@every_provider
def test_a_date_to_wait_for_is_held_against_the_providers_clock(bench, dialect):
    now = time.time() + 86_400  # as if this machine's clock were a day behind
    headers = {"Date": formatdate(now, usegmt=True), "Retry-After": formatdate(now + 60, usegmt=True)}
    assert fail(bench, dialect, Answer({"error": {"message": "slow down"}}, 429, headers)).retry_after == 60


@every_provider
def test_no_server_is_a_connection_error_that_names_the_address(server, dialect):
    async def once():
        model = open_model(dialect.spec, ModelOptions(base_url="http://127.0.0.1:9" + dialect.base_path))
        await model.complete(MESSAGES, SETTINGS)

    with pytest.raises(ModelError, match=r"no server answers at http://127\.0\.0\.1:9") as caught:
        asyncio.run(once())
    assert caught.value.kind == "connection"


def test_an_exhausted_quota_is_not_worth_a_retry(bench):
    body = {"error": {"message": "You exceeded your current quota", "code": "insufficient_quota", "type": "x"}}
    error = fail(bench, OPENAI, Answer(body, 429))
    assert (error.kind, error.retryable) == ("auth", False)
    assert "no quota or credit left" in str(error)


def test_a_refused_key_names_the_variable_and_hides_what_the_provider_echoes(bench):
    body = {"error": {"message": "Incorrect API key provided: sk-abcd****wxyz. You can find yours elsewhere."}}
    error = fail(bench, OPENAI, Answer(body, 401))
    assert "OPENAI_API_KEY" in str(error)
    assert "sk-abcd" not in str(error)


# --- loops and connections ------------------------------------------------------------------------------


@every_provider
def test_a_model_works_in_one_event_loop_after_another(server, dialect):
    server.answer = dialect.answer()
    model = connect(server, dialect)
    texts = [asyncio.run(model.complete(MESSAGES, SETTINGS)).text for _ in range(2)]
    assert texts == ["Hello.", "Hello."]


def test_many_calls_at_once_all_come_back(server):
    server.answer = COMPATIBLE.answer()

    async def many():
        model = connect(server, COMPATIBLE)
        replies = await asyncio.gather(*(model.complete(MESSAGES, SETTINGS, seed=n) for n in range(40)))
        await model.aclose()
        return replies

    replies = asyncio.run(many())
    assert [json.loads(reply.sent)["seed"] for reply in replies] == list(range(40))


def test_the_identity_holds_the_address_without_credentials_and_query(server):
    address = server.url.replace("//", "//someone:secret@") + "/v1?token=secret"
    identity = open_model("openai-api/m", ModelOptions(base_url=address)).identity
    assert (identity.spec, identity.name, identity.endpoint) == ("openai-api/m", "m", f"{server.url}/v1")
