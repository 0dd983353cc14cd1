"""What `concepts list` tells of the packaged concepts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from voirdire.ddft.concepts.packs import ALL, Pack, pack_ids, packaged_concept, packs
from voirdire.records import Concept


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


def listed(names: Sequence[str] = ()) -> list[ListedPack]:
    """The packs of these names with their concepts; all that have some, when none is named.

    Raises:
        ConceptError: there is no such pack, or it has no concepts.
    """
    pack_ids(names)  # refuses an unknown name
    wanted = [pack for pack in packs() if pack.ids and (not names or ALL in names or pack.name in names)]
    return [ListedPack(pack, tuple(packaged_concept(each).concept for each in pack.ids)) for pack in wanted]


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
