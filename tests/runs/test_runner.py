"""The runner: what is asked, how often, and what is on record afterwards."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.runs.scripted import SPEC, ScriptedModel, request, until
from voirdire.models.base import ModelError
from voirdire.records import CallFailure, Fenced, Message, Reply, Request, Slot, Usage
from voirdire.runs import (
    Budget,
    BudgetError,
    Journal,
    JournalError,
    ModelCounts,
    NullProgress,
    RetryPolicy,
    Runner,
    RunStopped,
    Totals,
    fence_mark,
    seed_of,
)
from voirdire.runs import journal as journal_module

AT_ONCE = RetryPolicy(attempts=4, base=0.0)
TOO_MANY = ModelError("rate_limit", "Too many requests.")
Play = Callable[[Runner, Journal], Coroutine[Any, Any, Any]]


def play(path: Path, model: ScriptedModel, scene: Play, **options: Any) -> Any:
    """Open the journal in the folder, run the scene with a runner of this one model, close."""

    async def run() -> Any:
        with Journal.open(path / "journal.sqlite") as journal:
            async with Runner(journal, {SPEC: model}, **({"retry": AT_ONCE} | options)) as runner:
                return await scene(runner, journal)

    return asyncio.run(run())


async def ask_one(runner: Runner, journal: Journal) -> Reply | CallFailure:
    return await runner.ask(SPEC, request())


def rows(path: Path) -> list[dict[str, Any]]:
    with Journal.open(path / "journal.sqlite", read_only=True) as journal:
        return journal.calls_frame(bodies=True).to_dict("records")


# --- from the journal -----------------------------------------------------------------------------------


def test_a_recorded_reply_is_never_asked_for_again(tmp_path: Path) -> None:
    model = ScriptedModel("first", "second")

    async def twice(runner: Runner, journal: Journal) -> list[Reply | CallFailure]:
        return [await runner.ask(SPEC, request()) for _ in range(2)]

    replies = play(tmp_path, model, twice) + play(tmp_path, model, twice)
    assert [reply.text for reply in replies] == ["first"] * 4
    assert replies[0] == replies[3]
    assert len(model.calls) == len(rows(tmp_path)) == 1


def test_a_reply_is_released_only_when_it_is_on_record(tmp_path: Path) -> None:
    async def scene(runner: Runner, journal: Journal) -> None:
        for turn in range(20):
            await runner.ask(SPEC, request(turn=turn))
            with Journal.open(tmp_path / "journal.sqlite", read_only=True) as other:
                assert other.totals().calls == turn + 1

    play(tmp_path, ScriptedModel(), scene)


def test_what_is_released_is_what_will_come_from_the_journal(tmp_path: Path) -> None:
    model = ScriptedModel(Reply("half a pair: \ud83d", "stop", Usage(1, 2), "m\ud800", sent="asked", received="said"))
    released = play(tmp_path, model, ask_one)
    assert released == play(tmp_path, model, ask_one) == Reply("half a pair: \ufffd", "stop", Usage(1, 2), "m\ufffd")
    assert (rows(tmp_path)[0]["sent"], rows(tmp_path)[0]["received"]) == ("asked", "said")


UNWRITABLE = {
    "half a pair that no guard has seen": {"finish_reason": "half \ud83d"},
    "a value that is no JSON": {"logprobs": (("yes", {1.0}),)},
    "a value that SQLite has no type for": {"finish_reason": ["stop"]},
    "nothing where a list belongs": {"warnings": None},
}


@pytest.mark.parametrize("fields", UNWRITABLE.values(), ids=UNWRITABLE)
def test_a_reply_that_can_not_be_written_is_a_failed_call_and_costs_no_other(tmp_path: Path, fields: dict) -> None:
    bad = Reply(**{"text": "Yes.", "finish_reason": "stop"} | fields)

    async def scene(runner: Runner, journal: Journal) -> list[Reply | CallFailure]:
        asked = [runner.ask(SPEC, request(turn=turn)) for turn in range(5)]
        return [*await asyncio.gather(*asked), await runner.ask(SPEC, request(turn=5))]

    found = play(tmp_path, ScriptedModel("one", "two", bad, "four", "five"), scene)
    assert [each.text for each in found[:2] + found[3:]] == ["one", "two", "four", "five", "done"]
    assert isinstance(found[2], CallFailure)
    assert (found[2].kind, found[2].attempts) == ("unexpected", 1)
    assert sorted(row["status"] for row in rows(tmp_path)) == ["error", *["ok"] * 5]
    again = play(tmp_path, ScriptedModel("three"), scene)
    assert [each.text for each in again] == ["one", "two", "three", "four", "five", "done"]


def test_the_row_says_what_was_asked_and_what_it_cost(tmp_path: Path) -> None:
    model = ScriptedModel(Reply("Yes.", "stop", Usage(10, 5, 3, 2), "scripted-2026", warnings=("no seed",)))
    slot = Slot("dialogue", 4, "judge", "a", 1)
    asked = Request(
        slot, (Message.of("user", "Judge:", Fenced("answer", "42")),), request().settings, {"type": "object"}
    )

    async def scene(runner: Runner, journal: Journal) -> bytes:
        await runner.ask(SPEC, asked)
        return journal.secret

    secret = play(tmp_path, model, scene, seed=9)
    (row,) = rows(tmp_path)
    expected = {"dialogue": "dialogue", "turn": 4, "role": "judge", "agent": "a", "repair": 1, "attempt": 1}
    expected |= {
        "spec": SPEC,
        "endpoint": "https://models.test",
        "model": "scripted",
        "output_mode": "json_schema",
        "status": "ok",
    }
    expected |= {"schema": '{"type": "object"}', "seed": seed_of(slot, 9), "reply": "Yes.", "finish_reason": "stop"}
    expected |= {"reported_model": "scripted-2026", "warnings": '["no seed"]', "price_usd": 0.01, "input_tokens": 10}
    expected |= {"output_tokens": 5, "reasoning_tokens": 3, "cached_tokens": 2}
    assert {name: row[name] for name in expected} == expected
    assert model.seeds == [seed_of(slot, 9)]
    assert fence_mark(secret, slot) in row["messages"][0]["content"]
    assert row["messages"] == [{"role": m.role, "content": m.content} for m in model.calls[0]]


# --- one call for equal keys ----------------------------------------------------------------------------


def test_equal_requests_at_the_same_time_become_one_call(tmp_path: Path) -> None:
    model = ScriptedModel("one")

    async def scene(runner: Runner, journal: Journal) -> list[Any]:
        return await asyncio.gather(*(runner.ask(SPEC, request()) for _ in range(50)))

    assert {reply.text for reply in play(tmp_path, model, scene)} == {"one"}
    assert len(model.calls) == 1


def test_a_cancelled_waiter_leaves_the_call_to_the_others_and_to_the_journal(tmp_path: Path) -> None:
    async def scene(runner: Runner, journal: Journal) -> None:
        waiters = [asyncio.create_task(runner.ask(SPEC, request())) for _ in range(3)]
        alone = asyncio.create_task(runner.ask(SPEC, request(turn=2)))
        await until(lambda: model.running == 2)
        waiters[0].cancel()
        alone.cancel()
        await asyncio.sleep(0)
        hold.set()
        outcomes = await asyncio.gather(*waiters, alone, return_exceptions=True)
        assert [type(outcome) for outcome in outcomes] == [asyncio.CancelledError, Reply, Reply, asyncio.CancelledError]

    hold = asyncio.Event()
    model = ScriptedModel(hold=hold)
    play(tmp_path, model, scene)
    assert len(model.calls) == len(rows(tmp_path)) == 2


# --- failures -------------------------------------------------------------------------------------------


def test_a_failure_that_may_pass_is_tried_again_and_every_attempt_is_a_row(tmp_path: Path) -> None:
    server = ModelError("server", "Down.", status=503, retry_after=0.01)
    reply = play(tmp_path, ScriptedModel(TOO_MANY, server, "at last"), ask_one)
    assert reply.text == "at last"
    assert [(row["attempt"], row["status"], row["error_kind"]) for row in rows(tmp_path)[:2]] == [
        (1, "error", "rate_limit"),
        (2, "error", "server"),
    ]
    assert (rows(tmp_path)[2]["attempt"], rows(tmp_path)[2]["reply"]) == (3, "at last")
    assert rows(tmp_path)[1]["retry_after"] == 0.01


def test_the_last_failure_is_reported_when_all_attempts_are_used(tmp_path: Path) -> None:
    failures = [ModelError("server", f"Down {number}.") for number in range(9)]
    assert play(tmp_path, ScriptedModel(*failures), ask_one) == CallFailure("server", "Down 3.", 4)
    assert len(rows(tmp_path)) == 4


@pytest.mark.parametrize("kind", ["auth", "bad_request", "not_found", "unexpected"])
def test_a_failure_that_will_not_pass_is_not_tried_again(tmp_path: Path, kind: Any) -> None:
    model = ScriptedModel(ModelError(kind, "No."), "yes")
    assert play(tmp_path, model, ask_one) == CallFailure(kind, "No.", 1)
    assert len(model.calls) == 1


def test_a_failure_is_tried_again_by_the_next_session(tmp_path: Path) -> None:
    model = ScriptedModel(ModelError("bad_request", "No."), "yes")
    assert isinstance(play(tmp_path, model, ask_one), CallFailure)
    assert play(tmp_path, model, ask_one).text == "yes"


def test_an_exception_nobody_expected_is_a_failure_of_its_call_only(tmp_path: Path) -> None:
    async def scene(runner: Runner, journal: Journal) -> list[Any]:
        return [await runner.ask(SPEC, request(turn=turn)) for turn in (1, 2)]

    failure, reply = play(tmp_path, ScriptedModel(ZeroDivisionError("oh dear"), "fine"), scene)
    assert failure == CallFailure("unexpected", f"{SPEC}: the call failed with ZeroDivisionError: oh dear", 1)
    assert reply.text == "fine"
    assert rows(tmp_path)[0]["error_text"] == f"{SPEC}: the call failed with ZeroDivisionError: oh dear"


@pytest.mark.parametrize("failures", [5, 6])
def test_a_call_that_may_succeed_later_is_made_six_times_at_most(tmp_path: Path, failures: int) -> None:
    model = ScriptedModel(*[ModelError("server", "Down.", status=503)] * failures, "yes")
    reply = play(tmp_path, model, ask_one, retry=RetryPolicy(base=0.0))
    assert isinstance(reply, CallFailure) == (failures == 6)
    assert len(rows(tmp_path)) == 6


def test_a_model_that_hangs_is_given_up_after_the_timeout(tmp_path: Path) -> None:
    model = ScriptedModel(hold=asyncio.Event())
    failure = play(tmp_path, model, ask_one, retry=RetryPolicy(attempts=2, base=0.0, timeout=0.02))
    assert failure == CallFailure("timeout", "test/scripted: no answer within 0.02 s.", 2)
    assert [row["error_kind"] for row in rows(tmp_path)] == ["timeout", "timeout"]


def test_secrets_reach_neither_the_journal_nor_the_caller(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "hush-hush-hush")
    monkeypatch.setenv("ODD_NAME", "odd-odd-odd-odd")
    errors = (ModelError("bad_request", "Key hush-hush-hush at ?key=abc123def"), RuntimeError("odd-odd-odd-odd"))

    async def scene(runner: Runner, journal: Journal) -> list[CallFailure | Reply]:
        return [await runner.ask(SPEC, request(turn=turn)) for turn in (1, 2)]

    failures = play(tmp_path, ScriptedModel(*errors), scene, secret_names=["ODD_NAME"])
    stored = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    for secret in ("hush-hush", "abc123def", "odd-odd"):
        assert secret.encode() not in stored
        assert all(secret not in failure.message for failure in failures)


def test_a_model_that_refuses_three_times_in_a_row_is_not_called_again(tmp_path: Path) -> None:
    refusal = ModelError("auth", "The key is wrong.")

    async def scene(runner: Runner, journal: Journal) -> list[CallFailure | Reply]:
        return [await runner.ask(SPEC, request(turn=turn)) for turn in range(6)]

    model = ScriptedModel(*[refusal] * 6)
    failures = play(tmp_path, model, scene)
    assert len(model.calls) == 3
    assert [failure.attempts for failure in failures] == [1, 1, 1, 0, 0, 0]
    assert {failure.kind for failure in failures} == {"auth"}
    assert "The key is wrong." in failures[5].message and "Not tried" in failures[5].message


def test_a_success_between_refusals_keeps_a_model_going(tmp_path: Path) -> None:
    refusal = ModelError("not_found", "No such model.")
    model = ScriptedModel(refusal, refusal, "yes", refusal, refusal, "yes")

    async def scene(runner: Runner, journal: Journal) -> list[CallFailure | Reply]:
        return [await runner.ask(SPEC, request(turn=turn)) for turn in range(6)]

    assert len([outcome for outcome in play(tmp_path, model, scene) if isinstance(outcome, Reply)]) == 2


def test_a_price_list_that_fails_does_not_cost_the_reply(tmp_path: Path) -> None:
    class Priceless(ScriptedModel):
        def price(self, usage: Usage) -> float | None:
            raise LookupError("no such model")

    assert play(tmp_path, Priceless("kept"), ask_one).text == "kept"
    with Journal.open(tmp_path / "journal.sqlite") as journal:
        assert journal.totals().unknown_price == 1


# --- limits ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("absurd", [-1, 10**24, math.nan, 1.5, True, "many", None])
def test_a_count_of_tokens_that_no_call_can_have_is_left_out_of_any_models_reply(tmp_path: Path, absurd: Any) -> None:
    model = ScriptedModel(Reply("fine", "stop", Usage(input_tokens=10, output_tokens=absurd)))
    reply = play(tmp_path, model, ask_one)
    assert (reply.text, reply.usage) == ("fine", Usage())
    assert "make no sense" in reply.warnings[0]
    assert rows(tmp_path)[0]["output_tokens"] == 0 and rows(tmp_path)[0]["price_usd"] is None


@pytest.mark.parametrize("price", [math.nan, math.inf, -0.01])
def test_a_price_that_makes_no_sense_is_unknown_and_never_counted(tmp_path: Path, price: float) -> None:
    play(tmp_path, ScriptedModel(price=price), ask_one)
    with Journal.open(tmp_path / "journal.sqlite") as journal:
        assert (journal.totals().cost_usd, journal.totals().unknown_price) == (0.0, 1)


def test_no_more_calls_run_at_once_than_the_limits_allow(tmp_path: Path) -> None:
    model = ScriptedModel()

    async def scene(runner: Runner, journal: Journal) -> None:
        await asyncio.gather(*(runner.ask(SPEC, request(turn=turn)) for turn in range(40)))

    play(tmp_path, model, scene, connections={SPEC: 3})
    assert model.most_running == 3
    assert len(model.calls) == 40


def test_whoever_watches_sees_the_limit_that_rate_limits_have_lowered_until_it_has_grown_back(tmp_path: Path) -> None:
    seen: list[tuple[int | None, int]] = []

    class Watching(NullProgress):
        def begin(self, models: Sequence[ModelCounts]) -> None:
            (self.counts,) = models

        def call_done(self) -> None:
            seen.append((self.counts.at_once, self.counts.rate_limits))

    async def scene(runner: Runner, journal: Journal) -> None:
        await runner.ask(SPEC, request())
        await asyncio.gather(*(runner.ask(SPEC, request(turn=turn)) for turn in range(2, 20)))

    play(tmp_path, ScriptedModel(TOO_MANY, TOO_MANY), scene, connections=4, progress=Watching())
    assert seen[:3] == [(2, 1), (1, 2), (2, 2)]
    assert seen[-1] == (None, 2)


def test_a_retry_after_holds_for_every_call_of_the_model(tmp_path: Path) -> None:
    model = ScriptedModel(ModelError("rate_limit", "Too many.", retry_after=0.05))

    async def scene(runner: Runner, journal: Journal) -> None:
        first = asyncio.create_task(runner.ask(SPEC, request()))
        await until(lambda: journal.totals().errors == 1)
        await asyncio.gather(first, *(runner.ask(SPEC, request(turn=turn)) for turn in range(2, 9)))

    play(tmp_path, model, scene)
    first, *others = model.started_at
    assert len(others) == 8
    assert min(others) >= first + 0.049


# --- stopping -------------------------------------------------------------------------------------------


def test_a_budget_is_not_passed_and_the_next_session_counts_what_was_spent(tmp_path: Path) -> None:
    model = ScriptedModel()

    async def scene(runner: Runner, journal: Journal) -> list[Any]:
        asks = (runner.ask(SPEC, request(turn=turn)) for turn in range(20))
        return await asyncio.gather(*asks, return_exceptions=True)

    outcomes = play(tmp_path, model, scene, budget=Budget(max_calls=7))
    assert sum(isinstance(outcome, Reply) for outcome in outcomes) == len(model.calls) == 7
    assert {str(outcome) for outcome in outcomes if isinstance(outcome, RunStopped)} == {
        "the limit of 7 calls is reached."
    }
    play(tmp_path, model, scene, budget=Budget(max_calls=10))
    assert len(model.calls) == len(rows(tmp_path)) == 10


def test_a_limit_on_cost_is_passed_by_the_calls_in_flight_at_most(tmp_path: Path) -> None:
    model = ScriptedModel(price=1.0)

    async def scene(runner: Runner, journal: Journal) -> None:
        asks = (runner.ask(SPEC, request(turn=turn)) for turn in range(50))
        await asyncio.gather(*asks, return_exceptions=True)

    play(tmp_path, model, scene, budget=Budget(max_cost=10.0), connections=4)
    assert 10 <= len(model.calls) <= 10 + 3


def test_a_runner_refuses_a_budget_it_can_not_keep(tmp_path: Path) -> None:
    with pytest.raises(BudgetError, match=SPEC):
        play(tmp_path, ScriptedModel(price=None), ask_one, budget=Budget(max_cost=1.0))


def test_a_stop_lets_calls_in_flight_end_and_starts_none(tmp_path: Path) -> None:
    hold = asyncio.Event()
    model = ScriptedModel(TOO_MANY, hold=hold)

    async def scene(runner: Runner, journal: Journal) -> None:
        hold.set()
        waits_to_try_again = asyncio.create_task(runner.ask(SPEC, request(turn=99)))
        await until(lambda: journal.totals().errors == 1)
        hold.clear()
        asked = [asyncio.create_task(runner.ask(SPEC, request(turn=turn))) for turn in range(6)]
        await until(lambda: model.running == 2)
        runner.request_stop("enough.")
        runner.request_stop("a second time.")
        hold.set()
        outcomes = await asyncio.gather(*asked, waits_to_try_again, return_exceptions=True)
        assert [type(outcome) for outcome in outcomes] == [Reply, Reply, *[RunStopped] * 5]
        with pytest.raises(RunStopped, match=r"enough\."):
            await runner.ask(SPEC, request(turn=9))
        assert isinstance(await runner.ask(SPEC, request(turn=0)), Reply)  # what is recorded can still be had
        assert runner.stopped == "enough."

    # "Too many" halves the limit to two.
    play(tmp_path, model, scene, connections=4, retry=RetryPolicy(base=1e6, cap=1e6))
    assert len(rows(tmp_path)) == len(model.calls) == 3


def test_leaving_the_runner_waits_for_calls_that_nobody_waits_for_any_more(tmp_path: Path) -> None:
    async def scene(runner: Runner, journal: Journal) -> None:
        waiter = asyncio.create_task(runner.ask(SPEC, request()))
        await until(lambda: model.running == 1)
        waiter.cancel()
        asyncio.get_running_loop().call_later(0.02, hold.set)

    hold = asyncio.Event()
    model = ScriptedModel(hold=hold)
    play(tmp_path, model, scene)
    assert len(rows(tmp_path)) == 1


def test_when_the_journal_fails_no_further_call_is_paid_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(self: Journal, row: object) -> None:
        raise JournalError("The disk is full.")

    async def scene(runner: Runner, journal: Journal) -> list[Any]:
        asks = (runner.ask(SPEC, request(turn=turn)) for turn in range(30))
        return await asyncio.gather(*asks, return_exceptions=True)

    monkeypatch.setattr(journal_module.Journal, "commit", fail)
    model = ScriptedModel()
    outcomes = play(tmp_path, model, scene, connections=2)
    assert {type(outcome) for outcome in outcomes} == {JournalError, RunStopped}
    assert "The disk is full." in {str(outcome) for outcome in outcomes}
    assert len(model.calls) <= 4


# --- progress -------------------------------------------------------------------------------------------


def test_progress_hears_of_every_attempt_and_of_earlier_sessions(tmp_path: Path) -> None:
    class Heard(NullProgress):
        def __init__(self) -> None:
            self.log: list[Any] = []

        def begin(self, models: Any) -> None:
            (self.counts,) = models
            self.call_done()

        def call_done(self) -> None:
            self.log.append((self.counts.totals, self.counts.answered, self.counts.retries))

    play(tmp_path, ScriptedModel(), ask_one)
    heard = Heard()

    async def scene(runner: Runner, journal: Journal) -> None:
        await runner.ask(SPEC, request())
        await runner.ask(SPEC, request(turn=2))

    play(tmp_path, ScriptedModel(TOO_MANY), scene, progress=heard)
    assert heard.log == [
        (Totals(1, 0, 10, 5, 0.01), 1, 0),
        (Totals(2, 1, 10, 5, 0.01), 1, 0),
        (Totals(3, 1, 20, 10, 0.02), 2, 1),
    ]
