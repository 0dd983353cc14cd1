"""What a reader of a format is, and what readers share."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from voirdire.data.files import decoded, whole_bytes
from voirdire.data.json_text import JsonError, parse_json
from voirdire.data.rows import text_lines
from voirdire.errors import InputError
from voirdire.evaluation.records import Evaluation, SourceFile

LONGEST_LINE = 64 * 2**20
"""Characters of a line of JSON Lines: an agent's transcript may be one."""
CLUSTERS = ("cluster", "passage", "passage_id", "document", "document_id", "subject", "category", "topic", "dataset")
"""What the fields of an item that say which belong together are usually called, the most telling name first."""
_HEAD = 4_096


class Format(NamedTuple):
    """A format of results. A new one is a module here with a `FORMAT`, and its place in `formats.FORMATS`."""

    name: str
    sniff: Callable[[Path], bool]
    """Whether a file or a folder looks like this format. Reads little of it, and never raises."""
    read: Callable[[Path], Sequence[Evaluation]]
    """The evaluations in it, each with all `files` that were read for it: whoever walks a folder leaves these out.
    Raises an `InputError` with a sentence where the file is damaged, or beyond the limits for untrusted files."""
    beside: Callable[[Path], Iterable[Path]] = lambda _: ()
    """Files that are read with one of this format, as far as names tell: a list of files has no place for them."""


class FormatError(InputError):
    """Results that can't be read: one sentence says why."""


def read_source(path: Path) -> tuple[str, SourceFile]:
    """The text of a file, unpacked if it is gzipped, and what is recorded of the file.

    Raises:
        FileError: it can't be read, is too large, or is no UTF-8 text.
    """
    return decoded(whole_bytes(path, unzip=True), path), source_of(path)


def read_json(path: Path) -> tuple[Any, SourceFile]:
    """What a JSON file holds; NaN and Infinity are `None`.

    Raises:
        FileError: see `read_source`.
        FormatError: it is not valid JSON.
    """
    text, source = read_source(path)
    return json_of(text, str(path)), source


def json_of(text: str, where: str) -> Any:
    """The value of a JSON text; NaN and Infinity are `None`.

    Raises:
        FormatError: it is not valid JSON; `where` says where it stands.
    """
    try:
        return parse_json(text, halves="replace", nan="null")
    except JsonError as error:
        raise FormatError(f"{where} is not valid JSON ({error}).") from None


def json_lines(path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The objects of a file of JSON Lines, with the numbers of their lines.

    Raises:
        FileError: it can't be read.
        FormatError: a line is no JSON object.
    """
    yield from objects_of(text_lines(path, LONGEST_LINE), path)


def objects_of(lines: Iterable[tuple[int, str]], path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The object that each numbered line holds; lines without text are passed over.

    Raises:
        FormatError: a line is no JSON object.
    """
    for number, line in lines:
        if not line.strip():
            continue
        entry = json_of(line, f"{path}, line {number},")
        if not isinstance(entry, dict):
            raise FormatError(f"{path}, line {number}: an object is expected.")
        yield number, entry


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


def begins_with_keys(path: Path, keys: Iterable[str]) -> bool:
    """Whether the first bytes of a JSON file name all of these keys."""
    head = head_of(path)
    return head.lstrip().startswith((b"{", b"[")) and all(f'"{key}"'.encode() in head for key in keys)


def mapping(value: Any) -> Mapping[str, Any]:
    """An object of JSON; an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def listed(value: Any) -> list[Any]:
    """A list of JSON; an empty one for anything else."""
    return value if isinstance(value, list) else []


def number_of(value: Any) -> float | None:
    """A number of JSON, true as 1; `None` for anything else."""
    return float(value) if isinstance(value, int | float) else None


def cluster_of(fields: Any) -> str | None:
    """The group of items that an item's own fields name, by the usual names."""
    known = mapping(fields)
    matches = (known[name] for name in CLUSTERS if isinstance(known.get(name), str | int) and known[name] != "")
    return next((str(value) for value in matches), None)


def place_of(letter: Any, choices: Sequence[str]) -> float | None:
    """The place of a choice, from 0, by its letter ("B") or its own text; `None` where it is neither."""
    if not isinstance(letter, str) or not choices:
        return None
    sign = letter.strip().strip("().").upper()
    if len(sign) == 1 and 0 <= ord(sign) - ord("A") < len(choices):
        return float(ord(sign) - ord("A"))
    return float(choices.index(letter)) if letter in choices else None


class Repetitions:
    """Numbers the rows of one item, model and judge, from 1: epochs of a file that does not number them."""

    def __init__(self) -> None:
        self._seen: Counter[tuple[str | None, ...]] = Counter()

    def next(self, *names: str | None) -> int:
        """The number of the next row of these names."""
        self._seen[names] += 1
        return self._seen[names]


def as_text(value: Any) -> str | None:
    """A value of JSON as a text: texts as they are, `None` for nothing, others as JSON."""
    if value is None or isinstance(value, str):
        return value
    import json

    return json.dumps(value, ensure_ascii=False, default=str)


def decimals_of(printed: str) -> int:
    """How many decimals a printed number has: 2 of "63.33"; 12 of what is in scientific form."""
    match = re.fullmatch(r"-?\d*(?:\.(\d*))?", printed.strip())
    return 12 if match is None else len(match[1] or "")
