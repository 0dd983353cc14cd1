"""Opening the models of a run and seating a runner: what every instrument does before it asks anything."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from voirdire.models import Model, ModelOptions, open_model
from voirdire.run.budget import Budget
from voirdire.run.errors import RunStopped
from voirdire.run.journal import Journal
from voirdire.run.limits import Limits
from voirdire.run.progress import Progress
from voirdire.run.retry import RetryPolicy
from voirdire.run.runner import Runner

LOCAL_PARALLEL = 2  # calls at once on the in-process server; more only share the same two cores
HOSTED_CONNECTIONS = 20
HOSTED_TIMEOUT = 120.0
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
async def open_models(taken: Mapping[str, ModelOptions]) -> AsyncIterator[dict[str, Model]]:
    """Open every model, and close them at the end; nothing is sent yet.

    Raises:
        SpecError: a model can't be opened.
    """
    models: dict[str, Model] = {}
    try:
        for spec, options in taken.items():
            models[spec] = open_model(spec, options)
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
    budget: Budget | None,
    progress: Progress,
    connections: int,
    timeout: float = HOSTED_TIMEOUT,
) -> Runner:
    """A runner for these models, each with its limits.

    Raises:
        BudgetError: a limit on cost is set and a price is unknown.
    """
    return Runner(
        journal,
        models,
        seed=seed,
        limits={spec: Limits.fixed(at_once(spec, connections)) for spec in models},
        retry={spec: RetryPolicy(timeout=LOCAL_TIMEOUT if is_local(spec) else timeout) for spec in models},
        budget=budget,
        progress=progress,
        secret_names=[options.api_key_env for options in taken.values() if options.api_key_env],
    )


async def run_workers(workers: Sequence[Coroutine[Any, Any, None]], runner: Runner) -> str | None:
    """Run workers to their end. The first failure stops new calls; what is in flight is finished and kept.

    Returns:
        Why the run stopped, or `None`.
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

    outcomes = await asyncio.gather(*(guarded(worker) for worker in workers), return_exceptions=True)
    failures = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
    if failures:
        raise failures[0]
    return next((outcome for outcome in outcomes if isinstance(outcome, str)), None)


def at_once(spec: str, connections: int) -> int:
    """How many calls of a model run at the same time."""
    return LOCAL_PARALLEL if is_local(spec) else connections


def is_local(spec: str) -> bool:
    """Whether a model runs in this process, on this machine's cores."""
    return spec.startswith("local/")
