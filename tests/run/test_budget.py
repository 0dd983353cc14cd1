"""What a run may spend."""

from __future__ import annotations

import pytest

from tests.run.scripted import ScriptedModel
from voirdire.run import Budget, BudgetError, RunStopped, Totals


def test_calls_are_counted_before_they_are_made() -> None:
    budget = Budget(max_calls=3)
    budget.begin({}, Totals(calls=1))
    budget.reserve()
    budget.reserve()
    with pytest.raises(RunStopped, match=r"budget: 3 of 3 calls"):
        budget.reserve()


def test_money_is_counted_when_it_is_known_and_earlier_sessions_count() -> None:
    budget = Budget(max_cost=1.0)
    budget.begin({"m": ScriptedModel(price=0.2)}, Totals(calls=4, cost_usd=0.7))
    budget.reserve()
    budget.settle(0.2)
    budget.reserve()
    budget.settle(0.2)
    with pytest.raises(RunStopped, match=r"budget: 1\.1000 of 1 USD"):
        budget.reserve()


def test_a_limit_on_cost_refuses_to_start_on_an_unknown_price() -> None:
    models = {"a/known": ScriptedModel(), "b/unknown": ScriptedModel(price=None)}
    with pytest.raises(BudgetError, match="b/unknown"):
        Budget(max_cost=5).begin(models, Totals())
    with pytest.raises(BudgetError, match="2 earlier calls"):
        Budget(max_cost=5).begin({"a/known": ScriptedModel()}, Totals(unknown_price=2))


def test_a_price_that_turns_out_unknown_stops_a_run_with_a_limit_on_cost() -> None:
    budget = Budget(max_cost=5)
    budget.begin({}, Totals())
    budget.settle(None)
    with pytest.raises(RunStopped, match="without a known price"):
        budget.reserve()


def test_without_limits_nothing_is_refused() -> None:
    budget = Budget()
    budget.begin({"b/unknown": ScriptedModel(price=None)}, Totals(calls=10**6, cost_usd=1e6, unknown_price=3))
    budget.settle(None)
    budget.reserve()
