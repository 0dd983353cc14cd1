"""Concepts: packaged ones in packs, and a user's own, read and checked."""

from voirdire.ddft.concepts.finding import concepts_beside_packs, find_concepts
from voirdire.ddft.concepts.loader import (
    KINDS,
    MAX_FILE_BYTES,
    REQUIRED,
    ConceptError,
    ConceptFile,
    UnreadableConcept,
    load_mapping,
    parse_concept,
    read_text,
)
from voirdire.ddft.concepts.packs import (
    ALL,
    CORE,
    Pack,
    pack_ids,
    packaged_concept,
    packaged_ids,
    packaged_paths,
    packs,
)

__all__ = [
    "ALL",
    "CORE",
    "KINDS",
    "MAX_FILE_BYTES",
    "REQUIRED",
    "ConceptError",
    "ConceptFile",
    "Pack",
    "UnreadableConcept",
    "concepts_beside_packs",
    "find_concepts",
    "load_mapping",
    "pack_ids",
    "packaged_concept",
    "packaged_ids",
    "packaged_paths",
    "packs",
    "parse_concept",
    "read_text",
]
