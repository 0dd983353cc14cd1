"""Ratings in other tools' forms, out and in: JSON Lines, CSV, Label Studio's JSON, CogniBench's release."""

from voirdire.raters.exchange.exporting import export_project
from voirdire.raters.exchange.importing import import_ratings
from voirdire.raters.exchange.label_studio import documents_of, holds_tasks
from voirdire.raters.exchange.records import (
    SOURCES,
    TARGETS,
    ExchangeError,
    Exported,
    ExportPlan,
    Imported,
    Source,
    Target,
    Which,
)

__all__ = [
    "SOURCES",
    "TARGETS",
    "ExchangeError",
    "ExportPlan",
    "Exported",
    "Imported",
    "Source",
    "Target",
    "Which",
    "documents_of",
    "export_project",
    "holds_tasks",
    "import_ratings",
]
