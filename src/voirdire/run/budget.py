"""What a run may spend."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Mapping
from dataclasses import astuple, dataclass

from voirdire.data.bounds import MAX_COUNT, MAX_NUMBER, check_bounds
from voirdire.models.base import Model
from voirdire.records import Usage
from voirdire.run.attempt import ANY_USAGE, Attempt, Call
from voirdire.run.errors import BudgetError, RunStopped
from voirdire.run.totals import Totals
from voirdire.text.counting import counted

_TOKENS_A_CHARACTER = 0.5
"""Of a prompt, before a model has been asked anything: more than English has, and about what other scripts have."""


@dataclass(slots=True)
class _Seen:
    """The most that calls of one model have taken so far."""

    tokens_a_character: float
    output_tokens: int


class Budget:
    """Counts attempts and money, and refuses the next attempt once it could pass a limit.

    What a call costs is known only after its reply. So each call in flight holds what it may cost, by the length of its
    prompt and the longest reply so far, and another one waits until it fits beside them. The limit can be passed only
    by calls that turn out dearer than any before.
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
        self._held = 0.0
        self._seen: dict[str, _Seen] = {}
        self._settled = asyncio.Event()

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
        self.check_prices(models)
        if self._max_cost is not None and spent.unknown_price:
            raise BudgetError(
                f"The cost can't be limited to {self._max_cost:g} USD, since the price of {spent.unknown_price} "
                "earlier calls of this run is unknown: leave out the limit, or begin a new run."
            )

    def check_prices(self, models: Mapping[str, Model]) -> None:
        """See that the limit on cost can be held with these models, before there is a run.

        Raises:
            BudgetError: there is a limit on cost, but a model's price is unknown.
        """
        if self._max_cost is None:
            return
        unknown = [spec for spec, model in models.items() if model.price(ANY_USAGE) is None]
        if unknown:
            raise BudgetError(
                f"The cost can't be limited to {self._max_cost:g} USD, since the price of {', '.join(unknown)} is "
                "unknown: give its price per million tokens, or leave out the limit."
            )

    async def reserve(self, call: Call) -> float:
        """Ask for one more attempt, and wait for those in flight where it may not fit beside them.

        Returns:
            What is held for it, in USD, until `settle`.

        Raises:
            RunStopped: a limit is reached.
        """
        while True:
            if self._max_calls is not None and self._calls >= self._max_calls:
                raise RunStopped(f"budget: {self._calls:,} of {counted(self._max_calls, 'call')} made.")
            expected = 0.0 if self._max_cost is None else self._expected(call, self._max_cost)
            if self._max_cost is None or self._cost + self._held + expected <= self._max_cost:
                break
            if not self._held:
                if call.model.identity.spec not in self._seen:
                    break  # nothing is known of this model but the longest reply it may give: one call tells more
                raise RunStopped(
                    f"budget: {self._cost:.4f} of {self._max_cost:g} USD are spent, and the next call may cost "
                    f"{expected:.4f}."
                )
            await self._settled.wait()
        self._calls += 1
        self._held += expected
        return expected

    def settle(self, call: Call, attempt: Attempt | None, held: float) -> None:
        """Give back what was held for an attempt, and count what it cost; `None` for one that was broken off."""
        self._held = max(0.0, self._held - held)
        if attempt is not None and attempt.error is None:
            if attempt.price_usd is None or not math.isfinite(attempt.price_usd):
                self._unknown = True
            else:
                self._cost += attempt.price_usd
            if attempt.reply is not None:
                self._learn(call, attempt.reply.usage)
        self.wake()

    def wake(self) -> None:
        """Let those who wait look again."""
        self._settled.set()
        self._settled = asyncio.Event()

    def _expected(self, call: Call, limit: float) -> float:
        if self._unknown:
            raise RunStopped("budget: a call came back without a known price, so the limit on cost can't be held.")
        if self._cost >= limit:
            raise RunStopped(f"budget: {self._cost:.4f} of {limit:g} USD are spent.")
        seen = self._seen.get(call.model.identity.spec)
        share, output = (_TOKENS_A_CHARACTER, call.request.settings.max_tokens) if seen is None else astuple(seen)
        return call.model.price(Usage(math.ceil(share * _characters(call)), output)) or 0.0

    def _learn(self, call: Call, usage: Usage) -> None:
        seen = self._seen.setdefault(call.model.identity.spec, _Seen(0.0, 0))
        seen.tokens_a_character = max(seen.tokens_a_character, usage.input_tokens / max(1, _characters(call)))
        seen.output_tokens = max(seen.output_tokens, usage.output_tokens)


def _characters(call: Call) -> int:
    return sum(len(message.content) for message in call.messages)
