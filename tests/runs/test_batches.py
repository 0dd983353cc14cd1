"""What a run writes down of its batches, and what becomes of calls by batch at a stop."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.runs.scripted import SPEC, ScriptedModel, request, until
from voirdire.models import BatchRecord, Pace
from voirdire.runs import (
    BudgetError,
    Journal,
    JournalLedger,
    RetryPolicy,
    Runner,
    RunOptions,
    RunStopped,
    check_batch_budget,
    open_batching,
)

RECORD = BatchRecord("a", "https://api.example/v1", "2026-11-22T10:00:00+00:00", ("one", "two"))


def test_a_later_session_reads_what_was_sent_off_and_what_may_have_been(tmp_path: Path) -> None:
    async def first(journal: Journal) -> None:
        ledger = JournalLedger(journal)
        for name in ("a", "b", "c"):
            await ledger.intend(BatchRecord(name, RECORD.endpoint, RECORD.at, RECORD.requests))
        await ledger.sent("a", "batch_1")
        await ledger.sent("c", None)  # the provider did not take it
        assert [(record.name, record.id) for record in ledger.records()] == [("a", "batch_1"), ("b", None)]

    with Journal.open(tmp_path / "j") as journal:
        asyncio.run(first(journal))
    with Journal.open(tmp_path / "j") as journal:
        a, b = JournalLedger(journal).records()
    assert (a.id, b.id) == ("batch_1", None)
    assert (b.endpoint, b.at, b.requests) == (RECORD.endpoint, RECORD.at, RECORD.requests)


def test_a_stop_leaves_calls_by_batch_and_awaits_the_others(tmp_path: Path) -> None:
    other = "test/other"

    async def play() -> None:
        batched, plain = ScriptedModel(hold=asyncio.Event()), ScriptedModel(hold=(hold := asyncio.Event()))
        with Journal.open(tmp_path / "j") as journal:
            retry = {SPEC: RetryPolicy(timeout=86_400), other: RetryPolicy(timeout=120)}
            async with Runner(journal, {SPEC: batched, other: plain}, retry=retry, batched=[SPEC]) as runner:
                assert runner.leaves_calls
                left = asyncio.create_task(runner.ask(SPEC, request()))
                awaited = asyncio.create_task(runner.ask(other, request(turn=2)))
                await until(lambda: batched.running == plain.running == 1)
                assert runner.longest_wait == 120  # the time-out of the other
                runner.request_stop("interrupted.")
                with pytest.raises(RunStopped, match="interrupted"):
                    await left
                assert not awaited.done()
                hold.set()
                assert (await awaited).text == "done"
            assert len(journal.calls_frame()) == 1

    asyncio.run(play())


def test_a_limit_on_cost_is_refused_and_one_on_calls_is_not(tmp_path: Path) -> None:
    with pytest.raises(BudgetError, match="leave out --max-cost"):
        check_batch_budget(RunOptions(max_cost=1.0))
    with Journal.open(tmp_path / "j") as journal:
        batching = open_batching(journal, RunOptions(batch=Pace(), max_calls=10))
        assert batching is not None
        assert batching.ledger.records() == []
        assert open_batching(journal, RunOptions()) is None
