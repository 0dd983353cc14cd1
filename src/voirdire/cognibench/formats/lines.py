"""Entries of a file, a few at a time, each answer with an id of its own."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from voirdire.cognibench.formats.entries import ANSWERS, CONTEXTS, DOCUMENT_TEXTS, QUESTIONS
from voirdire.cognibench.formats.other_tools import table_fields
from voirdire.cognibench.formats.problems import SHOWN_BAD, Problem, Tell, list_first
from voirdire.cognibench.records import CognibenchError
from voirdire.data.files import FileError, whole_text
from voirdire.data.json_text import JsonError, json_kind, parse_json
from voirdire.data.rows import (
    FilePart,
    is_document,
    is_parquet,
    is_table,
    is_utf8,
    parquet_rows,
    table_rows,
    text_lines,
)
from voirdire.detectors.records import Answer

MAX_LINE = 20_000_000
"""Characters; a file without line breaks is no JSON Lines, and must not fill the memory."""
_OF_ENTRIES = (*CONTEXTS, *QUESTIONS, *ANSWERS, "turns", "messages", "history", "labels", "statements")
_OF_RATINGS = ({"item", "document", "rater"}, {"item", "document", "how"})
"""Columns of the tables that `rate export --to csv` writes, which lack the texts that were rated."""
_SHOWN_COLUMNS = 12
"""Fields that advice lists."""


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
        alike: dict[str, list[tuple[int, str]]] = {}
        for number, where, says in self.bad:
            alike.setdefault(says, []).append((number, where))
        lines = [_line(says, places) for says, places in list(alike.items())[:SHOWN_BAD]]
        several = list_first(f"{len(self.bad):,} entries can't be used.", lines, len(alike))
        super().__init__(lines[0] if len(self.bad) == 1 else several)
        all_have = all(entry.fields for entry, _ in bad)
        self.columns = tuple(dict.fromkeys(name for entry, _ in bad if all_have for name in entry.fields))
        """What they call their fields; none where one of them has no fields at all."""

    @property
    def with_names(self) -> str:
        """Which entries, and what to do where the fields can be named."""
        if any(each <= set(self.columns) for each in _OF_RATINGS):
            return f"{self}\nThese are exported ratings: give the project that holds them, a .voirdire file."
        known = ", ".join(self.columns[:_SHOWN_COLUMNS])
        named = f"\nIf the fields are called otherwise, say so with --map: there are {known}." if known else ""
        return f"{self}{named}"

    @property
    def with_advice(self) -> str:
        """The same, and what to do where entries can be left out."""
        return f"{self.with_names}\nCorrect them, or leave them out with --skip-bad."


def _line(says: str, places: Sequence[tuple[int, str]]) -> str:
    """One fault, with the first entry that has it and the numbers of some others."""
    others = [str(number) for number, _ in places[1:SHOWN_BAD]]
    more = len(places) - 1 - len(others)
    alike = f" The same in {', '.join(others)}{f' and {more:,} more' if more else ''}." if others else ""
    return f"{places[0][1]}: {says}.{alike}"


def read_entries(path: Path, part: FilePart | None = None) -> Iterator[Entry]:
    """The objects of a JSON Lines file or the rows of a table, one at a time; of a JSON document, its list's.

    That list may be the only one of an object. A line that is no object has a `fault`.

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
        elif part is None and is_document(path):
            yield from _document(path)
        elif is_table(path):
            yield from _table(path)
        else:
            yield from _objects(path, text_lines(path, MAX_LINE, part, keep_undecoded=True))
    except FileError as error:
        raise CognibenchError(str(error)) from error


def _objects(path: Path, lines: Iterator[tuple[int, str]]) -> Iterator[Entry]:
    for number, line in lines:
        where = f"{path}, line {number}"
        if not is_utf8(line):
            yield Entry(where, number, {}, "it is no UTF-8 text")
            continue
        try:
            fields = parse_json(line, halves="replace")
        except JsonError as error:
            yield Entry(where, number, {}, f"it is no JSON ({error}); expected one object per line")
            continue
        yield _entry(where, number, fields)


def _table(path: Path) -> Iterator[Entry]:
    number = 0
    for number, row in table_rows(path, MAX_LINE):
        where = f"{path}, row {number}"
        yield Entry(where, number, {}, row) if isinstance(row, str) else Entry(where, number, table_fields(row))
    if not number:
        raise CognibenchError(f"{path} has a header and no rows.")


def _document(path: Path) -> Iterator[Entry]:
    try:
        whole = parse_json(whole_text(path), halves="replace")
    except JsonError as error:
        raise CognibenchError(f"{path} is no JSON ({error}); one object per line belongs in a .jsonl file.") from None
    for number, fields in enumerate(whole if isinstance(whole, list) else _wrapped_entries(whole) or [whole], start=1):
        yield _entry(f"{path}, entry {number}", number, fields)


def _wrapped_entries(whole: Any) -> list[Any] | None:
    """The list of entries that an object holds beside what is said of them all; `None` where it is an entry itself.

    {"version": 2, "traces": [{…}, …]} is such an object. One with a context, question, answer or dialogue, or whose
    list holds passages or messages, is an entry.
    """
    if not isinstance(whole, Mapping) or not whole.keys().isdisjoint(_OF_ENTRIES):
        return None
    lists: list[list[Any]] = [each for each in whole.values() if _is_of_objects(each)]
    if len(lists) != 1 or not lists[0][0].keys().isdisjoint(DOCUMENT_TEXTS):
        return None
    return lists[0]


def _is_of_objects(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(each, Mapping) for each in value)


def _entry(where: str, number: int, fields: Any) -> Entry:
    if not isinstance(fields, Mapping):
        return Entry(where, number, {}, f"a JSON object is expected, not {json_kind(fields)}")
    return Entry(where, number, fields)


_BITS = (1 << 64) - 1


class TakenIds:
    """Ids that are taken. One that comes again gets a number: "q7", then "q7#2"."""

    def __init__(self, tell: Tell) -> None:
        """`tell` is told of every id that was changed."""
        self._tell = tell
        self._taken = Seen()

    def own(self, answer: Answer) -> Answer:
        """The answer under an id that no earlier one has."""
        own, number = answer.id, 1
        while not self._taken.add(own):
            number += 1
            own = f"{answer.id}#{number}"
        if own == answer.id:
            return answer
        self._tell(Problem("renamed", answer.id, f"now {own}"))
        return replace(answer, id=own)


class Seen:
    """Texts that were met, at some twenty bytes each: 64 bits of a hash, in a table with open addresses.

    Two of a million texts are taken for the same with a chance of 3 in a hundred million.
    """

    def __init__(self) -> None:
        self._slots = array("Q", bytes(8 * 1024))
        self._count = 0

    def add(self, text: str) -> bool:
        """Whether the text is new; it is known from now on."""
        if 5 * self._count >= 3 * len(self._slots):
            self._grow()
        code = (hash(text) & _BITS) or 1
        place = self._place(code)
        if self._slots[place]:
            return False
        self._slots[place] = code
        self._count += 1
        return True

    def _place(self, code: int) -> int:
        """Where the code stands, or would."""
        slots, last = self._slots, len(self._slots) - 1
        place = code & last
        while slots[place] and slots[place] != code:
            place = (place + 1) & last
        return place

    def _grow(self) -> None:
        earlier = self._slots
        self._slots = array("Q", bytes(2 * len(earlier) * earlier.itemsize))
        for code in earlier:
            if code:
                self._slots[self._place(code)] = code
