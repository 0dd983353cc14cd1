"""Runs of `integrity audit`: in shards responses, violations and audits; and what was audited."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator
from pathlib import Path

from voirdire.adapters.tables import groups_of
from voirdire.adapters.verifying.instruments import Instrument, kept_finding, write_frames
from voirdire.adapters.verifying.records import Finding
from voirdire.data.manifests import sha256
from voirdire.integrity.plan import INSTRUMENT as NAME
from voirdire.run import RunFolder

_TABLES = groups_of(NAME)[0]


def _make(folder: RunFolder, into: Path, wanted: Collection[str]) -> None:
    if wanted:
        write_frames(_TABLES.build(folder.path), into)


def _kept(folder: RunFolder) -> Iterator[Finding]:
    asked = folder.manifest
    for name, digest in (("responses", sha256), ("facts", sha256), ("taxonomy", _of_text)):
        if asked.get(name) is not None:
            path = folder.path / str(asked[name])
            yield kept_finding(folder, path.name, asked.get(f"{name}_sha256"), digest(path) if path.is_file() else None)


def _of_text(path: Path) -> str:
    """A taxonomy's hash is that of its text, whatever its lines end in."""
    return hashlib.sha256(path.read_text(encoding="utf-8").encode()).hexdigest()


INSTRUMENT = Instrument((), tuple(f"{name}.parquet" for name in _TABLES.names), _make, _kept)
