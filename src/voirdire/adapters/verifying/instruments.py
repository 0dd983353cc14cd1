"""Of each instrument: how its tables are made again, and what its runs keep beside the journal."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from voirdire.adapters.verifying.records import Finding
from voirdire.run import RunFolder

_MODULES = {
    "ddft": "examinations",
    "cognibench": "labels",
    "cognibench-dialogues": "dialogues",
    "integrity": "audits",
    "jury-bench": "benches",
    "jury-injection": "stands",
}


class Instrument(NamedTuple):
    """What verifying knows of an instrument."""

    expected: tuple[str, ...] = ()
    """Files that a run has once it has ended."""
    optional: tuple[str, ...] = ()
    """Files that it has where it was held in shards."""
    make: Callable[[RunFolder, Path, Collection[str]], None] = lambda folder, into, wanted: None
    """Makes these files again, in another folder, of the journal and what is kept beside it."""
    kept: Callable[[RunFolder], Iterator[Finding]] = lambda folder: iter(())
    """Holds what is kept against the hashes in run.json."""
    beside: Callable[[RunFolder], Iterator[Finding]] = lambda folder: iter(())
    """What is made otherwise than by `make`."""


def instrument_of(name: str) -> Instrument:
    """What is known of an instrument; of one that makes no tables, nothing."""
    module = _MODULES.get(name)
    if module is None:
        return Instrument()
    found: Instrument = import_module(f"voirdire.adapters.verifying.{module}").INSTRUMENT
    return found


def kept_finding(folder: RunFolder, what: str, known: str | None, found: str | None) -> Finding:
    """What a kept file is worth: its hash against the one in run.json.

    Args:
        folder: of the run; in a redacted copy, texts differ on purpose.
        what: is kept.
        known: SHA-256 in run.json; `None` where it says none.
        found: SHA-256 of what is there; `None` where nothing is.
    """
    if found is None:
        return Finding(what, "differs", "it is gone; put back a copy of it")
    if known is None:
        return Finding(what, "unknown", "run.json does not have its hash")
    if found == known:
        return Finding(what, "ok", "as run.json has it")
    if folder.manifest.get("redacted"):
        return Finding(what, "note", "it differs from what was asked, as this is a redacted copy")
    return Finding(what, "differs", "it is not what the run was asked on; put back a copy of it")


def write_frames(frames: Mapping[str, object], into: Path) -> None:
    """Write tables as a run's folder has them."""
    from voirdire.run import write_parquet

    for name, frame in frames.items():
        write_parquet(into / f"{name}.parquet", [frame])  # type: ignore[list-item]
