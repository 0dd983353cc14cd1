"""Concept files: one YAML file, read into a `Concept` or refused with a sentence."""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, get_args

from voirdire.data import packaged_files, untrusted
from voirdire.errors import InputError
from voirdire.records import Concept, ConceptKind, Fact, Instance

ENDINGS = (".yaml", ".yml")
"""Of a concept file's name."""
MAX_FILE_BYTES = 1_000_000
MAX_LISTED = 500
"""Facts, instances, scholars … of one concept; the largest packaged list has 40."""
MAX_REFERENCE = 50_000
"""Characters; it goes to subjects and judges with every call."""
MAX_TEXT = 2_000
"""Characters of any other text: rules hold texts beside each other, which takes the square of their length."""
MAX_SHOWN = 10
"""Faults of one file that are told at once."""
REQUIRED = ("id", "name", "domain", "reference", "facts", "instances", "scholars", "topics")
KEYS = frozenset({*REQUIRED, "aliases", "real", "kind", "as_of"})
KINDS: tuple[ConceptKind, ...] = get_args(ConceptKind)


class ConceptError(InputError):
    """A concept that can't be used: one sentence says which file or name, what is wrong, and what is expected."""

    def __init__(self, message: str, field: str = "") -> None:
        super().__init__(message)
        self.field = field
        """The part of the file that is meant: "id", "facts[3].text"; "" for the whole, or for what is missing."""


