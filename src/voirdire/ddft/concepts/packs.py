"""Which concepts come with the package, in packs, and what is shown of them."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from voirdire.data import packaged_files
from voirdire.ddft.concepts.loader import ConceptError, ConceptFile, parse_concept
from voirdire.records import Concept

CORE = "core"
ALL = "all"


@dataclass(frozen=True, slots=True)
class Pack:
    """Concepts that are chosen together."""

    name: str
    title: str
    description: str
    note: str
    """What to keep in mind when reading its results; may be empty."""
    ids: tuple[str, ...]


@cache
def packs() -> tuple[Pack, ...]:
    """Every pack that comes with the package, the core eight first."""
    described = packaged_files.read_yaml("packs/packs.yaml")
    return tuple(
        Pack(name, about["title"], about["description"], about["note"], tuple(_ids_in(_folder(name))))
        for name, about in described.items()
    )


def pack_ids(names: Sequence[str]) -> list[str]:
    """Ids of the concepts of these packs, in order and each once; "all" stands for every pack.

    Raises:
        ConceptError: there is no such pack, or one has no concepts.
    """
    by_name = {pack.name: pack for pack in packs()}
    unknown = [name for name in names if name not in by_name and name != ALL]
    if unknown:
        near = difflib.get_close_matches(unknown[0].casefold(), [*by_name, ALL], n=1)
        hint = f"; did you mean {near[0]!r}?" if near else "."
        raise ConceptError(f"There is no pack {unknown[0]!r}; there are {', '.join([*by_name, ALL])}{hint}")
    chosen = list(by_name.values()) if ALL in names else [by_name[name] for name in names]
    empty = [pack.name for pack in chosen if not pack.ids]
    if empty and ALL not in names:
        raise ConceptError(f"The pack {empty[0]!r} has no concepts in this version.")
    return list(dict.fromkeys(concept_id for pack in chosen for concept_id in pack.ids))


def packaged_ids() -> list[str]:
    """Ids of the core concepts, those of the paper: what a run asks about when nothing is chosen."""
    return packaged_files.names("concepts", ".yaml")


@cache
def packaged_concept(concept_id: str) -> ConceptFile:
    """A concept of any pack, by its id."""
    path = packaged_paths()[concept_id]
    return parse_concept(packaged_files.read_text(path), f"The packaged concept {concept_id!r}", packaged=True)


@cache
def packaged_paths() -> Mapping[str, str]:
    """Where each packaged concept stands."""
    return {concept_id: f"{_folder(pack.name)}/{concept_id}.yaml" for pack in packs() for concept_id in pack.ids}


def _folder(pack: str) -> str:
    return "concepts" if pack == CORE else f"packs/{pack}"


def _ids_in(folder: str) -> list[str]:
    try:
        return packaged_files.names(folder, ".yaml")
    except FileNotFoundError:
        return []


@dataclass(frozen=True, slots=True)
class ListedPack:
    """A pack and its concepts."""

    pack: Pack
    concepts: tuple[Concept, ...]

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "name": self.pack.name,
            "title": self.pack.title,
            "description": self.pack.description,
            "note": self.pack.note,
            "concepts": [_described(concept) for concept in self.concepts],
        }


def list_packs(names: Sequence[str] = ()) -> list[ListedPack]:
    """The packs of these names with their concepts; all that have some, when none is named.

    Raises:
        ConceptError: there is no such pack, or it has no concepts.
    """
    pack_ids(names)  # refuses an unknown name
    chosen = [pack for pack in packs() if pack.ids and (not names or ALL in names or pack.name in names)]
    return [ListedPack(pack, tuple(packaged_concept(each).concept for each in pack.ids)) for pack in chosen]


def _described(concept: Concept) -> dict[str, Any]:
    return {
        "id": concept.id,
        "name": concept.name,
        "domain": concept.domain,
        "kind": concept.kind,
        "facts": len(concept.facts),
        "as_of": concept.as_of or None,
        "aliases": list(concept.aliases),
    }
