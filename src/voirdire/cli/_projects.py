"""Raters' projects, wherever a command takes labelled answers."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from voirdire.cognibench.formats.problems import Tell
    from voirdire.detectors.records import Answer


def read_project_labels(path: Path, tell: Tell) -> Iterable[Answer]:
    """The answers of a raters' project, with the labels that it has settled; what is not settled is told.

    Raises:
        RatersError: it is no project of labels, or none is settled.
    """
    from voirdire.raters.tasks.labelled import labelled_answers

    return labelled_answers(path, tell)
