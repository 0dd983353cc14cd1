"""Replies that runs share: asked once, charged once, and marked where they are used again."""

from __future__ import annotations

import asyncio
import sqlite3
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

from tests.runs.scripted import SPEC, ScriptedModel, request
from voirdire.models.base import ModelError
from voirdire.records import CallFailure, Reply, Usage
from voirdire.runs import Budget, CacheError, Journal, RetryPolicy, Runner, Totals
from voirdire.runs.cache import ReplyCache

CALL, SEED = "a" * 64, 7
FULL = Reply("said", "length", Usage(10, 5, 3, 2), "m-1", (("Yes", -0.25),), ("cut",))


def ask(path: Path, model: ScriptedModel, cache: Path, **options: Any) -> Reply | CallFailure:
    """One request in a run of its own."""

    async def run() -> Reply | CallFailure:
        with Journal.open(path) as journal:
            async with Runner(journal, {SPEC: model}, cache=ReplyCache(cache), **options) as runner:
                return await runner.ask(SPEC, request())

    return asyncio.run(run())


def test_a_reply_of_another_run_is_not_asked_for_and_says_where_it_came_from(tmp_path: Path) -> None:
    first, second = ScriptedModel("first"), ScriptedModel("second")
    reply = ask(tmp_path / "one", first, tmp_path / "cache")
    assert ask(tmp_path / "two", second, tmp_path / "cache") == reply
    assert len(first.calls) == 1 and not second.calls
    with Journal.open(tmp_path / "two", read_only=True) as journal:
        (row,) = journal.calls_frame().to_dict("records")
        assert (row["attempt"], row["price_usd"], row["seconds"], row["reply"]) == (0, 0.0, 0.0, "first")
        assert journal.totals() == Totals(cached=1)
    with Journal.open(tmp_path / "one", read_only=True) as journal:
        assert journal.totals() == Totals(1, 0, 10, 5, 0.01)


def test_the_run_s_own_record_has_it_when_the_cache_is_gone(tmp_path: Path) -> None:
    ask(tmp_path / "one", ScriptedModel("first"), tmp_path / "cache")
    ask(tmp_path / "two", ScriptedModel(), tmp_path / "cache")
    again = ScriptedModel("never")
    reply = ask(tmp_path / "two", again, tmp_path / "empty")
    assert isinstance(reply, Reply) and reply.text == "first" and not again.calls


def test_the_budget_is_not_charged(tmp_path: Path) -> None:
    ask(tmp_path / "one", ScriptedModel("first"), tmp_path / "cache")
    reply = ask(tmp_path / "two", ScriptedModel(), tmp_path / "cache", budget=Budget(max_cost=0.0, max_calls=0))
    assert isinstance(reply, Reply)


def test_another_seed_is_another_reply(tmp_path: Path) -> None:
    ask(tmp_path / "one", ScriptedModel("first"), tmp_path / "cache", seed=1)
    reply = ask(tmp_path / "two", ScriptedModel("second"), tmp_path / "cache", seed=2)
    assert isinstance(reply, Reply) and reply.text == "second"


def test_a_failed_call_is_asked_again_by_the_next_run(tmp_path: Path) -> None:
    once = RetryPolicy(attempts=1)
    ask(tmp_path / "one", ScriptedModel(ModelError("server", "down")), tmp_path / "cache", retry=once)
    reply = ask(tmp_path / "two", ScriptedModel("second"), tmp_path / "cache", retry=once)
    assert isinstance(reply, Reply) and reply.text == "second"


def test_a_reply_comes_back_whole_and_the_first_one_stands(tmp_path: Path) -> None:
    cache = ReplyCache(tmp_path)
    cache.put(CALL, SEED, FULL)
    cache.put(CALL, SEED, Reply("later", "stop"))
    assert cache.get(CALL, SEED) == FULL
    assert cache.get("b" * 64, SEED) is None
    cache.close()


def test_nothing_of_what_was_asked_stands_in_the_file(tmp_path: Path) -> None:
    ask(tmp_path / "one", ScriptedModel("first"), tmp_path / "cache")
    stored = b"".join(file.read_bytes() for file in (tmp_path / "cache").iterdir())
    with Journal.open(tmp_path / "one", read_only=True) as journal:
        (call,) = journal.calls_frame(bodies=True).to_dict("records")
    asked = [message["content"] for message in call["messages"]]
    assert asked and not any(text.encode() in stored for text in [*asked, call["key"], SPEC])


def _put(folder: Path, number: int) -> None:
    cache = ReplyCache(folder)
    cache.put(f"{number:064}", SEED, FULL)
    cache.close()


def test_processes_that_begin_a_cache_at_once_share_it(tmp_path: Path) -> None:
    others = [get_context("fork").Process(target=_put, args=(tmp_path, number)) for number in range(4)]
    for other in others:
        other.start()
    for other in others:
        other.join()
    cache = ReplyCache(tmp_path)
    assert [cache.get(f"{number:064}", SEED) for number in range(4)] == [FULL] * 4
    cache.close()


def test_a_file_of_another_kind_is_refused_in_a_sentence(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "replies.sqlite") as other:
        other.execute("CREATE TABLE mine (x)")
    with pytest.raises(CacheError, match="is not a cache of voirdire: give another folder with --cache"):
        ReplyCache(tmp_path)


def test_a_folder_that_is_a_file_is_refused_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CacheError, match="can't be used for a cache"):
        ReplyCache(tmp_path / "file")
