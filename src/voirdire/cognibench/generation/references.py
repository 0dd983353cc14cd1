"""Reference texts that dialogues are grounded in, and an even sample of them over topics (CogniBench A.6)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from voirdire.cognibench.records import CognibenchError
from voirdire.data.files import FileError, whole_text
from voirdire.data.json_text import JsonError, parse_json
from voirdire.data.rows import name_of, text_lines
from voirdire.data.sheets import read_sheet
from voirdire.text.counting import counted

_TEXTS = (".txt", ".md")
_MOST_ENTRIES = 20_000
"""Files and folders of a folder: whoever names / or a home is not kept waiting."""
_MAX_FILE = 4_000_000
"""Bytes of a text file."""
_MAX_LINE = 1_000_000
"""Characters of a line of JSON."""
_MAX_CHARACTERS = 100_000
"""Some 20,000 words: more than most models read at once, and a sign that the file is something else."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A text that questions are asked about and answered from."""

    id: str
    text: str
    topic: str | None = None
    """What sampling is even over; `None` is a topic of its own."""
    title: str | None = None
    """What the text is about, where that is known."""

    def as_dict(self) -> dict[str, Any]:
        """As a line of JSON; what is not known is left out."""
        fields = {"id": self.id, "topic": self.topic, "title": self.title, "text": self.text}
        return {name: value for name, value in fields.items() if value is not None}


def read_references(path: Path) -> list[Reference]:
    """Read references.

    Args:
        path: JSON Lines `{"id"?, "topic"?, "title"?, "text"}`; a CSV file with these columns; a text file; or a folder
            of .txt and .md files, where a subfolder's name is the topic, a file's name the id, and a Markdown heading
            in the first line the title.

    Raises:
        CognibenchError: nothing can be read there, a text is missing, or an id stands there twice.
    """
    try:
        references = list(_references(path))
    except OSError as error:
        raise CognibenchError(f"The references {path} can't be read: {error.strerror}.") from error
    except FileError as error:
        raise CognibenchError(f"The references can't be read: {error}") from error
    if not references:
        expected = "a folder of .txt or .md files" if path.is_dir() else 'lines like {"id", "topic", "text"}'
        raise CognibenchError(f"{path} holds no reference; expected {expected}.")
    ids: set[str] = set()
    for each in references:
        if each.id in ids:
            raise CognibenchError(f"{path}: the id {each.id!r} appears twice; give each reference its own.")
        ids.add(each.id)
    return references


def sample_evenly(references: Sequence[Reference], count: int | None, seed: int = 0) -> list[Reference]:
    """Draw references so that no topic has more than one above another, unless the other has no more to give.

    Topics take turns; the order of topics, and of references within one, is drawn from the seed and the ids alone, so
    it does not depend on the order of the file, and a larger sample begins with the smaller one.

    Args:
        references: to draw from.
        count: how many; `None` for all.
        seed: of the draw.

    Raises:
        CognibenchError: fewer are there than wanted, or fewer than one is wanted.
    """
    wanted = len(references) if count is None else count
    if not 1 <= wanted <= len(references):
        raise CognibenchError(
            f"A sample of {wanted} was asked for, of {counted(len(references), 'reference')}; ask for 1 to as many."
        )
    by_topic: dict[str | None, list[Reference]] = {}
    for each in sorted(references, key=lambda each: _draw(seed, "reference", each.id)):
        by_topic.setdefault(each.topic, []).append(each)
    topics = sorted(by_topic, key=lambda topic: _draw(seed, "topic", topic or ""))
    rounds = max(len(by_topic[topic]) for topic in topics)
    taking_turns = [
        by_topic[topic][number] for number in range(rounds) for topic in topics if number < len(by_topic[topic])
    ]
    return taking_turns[:wanted]


def _draw(seed: int, kind: str, name: str) -> bytes:
    return hashlib.sha256(json.dumps([seed, kind, name]).encode()).digest()


def _references(path: Path) -> Iterator[Reference]:
    if path.is_dir():
        yield from _folder(path)
    elif path.suffix.lower() == ".csv":
        yield from _csv(path)
    elif path.suffix.lower() in _TEXTS:
        yield _file(path, None, path.stem)
    else:
        yield from _lines(path)


def _folder(path: Path) -> Iterator[Reference]:
    entries = list(islice(path.rglob("*"), _MOST_ENTRIES + 1))
    if len(entries) > _MOST_ENTRIES:
        raise CognibenchError(f"{path} holds more than {_MOST_ENTRIES:,} files and folders; name the references' own.")
    for file in sorted(entries):
        inside = file.relative_to(path)
        if file.suffix.lower() in _TEXTS and file.is_file() and not any(part.startswith(".") for part in inside.parts):
            topic = inside.parts[0] if len(inside.parts) > 1 else None
            yield _file(file, topic, str(inside.with_suffix("").as_posix()))


def _file(file: Path, topic: str | None, name: str) -> Reference:
    text = whole_text(file, _MAX_FILE).strip()
    first, _, rest = text.partition("\n")
    if file.suffix.lower() == ".md" and first.startswith("# ") and rest.strip():
        return _reference({"id": name, "topic": topic, "title": first[2:], "text": rest}, str(file), name)
    return _reference({"id": name, "topic": topic, "text": text}, str(file), name)


def _csv(path: Path) -> Iterator[Reference]:
    columns, rows = read_sheet(path)
    if "text" not in columns:
        raise CognibenchError(f"{path} has no column text; expected the columns id, topic, text.")
    for place, (number, cells) in enumerate(rows, start=1):
        yield _reference(dict(zip(columns, cells, strict=True)), f"{path}, row {number}", str(place))


def _lines(path: Path) -> Iterator[Reference]:
    for number, line in text_lines(path, _MAX_LINE):
        where = f"{path}, line {number}"
        try:
            entry = parse_json(line)
        except JsonError as error:
            raise CognibenchError(
                f'{where} is no JSON ({error}); expected {{"id", "topic", "text"}} a line.'
            ) from error
        if not isinstance(entry, dict):
            raise CognibenchError(f'{where} is no object; expected {{"id", "topic", "text"}} a line.')
        yield _reference(entry, where, str(number))


def _reference(entry: Mapping[str, Any], where: str, name: str) -> Reference:
    """A reference, from its fields; without an id it is called `name`."""
    fields = {field: _text(entry.get(field), field, where) for field in ("id", "topic", "title", "text")}
    text = fields["text"]
    if not text:
        raise CognibenchError(f"{where} has no text.")
    if len(text) > _MAX_CHARACTERS:
        raise CognibenchError(f"{where}: the text has {len(text):,} characters; at most {_MAX_CHARACTERS:,} are taken.")
    return Reference(fields["id"] or name, text, fields["topic"], fields["title"])


def _text(value: object, field: str, where: str) -> str | None:
    try:
        return (name_of(value, field) or "").strip() or None
    except TypeError as error:
        raise CognibenchError(f"{where}: {error}.") from None
