"""What the instrument has of its own beside `voirdire.detectors.records`."""

from __future__ import annotations

from voirdire.errors import InputError


class CognibenchError(InputError):
    """Data or a request that can't be used: one sentence says what was given and what is expected."""
