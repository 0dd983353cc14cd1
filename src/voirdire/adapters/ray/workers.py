"""Who works on shards, and where the shards of a file begin."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import socket
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from voirdire.data.bounds import check_bounds
from voirdire.data.rows import PARQUET, FilePart, RowError, is_document, is_parquet
from voirdire.errors import InputError, not_installed
from voirdire.models.secrets import masked_url, url_secrets


class ScaleError(InputError):
    """Work that can't be spread as asked: one sentence says what was given and what to do."""


@dataclass(frozen=True, slots=True)
class Spread:
    """Over what the work is spread."""

    address: str | None = None
    """Of a cluster that this machine is part of: "auto" or "HOST:PORT"; `None` starts one here, and stops it."""
    workers: int | None = None
    """Shards at a time; `None`: one for each CPU of the cluster."""
    shard_rows: int = 10_000
    """Entries of the data (lines, rows, answers) in a shard."""
    gpus: float = 0.0
    """That each worker is given."""

    def __post_init__(self) -> None:
        if self.address is not None and self.address.startswith(
            "ray://"
        ):  # seen with 2.60: no iterating over a Dataset
            raise ScaleError(
                f"Ray Data does not run through a Ray client ({self.address}): give the command to a machine of the "
                "cluster, with --address auto, or submit it as a job."
            )
        check_bounds("gpus", self.gpus, 0, 1024, ScaleError)
        if self.shard_rows < 1 or (self.workers is not None and self.workers < 1):
            raise ScaleError(
                "A shard has at least one row, and there is at least one worker; given: "
                f"shard_rows {self.shard_rows}, workers {self.workers}."
            )


def check_address(base_url: str | None) -> None:
    """What workers are told goes through files and the cluster's memory, where no credentials belong.

    Raises:
        ScaleError: the address of a server has some.
    """
    if base_url is not None and url_secrets(base_url):
        raise ScaleError(
            f"Workers are told no credentials, and {masked_url(base_url)} has some: give the address without them, and "
            "each worker the key in its environment."
        )


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
            result = self.work(json.loads(row["task"]))
        except Exception as error:
            if not type(error).__module__.startswith("voirdire."):
                raise
            result = {"error": str(error)}
        return {"said": json.dumps(result)}

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
            yield _parse_result(one({"task": json.dumps(task)}))


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
        dataset = ray.data.from_items(rows, override_num_blocks=min(len(rows), _BLOCKS))
        results = dataset.map(worker, compute=pool, num_cpus=1, num_gpus=self._gpus or None)
        for row in results.iter_rows():
            yield _parse_result(row)


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
        raise ScaleError(not_installed("--engine ray", error.name, "ray")) from error


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
            _check_reachable(spread.address or "")
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


def _check_reachable(address: str) -> None:
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


def _parse_result(row: Mapping[str, str]) -> dict[str, Any]:
    result: dict[str, Any] = json.loads(row["said"])
    if result.get("error") is not None:
        raise ScaleError(result["error"])
    return result


_BLOCK = 4 * 2**20
_DATA = (".json", ".jsonl", PARQUET)


class Cut(NamedTuple):
    """A file and its parts."""

    parts: tuple[FilePart, ...]
    sha256: str


def split_file(path: Path, rows: int) -> Cut:
    """The parts of a JSON Lines or Parquet file that have this many lines or rows each; the last one may have fewer.

    Raises:
        ScaleError: the file can't be cut, or has nothing in it.
        RowError: it can't be read.
    """
    if is_document(path):
        raise ScaleError(f"{path} is one JSON document; give JSON Lines (.jsonl) or Parquet to cut into shards.")
    if not path.is_file():
        raise ScaleError(f"{path} is no file; one file of JSON Lines or Parquet is cut into shards.")
    parts = _of_parquet(path, rows) if is_parquet(path) else _of_lines(path, rows)
    if not parts.parts:
        raise ScaleError(f"{path} holds no rows; there is nothing to do.")
    return parts


def sha256_of(path: Path) -> str:
    """The hash of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def fingerprint(path: Path, *, every: bool = False) -> str:
    """The hash of a file, or of the files of data in a folder; by it a second command knows them again.

    Args:
        path: of the file or folder.
        every: of a folder, all files count, not only those of data.

    Raises:
        ScaleError: it can't be read.
    """
    try:
        if not path.is_dir():
            return sha256_of(path)
        digest = hashlib.sha256()
        for file in sorted(path.iterdir()):
            if file.is_file() and (every or file.suffix in _DATA):
                digest.update(f"{file.name} {sha256_of(file)}\n".encode())
        return digest.hexdigest()
    except OSError as error:
        raise ScaleError(f"{path} can't be read: {error.strerror}.") from error


def _of_parquet(path: Path, rows: int) -> Cut:
    from voirdire.data.parquet import open_parquet

    with open_parquet(path) as file:
        total = file.row_count
    parts = tuple(FilePart(start, min(start + rows, total), start + 1) for start in range(0, total, rows))
    return Cut(parts, sha256_of(path))


def _of_lines(path: Path, rows: int) -> Cut:
    digest = hashlib.sha256()
    starts = [0]
    lines = place = 0  # line ends so far, and bytes before the block
    for block in _blocks(path):
        digest.update(block)
        ends = block.count(b"\n")
        if lines // rows != (lines + ends) // rows:
            starts += _starts(block, lines, place, rows)
        lines, place = lines + ends, place + len(block)
    stops = [*starts[1:], place]
    parts = (
        FilePart(start, stop, 1 + index * rows) for index, (start, stop) in enumerate(zip(starts, stops, strict=True))
    )
    return Cut(tuple(part for part in parts if part.stop > part.start), digest.hexdigest())


def _starts(block: bytes, lines: int, place: int, rows: int) -> Iterator[int]:
    """Where in the file parts begin within a block: behind every `rows`th line end."""
    at = -1
    while (at := block.find(b"\n", at + 1)) != -1:
        lines += 1
        if lines % rows == 0:
            yield place + at + 1


def _blocks(path: Path) -> Iterator[bytes]:
    try:
        with path.open("rb") as file:
            while block := file.read(_BLOCK):
                yield block
    except OSError as error:
        raise RowError(f"{path} can't be read: {error.strerror}.") from error
