"""Spans of a run: what they say, what they never say, and that nothing happens without OpenTelemetry."""

import asyncio
import json
import subprocess
import sys
from types import ModuleType

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.semconv._incubating.attributes import gen_ai_attributes

from tests.runs.scripted import IDENTITY, SPEC, ScriptedModel, request
from voirdire.models.base import ModelError
from voirdire.records import ModelIdentity, Reply, Usage
from voirdire.runs import Journal, RetryPolicy, Runner, session_span, unit_span
from voirdire.runs.tracing import _tracer

SECRET = "sk-very-secret-key"
SAID = "WHAT-WAS-SAID"


@pytest.fixture
def spans(monkeypatch):
    """OpenTelemetry as a user sets it up, for this test alone; gives the spans that have ended."""
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(trace, "get_tracer_provider", lambda: provider)
    return exporter.get_finished_spans


def play(path, model, *texts, units=("one",)):
    """Ask these questions of each unit in a session, at the same time."""

    async def one(runner, unit):
        with unit_span("dialogue", unit):
            return [await runner.ask(SPEC, request(unit, turn, text)) for turn, text in enumerate(texts, 1)]

    async def run():
        path.mkdir(exist_ok=True)
        with (
            Journal.open(path / "journal.sqlite") as journal,
            session_span(path, {"instrument": "ddft", "models": [SPEC], "seed": 3}),
        ):
            async with Runner(
                journal, {SPEC: model}, seed=3, connections=4, retry=RetryPolicy(attempts=2, base=0.0)
            ) as runner:
                return await asyncio.gather(*(one(runner, unit) for unit in units))

    return asyncio.run(run())


def test_an_attempt_has_the_names_of_the_conventions(spans, tmp_path):
    reply = Reply(SAID, "stop", Usage(10, 5, 3, 2), "scripted-2026")
    play(tmp_path / "run", ScriptedModel(reply), SAID)

    call = next(span for span in spans() if span.kind is trace.SpanKind.CLIENT)
    known = {value for value in vars(gen_ai_attributes).values() if isinstance(value, str)}
    assert call.name == "chat scripted"
    assert {name for name in call.attributes if name.startswith("gen_ai.")} <= known
    expected = {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "test",
        "gen_ai.request.model": "scripted",
        "gen_ai.request.max_tokens": 100,
        "gen_ai.request.temperature": 0.0,
        "gen_ai.response.model": "scripted-2026",
        "gen_ai.response.finish_reasons": ("stop",),
        "gen_ai.usage.input_tokens": 10,
        "gen_ai.usage.output_tokens": 5,
        "gen_ai.usage.reasoning.output_tokens": 3,
        "gen_ai.usage.cache_read.input_tokens": 2,
        "voirdire.role": "subject",
        "voirdire.turn": 1,
        "voirdire.attempt": 1,
        "voirdire.cost_usd": 0.01,
    }
    assert {name: call.attributes[name] for name in expected} == expected


def test_attempts_stand_in_their_unit_and_units_in_the_session(spans, tmp_path):
    play(tmp_path / "run", ScriptedModel(), "a", "b", units=("one", "two"))

    by_id = {span.context.span_id: span for span in spans()}
    session = next(span for span in spans() if span.name == "voirdire run")
    units = {span.attributes["voirdire.unit"]: span for span in spans() if span.name == "voirdire dialogue"}
    calls = [span for span in spans() if span.kind is trace.SpanKind.CLIENT]
    assert dict(session.attributes) == {
        "voirdire.runs": "run",
        "voirdire.instrument": "ddft",
        "voirdire.models": (SPEC,),
        "voirdire.seed": 3,
    }
    assert {span.parent.span_id for span in units.values()} == {session.context.span_id}
    assert len(calls) == 4
    assert all(by_id[span.parent.span_id] is units[span.attributes["voirdire.unit"]] for span in calls)


def test_every_attempt_is_a_span_and_what_failed_says_its_kind(spans, tmp_path):
    model = ScriptedModel(ModelError("rate_limit", f"{SAID} {SECRET}", status=429), ValueError(SAID), "never")
    play(tmp_path / "run", model, "a")

    first, second = [span for span in spans() if span.kind is trace.SpanKind.CLIENT]
    assert (first.attributes["error.type"], first.attributes["http.response.status_code"]) == ("rate_limit", 429)
    assert (second.attributes["error.type"], second.attributes["voirdire.attempt"]) == ("unexpected", 2)
    assert first.status.status_code is trace.StatusCode.ERROR and first.status.description is None


def test_what_is_taken_from_the_journal_is_no_call(spans, tmp_path):
    play(tmp_path / "run", ScriptedModel(), "a")
    before = len([span for span in spans() if span.kind is trace.SpanKind.CLIENT])
    play(tmp_path / "run", ScriptedModel(), "a")
    assert len([span for span in spans() if span.kind is trace.SpanKind.CLIENT]) == before == 1


def test_no_span_holds_what_was_said_or_a_key(spans, tmp_path, monkeypatch):
    monkeypatch.setenv("TEST_API_KEY", SECRET)
    model = ScriptedModel(
        Reply(SAID, "stop"), ModelError("server", f"{SAID} {SECRET}"), RuntimeError(f"{SAID} {SECRET}")
    )
    play(tmp_path / "run", model, SAID, f"{SAID} again")
    with pytest.raises(RuntimeError), unit_span("dialogue", "d"):
        raise RuntimeError(f"{SAID} {SECRET}")

    written = json.dumps([json.loads(span.to_json()) for span in spans()])
    assert len(spans()) == 6 and SAID not in written and SECRET not in written
    assert spans()[-1].attributes["error.type"] == "RuntimeError" and not spans()[-1].events


@pytest.mark.parametrize(
    ("endpoint", "server"),
    [
        ("http://127.0.0.1:8000/v1", {"server.address": "127.0.0.1", "server.port": 8000}),
        ("https://api.test/v1", {"server.address": "api.test"}),
        ("local", {}),
        ("http://host:port/v1", {}),
    ],
)
def test_a_server_is_named_and_a_strange_address_stops_no_call(spans, tmp_path, endpoint, server):
    model = ScriptedModel("yes")
    model.identity = ModelIdentity(IDENTITY.spec, endpoint, IDENTITY.name)
    ((reply,),) = play(tmp_path / "run", model, "a")
    call = next(span for span in spans() if span.kind is trace.SpanKind.CLIENT)
    assert reply.text == "yes"
    assert {name: value for name, value in call.attributes.items() if name.startswith("server.")} == server


def test_what_another_thread_is_importing_just_now_is_no_tracer_yet(monkeypatch):
    monkeypatch.setitem(sys.modules, "opentelemetry.trace", ModuleType("opentelemetry.trace"))
    assert _tracer() is None


def test_without_a_provider_there_are_no_spans(monkeypatch, tmp_path):
    monkeypatch.setattr(trace, "get_tracer_provider", trace.ProxyTracerProvider)
    assert _tracer() is None
    monkeypatch.setattr(trace, "get_tracer_provider", trace.NoOpTracerProvider)
    assert _tracer() is None
    assert play(tmp_path / "run", ScriptedModel("yes"), "a")[0][0].text == "yes"


def test_a_run_does_not_import_opentelemetry():
    code = (
        "import sys; from pathlib import Path; from voirdire.runs import session_span, unit_span\n"
        "with session_span(Path('.'), {}), unit_span('dialogue', 'd'): pass\n"
        "print(any(name.startswith('opentelemetry') for name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
