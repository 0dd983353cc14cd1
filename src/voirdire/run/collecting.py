"""Python's garbage collector while a run makes calls."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_SELDOM = (50_000, 20, 50)
"""Thresholds: with a thousand calls under way, the usual ones look through all that they hold again and again."""


@contextmanager
def collected_seldom() -> Iterator[None]:
    """Leave what is there already out of collections, and collect seldom, while the block runs.

    Everything in the process is concerned; afterwards it is as before, and what was left over is collected.
    """
    before = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_SELDOM)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
        gc.collect()
