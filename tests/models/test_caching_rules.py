"""What prefix caches serve, by their published rules."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voirdire.models.caching import CacheRules, PrefixCache, Prompt, cache_rules, prompt_of
from voirdire.records import Fenced, Message, Slot, WireMessage
from voirdire.runs import apply_fences

FREE = CacheRules(100, 10)
MARKED = CacheRules(100, marked=True)


def asked(rules, *prompts):
    """What is served of each prompt, one character a token."""
    cache = PrefixCache(rules, 1.0, block=1)
    return [cache.ask(prompt if isinstance(prompt, Prompt) else Prompt(prompt, ())) for prompt in prompts]


def test_a_beginning_sent_before_is_served_rounded_down_and_the_first_time_never():
    first, second = asked(FREE, "a" * 250, "a" * 127 + "b" * 200)
    assert (first.read, second.read) == (0, 120)
    assert second.written == 0


def test_a_beginning_that_is_too_short_is_not_served():
    assert [served.read for served in asked(FREE, "a" * 99, "a" * 99 + "b")] == [0, 0]


def test_any_earlier_prompt_will_do():
    assert asked(FREE, "a" * 200, "b" * 200, "a" * 200)[2].read == 200


@given(st.lists(st.text("ab", max_size=40), max_size=6))
def test_no_more_is_served_than_is_asked(texts):
    cache = PrefixCache(CacheRules(1), 1.0, block=1)
    for text in texts:
        assert 0 <= cache.ask(Prompt(text, ())).read <= len(text)


def test_what_is_marked_is_written_once_and_read_afterwards():
    shared = "s" * 150
    first, second = asked(MARKED, Prompt(shared + "one", (150,)), Prompt(shared + "two", (150,)))
    assert (first.read, first.written) == (0, 150)
    assert (second.read, second.written) == (150, 0)


def test_a_conversation_reads_its_earlier_turns_and_writes_its_last():
    text = "x" * 400
    turns = [Prompt(text[:120], (60, 120)), Prompt(text[:300], (60, 120, 240, 300))]
    assert [(served.read, served.written) for served in asked(MARKED, *turns)] == [(0, 120), (120, 180)]


def test_without_a_mark_or_below_the_minimum_nothing_is_kept():
    assert asked(MARKED, Prompt("a" * 200, ()), Prompt("a" * 200, ())) == [(0, 0), (0, 0)]
    assert asked(MARKED, Prompt("a" * 200, (99,)), Prompt("a" * 200, (99,))) == [(0, 0), (0, 0)]


@pytest.mark.parametrize(
    ("spec", "minimum"),
    [
        ("openai/gpt-5.1", 1_024),
        ("openai-responses/gpt-4o", 1_024),
        ("anthropic/claude-sonnet-4-5", 1_024),
        ("anthropic/claude-opus-4-1-20250805", 1_024),
        ("anthropic/claude-sonnet-4-6", 2_048),
        ("anthropic/claude-opus-4-5", 4_096),
        ("anthropic/claude-haiku-4-5", 4_096),
        ("google/gemini-2.5-pro", 2_048),
        ("google/gemini-3-pro", 4_096),
        ("deepseek/deepseek-chat", 64),
    ],
)
def test_rules_go_by_provider_and_model(spec, minimum):
    assert cache_rules(spec).minimum == minimum


@pytest.mark.parametrize("spec", ["mistral/mistral-large-latest", "openai-api/x", "local/x", "openai/gpt-5.6-terra"])
def test_nothing_is_counted_on_where_rules_are_not_known(spec):
    assert cache_rules(spec) is None


def test_a_prompt_begins_with_the_schema_and_is_marked_before_the_first_fence():
    parts = ("Concept. ", Fenced("answer", "A"), "Judge.")
    messages = apply_fences((Message.of("system", "R"), Message.of("user", *parts)), b"s", Slot("d", 1, "judge"))
    prompt = prompt_of(messages, {"type": "object"})
    assert prompt.text.startswith("{")
    (end,) = prompt.ends
    assert prompt.text[:end].endswith("Concept. ")


def test_a_conversation_may_be_marked_after_each_message():
    said = [WireMessage("user", "Q"), WireMessage("assistant", "A"), WireMessage("user", "Q2")]
    prompt = prompt_of(said)
    assert prompt.ends[-1] == len(prompt.text)
    assert len(prompt.ends) == 3
