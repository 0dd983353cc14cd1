"""What an organiser asks for, and what was made of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from voirdire.raters.records import Settings, TaskName
from voirdire.raters.tasks.base import Making


@dataclass(frozen=True, slots=True, kw_only=True)
class NewProject:
    """What an organiser asks for."""

    task: TaskName
    source: Path
    """Data, or a run folder."""
    making: Making = field(default_factory=Making)
    raters: tuple[str, ...] = ()
    """Names; without any there are as many as an item gets, by number."""
    adjudicators: tuple[str, ...] = ()
    title: str = ""
    mode: str | None = None
    """Of the CogniBench task; `None` for the ladder."""
    gold: str = "majority"
    raters_per_item: int = 2
    pass_share: float = 0.8
    calibration: int = 0
    pay_per_item: float | None = None
    currency: str = "USD"


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeProject:
    """What was made."""

    path: Path
    settings: Settings
    documents: int
    """Live ones."""
    items: int
    practice: int
    calibration: int
    """Items that all raters get."""
    strata: Mapping[str, int]
    """Live documents by stratum of the sample."""
    stands_for: float
    """How many documents of the source the live ones stand for: the sum of their weights."""
    raters: tuple[str, ...]
    adjudicators: tuple[str, ...]
    items_per_rater: float
    """On average, practice included."""
    disagreements: float | None
    """Items on which two raters are expected to differ; `None` where nothing is known of it."""
    notes: tuple[str, ...]
    """What the organiser should know before they begin."""

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "project": str(self.path),
            "task": self.settings.task,
            "title": self.settings.title,
            "source": self.settings.source,
            "source_sha256": self.settings.source_sha256,
            "documents": self.documents,
            "items": self.items,
            "practice_items": self.practice,
            "calibration_items": self.calibration,
            "strata": dict(self.strata),
            "stands_for": self.stands_for,
            "raters": list(self.raters),
            "adjudicators": list(self.adjudicators),
            "raters_per_item": self.settings.raters_per_item,
            "items_per_rater": self.items_per_rater,
            "expected_disagreements": self.disagreements,
            "notes": list(self.notes),
        }
