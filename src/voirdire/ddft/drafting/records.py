"""What a draft is made from, and what comes of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from voirdire.data.json_values import as_plain
from voirdire.ddft.concepts.checking import BrokenRule
from voirdire.errors import InputError
from voirdire.records import Concept, ConceptKind, Instance

NOTE = "This is a draft: read it against the document, and mend it, before anything is tested with it."


class DraftError(InputError):
    """A draft that can't be made: one sentence says what was given and what is expected."""


@dataclass(frozen=True, slots=True)
class Brief:
    """What is to be drafted, beside the document."""

    id: str
    name: str
    domain: str
    kind: ConceptKind = "established"
    as_of: str = ""


@dataclass(frozen=True, slots=True)
class DraftFact:
    """A fact with the passage that shows it."""

    text: str
    quote: str
    section: str
    """Heading of the part of the document that the quote stands in."""
    position: str = ""


@dataclass(frozen=True, slots=True)
class Names:
    """What a document names, in the order in which it does."""

    instances: tuple[Instance, ...] = ()
    people: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    papers: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    laws: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Refusals:
    """What a model gave that can't stand, a sentence each."""

    problems: list[str] = field(default_factory=list)

    def add(self, what: str, why: str) -> None:
        """Note what was refused, and why."""
        quote = " ".join(what.split())
        self.problems.append(f"{quote if len(quote) <= 120 else quote[:119] + '…'}: {why}.")


@dataclass(frozen=True, slots=True)
class Draft:
    """A drafted concept, to be read by a person before anything is tested with it."""

    concept: Concept
    refused: tuple[str, ...]
    """What the model gave and the rules refused."""
    findings: tuple[BrokenRule, ...]
    """What the rules for concepts find in what is left."""

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "id": self.concept.id,
            "name": self.concept.name,
            "kind": self.concept.kind,
            "as_of": self.concept.as_of or None,
            "words": len(self.concept.reference.split()),
            "facts": len(self.concept.facts),
            "refused": list(self.refused),
            "findings": as_plain(self.findings),
            "note": NOTE,
        }
