"""Concepts: the packaged ones and a user's own, read and checked."""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from voirdire import data
from voirdire.records import Concept, Fact, Instance

MAX_FILE_BYTES = 1_000_000
REQUIRED = ("id", "name", "domain", "reference", "facts", "instances", "scholars", "topics")


class ConceptError(ValueError):
    """A concept that can't be used: one sentence says which file or name, what is wrong, and what is expected."""


@dataclass(frozen=True, slots=True)
class ConceptFile:
    """A concept together with the text it was read from, which a run keeps."""

    concept: Concept
    text: str

    @property
    def sha256(self) -> str:
        """Hash of the file's text; recorded by every run that uses it."""
        return hashlib.sha256(self.text.encode()).hexdigest()


def packaged_ids() -> list[str]:
    """Ids of the concepts that come with the package."""
    return data.names("concepts", ".yaml")


def find_concepts(wanted: Sequence[str] = ()) -> list[ConceptFile]:
    """The concepts named, in the order given; all packaged ones when none is named.

    A name is a concept's id, its name or one of its aliases (case does not matter), or the path of a YAML file.

    Raises:
        ConceptError: unknown name, a name given twice, or a file that is not a concept.
    """
    if not wanted:
        return [_packaged(concept_id) for concept_id in packaged_ids()]
    by_name = _packaged_by_name()
    found = [_find(name, by_name) for name in wanted]
    ids = [file.concept.id for file in found]
    for concept_id in ids:
        if ids.count(concept_id) > 1:
            raise ConceptError(f"The concept {concept_id!r} is named more than once; name each concept once.")
    return found


def parse_concept(text: str, where: str) -> ConceptFile:
    """Read one concept from YAML text. `where` names it in errors.

    Raises:
        ConceptError: not YAML, or not the form that `data/concepts/README.md` describes.
    """
    import yaml

    try:
        raw = yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError) as error:
        raise ConceptError(f"{where} is not valid YAML ({str(error).splitlines()[0]}).") from None
    if not isinstance(raw, dict):
        raise ConceptError(f"{where} must hold one concept: a mapping with the keys {', '.join(REQUIRED)}.")
    missing = [key for key in REQUIRED if not raw.get(key)]
    if missing:
        raise ConceptError(f"{where} lacks {', '.join(missing)}; a concept needs {', '.join(REQUIRED)}.")
    return ConceptFile(_concept(raw, where), text)


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
    )


def _joined(text: str) -> str:
    """The text with its paragraphs as one line each: where a file breaks its lines is no part of the reference."""
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in text.strip().split("\n\n"))


def _facts(raw: Any, where: str) -> tuple[Fact, ...]:
    facts = tuple(
        Fact(*(_text(entry.get(key, ""), f"facts[{i}].{key}", where) for key in ("id", "text", "source", "wrong")))
        for i, entry in enumerate(_mappings(raw, "facts", where))
    )
    for i, fact in enumerate(facts):
        if not (fact.id and fact.text and fact.source):
            raise ConceptError(f"{where}: facts[{i}] must have an id, a text and a source.")
    ids = [fact.id for fact in facts]
    twice = sorted({fact_id for fact_id in ids if ids.count(fact_id) > 1})
    if twice:
        raise ConceptError(f"{where}: the fact id {twice[0]!r} stands more than once; ids must be unique.")
    return facts


def _instances(raw: Any, where: str) -> tuple[Instance, ...]:
    fields = ("name", "person", "date", "place", "work")
    return tuple(
        Instance(*(_text(entry.get(key, ""), f"instances[{i}].{key}", where) for key in fields))
        for i, entry in enumerate(_mappings(raw, "instances", where))
    )


def _real(raw: Any, where: str) -> dict[str, tuple[str, ...]]:
    if not isinstance(raw, dict):
        raise ConceptError(f"{where}: 'real' must map a trap kind (paper, event, law) to a list of names.")
    return {str(kind): _texts(listed, f"real.{kind}", where) for kind, listed in raw.items()}


def _mappings(raw: Any, key: str, where: str) -> list[Mapping[str, Any]]:
    if not isinstance(raw, list) or not all(isinstance(entry, dict) for entry in raw):
        raise ConceptError(f"{where}: '{key}' must be a list of mappings.")
    return raw


def _texts(raw: Any, key: str, where: str) -> tuple[str, ...]:
    if not isinstance(raw, list) or not all(isinstance(entry, str | int) for entry in raw):
        raise ConceptError(f"{where}: '{key}' must be a list of texts.")
    return tuple(str(entry) for entry in raw)


def _text(raw: Any, key: str, where: str) -> str:
    if not isinstance(raw, str | int | float) or isinstance(raw, bool):
        raise ConceptError(f"{where}: '{key}' must be a text, not {type(raw).__name__}.")
    return str(raw)


def _packaged(concept_id: str) -> ConceptFile:
    return parse_concept(data.read_text(f"concepts/{concept_id}.yaml"), f"The packaged concept {concept_id!r}")


def _packaged_by_name() -> dict[str, ConceptFile]:
    by_name: dict[str, ConceptFile] = {}
    for concept_id in packaged_ids():
        file = _packaged(concept_id)
        for name in (file.concept.id, file.concept.name, *file.concept.aliases):
            by_name[name.casefold()] = file
    return by_name


def _find(name: str, by_name: Mapping[str, ConceptFile]) -> ConceptFile:
    if name.casefold() in by_name:
        return by_name[name.casefold()]
    if name.endswith((".yaml", ".yml")):
        return _read(Path(name))
    near = difflib.get_close_matches(name.casefold(), by_name, n=1)
    hint = f"did you mean {by_name[near[0]].concept.name!r}?" if near else "a file's name must end in .yaml."
    raise ConceptError(f"There is no concept {name!r}; there are {', '.join(packaged_ids())}; {hint}")


def _read(path: Path) -> ConceptFile:
    try:
        size = path.stat().st_size
        if size > MAX_FILE_BYTES:
            raise ConceptError(f"{path} has {size:,} bytes; a concept file may have at most {MAX_FILE_BYTES:,}.")
        return parse_concept(path.read_text(encoding="utf-8"), str(path))
    except (OSError, UnicodeDecodeError) as error:
        raise ConceptError(f"The concept file {path} can't be read: {error}.") from None
