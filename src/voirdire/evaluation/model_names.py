"""Names of models that a reader takes for one."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterable


def alike(models: Iterable[str]) -> list[tuple[str, ...]]:
    """Names that differ only in case, in spaces, in how a letter with an accent is coded, or in signs without width."""
    groups = defaultdict(list)
    for model in models:
        groups[_plain(model)].append(model)
    return [tuple(group) for group in groups.values() if len(group) > 1]


def _plain(name: str) -> str:
    seen = "".join(sign for sign in unicodedata.normalize("NFC", name) if unicodedata.category(sign) != "Cf")
    return " ".join(seen.casefold().split())
