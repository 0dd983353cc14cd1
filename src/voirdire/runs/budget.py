"""What a run may spend."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from voirdire.data.bounds import MAX_COUNT, MAX_NUMBER, check_bounds
from voirdire.data.json_values import as_object
from voirdire.models.base import Model
from voirdire.records import Usage
from voirdire.runs.attempt import ANY_USAGE, Attempt, Call
from voirdire.runs.errors import BudgetError, RunStopped
from voirdire.runs.rows import Totals
from voirdire.text.counting import counted
from voirdire.text.money import dollars

_TOKENS_A_CHARACTER = 0.5
"""Of a prompt, before a model has been asked anything: more than English has, and about what other scripts have."""


@dataclass(slots=True)
class _KnownUsage:
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
        self._assumed = 0.0
        self._calls = 0
        self._earlier_calls = 0
        self._unknown = False
        self._reserved: list[float] = []
        self._seen: dict[str, _KnownUsage] = {}
        self._settled = asyncio.Event()
        self._stop: str | None = None

    def begin(
        self,
        models: Mapping[str, Model],
        spent: Totals,
        longest: Mapping[str, int] = MappingProxyType({}),
        interrupted_usd: float = 0.0,
    ) -> None:
        """Count what earlier sessions spent, and see that the limit on cost can be held to.

        Args:
            models: by spec.
            spent: in earlier sessions.
            longest: tokens of the longest reply that each model has given in them, by spec.
            interrupted_usd: what the attempts in them that a stop broke off may have cost, which counts as spent.

        Raises:
            BudgetError: there is a limit on cost, but a model's price, or that of an earlier call, is unknown.
        """
        self._cost, self._assumed = spent.cost_usd + interrupted_usd, interrupted_usd
        self._calls, self._stop = spent.calls, None
        self._earlier_calls = spent.calls
        self._seen = {spec: _KnownUsage(_TOKENS_A_CHARACTER, tokens) for spec, tokens in longest.items()}
        self.check_prices(models)
        if self._max_cost is not None and spent.unknown_price:
            raise BudgetError(
                f"The cost can't be limited to {dollars(self._max_cost)}, since the price of {spent.unknown_price} "
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
                f"The cost can't be limited to {dollars(self._max_cost)}, since the price of {', '.join(unknown)} is "
                "unknown: give its price per million tokens, or leave out the limit."
            )

    async def reserve(self, call: Call) -> float:
        """Ask for one more attempt, and wait for those in flight where it may not fit beside them.

        Returns:
            What is held for it, in USD, until `settle`.

        Raises:
            RunStopped: a limit is reached, or `stop` was called.
        """
        while True:
            if self._stop is not None:
                raise RunStopped(self._stop)
            if self._max_calls is not None and self._calls >= self._max_calls:
                raise RunStopped(self._no_call_left(self._max_calls))
            expected = 0.0 if self._max_cost is None else self._expected(call, self._max_cost)
            if self._max_cost is None or self._cost + math.fsum(self._reserved) + expected <= self._max_cost:
                break
            if not self._reserved:
                if self._tells_more(call, self._max_cost):
                    break
                raise RunStopped(
                    f"{dollars(self._cost)} of {dollars(self._max_cost)} is spent{self._assuming}, and the next call "
                    f"may cost {dollars(expected)}."
                )
            await self._settled.wait()
        self._calls += 1
        self._reserved.append(expected)
        return expected

    def settle(self, call: Call, attempt: Attempt | None, reserved: float) -> None:
        """Give back what was held for an attempt, and count what it cost; `None` for one that was broken off."""
        self._reserved.remove(reserved)
        if attempt is not None and attempt.error is None:
            if attempt.price_usd is None or not math.isfinite(attempt.price_usd):
                self._unknown = True
            else:
                self._cost += attempt.price_usd
            if attempt.reply is not None:
                self._learn(call, attempt.reply.usage)
        self._wake()

    def stop(self, reason: str) -> None:
        """Let nobody begin any more; whoever waits gets `RunStopped` with the reason."""
        self._stop = reason
        self._wake()

    def _no_call_left(self, limit: int) -> str:
        """What stops the run: its own calls, or a limit below what earlier sessions made."""
        if self._earlier_calls > limit:
            made = counted(self._earlier_calls, "call was", "calls were")
            return f"{made} made before; the limit is {limit:,}."
        return f"the limit of {counted(limit, 'call')} is reached."

    @property
    def _assuming(self) -> str:
        """How much of what is spent is no more than assumed."""
        return f" ({dollars(self._assumed)} of it assumed for calls that were broken off)" if self._assumed else ""

    def _wake(self) -> None:
        """Let those who wait look again."""
        self._settled.set()
        self._settled = asyncio.Event()

    def _expected(self, call: Call, limit: float) -> float:
        if self._unknown:
            raise RunStopped("a call came back without a known price, so the limit on cost can't be held.")
        if self._cost >= limit:
            raise RunStopped(f"{dollars(self._cost)} is spent{self._assuming}, and the limit is {dollars(limit)}.")
        usage = self._seen.get(call.model.identity.spec)
        return _price(call, usage or _KnownUsage(_TOKENS_A_CHARACTER, call.request.settings.max_tokens))

    def _tells_more(self, call: Call, limit: float) -> bool:
        """Whether a call that may not fit is made all the same, alone.

        Of a model that has not replied yet only the longest reply that it may give is known, which is seldom near what
        it gives: one call tells more. Not where its prompt alone is too dear.
        """
        unseen = call.model.identity.spec not in self._seen
        return unseen and self._cost + _price(call, _KnownUsage(_TOKENS_A_CHARACTER, 0)) <= limit

    def _learn(self, call: Call, usage: Usage) -> None:
        known = self._seen.setdefault(call.model.identity.spec, _KnownUsage(0.0, 0))
        known.tokens_a_character = max(known.tokens_a_character, usage.input_tokens / max(1, _characters(call)))
        known.output_tokens = max(known.output_tokens, usage.output_tokens)


def _price(call: Call, known: _KnownUsage) -> float:
    """What a call may cost, in USD, by what is known of its model; 0 where its price is no number."""
    price = call.model.price(Usage(math.ceil(known.tokens_a_character * _characters(call)), known.output_tokens))
    return price if price is not None and math.isfinite(price) else 0.0


def _characters(call: Call) -> int:
    return sum(len(message.content) for message in call.messages)


@dataclass(frozen=True, slots=True)
class ModelEstimate:
    """What one model would be asked."""

    spec: str
    calls: int
    input_tokens: int
    output_tokens: int
    usd: float | None
    """`None`: the price is unknown."""
    cached_tokens: int = 0
    """Of the input, what is expected from a provider's prefix cache, where the estimate counts on one."""
    alias: str | None = None
    """Shown in place of the spec."""


@dataclass(frozen=True, kw_only=True)
class CostEstimate:
    """What a run would take."""

    models: tuple[ModelEstimate, ...]
    minutes: float
    assumptions: tuple[str, ...]

    @property
    def calls(self) -> int:
        """Over all models."""
        return sum(model.calls for model in self.models)

    @property
    def input_tokens(self) -> int:
        """Over all models."""
        return sum(model.input_tokens for model in self.models)

    @property
    def cached_tokens(self) -> int:
        """Over all models."""
        return sum(model.cached_tokens for model in self.models)

    @property
    def output_tokens(self) -> int:
        """Over all models."""
        return sum(model.output_tokens for model in self.models)

    @property
    def usd(self) -> float | None:
        """Over all models; `None` when one price is unknown."""
        prices = [model.usd for model in self.models]
        return None if None in prices else sum(price for price in prices if price is not None)

    def as_dict(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        return as_object(self) | {"calls": self.calls, "usd": self.usd}
