"""What a run may spend."""

from __future__ import annotations

import asyncio

import pytest

from tests.runs.scripted import ScriptedModel, request
from voirdire.models.base import ModelError
from voirdire.records import Reply, Usage, WireMessage
from voirdire.runs import Budget, BudgetError, RunStopped, Totals
from voirdire.runs.attempt import Attempt, Call

USAGE = Usage(input_tokens=100, output_tokens=100)


class Priced(ScriptedModel):
    """A thousandth of a dollar a token."""

    def price(self, usage: Usage) -> float:
        return 0.001 * (usage.input_tokens + usage.output_tokens)


def call(model: ScriptedModel, characters: int = 200) -> Call:
    return Call("k", model, request(), [WireMessage("user", "x" * characters)], "text", 0)


def answered(price: float | None, usage: Usage = USAGE) -> Attempt:
    return Attempt("2026-11-23", 0.1, Reply("Yes.", "stop", usage), price)


def spend(budget: Budget, price: float | None) -> None:
    asked = call(ScriptedModel(price=price))
    budget.settle(asked, answered(price), asyncio.run(budget.reserve(asked)))


def test_calls_are_counted_before_they_are_made() -> None:
    budget = Budget(max_calls=3)
    budget.begin({}, Totals(calls=1))
    spend(budget, None)
    spend(budget, None)
    with pytest.raises(RunStopped, match=r"the limit of 3 calls is reached"):
        spend(budget, None)


def test_a_limit_below_the_calls_made_before_is_said_as_such() -> None:
    budget = Budget(max_calls=400)
    budget.begin({}, Totals(calls=2400))
    with pytest.raises(RunStopped, match=r"^2,400 calls were made before; the limit is 400\.$"):
        spend(budget, None)


def test_earlier_sessions_count_and_a_call_that_may_not_fit_is_not_made() -> None:
    budget = Budget(max_cost=1.0)
    budget.begin({"m": ScriptedModel(price=0.2)}, Totals(calls=4, cost_usd=0.7))
    spend(budget, 0.2)
    with pytest.raises(RunStopped, match=r"\$0\.9000 of \$1\.00 is spent, and the next call may cost \$0\.2000"):
        spend(budget, 0.2)


def test_a_limit_that_is_reached_is_said() -> None:
    budget = Budget(max_cost=1.0)
    budget.begin({}, Totals(cost_usd=1.2))
    with pytest.raises(RunStopped, match=r"\$1\.20 is spent, and the limit is \$1\.00\."):
        spend(budget, 0.2)


def test_calls_at_once_do_not_pass_the_limit_together() -> None:
    budget, model = Budget(max_cost=1.0), Priced()
    budget.begin({"m": model}, Totals())
    spent, most = 0.0, 0

    async def one() -> None:
        nonlocal spent, most
        asked = call(model)
        held = await budget.reserve(asked)
        await asyncio.sleep(0)
        spent += 0.2
        budget.settle(asked, answered(0.2), held)

    async def all_of_them() -> list[BaseException | None]:
        return await asyncio.gather(*(one() for _ in range(20)), return_exceptions=True)

    stopped = [each for each in asyncio.run(all_of_them()) if isinstance(each, RunStopped)]
    assert spent == pytest.approx(1.0)
    assert len(stopped) == 15


def test_what_a_call_may_cost_follows_its_prompt_and_the_longest_reply_so_far() -> None:
    budget, model = Budget(max_cost=1.0), Priced()
    budget.begin({"m": model}, Totals())
    assert asyncio.run(budget.reserve(call(model))) == pytest.approx(0.2)  # 200 characters, at most 100 tokens

    budget.settle(call(model), answered(0.03, Usage(input_tokens=20, output_tokens=10)), 0.2)

    assert asyncio.run(budget.reserve(call(model, characters=1000))) == pytest.approx(0.11)


def test_the_first_call_of_a_model_is_made_alone_where_its_longest_reply_would_not_fit() -> None:
    budget, model = Budget(max_cost=0.1), Priced()
    budget.begin({"m": model}, Totals())

    async def two() -> float:
        first = call(model)
        held = await budget.reserve(first)
        second = asyncio.create_task(budget.reserve(call(model)))
        await asyncio.sleep(0.01)
        assert not second.done()
        budget.settle(first, answered(0.01, Usage(input_tokens=5, output_tokens=5)), held)
        return await second

    assert asyncio.run(two()) == pytest.approx(0.01)


