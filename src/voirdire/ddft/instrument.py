"""DDFT, described for the rest of the package."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

from voirdire.data.frames import typed
from voirdire.data.manifests import sha256
from voirdire.ddft.standing import standing_of
from voirdire.ddft.tables import Tables as DialogueTables
from voirdire.ddft.tables import build_tables, make_tables
from voirdire.instruments import Finding, Instrument, KeptFile, Tables
from voirdire.instruments.instrument import Frames
from voirdire.run import RunFolder, write_parquet

_CONCEPTS = "concepts"


def _build(folder: RunFolder) -> Frames:
    return {name: typed(frame) for name, frame in build_tables(folder.journal)._asdict().items()}


def _make(folder: RunFolder, into: Path, wanted: Collection[str]) -> None:
    make_tables(folder.journal, lambda name, pieces: write_parquet(into / f"{name}.parquet", pieces))


def _kept(folder: RunFolder) -> Iterator[KeptFile]:
    for name, known in folder.manifest["concepts"].items():
        path = folder.path / _CONCEPTS / f"{known}.yaml"
        if known:
            yield KeptFile(f"concept {name}", known, sha256(path) if path.is_file() else None)


def _findings(folder: RunFolder) -> Iterator[Finding]:
    known = set(folder.manifest["concepts"].values())
    for path in sorted((folder.path / _CONCEPTS).glob("*.yaml")):
        if path.stem not in known:
            yield Finding(f"{_CONCEPTS}/{path.name}", "note", "the run was asked on no such concept")


INSTRUMENT = Instrument(
    name="ddft",
    tables=Tables(DialogueTables._fields, _build),
    files=tuple(f"{name}.parquet" for name in DialogueTables._fields),
    make=_make,
    kept=_kept,
    findings=_findings,
    status=standing_of,
)
