"""When the fake server answers, and what it lets through: latency, token speed, rate limits, faults, and counts."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from random import Random
from typing import Any

from tests.support.fake_faults import FOR_EVER, unknown_fault


@dataclass
class Options:
    latency: float | dict[str, float] = 0.0
    """Seconds before a reply; by the beginning of a model's name, with "" for all others, where it is a mapping."""
    sigma: float = 0.0
    """Above 0, latency is log-normal with this sigma, and the above its median."""
    tokens_per_second: float | None = None
    """A reply takes its tokens' time on top of the latency."""
    requests_per_minute: float | None = None
    """Of each model; 429 beyond it, with the Retry-After after which a call will pass."""
    tokens_per_minute: float | None = None
    """Of each model, prompt tokens."""
    burst_seconds: float = 60.0
    """How many seconds' allowance a model that was left alone has saved up."""
    max_concurrent: int | None = None
    error_rate: float = 0.0
    """Share of requests that get `error_status`, drawn with `seed`."""
    error_status: int = 500
    seed: int = 0
    model: str | None = None
    key: str | None = None
    plan: list[str] = field(default_factory=list)
    """Faults, for the requests as they come; one that ends in "..." stays."""
    plans: dict[str, list[str]] = field(default_factory=dict)
    """The same for models, by the beginning of their names; the plan is for those that have none."""
    each: bool = False
    """Every distinct request goes through the plan from its start."""


@dataclass
class ModelStats:
    """What was asked of one model."""

    calls: int = 0
    running: int = 0
    max_concurrent: int = 0
    bytes: int = 0
    """Of the requests' bodies."""


@dataclass
class Stats:
    total: int = 0
    answered: int = 0
    elsewhere: int = 0
    """Requests at the address that redirects lead to."""
    max_concurrent: int = 0
    connections: int = 0
    """TCP connections that calls came through."""
    first: float = 0.0
    """When the first request was read, and the last reply written: seconds since the epoch."""
    last: float = 0.0
    cpu: float = 0.0
    """CPU seconds of the server's process since it was reset."""
    requests: Counter[str] = field(default_factory=Counter)
    """How often each distinct request came."""
    replies: Counter[str] = field(default_factory=Counter)
    """How often each distinct request was answered in full."""
    outcomes: Counter[str] = field(default_factory=Counter)
    """What became of the requests: "ok" or the fault."""
    models: dict[str, ModelStats] = field(default_factory=dict)


class Bucket:
    """A token bucket: `rate` a second, at most `capacity` saved."""

    def __init__(self, rate: float, capacity: float, now: float) -> None:
        self.rate, self.capacity, self.level, self.at = rate, max(capacity, 1.0), max(capacity, 1.0), now

    def missing(self, amount: float, now: float) -> float:
        """Seconds until `amount` is there; what is larger than the bucket passes when the bucket is full."""
        self.level = min(self.capacity, self.level + (now - self.at) * self.rate)
        self.at = now
        return max(0.0, (min(amount, self.capacity) - self.level) / self.rate)


