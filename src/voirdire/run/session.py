"""What every instrument's session begins with: models that are open, a run folder, a runner that Ctrl-C stops."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine, Mapping
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from voirdire.data.paths import AnyPath, as_path
from voirdire.models import ModelOptions
from voirdire.run.fence import repeated_secret
from voirdire.run.folder import RunFolder
from voirdire.run.interrupts import run_in_thread, stop_on_signals
from voirdire.run.options import DEFAULTS, RunOptions
from voirdire.run.provenance import provenance
from voirdire.run.runner import Runner
from voirdire.run.scrub import Scrubber
from voirdire.run.setup import new_runner, open_models
from voirdire.run.tracing import session_span

T = TypeVar("T")


@asynccontextmanager
async def held_run(
    path: AnyPath,
    asked: Mapping[str, Any],
    taken: Mapping[str, ModelOptions],
    *,
    seed: int = 0,
    options: RunOptions = DEFAULTS,
) -> AsyncIterator[tuple[RunFolder, Runner]]:
    """Hold a run, or go on with the one that is there, while the block runs.

    Args:
        path: of the run folder.
        asked: what is asked of the run; one that is there must have been asked the same.
        taken: the models and how they are reached.
        seed: of the calls.
        options: what may be spent, how fast, who is told. With `partial` an interrupted block goes on to make a result
            of what there is.

    Raises:
        SpecError, RunFolderError, BudgetError: before anything is asked.
        Interrupted: the user interrupted the run, unless `options.partial`; what was answered is on record.
    """
    path = as_path(path)
    async with open_models(taken) as models:
        options.budget().check_prices(models)
        # Models are open: what is secret in how they are reached is known, and stays out of run.json.
        manifest = Scrubber().whole({**asked, "info": provenance()})
        with RunFolder.open_or_create(path, manifest) as folder, session_span(path, manifest):
            async with new_runner(
                folder.journal,
                models,
                taken,
                seed=seed,
                options=options,
                fence_secret=repeated_secret(folder.manifest),
            ) as runner:
                with stop_on_signals(runner, path, partial=options.partial):
                    yield folder, runner


def run_blocking(work: Coroutine[Any, Any, T]) -> T:
    """Run to the end, in a thread of its own where this one has a running event loop already (a notebook's).

    Raises:
        Interrupted, KeyboardInterrupt: the user interrupted it. How it came about inside is of no use to them, and is
            left out of the traceback.
    """
    run = run_in_thread if _in_event_loop() else asyncio.run
    try:
        return run(work)
    except KeyboardInterrupt as interrupt:
        raise interrupt.with_traceback(None) from None


def _in_event_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
