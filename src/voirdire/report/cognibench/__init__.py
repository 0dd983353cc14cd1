"""The report of answers whose sentences were labelled."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from voirdire.report.document import Document


def document(runs: Sequence[Path]) -> Document:
    """The report of a labelling run, or of several side by side; see `composing.document`."""
    from voirdire.report.cognibench import composing

    return composing.document(runs)
