"""Who works on shards: this process, one after the other, or the workers of a cluster."""

from __future__ import annotations

import json
import logging
import os
import socket
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

from voirdire.adapters.ray.records import ScaleError, Spread

_STORE = 100 * 2**20
"""Bytes of a local cluster's object store: tasks and results alone pass through it, never the data."""
_ENVIRONMENT = {
    "RAY_USAGE_STATS_ENABLED": "0",  # it would send statistics of use
    "RAY_BACKEND_LOG_LEVEL": "fatal",  # what it warns of on stderr says nothing to a user of this command
}
_PATIENCE = 10.0
"""Seconds in which a cluster must answer."""
_BLOCKS = 2_000
"""Blocks that tasks are handed out in."""

Task = Mapping[str, Any]
"""What a worker is told: plain JSON, with no secrets in it."""


class Worker(ABC):
    """Works on a shard after the other. What it is told and what it says is JSON, whoever carries it."""

    def __call__(self, row: Mapping[str, str]) -> dict[str, str]:
        """A row of Ray Data to a row of Ray Data. A user's mistake comes back as a sentence, not as a traceback."""
        try:
            said = self.work(json.loads(row["task"]))
        except Exception as error:
            if not type(error).__module__.startswith("voirdire."):
                raise
            said = {"error": str(error)}
        return {"said": json.dumps(said)}

    @abstractmethod
    def work(self, task: Task) -> dict[str, Any]:
        """Work on a shard, and say what came of it."""


class Executor(Protocol):
    """Has shards worked on."""

    workers: int
    """Shards at a time."""

    def map(self, worker: type[Worker], tasks: Sequence[Task]) -> Iterator[dict[str, Any]]:
        """What was said of each shard, as they end.

        Raises:
            ScaleError: a worker met a user's mistake.
        """
        ...


class Here:
    """This process."""

    workers = 1

    def map(self, worker: type[Worker], tasks: Sequence[Task]) -> Iterator[dict[str, Any]]:
        """See `Executor.map`."""
        one = worker()
        for task in tasks:
            yield _heard(one({"task": json.dumps(task)}))


class Cluster:
    """The actors of a Ray cluster, fed by Ray Data: at most one shard each, and no data but through files."""

    def __init__(self, workers: int, gpus: float = 0.0) -> None:
        self.workers = workers
        self._gpus = gpus

    def map(self, worker: type[Worker], tasks: Sequence[Task]) -> Iterator[dict[str, Any]]:
        """See `Executor.map`."""
        import ray.data

        context = ray.data.DataContext.get_current()
        logging.getLogger("ray.data").setLevel(logging.ERROR)
        context.enable_progress_bars = False
        rows = [{"task": json.dumps(task)} for task in tasks]
        pool = ray.data.ActorPoolStrategy(size=min(self.workers, len(rows)), max_tasks_in_flight_per_actor=1)
        asked = ray.data.from_items(rows, override_num_blocks=min(len(rows), _BLOCKS))
        given = asked.map(worker, compute=pool, num_cpus=1, num_gpus=self._gpus or None)
        for row in given.iter_rows():
            yield _heard(row)


def check_installed() -> None:
    """See that Ray can be used, before anything is begun.

    Raises:
        ScaleError: it is not installed.
    """
    for name, value in _ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    try:
        import ray.data  # noqa: F401 (what matters is that it can be)
    except ModuleNotFoundError as error:
        raise ScaleError(f'--engine ray needs {error.name}: pip install "voirdire[ray]".') from error


@contextmanager
def open_cluster(spread: Spread) -> Iterator[Executor]:
    """A cluster: the one at the address, or one on this machine that is stopped when the block ends.

    Raises:
        ScaleError: Ray is not installed, or no cluster is at the address.
    """
    check_installed()
    import ray

    there = ray.is_initialized()
    if not there:
        try:
            _knock(spread.address or "")
            ray.init(**_options(spread))
        except ConnectionError as error:
            raise ScaleError(
                f"No Ray cluster at {spread.address} lets this process in: start one, see that RAY_AUTH_MODE and the "
                "token are those that it was started with, or leave out --address."
            ) from error
    try:
        yield Cluster(spread.workers or max(1, int(ray.cluster_resources().get("CPU", 1))), spread.gpus)
    finally:
        if not there:
            ray.shutdown()


def _knock(address: str) -> None:
    """See that somebody answers at HOST:PORT: Ray itself would try for minutes.

    Raises:
        ConnectionError: nobody does.
    """
    host, _, port = address.rpartition("://")[2].rpartition(":")
    if host and port.isdigit():
        try:
            socket.create_connection((host, int(port)), timeout=_PATIENCE).close()
        except OSError as error:
            raise ConnectionError(str(error)) from error


def _options(spread: Spread) -> dict[str, Any]:
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
    if spread.address is not None:
        return quiet | {"address": spread.address}
    own = {"address": "local", "include_dashboard": False, "object_store_memory": _STORE}
    return quiet | own | ({} if spread.workers is None else {"num_cpus": spread.workers})


def _heard(row: Mapping[str, str]) -> dict[str, Any]:
    said: dict[str, Any] = json.loads(row["said"])
    if said.get("error") is not None:
        raise ScaleError(said["error"])
    return said
