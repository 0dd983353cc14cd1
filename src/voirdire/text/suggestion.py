"""What somebody may have meant by a name that there isn't."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def suggestion(given: str, known: Iterable[str]) -> str:
    """Ends a sentence about a name that there isn't: the nearest of those there are, or all of them."""
    names = list(known)
    near = nearest(given, names)
    return f"did you mean {near}?" if near else f"there are {', '.join(names)}."


def nearest(given: str, known: Iterable[str]) -> str | None:
    """The name that somebody may have meant; `None` where none is like it."""
    lowered = {name.lower(): name for name in known}
    near = difflib.get_close_matches(given.lower(), lowered, n=1, cutoff=0.52)
    return lowered[near[0]] if near else None
