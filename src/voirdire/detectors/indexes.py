"""Contexts indexed once, although several sentences, turns and detectors are compared with them."""

from __future__ import annotations

from functools import lru_cache

from voirdire.detectors.novelty import NoveltyIndex
from voirdire.evidence import ContextIndex

_KEPT = 32
"""Contexts; as many answers as `voirdire detect` has in memory at a time."""

novelty_index = lru_cache(maxsize=_KEPT)(NoveltyIndex.of)
"""`NoveltyIndex.of`, remembered."""
context_index = lru_cache(maxsize=_KEPT)(ContextIndex.of)
"""`ContextIndex.of`, remembered."""