class ConceptFormError(ConceptError):
    """A concept file that lacks the form of a concept, in one place or in several."""

    def __init__(self, where: str, faults: Sequence[ConceptError]) -> None:
        more = len(faults) - MAX_SHOWN
        listed = "; ".join(str(fault).rstrip(".") for fault in faults[:MAX_SHOWN])
        super().__init__(f"{where}: {listed}{f'; and {more} more' if more > 0 else ''}.", faults[0].field)
        self.faults = tuple(faults)
        """Each with its field; their messages name no file."""


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
        ConceptFormError: not the form that `data/concepts/README.md` describes; with all that is wrong.
    """
    faults: _Faults = []
    missing = [key for key in REQUIRED if not raw.get(key)]
    if missing:
        faults.append(ConceptError(f"lacks {', '.join(missing)}; a concept needs {', '.join(REQUIRED)}."))
        faults += [ConceptError(f"{unknown_key(str(key), KEYS)}.", str(key)) for key in raw if key not in KEYS]
    concept = _concept(raw, faults)
    if faults:
        raise ConceptFormError(where, faults)
    return concept


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
        raw = packaged_files.parse_yaml(text) if packaged else untrusted.yaml_of(text)
    except untrusted.UntrustedError as error:
        raise UnreadableConcept(error.of(where)) from None
    if not isinstance(raw, dict):
        raise UnreadableConcept(f"{where} must hold one concept: a mapping with the keys {', '.join(REQUIRED)}.")
    return raw


def read_text(path: Path) -> str:
    """The text of a user's concept file.

    Raises:
        UnreadableConcept: no such file, too large, or not UTF-8.
    """
    try:
        return untrusted.read_text(path, MAX_FILE_BYTES)
    except untrusted.UntrustedError as error:
        raise UnreadableConcept(error.of(f"The concept file {path}")) from None


_Faults = list[ConceptError]
"""What is wrong so far: a reader adds to it, and gives what it could read."""


def _concept(raw: Mapping[str, Any], faults: _Faults) -> Concept:
    """What a mapping describes; of a key that it lacks, nothing."""
    return Concept(
        id=_text(raw.get("id") or "", "id", faults),
        name=_text(raw.get("name") or "", "name", faults),
        domain=_text(raw.get("domain") or "", "domain", faults),
        reference=_joined(_text(raw.get("reference") or "", "reference", faults)),
        facts=_facts(raw.get("facts") or [], faults),
        instances=_instances(raw.get("instances") or [], faults),
        scholars=_texts(raw.get("scholars") or [], "scholars", faults),
        topics=_texts(raw.get("topics") or [], "topics", faults),
        real=_real(raw.get("real") or {}, faults),
        aliases=_texts(raw.get("aliases") or [], "aliases", faults),
        kind=_kind(raw, faults),
        as_of=_as_of(raw, faults),
    )


def _kind(raw: Mapping[str, Any], faults: _Faults) -> ConceptKind:
    value = raw.get("kind", "established")
    for kind in KINDS:
        if value == kind:
            return kind
    faults.append(ConceptError(f"the kind {value!r} is unknown; choose one of {', '.join(KINDS)}.", "kind"))
    return "established"


def _as_of(raw: Mapping[str, Any], faults: _Faults) -> str:
    value = _text(raw.get("as_of") or "", "as_of", faults)
    if not value and raw.get("kind") == "current":
        faults.append(
            ConceptError("a concept of the kind current needs as_of, the date at which its reference holds.", "kind")
        )
    try:
        return date.fromisoformat(value).isoformat() if value else ""
    except ValueError:
        faults.append(ConceptError(f"as_of is {value!r}; give a date such as 2025-06-30.", "as_of"))
        return ""


def _joined(text: str) -> str:
    """The text with its paragraphs as one line each: where a file breaks its lines is no part of the reference."""
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in text.strip().split("\n\n"))


_FACT_KEYS = ("id", "text", "source", "wrong", "position")


def _facts(raw: Any, faults: _Faults) -> tuple[Fact, ...]:
    facts = tuple(_fact(entry, f"facts[{i}]", faults) for i, entry in enumerate(_mappings(raw, "facts", faults)))
    ids = [fact.id for fact in facts if fact.id]
    for fact_id in sorted({fact_id for fact_id in ids if ids.count(fact_id) > 1}):
        again = len(ids) - 1 - ids[::-1].index(fact_id)
        faults.append(
            ConceptError(f"the fact id {fact_id!r} stands more than once; ids must be unique.", f"facts[{again}].id")
        )
    return facts


def _fact(entry: Mapping[str, Any], field: str, faults: _Faults) -> Fact:
    fact = Fact(*(_text(entry.get(key, ""), f"{field}.{key}", faults) for key in _FACT_KEYS))
    if any(str(entry.get(key, "")) == "" for key in ("id", "text", "source")):
        faults.append(ConceptError(f"{field} must have an id, a text and a source.", field))
    return fact


def _instances(raw: Any, faults: _Faults) -> tuple[Instance, ...]:
    fields = ("name", "person", "date", "place", "work")
    return tuple(
        Instance(*(_text(entry.get(key, ""), f"instances[{i}].{key}", faults) for key in fields))
        for i, entry in enumerate(_mappings(raw, "instances", faults))
    )


def _real(raw: Any, faults: _Faults) -> dict[str, tuple[str, ...]]:
    if not isinstance(raw, dict):
        faults.append(
            ConceptError("'real' must map a kind of fabrication (paper, event, law) to a list of names.", "real")
        )
        return {}
    return {str(kind): _texts(listed, f"real.{kind}", faults) for kind, listed in raw.items()}


def _mappings(raw: Any, key: str, faults: _Faults) -> list[Mapping[str, Any]]:
    if not isinstance(raw, list) or not all(isinstance(entry, dict) for entry in raw):
        faults.append(ConceptError(f"'{key}' must be a list of mappings.", key))
        return []
    return _bounded(raw, key, faults)


def _texts(raw: Any, key: str, faults: _Faults) -> tuple[str, ...]:
    if not isinstance(raw, list) or not all(isinstance(entry, str | int) for entry in raw):
        faults.append(ConceptError(f"'{key}' must be a list of texts.", key))
        return ()
    return tuple(_text(entry, key, faults) for entry in _bounded(raw, key, faults))


def _bounded(entries: list[Any], key: str, faults: _Faults) -> list[Any]:
    if len(entries) <= MAX_LISTED:
        return entries
    faults.append(ConceptError(f"'{key}' has {len(entries):,} entries; at most {MAX_LISTED} are read.", key))
    return []


def _text(raw: Any, key: str, faults: _Faults) -> str:
    if not isinstance(raw, str | int | float | date) or isinstance(raw, bool):
        faults.append(ConceptError(f"'{key}' must be a text, not {type(raw).__name__}.", key))
        return ""
    text, most = str(raw), MAX_REFERENCE if key == "reference" else MAX_TEXT
    if len(text) <= most:
        return text  # of a date, YAML's own type for 2025-06-30, the ISO form
    faults.append(ConceptError(f"'{key}' has {len(text):,} characters; at most {most:,} are read.", key))
    return ""
