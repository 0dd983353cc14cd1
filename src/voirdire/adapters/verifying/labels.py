"""Runs of `cognibench label`: statements, and in shards answers; the data that was labelled."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

from voirdire.adapters.tables import groups_of
from voirdire.adapters.verifying.instruments import Instrument, kept_finding, write_frames
from voirdire.adapters.verifying.records import Finding
from voirdire.cognibench.formats import iter_jsonl
from voirdire.cognibench.labelling.reading import KEPT
from voirdire.cognibench.labelling.records import INSTRUMENT as NAME
from voirdire.cognibench.labelling.session import answers_sha256
from voirdire.run import RunFolder


def _make(folder: RunFolder, into: Path, wanted: Collection[str]) -> None:
    write_frames(groups_of(NAME)[0].build(folder.path), into)


def _kept(folder: RunFolder) -> Iterator[Finding]:
    path = folder.path / KEPT
    found = answers_sha256(list(iter_jsonl(path))) if path.is_file() else None
    yield kept_finding(folder, KEPT, folder.manifest.get("answers_sha256"), found)


INSTRUMENT = Instrument(("statements.parquet",), ("answers.parquet",), _make, _kept)
