"""What a run may spend."""

from __future__ import annotations

import math
from collections.abc import Mapping

from voirdire.data.bounds import MAX_COUNT, MAX_NUMBER, check_bounds
from voirdire.models.base import Model
from voirdire.run.attempt import ANY_USAGE
from voirdire.run.errors import BudgetError, RunStopped
from voirdire.run.totals import Totals
from voirdire.text.counting import counted


class Budget:
    """Counts attempts and money, and refuses the next attempt once a limit is reached.

    Money is known only after a reply, so a limit on cost can be passed by the calls in flight, and by no more.
    """

    def __init__(self, max_cost: float | None = None, max_calls: int | None = None) -> None:
        """Set the limits.

        Args:
            max_cost: USD for the whole run, earlier sessions included; `None` for no limit.
            max_calls: attempts (requests that reach a provider) for the whole run; `None` for no limit.

        Raises:
            BudgetError: a limit that is no limit, such as NaN.
        """
        check_bounds("max_cost", max_cost, 0, MAX_NUMBER, BudgetError)
        check_bounds("max_calls", max_calls, 0, MAX_COUNT, BudgetError, whole=True)
        self._max_cost = max_cost
        self._max_calls = max_calls
        self._cost = 0.0
        self._calls = 0
        self._unknown = False

    @property
    def limits_cost(self) -> bool:
        """Whether there is a limit on cost."""
        return self._max_cost is not None

    def begin(self, models: Mapping[str, Model], spent: Totals) -> None:
        """Count what earlier sessions spent, and see that the limit on cost can be held to.

        Raises:
            BudgetError: there is a limit on cost, but a model's price, or that of an earlier call, is unknown.
        """
        self._cost, self._calls = spent.cost_usd, spent.calls
        if self._max_cost is None:
            return
        unknown = [spec for spec, model in models.items() if model.price(ANY_USAGE) is None]
        if unknown:
            raise BudgetError(
                f"The cost can't be limited to {self._max_cost:g} USD, since the price of {', '.join(unknown)} is "
                "unknown: give its price per million tokens, or leave out the limit."
            )
        if spent.unknown_price:
            raise BudgetError(
                f"The cost can't be limited to {self._max_cost:g} USD, since the price of {spent.unknown_price} "
                "earlier calls of this run is unknown: leave out the limit, or begin a new run."
            )

    def reserve(self) -> None:
        """Ask for one more attempt.

        Raises:
            RunStopped: a limit is reached.
        """
        if self._max_calls is not None and self._calls >= self._max_calls:
            raise RunStopped(f"budget: {self._calls:,} of {counted(self._max_calls, 'call')} made.")
        if self._max_cost is not None and self._unknown:
            raise RunStopped("budget: a call came back without a known price, so the limit on cost can't be held.")
        if self._max_cost is not None and self._cost >= self._max_cost:
            raise RunStopped(f"budget: {self._cost:.4f} of {self._max_cost:g} USD are spent.")
        self._calls += 1

    def settle(self, price_usd: float | None) -> None:
        """Count what an answered attempt cost; `None` when that is unknown."""
        if price_usd is None or not math.isfinite(price_usd):
            self._unknown = True
        else:
            self._cost += price_usd
