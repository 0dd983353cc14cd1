"""Responses to be scored: JSON Lines or Parquet, never the whole file in memory, or one JSON document."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

from voirdire.data.files import FileError, whole_text
from voirdire.data.json_text import JsonError, parse_json
from voirdire.data.manifests import check_unchanged
from voirdire.data.rows import RowError, is_document, is_parquet, name_of, parquet_rows, text_lines
from voirdire.integrity.facts import expand, parse_facts
from voirdire.integrity.records import EstablishedFact, IntegrityError, Violation
from voirdire.text.counting import counted
from voirdire.text.sentences import split_sentences

Field = Literal["response", "facts", "violations", "context"]
AUDITED: tuple[Field, ...] = ("response", "facts")
"""What an item must bring to be audited."""
SCORED: tuple[Field, ...] = ("violations",)
"""What an item must bring to be scored."""
_WITHOUT: Mapping[Field, str] = {
    "response": "it has no response",
    "facts": "it has no facts, and none are given for all: there is nothing to hold the response against",
    "violations": "it has no violations; an empty list says that there are none; voirdire integrity audit finds them",
    "context": "it has no context, which is the question",
}
MAX_LINE = 5_000_000
"""Characters; nobody writes a longer response, and a file without line breaks is no JSON Lines."""


@dataclass(frozen=True, slots=True)
class Item:
    """One response, the facts it had to respect, and what is already known of it."""

    id: str
    response: str | None
    source_facts: tuple[EstablishedFact, ...]
    """The facts as they were given."""
    violations: tuple[Violation, ...] = ()
    holistic: float | None = None
    """A score given by impression, from 0 to 100."""
    context: str = ""
    """The question or scenario: what stands there is no invention, and no established fact either."""

    @property
    def facts(self) -> tuple[EstablishedFact, ...]:
        """The facts as they are judged: compound ones followed by their parts."""
        return _split(self.source_facts)


class ItemsFile(NamedTuple):
    """The number of items in a file, and the file's SHA-256."""

    items: int
    sha256: str


def read_items(path: Path, facts: Sequence[EstablishedFact] = ()) -> Iterator[Item]:
    """Read `{"id"?, "response", "facts"?, "context"?, "violations"?, "holistic"?}`, a line at a time.

    A file that ends in .json holds one such object, or a list of them; one that ends in .parquet has a row for each. An
    item without an id is called by its number. A violation may name its sentence by number (from 0) or by its words,
    its fact by id or by its words.

    Args:
        path: of the file.
        facts: for items that bring none of their own.

    Raises:
        IntegrityError: the file can't be read, or a line is no item; the line is named.
    """
    return (item for item, _ in _read(path, facts))


def _read(
    path: Path, facts: Sequence[EstablishedFact], needs: Sequence[Field] = ()
) -> Iterator[tuple[Item, Mapping[str, Any]]]:
    """The items, each with the object that it was read from."""
    check_unchanged(path)
    shared = tuple(facts)
    for number, text in _documents(path):
        try:
            raw = parse_json(text, halves="replace")
            item = _item(raw, shared, number)
            _check_fields(item, raw, needs)
            yield item, raw
        except RecursionError:
            raise IntegrityError(f"{path}, line {number}: it is nested too deeply.") from None
        except (ValueError, TypeError, KeyError) as error:
            why = f"the field {error} is missing" if isinstance(error, KeyError) else str(error).rstrip(".")
            raise IntegrityError(f"{path}, line {number}: {why}.") from None


def check_items(path: Path, facts: Sequence[EstablishedFact] = (), needs: Sequence[Field] = AUDITED) -> ItemsFile:
    """Read the whole file once, before anything is spent on it.

    Args:
        path: of the file.
        facts: for items that bring none of their own.
        needs: what every item must bring.

    Raises:
        IntegrityError: as `read_items`, an item lacks what it needs, an id stands there twice, or there is no item.
    """
    count = sum(1 for _ in checked_items(path, facts, needs))
    with path.open("rb") as file:
        return ItemsFile(count, hashlib.file_digest(file, "sha256").hexdigest())


def checked_items(
    path: Path, facts: Sequence[EstablishedFact] = (), needs: Sequence[Field] = AUDITED
) -> Iterator[tuple[Item, Mapping[str, Any]]]:
    """The items, each with the object that it was read from, while `check_items` finds nothing wrong.

    Raises:
        IntegrityError: as `check_items`.
    """
    ids: set[str] = set()
    for item, raw in _read(path, facts, needs):
        if item.id in ids:
            raise IntegrityError(f"{path}: the id {item.id!r} appears twice.")
        ids.add(item.id)
        yield item, raw
    if not ids:
        raise IntegrityError(f"{path} holds no responses; expected one JSON object per line.")


