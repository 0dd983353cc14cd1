"""Opening the models of a run and seating a runner: what every instrument does before it asks anything."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from voirdire.models import Batching, Model, ModelOptions, open_model
from voirdire.run.errors import RunStopped
from voirdire.run.gc import collected_seldom
from voirdire.run.journal import Journal
from voirdire.run.options import DEFAULTS, RunOptions
from voirdire.run.retry import RetryPolicy
from voirdire.run.runner import Runner

LOCAL_PARALLEL = 2  # calls at once on the in-process server; more only share the same two cores
UNITS_PER_CONNECTION = 3  # dialogues under way for each connection of a hosted model
BATCHED_CALLS = 6_000  # of a run, waiting at once: measured, 0.1 MB each, with prompts of 10 KB
BATCHED_TIMEOUT = 26 * 3600.0  # providers' batches end within 24 hours, and may wait before and after
BATCHED_ATTEMPTS = 3
LOCAL_TIMEOUT = 3600.0  # nobody else is waited for: a long answer on a slow machine is not a failure


def options_for(
    spec: str,
    base_url: str | None = None,
    *,
    api_key_env: str | None = None,
    price_per_million: tuple[float, float] | None = None,
    exact: bool = False,
) -> ModelOptions:
    """How a model is reached. A server's address is for "openai-api/…" models; others have their own."""
    return ModelOptions(
        base_url=base_url if spec.startswith("openai-api/") else None,
        api_key_env=api_key_env,
        price_per_million=price_per_million,
        exact=exact,
        parallel=LOCAL_PARALLEL,
    )


@asynccontextmanager
async def open_models(
    taken: Mapping[str, ModelOptions], batching: Batching | None = None
) -> AsyncIterator[dict[str, Model]]:
    """Open every model, and close them at the end; nothing is sent yet. With `batching` all are asked by batch.

    Raises:
        SpecError: a model can't be opened, or not be asked by batch.
    """
    models: dict[str, Model] = {}
    try:
        for spec, options in taken.items():
            models[spec] = open_model(spec, options, batching)
        yield models
    finally:
        for model in models.values():
            await model.aclose()


def new_runner(
    journal: Journal,
    models: Mapping[str, Model],
    taken: Mapping[str, ModelOptions],
    *,
    seed: int,
    options: RunOptions = DEFAULTS,
    batched: Collection[str] = (),
    fence_secret: bytes | None = None,
) -> Runner:
    """A runner for these models, each with its limits; those in `batched` are asked by batch.

    Raises:
        BudgetError: a limit on cost is set and a price is unknown.
    """
    connections, timeout = options.connections, options.timeout
    return Runner(
        journal,
        models,
        seed=seed,
        connections={spec: BATCHED_CALLS if spec in batched else at_once(spec, connections) for spec in models},
        retry={spec: _retry(spec, timeout, spec in batched) for spec in models},
        budget=options.budget(),
        progress=options.progress,
        secret_names=[each.api_key_env for each in taken.values() if each.api_key_env],
        batched=batched,
        fence_secret=fence_secret,
    )


async def run_workers(workers: Sequence[Coroutine[Any, Any, None]], runner: Runner) -> str | None:
    """Run workers to their end. The first failure stops new calls; what is in flight is finished and kept.

    Returns:
        Why the run stopped, or `None`.

    Raises:
        RunStopped: the user interrupted the run, so that nobody waits for what there is.
    """

    async def guarded(worker: Coroutine[Any, Any, None]) -> str | None:
        try:
            await worker
        except RunStopped as stopped:
            return str(stopped)
        except BaseException:
            runner.request_stop()
            raise
        return None

    with collected_seldom():
        outcomes = await asyncio.gather(*(guarded(worker) for worker in workers), return_exceptions=True)
    failures = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
    if failures:
        raise failures[0]
    if runner.ends_interrupted:
        raise RunStopped(str(runner.stopped))
    return next((outcome for outcome in outcomes if isinstance(outcome, str)), None)


def _retry(spec: str, timeout: float, batched: bool) -> RetryPolicy:
    if batched:
        return RetryPolicy(attempts=BATCHED_ATTEMPTS, timeout=BATCHED_TIMEOUT)
    return RetryPolicy(timeout=LOCAL_TIMEOUT if is_local(spec) else timeout)


def at_once(spec: str, connections: int) -> int:
    """How many calls of a model run at the same time."""
    return LOCAL_PARALLEL if is_local(spec) else connections


def units_at_once(spec: str, connections: int) -> int:
    """How many dialogues of a model are under way at the same time, so that its connections are never idle.

    More than there are connections: while a dialogue waits for its judges, another one asks.
    """
    return LOCAL_PARALLEL if is_local(spec) else UNITS_PER_CONNECTION * connections


def is_local(spec: str) -> bool:
    """Whether a model runs in this process, on this machine's cores."""
    return spec.startswith("local/")
