"""What is to be exported, and what was."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from voirdire.data.paths import set_paths
from voirdire.detectors.records import History, Require
from voirdire.documents.document import Document, Text, document
from voirdire.errors import InputError

Arm = Literal["verification", "knowledge", "both"]
ARMS: tuple[Arm, ...] = get_args(Arm)
TRAINING = ("dpo", "sft")


class ExportError(InputError):
    """What can't be exported: one sentence says what was given, what is missing, and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportPlan:
    """What to export, and how. An option that is `None` was not given."""

    runs: tuple[Path, ...]
    """Run folders; several for training data only. Or one labelled data set."""
    target: str
    out: Path
    """Nothing may be there yet but an empty folder."""
    jury: str | None = None
    split: float | None = None
    """Training data: share of the concepts (of labelled answers: of the groups) that goes to train."""
    seed: int = 0
    require: Require | None = None
    history: History | None = None
    arm: Arm | None = None
    theta: float | None = None
    """FAR from which an answer counts as accurate, for the knowledge arm."""

    def __post_init__(self) -> None:
        set_paths(self, "runs", "out")


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written."""

    out: Path
    files: tuple[Path, ...]
    manifest: Mapping[str, Any]
    said: tuple[str, ...]
    """How much of what, in sentences."""
    notes: tuple[str, ...] = ()
    """What is left out or can't be read as it stands, in sentences."""

    def as_dict(self) -> dict[str, Any]:
        """As JSON."""
        notes = {} if "notes" in self.manifest else {"notes": list(self.notes)}
        return {"out": str(self.out), "files": [str(path) for path in self.files], **notes, **self.manifest}


def exported_document(done: Exported) -> Document:
    """How much of what was written, and where."""
    return document(*map(Text, [*done.said, *(f"Written: {path}" for path in done.files)]))
