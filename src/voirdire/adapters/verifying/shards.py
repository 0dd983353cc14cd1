"""A folder of shards verified: each shard's run, and the tables that were put together of theirs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from voirdire.adapters.ray.joining import join_tables
from voirdire.adapters.ray.manifest import MANIFEST
from voirdire.adapters.verifying.records import Finding, Verified, VerifyError
from voirdire.adapters.verifying.runs import verify_run
from voirdire.adapters.verifying.tables import compared
from voirdire.text.counting import counted

_SHARDS = "shards"
_RUN = "run.json"


def is_spread(path: Path) -> bool:
    """Whether a folder is one of shards."""
    return (path / MANIFEST).is_file()


def verify_shards(path: Path) -> Verified:
    """Verify a run that was held in shards.

    Raises:
        VerifyError: its shards are no runs: detections, which have no journal.
    """
    runs = sorted(each.parent for each in (path / _SHARDS).glob(f"*/{_RUN}"))
    if not runs:
        raise VerifyError(
            f"{path} holds shards without journals (of voirdire detect): there is nothing to make them again from."
        )
    findings = [each for run in runs for each in _shard(run)]
    return Verified(path, f"run in {counted(len(runs), 'shard')}", (*findings, *_joined(path, runs)))


def _shard(run: Path) -> Iterator[Finding]:
    found = verify_run(run)
    for each in found.findings:
        if each.status != "ok":
            yield Finding(f"shard {run.name}, {each.what}", each.status, each.said)
    if found.ok:
        head = "" if found.head is None else f"; its journal ends at {found.head.digest}"
        yield Finding(f"shard {run.name}", "ok", f"{counted(len(found.findings), 'thing holds', 'things hold')}{head}")


def _joined(path: Path, runs: list[Path]) -> Iterator[Finding]:
    """The tables of the whole, against those of its shards."""
    there = {each.name for each in path.glob("*.parquet")}
    with TemporaryDirectory(prefix="voirdire-verify-") as into:
        made = {f"{name}.parquet" for name in join_tables(runs, Path(into))}
        for name in sorted(there & made):
            yield compared(path / name, Path(into) / name)
    for name in sorted(made - there):
        yield Finding(name, "differs", "it is missing; the same command puts it together again")
    for name in sorted(there - made):
        yield Finding(name, "differs", "the shards have no such table; take it away")
