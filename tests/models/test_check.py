import asyncio

import pytest

from tests.models._dialects import chat_reply
from tests.models._wire_server import Answer, WireServer
from voirdire.models import ModelOptions, check, check_async


@pytest.fixture(scope="module")
def server():
    with WireServer() as running:
        yield running


@pytest.fixture(autouse=True)
def a_key(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "planted-key-0123456789")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


def result(server, answer):
    server.seen.clear()
    server.answer = answer
    return check("openai/gpt-4o", ModelOptions(base_url=f"{server.url}/v1"), timeout=5)


def failed(server, status, message):
    checked = result(server, Answer({"error": {"message": message}}, status))
    assert not checked.ok
    assert len(server.seen) == 1
    return checked.sentence


def test_a_model_that_answers_is_fine_after_one_tiny_call(server):
    checked = result(server, Answer(chat_reply("yes", "stop")))
    assert checked.ok
    assert checked.sentence == ("openai/gpt-4o, which calls itself served-name, answers (18 tokens for this check).")
    assert len(server.seen) == 1
    assert server.seen[0].body["max_completion_tokens"] == 16


def test_no_key_names_the_variable(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY")
    checked = check("openai/gpt-4o")
    assert (checked.ok, "OPENAI_API_KEY" in checked.sentence) == (False, True)


def test_a_wrong_key_names_the_variable_and_the_address(server):
    assert failed(server, 401, "bad key") == (
        f"openai/gpt-4o: {server.url}/v1 refused the key in OPENAI_API_KEY (401: bad key)."
    )


def test_no_such_model(server):
    assert "there is no model 'gpt-4o' at" in failed(server, 404, "not found")


def test_no_server_names_the_address():
    checked = check("openai-api/m", ModelOptions(base_url="http://127.0.0.1:9/v1"))
    assert not checked.ok
    assert "no server answers at http://127.0.0.1:9/v1" in checked.sentence


def test_a_malformed_spec_is_the_answer_too():
    assert "is not a model spec" in check("gpt-4o").sentence


def test_a_simulated_model_is_always_there():
    assert check("simulated/steady").ok


def test_a_check_works_inside_a_running_loop(server):
    server.answer = Answer(chat_reply("yes", "stop"))
    options = ModelOptions(base_url=f"{server.url}/v1")
    assert asyncio.run(check_async("openai/gpt-4o", options)).ok