class Traffic:
    """Decides about requests, one after the other, and counts them."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.forget()

    def forget(self) -> None:
        """Count from nothing, with full buckets and the seed's first draws."""
        self.stats = Stats()
        self._running = 0
        self._cpu = time.process_time()
        self.settle()

    def settle(self) -> None:
        """Take up options that have changed."""
        self._random = Random(self.options.seed)
        self._buckets: dict[tuple[str, str], Bucket] = {}
        self._latencies: dict[str, float] = {}

    def change(self, changes: dict[str, Any]) -> str | None:
        """Change options, `reset` among them; one sentence when there is no such option."""
        known = {option.name for option in fields(Options)}
        unknown = sorted(changes.keys() - known - {"reset"})
        if unknown:
            return f"unknown options: {unknown}"
        read = {name: _READ.get(name, _as_it_is)(value) for name, value in changes.items() if name != "reset"}
        plans = [read.get("plan", []), *read.get("plans", {}).values()]
        strange = sorted({fault for plan in plans for fault in plan if unknown_fault(fault)})
        if strange:
            return f"unknown faults: {strange}"
        for name, value in read.items():
            setattr(self.options, name, value)
        self.forget() if changes.get("reset") else self.settle()
        return None

    def counted(self) -> dict[str, Any]:
        """The counts, ready for JSON."""
        self.stats.cpu = time.process_time() - self._cpu
        return {**vars(self.stats), "models": {name: vars(each) for name, each in self.stats.models.items()}}

    def begin(self, model: str, size: int) -> None:
        """A request of `size` bytes has come."""
        stats = self.stats
        stats.total += 1
        stats.first = stats.first or time.time()
        self._running += 1
        stats.max_concurrent = max(stats.max_concurrent, self._running)
        of_model = stats.models.get(model)
        if of_model is None:
            of_model = stats.models[model] = ModelStats()
        of_model.calls += 1
        of_model.bytes += size
        of_model.running += 1
        of_model.max_concurrent = max(of_model.max_concurrent, of_model.running)

    def end(self, model: str) -> None:
        """It has been answered, or has gone."""
        self._running -= 1
        of_model = self.stats.models.get(model)
        if of_model is not None:  # none where counts were forgotten while it ran
            of_model.running -= 1
        self.stats.last = time.time()

    def fault(self, model: str, authorization: str | None, prompt_tokens: int, seen: int = 0) -> str:
        """ "ok", or what happens to a request instead.

        Args:
            model: what it asks for.
            authorization: its header.
            prompt_tokens: about how many.
            seen: how often the same request came before.
        """
        options = self.options
        if options.key is not None and authorization != f"Bearer {options.key}":
            return "401"
        if options.model is not None and model != options.model:
            return "404"
        if options.max_concurrent is not None and self._running > options.max_concurrent:
            return "429"
        wait = self._wait(model, prompt_tokens)
        if wait > 0:
            return f"429:{wait:.3f}"
        if options.error_rate and self._random.random() < options.error_rate:
            return str(options.error_status)
        plan = next((plan for start, plan in options.plans.items() if model.startswith(start)), options.plan)
        return _taken(plan, seen) if options.each else _next(plan)

    def seconds(self, model: str, tokens: int) -> float:
        """How long a reply of so many tokens takes."""
        options = self.options
        seconds = self._latencies.get(model)
        if seconds is None:
            seconds = self._latencies[model] = latency_of(options.latency, model)
        if options.sigma and seconds:
            seconds *= self._random.lognormvariate(0.0, options.sigma)
        return seconds + tokens / options.tokens_per_second if options.tokens_per_second else seconds

    def _wait(self, model: str, prompt_tokens: int) -> float:
        """Seconds until the limits of this model let the request through; takes its share if they do now."""
        options = self.options
        wanted = [("requests", options.requests_per_minute, 1.0), ("tokens", options.tokens_per_minute, prompt_tokens)]
        now = time.monotonic()
        taken = []
        for kind, per_minute, amount in wanted:
            if per_minute is not None:
                bucket = self._buckets.get((model, kind))
                if bucket is None:
                    rate = per_minute / 60
                    bucket = self._buckets[model, kind] = Bucket(rate, rate * options.burst_seconds, now)
                taken.append((bucket, min(amount, bucket.capacity)))
        wait = max((bucket.missing(amount, now) for bucket, amount in taken), default=0.0)
        if wait == 0:
            for bucket, amount in taken:
                bucket.level -= amount
        return wait


def latency_of(latency: float | Mapping[str, float], model: str) -> float:
    """Seconds for this model: of several beginnings of its name, the longest counts."""
    if not isinstance(latency, Mapping):
        return latency
    return latency[max((start for start in latency if model.startswith(start)), key=len, default="")]


def parse_latency(text: str) -> float | dict[str, float]:
    """ "0.5", or "0.5,judge=1": seconds, and those of models whose names begin so."""
    parts = [part.rpartition("=") for part in text.split(",")]
    found = {name: float(seconds) for name, _, seconds in parts}
    return found[""] if found.keys() == {""} else {"": 0.0, **found}


def _next(plan: list[str]) -> str:
    """The next fault of a plan, which is used up unless it stays."""
    if not plan:
        return "ok"
    return plan[0].removesuffix(FOR_EVER) if plan[0].endswith(FOR_EVER) else plan.pop(0)


def _taken(plan: list[str], seen: int) -> str:
    """What a plan has for a request that came so often before."""
    if seen >= len(plan):
        return plan[-1].removesuffix(FOR_EVER) if plan and plan[-1].endswith(FOR_EVER) else "ok"
    return plan[seen].removesuffix(FOR_EVER)


def plan_of(value: str | list[str | int]) -> list[str]:
    """Faults, from "429:2,ok,reset" or a list."""
    faults = value.split(",") if isinstance(value, str) else value
    return [str(fault) for fault in faults if fault]


def plans_of(value: str | Mapping[str, str | list[str | int]]) -> dict[str, list[str]]:
    """Plans by model, from JSON or as a mapping."""
    return {name: plan_of(plan) for name, plan in (json.loads(value) if isinstance(value, str) else value).items()}


def _as_it_is(value: Any) -> Any:
    return value


_READ: dict[str, Callable[[Any], Any]] = {"plan": plan_of, "plans": plans_of}
