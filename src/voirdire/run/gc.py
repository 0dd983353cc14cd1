"""Memory: Python's garbage collector while a run makes calls, and what is freed afterwards."""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Iterator
from contextlib import contextmanager

_SELDOM = (50_000, 20, 50)
"""Thresholds: with a thousand calls under way, the usual ones look through all that they hold again and again."""


@contextmanager
def collected_seldom() -> Iterator[None]:
    """Leave what is there already out of collections, and collect seldom, while the block runs.

    Everything in the process is concerned; afterwards it is as before, and what was left over is collected. Where the
    program has frozen what it holds already, as servers do, that stays frozen.
    """
    before, ours = gc.get_threshold(), gc.get_freeze_count() == 0
    gc.collect()
    if ours:
        gc.freeze()
    gc.set_threshold(*_SELDOM)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        if ours:
            gc.unfreeze()
        gc.collect()


def give_back() -> None:
    """Let the C library return to the system what has been freed, where it knows how (glibc): it keeps a lot else."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
