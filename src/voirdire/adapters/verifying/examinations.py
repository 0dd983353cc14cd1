"""Runs of `ddft`: turns, verdicts and scores, and the concepts' texts."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

from voirdire.adapters.verifying.instruments import Instrument, kept_finding
from voirdire.adapters.verifying.records import Finding
from voirdire.data.manifests import sha256
from voirdire.ddft.tables import Tables, make_tables
from voirdire.run import RunFolder, write_parquet

_FOLDER = "concepts"


def _make(folder: RunFolder, into: Path, wanted: Collection[str]) -> None:
    make_tables(folder.journal, lambda name, pieces: write_parquet(into / f"{name}.parquet", pieces))


def _kept(folder: RunFolder) -> Iterator[Finding]:
    known = {digest: name for name, digest in folder.manifest["concepts"].items() if digest}
    there = {path.stem: path for path in sorted((folder.path / _FOLDER).glob("*.yaml"))}
    for digest, name in known.items():
        path = there.pop(digest, None)
        yield kept_finding(folder, f"concept {name}", digest, None if path is None else sha256(path))
    for path in there.values():
        yield Finding(f"{_FOLDER}/{path.name}", "note", "the run was asked on no such concept")


INSTRUMENT = Instrument(expected=tuple(f"{name}.parquet" for name in Tables._fields), make=_make, kept=_kept)
