"""What every instrument's session begins with: models that are open, a run folder, a runner that Ctrl-C stops."""

from __future__ import annotations

import asyncio
import ctypes
import gc
from collections.abc import AsyncIterator, Collection, Coroutine, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from typing import Any, TypeVar

from voirdire.data.paths import AnyPath, as_path
from voirdire.models import Batching, BatchRecord, Model, ModelOptions, open_model
from voirdire.runs.cache import ReplyCache
from voirdire.runs.errors import BudgetError, RunStopped
from voirdire.runs.folder import RunFolder
from voirdire.runs.interrupts import run_in_thread, stop_on_signals
from voirdire.runs.journal import Journal
from voirdire.runs.options import RunOptions
from voirdire.runs.origins import provenance
from voirdire.runs.prompt_fence import repeated_secret
from voirdire.runs.retry import RetryPolicy
from voirdire.runs.runner import Runner
from voirdire.runs.scrub import Scrubber
from voirdire.runs.tracing import session_span

_SELDOM = (50_000, 20, 50)
"""Thresholds: with a thousand calls under way, the usual ones look through all that they hold again and again."""


@contextmanager
def rare_gc() -> Iterator[None]:
    """Leave what is there already out of collections, and collect seldom, while the block runs.

    Everything in the process is concerned; afterwards it is as before, and what was left over is collected. Where the
    program has frozen what it holds already, as servers do, that stays frozen.
    """
    before, ours = gc.get_threshold(), gc.get_freeze_count() == 0
    if ours:
        gc.collect()
        gc.freeze()
    gc.set_threshold(*_SELDOM)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        if ours:
            gc.unfreeze()
        gc.collect()


def release_memory() -> None:
    """Let the C library return to the system what has been freed, where it knows how (glibc): it keeps a lot else."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


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
    model_options: Mapping[str, ModelOptions], batching: Batching | None = None
) -> AsyncIterator[dict[str, Model]]:
    """Open every model, and close them at the end; nothing is sent yet. With `batching` all are asked by batch.

    Raises:
        SpecError: a model can't be opened, or not be asked by batch.
    """
    models: dict[str, Model] = {}
    try:
        for spec, options in model_options.items():
            models[spec] = open_model(spec, options, batching)
        yield models
    finally:
        for model in models.values():
            await model.aclose()


def new_runner(
    journal: Journal,
    models: Mapping[str, Model],
    model_options: Mapping[str, ModelOptions],
    options: RunOptions,
    *,
    seed: int,
    batched: Collection[str] = (),
    fence_secret: bytes | None = None,
) -> Runner:
    """A runner for these models, each with its limits; those in `batched` are asked by batch.

    Raises:
        BudgetError: a limit on cost is set and a price is unknown.
        CacheError: the cache can't be opened.
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
        secret_names=[each.api_key_env for each in model_options.values() if each.api_key_env],
        batched=batched,
        fence_secret=fence_secret,
        cache=None if options.cache is None else ReplyCache(options.cache),
    )


async def run_workers(workers: Sequence[Coroutine[Any, Any, None]], runner: Runner) -> str | None:
    """Run workers to their end. The first failure stops new calls; what is in flight is finished and kept.

    Returns:
        Why the run stopped, or `None`.

    Raises:
        RunStopped: the user interrupted the run, so that nobody waits for what there is.
    """

    async def run_worker(worker: Coroutine[Any, Any, None]) -> str | None:
        try:
            await worker
        except RunStopped as stopped:
            return str(stopped)
        except BaseException:
            runner.request_stop()
            raise
        return None

    with rare_gc():
        outcomes = await asyncio.gather(*(run_worker(worker) for worker in workers), return_exceptions=True)
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


T = TypeVar("T")


@asynccontextmanager
async def open_run(
    path: AnyPath,
    settings: Mapping[str, Any],
    model_options: Mapping[str, ModelOptions],
    options: RunOptions,
    *,
    seed: int = 0,
) -> AsyncIterator[tuple[RunFolder, Runner]]:
    """Hold a run, or go on with the one that is there, while the block runs.

    Args:
        path: of the run folder.
        settings: what is asked of the run; one that is there must have been asked the same.
        model_options: the models and how they are reached.
        options: what may be spent, how fast, who is told. With `partial` an interrupted block goes on to make a result
            of what there is.
        seed: of the calls.

    Raises:
        SpecError, RunFolderError, BudgetError: before anything is asked.
        Interrupted: the user interrupted the run, unless `options.partial`; what was answered is on record.
    """
    path = as_path(path)
    async with open_models(model_options) as models:
        options.budget().check_prices(models)
        # Models are open: what is secret in how they are reached is known, and stays out of run.json.
        manifest = Scrubber().whole({**settings, "info": provenance()})
        with RunFolder.open_or_create(path, manifest) as folder, session_span(path, manifest):
            async with new_runner(
                folder.journal,
                models,
                model_options,
                options,
                seed=seed,
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


_PLACE = "batches"
"""Stands where notes have their dialogue."""
_RECORD = "batch/"
_ID = "batch_id/"


def open_batching(journal: Journal, options: RunOptions) -> Batching | None:
    """How a run asks by batch; `None` where it does not.

    Raises:
        BudgetError: there is a limit on cost.
    """
    if options.batch is None:
        return None
    check_batch_budget(options)
    return Batching(JournalLedger(journal), options.progress.say, options.batch)


def check_batch_budget(options: RunOptions) -> None:
    """See that nothing is promised that batches can't keep.

    Raises:
        BudgetError: there is a limit on cost, while everything is sent off before the first price is known.
    """
    if options.max_cost is not None:
        raise BudgetError(
            "A limit on cost can't be held with batches, as all requests are sent off before the first price is known: "
            "leave out --max-cost, and let a plan say beforehand what it will cost."
        )


class JournalLedger:
    """The ledger of a run's batches: two notes for each, one before it is sent off and one after."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._records: dict[str, BatchRecord] = {}
        ids: dict[str, str | None] = {}
        for note in journal.notes():
            if note.kind.startswith(_RECORD):
                self._keep(note.kind.removeprefix(_RECORD), note.body)
            elif note.kind.startswith(_ID):
                ids[note.kind.removeprefix(_ID)] = note.body
        for name, batch in ids.items():
            self._settle(name, batch)

    def records(self) -> Sequence[BatchRecord]:
        """Every batch that was sent off, or may have been, in order."""
        return list(self._records.values())

    async def intend(self, record: BatchRecord) -> None:
        """Write a batch down before it is sent off.

        Raises:
            JournalError: it could not be written.
        """
        body = {"endpoint": record.endpoint, "at": record.at, "requests": list(record.requests)}
        await self._journal.note(_PLACE, 0, _RECORD + record.name, body)
        self._keep(record.name, body)

    async def sent(self, name: str, batch: str | None) -> None:
        """Write down the provider's id of it, or `None` if the provider did not take it.

        Raises:
            JournalError: it could not be written.
        """
        await self._journal.note(_PLACE, 0, _ID + name, batch)
        self._settle(name, batch)

    def _keep(self, name: str, body: dict[str, Any]) -> None:
        self._records[name] = BatchRecord(name, body["endpoint"], body["at"], tuple(body["requests"]))

    def _settle(self, name: str, batch: str | None) -> None:
        if batch is None:
            del self._records[name]
        else:
            self._records[name] = replace(self._records[name], id=batch)
