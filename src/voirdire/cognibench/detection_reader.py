"""What `voirdire detect -o` has written, read again: sentences with their scores, by answer."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from voirdire.cognibench.detection_writer import COLUMNS
from voirdire.cognibench.formats import read_entries
from voirdire.cognibench.records import CognibenchError
from voirdire.data.manifests import manifest_of, sha256

Sentence = Mapping[str, Any]
_ENDINGS = (".jsonl", ".ndjson", ".parquet")
_KINDS: Mapping[str, type | tuple[type, ...]] = {
    "sentence": str,
    "start": int,
    "end": int,
    "score": (int, float, type(None)),
    "flagged": bool,
}


def is_detected(path: Path) -> bool:
    """Whether a file's first line or row is such a sentence."""
    if not path.is_file() or path.suffix.lower() not in _ENDINGS:
        return False
    try:
        first = next(iter(read_entries(path)), None)
    except CognibenchError:
        return False
    return first is not None and _is_sentence(first.fields)


def sentences_of(path: Path) -> dict[str, list[Sentence]]:
    """The sentences of each answer, in their order, by the answer's id.

    Raises:
        CognibenchError: the file can't be read, or a line is no such sentence.
    """
    found: dict[str, list[Sentence]] = {}
    for entry in read_entries(path):
        fields = {"score": None, "reasons": [], **entry.fields}  # Parquet leaves out what has no value
        if not _is_sentence(fields):
            raise CognibenchError(f"{entry.where}: a sentence as voirdire detect -o writes it is expected.")
        found.setdefault(str(fields["id"]), []).append(fields)
    return found


def origin_of(path: Path) -> Path | None:
    """The file that `detect` has read, where it still stands beside what was written, or here, as it was."""
    manifest = manifest_of(path)
    if manifest is None:
        return None
    name, digests = str(manifest.content.get("source", "")), manifest.content.get("sha256", {})
    for folder in (path.parent, Path()):
        file = folder / Path(name).name
        if name and file.is_file() and isinstance(digests, Mapping) and digests.get(file.name) == sha256(file):
            return file
    return None


def _is_sentence(fields: Mapping[str, Any]) -> bool:
    fields = {"score": None, "reasons": [], **fields}
    typed = all(isinstance(fields.get(name), kind) for name, kind in _KINDS.items())
    return typed and fields.keys() >= set(COLUMNS) and not isinstance(fields["start"], bool)
