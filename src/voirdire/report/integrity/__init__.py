"""The report of audited responses."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from voirdire.report.document import Document


def document(runs: Sequence[Path]) -> Document:
    """The report of an audit, or of several side by side; see `composing.document`."""
    from voirdire.report.integrity import composing

    return composing.document(runs)
