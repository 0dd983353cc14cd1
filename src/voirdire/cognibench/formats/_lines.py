"""JSON Lines or Parquet, never the whole file in memory; or one JSON document that is a list."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from voirdire.cognibench.formats.problems import SHOWN_BAD, listed
from voirdire.cognibench.records import CognibenchError
from voirdire.data.files import FileError, whole_text
from voirdire.data.json_text import JsonError, parse_json
from voirdire.data.rows import Part, is_parquet, line_part, parquet_rows, text_lines

MAX_LINE = 20_000_000
"""Characters; a file without line breaks is no JSON Lines, and must not fill the memory."""


class Entry(NamedTuple):
    """A JSON object of a file."""

    where: str
    """"log.jsonl, line 3": how errors name it."""
    number: int
    """From 1."""
    fields: Mapping[str, Any]
    fault: str | None = None
    """Why it is no object: half a sentence. It has no fields then."""


class BadEntriesError(CognibenchError):
    """Entries that can't be used: a sentence names the first of them."""

    def __init__(self, bad: Sequence[tuple[Entry, str]]) -> None:
        self.says = bad[0][1]
        """Why the first can't be used: half a sentence."""
        self.bad = tuple(sorted(((entry.number, entry.where, says) for entry, says in bad)))
        shown = [f"{where}: {says}." for _, where, says in self.bad[:SHOWN_BAD]]
        several = listed(f"{len(self.bad):,} entries can't be used.", shown, len(self.bad))
        super().__init__(shown[0] if len(shown) == 1 else several)


def read_entries(path: Path, part: Part | None = None) -> Iterator[Entry]:
    """The objects of a JSON Lines file or the rows of a `.parquet` file, one at a time; of a `.json` file, its list's.

    A line that is no object has a `fault`.

    Args:
        path: of the file.
        part: the rows wanted of JSON Lines or Parquet; `None` for all of them.

    Raises:
        CognibenchError: the file can't be read.
    """
    try:
        if is_parquet(path):
            for number, row in parquet_rows(path, part):
                yield Entry(f"{path}, row {number}", number, row)
        elif path.suffix.lower() == ".json":
            yield from _document(path)
        else:
            yield from _objects(path, text_lines(path, MAX_LINE) if part is None else line_part(path, part, MAX_LINE))
    except FileError as error:
        raise CognibenchError(str(error)) from error


def _objects(path: Path, lines: Iterator[tuple[int, str]]) -> Iterator[Entry]:
    for number, line in lines:
        where = f"{path}, line {number}"
        try:
            fields = parse_json(line, halves="replace")
        except JsonError as error:
            yield Entry(where, number, {}, f"it is no JSON ({error}); expected one object per line")
            continue
        yield _entry(where, number, fields)


def _document(path: Path) -> Iterator[Entry]:
    try:
        whole = parse_json(whole_text(path), halves="replace")
    except JsonError as error:
        raise CognibenchError(f"{path} is no JSON ({error}); one object per line belongs in a .jsonl file.") from None
    for number, fields in enumerate(whole if isinstance(whole, list) else [whole], start=1):
        yield _entry(f"{path}, entry {number}", number, fields)


def _entry(where: str, number: int, fields: Any) -> Entry:
    if not isinstance(fields, Mapping):
        return Entry(where, number, {}, f"a JSON object is expected, not a {type(fields).__name__}")
    return Entry(where, number, fields)
