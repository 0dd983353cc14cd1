"""What a provider's prefix cache is told on the wire, and what cached input costs."""

import asyncio

import pytest

from tests.models._dialects import DIALECTS, SCHEMA
from tests.models._wire_server import Answer, WireServer
from voirdire.models import ModelOptions, open_model, price_usd
from voirdire.records import Fenced, Message, Settings, Slot, Usage, WireMessage
from voirdire.runs import apply_fences

RUBRIC, CONCEPT = "You are a judge.", "Concept: phonemes.\n\nReference: sounds.\n\n"
CHAT = (
    WireMessage("system", "You are asked about phonemes."),
    WireMessage("user", "What is one?"),
    WireMessage("assistant", "A sound."),
    WireMessage("user", "Name two."),
)


@pytest.fixture(scope="module")
def server():
    with WireServer() as server, pytest.MonkeyPatch.context() as patch:
        for dialect in DIALECTS:
            patch.setenv(dialect.key_env, "planted-key-0123456789")
        for name in ("OPENAI_BASE_URL", "ANTHROPIC_BASE_URL"):
            patch.delenv(name, raising=False)
        yield server


def judged(turn, answer="A sound.", dialogue="d"):
    parts = (CONCEPT, Fenced("answer", answer), "Judge the answer above.")
    messages = (Message.of("system", RUBRIC), Message.of("user", *parts))
    return apply_fences(messages, b"s" * 32, Slot(dialogue, turn, "judge", "j"))


def ask(server, name, messages, answer=None, schema=None):
    """(The body as sent, the reply)."""
    dialect = next(dialect for dialect in DIALECTS if dialect.name == name)
    server.seen.clear()
    server.answer = answer or dialect.answer()

    async def once():
        model = open_model(dialect.spec, ModelOptions(base_url=server.url + dialect.base_path))
        reply = await model.complete(messages, Settings(100), schema=schema)
        await model.aclose()
        return reply

    reply = asyncio.run(once())
    (seen,) = server.seen
    return seen.body, reply


def test_anthropic_is_told_to_keep_what_stands_before_the_first_fence(server):
    messages = judged(3)
    body, _ = ask(server, "anthropic", messages, schema=SCHEMA)
    first, rest = body["messages"][0]["content"]
    assert first["text"].rstrip() == CONCEPT.rstrip()
    assert first["cache_control"]["type"] == "ephemeral"
    assert "cache_control" not in rest
    assert rest["text"].startswith("<<<BEGIN answer")
    assert "cache_control" not in body


def test_anthropic_keeps_the_same_beginning_for_every_dialogue_on_a_concept(server):
    sent = [ask(server, "anthropic", judged(turn, f"Answer {turn}", f"d{turn}"))[0] for turn in (1, 2)]
    assert sent[0]["system"] == sent[1]["system"]
    assert sent[0]["messages"][0]["content"][0] == sent[1]["messages"][0]["content"][0]


def test_anthropic_marks_the_end_of_a_conversation_and_not_of_a_single_question(server):
    assert ask(server, "anthropic", CHAT)[0]["cache_control"]["type"] == "ephemeral"
    assert "cache_control" not in str(ask(server, "anthropic", CHAT[:2])[0])


def test_openai_sends_requests_with_one_beginning_to_one_place(server):
    def key(messages, name="openai"):
        return ask(server, name, messages)[0].get("prompt_cache_key")

    assert key(judged(1)) == key(judged(5, "Other.", "e")) != key(CHAT)
    assert key(CHAT[:2]) == key(CHAT), "all turns of a conversation"
    assert key(CHAT, "openai-responses") == key(CHAT)
    assert key(CHAT, "openai-api") is None, "a server of one's own may not know it"


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
def test_no_word_of_what_is_read_changes(server, dialect):
    messages = judged(2)
    body, _ = ask(server, dialect.name, messages)
    read = [(role, "".join(text.split())) for role, text in dialect.conversation(body)]
    assert read == [(message.role, "".join(message.content.split())) for message in messages]


def test_what_anthropic_wrote_to_its_cache_is_counted_and_costs_more(server):
    dialect = next(dialect for dialect in DIALECTS if dialect.name == "anthropic")
    reply = dialect.reply("Hello.", "stop")
    reply["usage"] = {
        "input_tokens": 100,
        "output_tokens": 0,
        "cache_read_input_tokens": 2_000,
        "cache_creation_input_tokens": 1_000,
    }
    _, said = ask(server, "anthropic", CHAT, Answer(reply))
    assert said.usage == Usage(3_100, 0, cached_tokens=2_000, cache_write_tokens=1_000)
    each = 3e-6  # USD for a token of input: claude-sonnet-4-5, $3 a million
    price = price_usd("anthropic", "claude-sonnet-4-5", said.usage)
    assert price == pytest.approx(each * (100 + 0.1 * 2_000 + 1.25 * 1_000))
