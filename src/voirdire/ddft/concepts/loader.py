"""Concept files: one YAML file, read into a `Concept` or refused with a sentence."""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, get_args

from voirdire.data import untrusted
from voirdire.errors import InputError
from voirdire.records import Concept, ConceptKind, Fact, Instance

MAX_FILE_BYTES = 1_000_000
MAX_LISTED = 500
"""Facts, instances, scholars … of one concept; the largest packaged list has 40."""
MAX_REFERENCE = 50_000
"""Characters; it goes to subjects and judges with every call."""
MAX_TEXT = 2_000
"""Characters of any other text: rules hold texts beside each other, which takes the square of their length."""
REQUIRED = ("id", "name", "domain", "reference", "facts", "instances", "scholars", "topics")
KEYS = frozenset({*REQUIRED, "aliases", "real", "kind", "as_of"})
KINDS: tuple[ConceptKind, ...] = get_args(ConceptKind)


class ConceptError(InputError):
    """A concept that can't be used: one sentence says which file or name, what is wrong, and what is expected."""

    def __init__(self, message: str, field: str = "") -> None:
        super().__init__(message)
        self.field = field
        """The part of the file that is meant: "id", "facts[3].text"; "" for the whole, or for what is missing."""


class UnreadableConcept(ConceptError):
    """A concept file that can't be read at all: it is not there, too large, or no YAML."""


@dataclass(frozen=True, slots=True)
class ConceptFile:
    """A concept together with the text it was read from, which a run keeps."""

    concept: Concept
    text: str

    @property
    def sha256(self) -> str:
        """Hash of the file's text; recorded by every run that uses it."""
        return hashlib.sha256(self.text.encode()).hexdigest()


def parse_concept(text: str, where: str, *, packaged: bool = False) -> ConceptFile:
    """Read one concept from YAML text. `where` names it in errors; `packaged`: it comes with the package.

    Raises:
        UnreadableConcept: not YAML.
        ConceptError: not the form that `data/concepts/README.md` describes.
    """
    return ConceptFile(concept_of(load_mapping(text, where, packaged=packaged), where), text)


def concept_of(raw: Mapping[str, Any], where: str) -> Concept:
    """The concept that a file's mapping describes.

    Raises:
        ConceptError: not the form that `data/concepts/README.md` describes.
    """
    missing = [key for key in REQUIRED if not raw.get(key)]
    if missing:
        unknown = "".join(f"; {unknown_key(str(key), KEYS)}" for key in raw if key not in KEYS)
        raise ConceptError(f"{where} lacks {', '.join(missing)}{unknown}; a concept needs {', '.join(REQUIRED)}.")
    return _concept(raw, where)


def unknown_key(key: str, known: Iterable[str]) -> str:
    """That nothing reads a key, and which one it may be a slip of."""
    near = difflib.get_close_matches(key, sorted(known), n=1)
    return f"unknown key {key!r}{f' (did you mean {near[0]!r}?)' if near else ''}"


def load_mapping(text: str, where: str, *, packaged: bool = False) -> Mapping[str, Any]:
    """The YAML mapping that a concept file holds, as it stands.

    Packaged files are read by the fast C parser. A user's never are: deeply nested brackets make it crash.

    Raises:
        UnreadableConcept: not YAML, beyond the bounds of `data.untrusted`, or no mapping.
    """
    try:
        raw = _packaged_yaml(text) if packaged else untrusted.yaml_of(text)
    except untrusted.UntrustedError as error:
        raise UnreadableConcept(error.of(where)) from None
    if not isinstance(raw, dict):
        raise UnreadableConcept(f"{where} must hold one concept: a mapping with the keys {', '.join(REQUIRED)}.")
    return raw


def _packaged_yaml(text: str) -> Any:
    import yaml

    return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506 - safe loaders both


def read_text(path: Path) -> str:
    """The text of a user's concept file.

    Raises:
        UnreadableConcept: no such file, too large, or not UTF-8.
    """
    try:
        return untrusted.read_text(path, MAX_FILE_BYTES)
    except untrusted.UntrustedError as error:
        raise UnreadableConcept(error.of(f"The concept file {path}")) from None


