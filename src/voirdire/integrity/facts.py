"""Established facts from text, YAML or JSON, and the splitting of compound ones by rule."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, get_args

from voirdire.data import untrusted
from voirdire.data.paths import AnyPath, as_path
from voirdire.integrity.compound_facts import pieces_of
from voirdire.integrity.records import EstablishedFact, IntegrityError, Side
from voirdire.text.counting import named_twice

MAX_FILE_BYTES = 1_000_000
"""Longer files of facts are no files of facts."""
_BULLET = re.compile(r"^\s*(?:[-*+•–]\s+|\(?\d{1,3}[.)]\s+)?")
_REMARK = re.compile(r"\s*\((?:quantitative|qualitative)\)\s*$", re.IGNORECASE)
_YAML_ITEM = re.compile(r"^(?:facts:|\s*-\s+(?:id|text)\s*:)", re.MULTILINE)
_KNOWN = frozenset({"id", "text", "central", "relevant", "side", "parent", "split", "children"})


def parse_facts(source: str | Iterable[object]) -> list[EstablishedFact]:
    """Read established facts.

    Args:
        source: plain text (one fact per line; bullets, numbers and the remark "(quantitative)" are taken off), JSON,
            JSONL or YAML text, or the items themselves: strings, or mappings with `text` and, if wanted, `id`,
            `central`, `relevant`, `side` ("for" or "against"), `parent` (an id), `children` (items), `split` (false
            keeps the fact whole). Facts without an id are called F1, F2 …, children F1.1, F1.2 ….

    Raises:
        IntegrityError: no fact at all, an item that is none, an id that stands twice, a parent that doesn't exist.
    """
    items = _items(source) if isinstance(source, str) else list(source)
    facts: list[EstablishedFact] = []
    for number, item in enumerate(items, start=1):
        facts += _read_item(item, f"F{number}", None)
    if not facts:
        raise IntegrityError("No established fact was given: one fact per line is expected, or a list of facts.")
    _check(facts)
    return facts


def read_facts(path: AnyPath) -> list[EstablishedFact]:
    """Read a file of facts: .yaml, .yml, .json, .jsonl, or plain text (see `parse_facts`).

    Raises:
        IntegrityError: the file can't be read, is a table (CSV), or holds no facts.
    """
    path = as_path(path)
    if path.suffix.lower() in (".csv", ".tsv"):
        raise IntegrityError(
            f"{path} is a table, and facts are not read from tables: give plain text with one fact per line, or YAML, "
            "JSON or JSON Lines with the fields of each fact."
        )
    try:
        text = untrusted.read_text(path, MAX_FILE_BYTES)
    except untrusted.UntrustedError as error:
        raise IntegrityError(error.of(f"The file of facts {path}")) from error
    if path.suffix.lower() in (".yaml", ".yml"):
        return parse_facts(_from_yaml(text))
    return parse_facts(text)


def split_compound(fact: EstablishedFact) -> list[EstablishedFact]:
    """The parts of a compound fact, or the fact itself if it is not compound.

    Parts are cut at semicolons, at commas and "and" where a figure stands on both sides. Dates, names, ranges,
    parentheses and quotations stay whole, and so does one result's statistics ("p<0.001, d=0.8"). A label ("Elderly
    poverty: …") goes with each part. Parts inherit everything but their id: F1.1, F1.2 ….
    """
    if fact.whole or fact.parent is not None:
        return [fact]
    texts = pieces_of(fact.text)
    if len(texts) < 2:
        return [fact]
    return [
        EstablishedFact(f"{fact.id}.{number}", text, fact.id, fact.central, fact.relevant, fact.side)
        for number, text in enumerate(texts, start=1)
    ]


def expand(facts: Sequence[EstablishedFact]) -> list[EstablishedFact]:
    """All facts, each compound one followed by its parts. Where the user gave parts, they stay as they are."""
    parents = {fact.parent for fact in facts}
    ids = {fact.id for fact in facts}
    expanded: list[EstablishedFact] = []
    for fact in facts:
        parts = [] if fact.id in parents else split_compound(fact)
        expanded.append(fact)
        if len(parts) > 1 and not any(part.id in ids for part in parts):
            expanded += parts
    return expanded


def as_items(facts: Sequence[EstablishedFact]) -> list[dict[str, Any]]:
    """Facts as `parse_facts` reads them, parts under their compound fact; what is left at its default is left out."""
    return [_as_item(fact, facts) for fact in facts if fact.parent is None]


def _as_item(fact: EstablishedFact, facts: Sequence[EstablishedFact]) -> dict[str, Any]:
    item: dict[str, Any] = {"id": fact.id, "text": fact.text}
    item |= {"central": True} if fact.central else {}
    item |= {} if fact.relevant else {"relevant": False}
    item |= {} if fact.side is None else {"side": fact.side}
    item |= {"split": False} if fact.whole else {}
    parts = [_as_item(part, facts) for part in facts if part.parent == fact.id]
    return item | ({"children": parts} if parts else {})


def _items(text: str) -> list[object]:
    stripped = text.lstrip("\ufeff \t\r\n")
    if stripped[:1] in ("{", "["):
        return _from_json(stripped)
    if _YAML_ITEM.search(stripped):
        return _from_yaml(stripped)
    lines = (_BULLET.sub("", line, count=1).strip() for line in stripped.splitlines())
    return [line for line in lines if line]


def _from_json(text: str) -> list[object]:
    try:
        try:
            return _facts_of_document(untrusted.json_of(text))
        except untrusted.UntrustedError:
            lines = [line for line in text.splitlines() if line.strip()]
            if len(lines) == 1:
                raise
            return [untrusted.json_of(line) for line in lines]
    except untrusted.UntrustedError as error:
        raise IntegrityError(f"The facts begin like JSON, but are none: {error.of('the text')}") from error


def _from_yaml(text: str) -> list[object]:
    try:
        return _facts_of_document(untrusted.yaml_of(text))
    except untrusted.UntrustedError as error:
        raise IntegrityError(f"The facts are no YAML: {error.of('the text')}") from error


def _facts_of_document(document: object) -> list[object]:
    if isinstance(document, Mapping) and "facts" in document:
        document = document["facts"]
    if isinstance(document, list):
        return document
    return [] if document is None else [document]


def _read_item(item: object, name: str, parent: EstablishedFact | None) -> list[EstablishedFact]:
    if isinstance(item, EstablishedFact):
        return [item]
    fields: Mapping[str, Any] = {"text": item} if isinstance(item, str) else _mapping(item, name)
    text = fields.get("text")
    if not isinstance(text, str) or not (text := _REMARK.sub("", text).strip()):
        raise IntegrityError(f"The fact {name} has no text: a sentence is expected under `text`.")
    children = fields.get("children") or []
    if not isinstance(children, list):
        raise IntegrityError(f"The children of the fact {name} must be a list of facts; {children!r} was given.")
    fact = EstablishedFact(
        id=str(fields.get("id", name)),
        text=text,
        parent=_parent(fields, parent),
        central=_flag(fields, "central", name, default=parent.central if parent else False),
        relevant=_flag(fields, "relevant", name, default=parent.relevant if parent else True),
        side=_side(fields, name, parent),
        whole=not _flag(fields, "split", name, default=True),
    )
    below = (_read_item(child, f"{fact.id}.{number}", fact) for number, child in enumerate(children, start=1))
    return [fact, *(each for part in below for each in part)]


def _mapping(item: object, name: str) -> Mapping[str, Any]:
    if not isinstance(item, Mapping):
        raise IntegrityError(f"The fact {name} must be a text or a mapping with `text`; {item!r} was given.")
    unknown = sorted(str(key) for key in item if key not in _KNOWN)
    if unknown:
        raise IntegrityError(
            f"The fact {name} has the unknown field {unknown[0]!r}; known are {', '.join(sorted(_KNOWN))}."
        )
    return item


def _parent(fields: Mapping[str, Any], parent: EstablishedFact | None) -> str | None:
    if parent is not None:
        return parent.id
    return None if fields.get("parent") is None else str(fields["parent"])


def _flag(fields: Mapping[str, Any], field: str, name: str, *, default: bool) -> bool:
    value = fields.get(field, default)
    if not isinstance(value, bool):
        raise IntegrityError(f"`{field}` of the fact {name} must be true or false; {value!r} was given.")
    return value


def _side(fields: Mapping[str, Any], name: str, parent: EstablishedFact | None) -> Side | None:
    side = fields.get("side", parent.side if parent else None)
    if side is not None and side not in get_args(Side):
        raise IntegrityError(f"`side` of the fact {name} must be 'for' or 'against'; {side!r} was given.")
    return side  # type: ignore[no-any-return]


def _check(facts: Sequence[EstablishedFact]) -> None:
    ids = [fact.id for fact in facts]
    if (twice := named_twice(ids)) is not None:
        raise IntegrityError(f"Two facts have the id {twice!r}: each needs its own.")
    known = set(ids)
    orphan = next((fact for fact in facts if fact.parent is not None and fact.parent not in known), None)
    if orphan is not None:
        raise IntegrityError(
            f"The fact {orphan.id!r} names the parent {orphan.parent!r}, which is not among the facts."
        )
