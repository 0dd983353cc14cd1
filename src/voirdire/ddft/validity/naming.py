"""Whether a text names a concept."""

from __future__ import annotations

import re

from voirdire.records import Concept


def names_concept(text: str, concept: Concept) -> bool:
    """Whether the concept's name stands in the text, in any case and with any spacing.

    Of "Newton's Second Law (F=ma)" either part will do, and so will the id's words. Aliases do not count: they say how
    a published record called its file ("principle", "ma"), not what a reader would recognise.
    """
    return any(name in _plain(text) for name in _names(concept))


def _names(concept: Concept) -> set[str]:
    outer, _, inner = concept.name.partition("(")
    names = (outer, inner.removesuffix(")"), concept.id.replace("-", " "))
    return {f" {_plain(name).strip().removeprefix('the ').strip()} " for name in names if name.strip()}


def _plain(text: str) -> str:
    """Lower case, without apostrophes, words set apart by single spaces; "F=ma" is the words f and ma."""
    words = re.sub(r"[\W_]+", " ", re.sub("[’'`]", "", text.casefold()))
    return f" {words.strip()} "