def _concept(raw: Mapping[str, Any], where: str) -> Concept:
    return Concept(
        id=_text(raw["id"], "id", where),
        name=_text(raw["name"], "name", where),
        domain=_text(raw["domain"], "domain", where),
        reference=_joined(_text(raw["reference"], "reference", where)),
        facts=_facts(raw["facts"], where),
        instances=_instances(raw["instances"], where),
        scholars=_texts(raw["scholars"], "scholars", where),
        topics=_texts(raw["topics"], "topics", where),
        real=_real(raw.get("real") or {}, where),
        aliases=_texts(raw.get("aliases") or [], "aliases", where),
        kind=_kind(raw, where),
        as_of=_as_of(raw, where),
    )


def _kind(raw: Mapping[str, Any], where: str) -> ConceptKind:
    value = raw.get("kind", "established")
    for kind in KINDS:
        if value == kind:
            return kind
    raise ConceptError(f"{where}: the kind {value!r} is unknown; choose one of {', '.join(KINDS)}.", "kind")


def _as_of(raw: Mapping[str, Any], where: str) -> str:
    value = _text(raw.get("as_of") or "", "as_of", where)
    if not value and raw.get("kind") == "current":
        raise ConceptError(
            f"{where}: a concept of the kind current needs as_of, the date at which its reference holds.", "kind"
        )
    try:
        return date.fromisoformat(value).isoformat() if value else ""
    except ValueError:
        raise ConceptError(f"{where}: as_of is {value!r}; give a date such as 2025-06-30.", "as_of") from None


def _joined(text: str) -> str:
    """The text with its paragraphs as one line each: where a file breaks its lines is no part of the reference."""
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in text.strip().split("\n\n"))


_FACT_KEYS = ("id", "text", "source", "wrong", "position")


def _facts(raw: Any, where: str) -> tuple[Fact, ...]:
    facts = tuple(
        Fact(*(_text(entry.get(key, ""), f"facts[{i}].{key}", where) for key in _FACT_KEYS))
        for i, entry in enumerate(_mappings(raw, "facts", where))
    )
    for i, fact in enumerate(facts):
        if not (fact.id and fact.text and fact.source):
            raise ConceptError(f"{where}: facts[{i}] must have an id, a text and a source.", f"facts[{i}]")
    ids = [fact.id for fact in facts]
    twice = sorted({fact_id for fact_id in ids if ids.count(fact_id) > 1})
    if twice:
        again = len(ids) - 1 - ids[::-1].index(twice[0])
        raise ConceptError(
            f"{where}: the fact id {twice[0]!r} stands more than once; ids must be unique.", f"facts[{again}].id"
        )
    return facts


def _instances(raw: Any, where: str) -> tuple[Instance, ...]:
    fields = ("name", "person", "date", "place", "work")
    return tuple(
        Instance(*(_text(entry.get(key, ""), f"instances[{i}].{key}", where) for key in fields))
        for i, entry in enumerate(_mappings(raw, "instances", where))
    )


def _real(raw: Any, where: str) -> dict[str, tuple[str, ...]]:
    if not isinstance(raw, dict):
        raise ConceptError(f"{where}: 'real' must map a trap kind (paper, event, law) to a list of names.", "real")
    return {str(kind): _texts(listed, f"real.{kind}", where) for kind, listed in raw.items()}


def _mappings(raw: Any, key: str, where: str) -> list[Mapping[str, Any]]:
    if not isinstance(raw, list) or not all(isinstance(entry, dict) for entry in raw):
        raise ConceptError(f"{where}: '{key}' must be a list of mappings.", key)
    return _bounded(raw, key, where)


def _texts(raw: Any, key: str, where: str) -> tuple[str, ...]:
    if not isinstance(raw, list) or not all(isinstance(entry, str | int) for entry in raw):
        raise ConceptError(f"{where}: '{key}' must be a list of texts.", key)
    return tuple(_text(entry, key, where) for entry in _bounded(raw, key, where))


def _bounded(entries: list[Any], key: str, where: str) -> list[Any]:
    if len(entries) > MAX_LISTED:
        raise ConceptError(f"{where}: '{key}' has {len(entries):,} entries; at most {MAX_LISTED} are read.", key)
    return entries


def _text(raw: Any, key: str, where: str) -> str:
    if not isinstance(raw, str | int | float | date) or isinstance(raw, bool):
        raise ConceptError(f"{where}: '{key}' must be a text, not {type(raw).__name__}.", key)
    text, most = str(raw), MAX_REFERENCE if key == "reference" else MAX_TEXT
    if len(text) > most:
        raise ConceptError(f"{where}: '{key}' has {len(text):,} characters; at most {most:,} are read.", key)
    return text  # of a date, YAML's own type for 2025-06-30, the ISO form
