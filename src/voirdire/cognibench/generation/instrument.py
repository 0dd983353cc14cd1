"""Generated dialogues, described for the rest of the package."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

from voirdire.cognibench.formats import write_jsonl
from voirdire.cognibench.generation.plan import references_sha256
from voirdire.cognibench.generation.references import read_references
from voirdire.cognibench.generation.session import DIALOGUES, REFERENCES, progress_of, read_generated, status_of
from voirdire.cognibench.labelling.instrument import WRITERS
from voirdire.cognibench.records import answer_frame
from voirdire.instruments import Instrument, SnapshotFile, Tables
from voirdire.instruments.instrument import Frames
from voirdire.runs import RunFolder


def _build(folder: RunFolder) -> Frames:
    return {"answers": answer_frame(read_generated(folder.path))}


def _make(folder: RunFolder, into: Path, tables: Collection[str]) -> None:
    write_jsonl(read_generated(folder.path), into / DIALOGUES)


def _snapshot_files(folder: RunFolder) -> Iterator[SnapshotFile]:
    path = folder.path / REFERENCES
    digest = references_sha256(read_references(path)) if path.is_file() else None
    yield SnapshotFile(REFERENCES, folder.manifest.get("references_sha256"), digest)


INSTRUMENT = Instrument(
    name="cognibench-dialogues",
    contents="dialogues without labels",
    rating_task="cognibench",
    tables=Tables(("answers",), _build),
    files=(DIALOGUES,),
    make=_make,
    snapshot=_snapshot_files,
    texts=(REFERENCES, DIALOGUES),
    status=lambda folder, _: status_of(folder),
    progress=progress_of,
    no_report="it holds dialogues without labels: voirdire label {run} --labeller SPEC labels them, and that "
    "run can be reported",
    forms=("released", "huggingface", "jsonl", "parquet", "csv"),
    writers=WRITERS,
)