def _check_fields(item: Item, raw: Mapping[str, Any], needs: Sequence[Field]) -> None:
    there = {
        "response": item.response is not None,
        "facts": bool(item.source_facts),
        "violations": raw.get("violations") is not None,
        "context": bool(item.context),
    }
    lacking = next((field for field in needs if not there[field]), None)
    if lacking is not None:
        raise ValueError(_WITHOUT[lacking])


def _documents(path: Path) -> Iterator[tuple[int, str]]:
    """Numbered JSON texts, one per item."""
    if is_parquet(path):
        yield from _rows(path)
        return
    if not is_document(path):
        yield from _lines(path)
        return
    try:
        whole = parse_json(whole_text(path), halves="replace")
    except FileError as error:
        raise IntegrityError(str(error)) from error
    except JsonError as error:
        raise IntegrityError(f"{path} can't be read ({error}).") from error
    for number, each in enumerate(whole if isinstance(whole, list) else [whole], start=1):
        yield number, json.dumps(each)


def _rows(path: Path) -> Iterator[tuple[int, str]]:
    try:
        for number, row in parquet_rows(path):
            yield number, json.dumps(row, default=str)
    except RowError as error:
        raise IntegrityError(str(error)) from error


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        yield from text_lines(path, MAX_LINE)
    except RowError as error:
        raise IntegrityError(str(error)) from error


def _item(raw: Any, shared: tuple[EstablishedFact, ...], number: int) -> Item:
    if not isinstance(raw, Mapping):
        raise ValueError("a JSON object is expected")
    response = raw.get("response")
    if response is not None and not isinstance(response, str):
        raise ValueError("response must be a text")
    context = raw.get("context") or ""
    if not isinstance(context, str):
        raise ValueError("context must be a text")
    own_facts = _facts(json.dumps(raw["facts"])) if raw.get("facts") else shared
    violations = _violations(raw.get("violations"), response, own_facts)
    name = name_of(raw.get("id"), "id") or str(number)
    return Item(name, response, own_facts, violations, _holistic(raw.get("holistic")), context)


@lru_cache(maxsize=256)
def _facts(listed: str) -> tuple[EstablishedFact, ...]:
    """Many items speak of one case: its facts are read once."""
    parsed = json.loads(listed)
    return tuple(parse_facts(parsed if isinstance(parsed, str | list) else [parsed]))


@lru_cache(maxsize=256)
def _split(facts: tuple[EstablishedFact, ...]) -> tuple[EstablishedFact, ...]:
    return tuple(expand(facts))


def _violations(listed: Any, response: str | None, facts: Sequence[EstablishedFact]) -> tuple[Violation, ...]:
    if listed is None or listed == []:
        return ()
    if not isinstance(listed, list):
        raise ValueError("violations must be a list")
    sentences = [piece.text for piece in split_sentences(response or "", layout=True)]
    return tuple(read_violation(each, sentences, _split(tuple(facts))) for each in listed)


def read_violation(raw: Any, sentences: list[str], facts: Sequence[EstablishedFact]) -> Violation:
    """A violation from a mapping: type, and if wanted sentence, span, fact, reason, source.

    Args:
        raw: the mapping.
        sentences: of the response, counted from 0; a sentence given by words that it lacks is added. Where there are
            none, the response is not at hand, and any number stands for a place.
        facts: a fact may be named by its words.

    Raises:
        ValueError, KeyError: it is none.
    """
    if not isinstance(raw, Mapping):
        raise ValueError("a violation must be an object with a type")
    sentence, span, fact = _sentence(raw.get("sentence"), sentences), raw.get("span"), raw.get("fact")
    fact = next((each.id for each in facts if each.text == fact), fact)
    if not isinstance(raw["type"], str):
        raise ValueError("the type of a violation must be a text")
    return Violation(
        raw["type"],
        sentence,
        None if span is None else str(span),
        None if fact is None else str(fact),
        str(raw.get("reason", "")),
        str(raw.get("source", "given")),
    )


def _sentence(value: Any, sentences: list[str]) -> int | None:
    """Which sentence is meant, from 0; words that the response lacks are a place of their own."""
    if isinstance(value, str):
        if value not in sentences:
            sentences.append(value)
        return sentences.index(value)
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 0):
        raise ValueError(f"the sentence {value!r} of a violation must be a whole number from 0, its words, or null")
    if value is not None and sentences and value >= len(sentences):
        raise ValueError(
            f"there is no sentence {value} for a violation: the response has {counted(len(sentences), 'sentence')}, "
            "counted from 0"
        )
    return value


def _holistic(raw: Any) -> float | None:
    if raw is None:
        return None
    if isinstance(raw, bool) or not isinstance(raw, int | float) or not 0 <= raw <= 100:
        raise ValueError(f"holistic must be a number from 0 to 100, not {raw!r}")
    return float(raw)
