"""Runs of `cognibench generate`: the dialogues as a data set, and the references that they are about."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

from voirdire.adapters.verifying.instruments import Instrument, kept_finding
from voirdire.adapters.verifying.records import Finding
from voirdire.cognibench.formats import write_jsonl
from voirdire.cognibench.generation import read_generated
from voirdire.cognibench.generation.plan import references_sha256
from voirdire.cognibench.generation.references import read_references
from voirdire.cognibench.generation.session import DIALOGUES, REFERENCES
from voirdire.run import RunFolder


def _make(folder: RunFolder, into: Path, wanted: Collection[str]) -> None:
    write_jsonl(read_generated(folder.path), into / DIALOGUES)


def _kept(folder: RunFolder) -> Iterator[Finding]:
    path = folder.path / REFERENCES
    found = references_sha256(read_references(path)) if path.is_file() else None
    yield kept_finding(folder, REFERENCES, folder.manifest.get("references_sha256"), found)


INSTRUMENT = Instrument(expected=(DIALOGUES,), make=_make, kept=_kept)
