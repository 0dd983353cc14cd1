"""A call's identity: what changes it, what doesn't, and a value that must never change."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voirdire.records import Fenced, Message, ModelIdentity, Settings, Slot
from voirdire.runs import call_key, seed_of

SLOT = Slot("gpt/recursion/0.5/0", 4, "judge", "judge-2", 1)
IDENTITY = ModelIdentity("openai/gpt", "https://api.example.com/v1", "gpt", None)
SETTINGS = Settings(max_tokens=500, temperature=0.0)
SCHEMA = {"type": "object", "properties": {"far": {"type": "number"}}}
MESSAGES = (Message.of("system", "Judge."), Message.of("user", "Read:\n", Fenced("answer", "Übel."), "\nNow."))

slots = st.builds(Slot, st.text(), st.integers(0, 9), st.text(), st.text(), st.integers(0, 3))


def key(**changes: object) -> str:
    given_ = {
        "slot": SLOT,
        "identity": IDENTITY,
        "settings": SETTINGS,
        "output_mode": "json_schema",
        "schema": SCHEMA,
        "messages": MESSAGES,
    }
    return call_key(**(given_ | changes))  # type: ignore[arg-type]


def test_the_key_of_a_paid_call_never_changes() -> None:
    """If this fails, every journal in the world would be asked anew: don't adapt the value, undo the change."""
    assert key() == "52f4235c39c02b462bf1cf0e33654e117e3a120df246ce6bd8b9c4b2ad10b42d"
    assert seed_of(SLOT, 42) == 510900604


@given(slots, slots)
def test_two_slots_never_share_a_key(first: Slot, second: Slot) -> None:
    assert (key(slot=first) == key(slot=second)) == (first == second)


@pytest.mark.parametrize(
    "changes",
    [
        {"identity": replace(IDENTITY, endpoint="https://other.example.com")},
        {"identity": replace(IDENTITY, name="gpt-mini")},
        {"identity": replace(IDENTITY, sha256="ab")},
        {"settings": replace(SETTINGS, max_tokens=501)},
        {"settings": replace(SETTINGS, temperature=None)},
        {"settings": replace(SETTINGS, top_p=0.5)},
        {"settings": replace(SETTINGS, logprobs=5)},
        {"settings": replace(SETTINGS, reasoning="low")},
        {"output_mode": "text"},
        {"schema": None},
        {"schema": {"type": "object"}},
        {"messages": MESSAGES[:1]},
        {"messages": (MESSAGES[1], MESSAGES[0])},
        {"messages": (MESSAGES[0], Message.of("user", "Read:\n", "Übel.", "\nNow."))},
        {"messages": (MESSAGES[0], Message.of("user", "Read:\n", Fenced("reply", "Übel."), "\nNow."))},
    ],
)
def test_whatever_is_asked_is_part_of_the_key(changes: dict[str, object]) -> None:
    assert key(**changes) != key()


@pytest.mark.parametrize(
    "changes",
    [
        {"identity": replace(IDENTITY, spec="openai-api/gpt")},
        {"settings": replace(SETTINGS, temperature=0)},
        {"schema": dict(reversed(SCHEMA.items()))},
        {"messages": (MESSAGES[0], Message.of("user", "Rea", "d:\n", Fenced("answer", "Übel."), "", "\nNow."))},
    ],
)
def test_how_it_was_written_down_is_not(changes: dict[str, object]) -> None:
    assert key(**changes) == key()


def test_half_a_surrogate_pair_has_a_key() -> None:
    assert key(messages=(Message.of("user", "\ud800"),)) != key(messages=(Message.of("user", "?"),))


@given(slots, st.integers())
def test_a_seed_has_31_bits_and_is_fixed(slot: Slot, run_seed: int) -> None:
    assert 0 <= seed_of(slot, run_seed) < 2**31
    assert seed_of(slot, run_seed) == seed_of(slot, run_seed)


def test_seeds_differ_by_slot_and_by_run() -> None:
    seeds = {seed_of(Slot("d", turn, "subject"), run) for turn in range(100) for run in range(10)}
    assert len(seeds) == 1000
