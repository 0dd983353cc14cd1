"""What a reader of a format is, and what readers share."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from voirdire.data.files import decoded, whole_bytes
from voirdire.errors import InputError
from voirdire.evaluation.records import Evaluation, SourceFile

_HEAD = 4_096
_GZIP = b"\x1f\x8b"


class Format(NamedTuple):
    """A format of results. A new one is a module here with a `FORMAT`, and its place in `formats.FORMATS`."""

    name: str
    sniff: Callable[[Path], bool]
    """Whether a file or a folder looks like this format. Reads little of it, and never raises."""
    read: Callable[[Path], Sequence[Evaluation]]
    """The evaluations in it, each with all `files` that were read for it: whoever walks a folder leaves these out.
    Raises an `InputError` with a sentence where the file is damaged, or beyond the limits for untrusted files."""


class FormatError(InputError):
    """Results that can't be read: one sentence says why."""


def read_source(path: Path) -> tuple[str, SourceFile]:
    """The text of a file, unpacked if it is gzipped, and what is recorded of the file.

    Raises:
        FileError: it can't be read, is too large, or is no UTF-8 text.
    """
    return decoded(whole_bytes(path, unzip=True), path), source_of(path)


def source_of(path: Path) -> SourceFile:
    """What is recorded of a file."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(2**20):
            digest.update(block)
    return SourceFile(path, digest.hexdigest(), path.stat().st_size)


def head_of(path: Path) -> bytes:
    """The first bytes of a plain file; none of anything else."""
    try:
        if not path.is_file():
            return b""
        with path.open("rb") as file:
            return file.read(_HEAD)
    except OSError:
        return b""


def is_gzipped(path: Path) -> bool:
    """Whether a file is gzipped."""
    return head_of(path).startswith(_GZIP)


def begins_with_keys(path: Path, keys: Iterable[str]) -> bool:
    """Whether the first bytes of a JSON file name all of these keys."""
    head = head_of(path)
    return head.lstrip().startswith((b"{", b"[")) and all(f'"{key}"'.encode() in head for key in keys)


def as_text(value: Any) -> str | None:
    """A value of JSON as a text: texts as they are, `None` for nothing, others as JSON."""
    if value is None or isinstance(value, str):
        return value
    import json

    return json.dumps(value, ensure_ascii=False)


def decimals_of(printed: str) -> int:
    """How many decimals a printed number has: 2 of "63.33"; 12 of what is in scientific form."""
    found = re.fullmatch(r"-?\d*(?:\.(\d*))?", printed.strip())
    return 12 if found is None else len(found[1] or "")