def test_an_attempt_that_failed_or_was_broken_off_gives_back_what_was_held() -> None:
    budget, model = Budget(max_cost=0.2), Priced()
    budget.begin({"m": model}, Totals())
    for attempt in (Attempt("2026-11-23", 0.1, error=ModelError("server", "503")), None):
        asked = call(model)
        budget.settle(asked, attempt, asyncio.run(budget.reserve(asked)))
    assert asyncio.run(budget.reserve(call(model))) == pytest.approx(0.2)


def test_what_is_held_leaves_nothing_behind_that_others_would_wait_for() -> None:
    budget, model = Budget(max_cost=0.32), Priced()
    budget.begin({"m": model}, Totals())

    async def spend_in_turns() -> None:
        held = [(asked := call(model, size), await budget.reserve(asked)) for size in (20, 40)]
        waiting = asyncio.create_task(budget.reserve(call(model, 20)))
        await asyncio.sleep(0)
        for asked, amount in held:
            budget.settle(asked, answered(0.15), amount)
        with pytest.raises(RunStopped):
            await asyncio.wait_for(waiting, 1)

    asyncio.run(spend_in_turns())


def test_a_stop_ends_the_wait_for_room() -> None:
    budget, model = Budget(max_cost=0.25), Priced()
    budget.begin({"m": model}, Totals())

    async def stop_while_one_waits() -> None:
        await budget.reserve(call(model))
        waiting = asyncio.create_task(budget.reserve(call(model)))
        await asyncio.sleep(0)
        budget.stop("interrupted.")
        with pytest.raises(RunStopped, match="interrupted"):
            await asyncio.wait_for(waiting, 1)

    asyncio.run(stop_while_one_waits())


def test_what_earlier_sessions_saw_of_a_model_bounds_its_first_call() -> None:
    budget, model = Budget(max_cost=1.0), Priced()
    budget.begin({"m": model}, Totals(calls=4, cost_usd=0.95), {model.identity.spec: 90})
    with pytest.raises(RunStopped, match=r"\$0\.9500 of \$1\.00 is spent, and the next call may cost \$0\.1900"):
        asyncio.run(budget.reserve(call(model)))


def test_what_a_stop_broke_off_counts_as_spent() -> None:
    budget, model = Budget(max_cost=1.0), Priced()
    budget.begin({"m": model}, Totals(calls=4, cost_usd=0.75), {model.identity.spec: 90}, interrupted_usd=0.2)
    said = r"\$0\.9500 of \$1\.00 is spent \(\$0\.2000 of it assumed for calls that were broken off\), and the next"
    with pytest.raises(RunStopped, match=said):
        asyncio.run(budget.reserve(call(model)))


def test_a_model_never_asked_is_not_asked_where_its_prompt_alone_is_too_dear() -> None:
    budget, model = Budget(max_cost=0.05), Priced()
    budget.begin({"m": model}, Totals())
    with pytest.raises(RunStopped, match="the next call may cost"):
        asyncio.run(budget.reserve(call(model)))


def test_a_limit_on_cost_refuses_to_start_on_an_unknown_price() -> None:
    models = {"a/known": ScriptedModel(), "b/unknown": ScriptedModel(price=None)}
    with pytest.raises(BudgetError, match="b/unknown"):
        Budget(max_cost=5).begin(models, Totals())
    with pytest.raises(BudgetError, match="2 earlier calls"):
        Budget(max_cost=5).begin({"a/known": ScriptedModel()}, Totals(unknown_price=2))


@pytest.mark.parametrize("price", [None, float("nan")])
def test_a_price_that_turns_out_unknown_stops_a_run_with_a_limit_on_cost(price: float | None) -> None:
    budget = Budget(max_cost=5)
    budget.begin({}, Totals())
    spend(budget, price)
    with pytest.raises(RunStopped, match="without a known price"):
        spend(budget, 0.1)


def test_without_limits_nothing_is_refused() -> None:
    budget = Budget()
    budget.begin({"b/unknown": ScriptedModel(price=None)}, Totals(calls=10**6, cost_usd=1e6, unknown_price=3))
    spend(budget, None)
    spend(budget, None)
