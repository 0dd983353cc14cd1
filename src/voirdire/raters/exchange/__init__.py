"""Ratings in other tools' forms, out and in: JSON Lines, CSV, Label Studio's JSON, and what a task has of its own."""

from voirdire.raters.exchange.exporter import export_project
from voirdire.raters.exchange.importer import import_ratings
from voirdire.raters.exchange.records import (
    SOURCES,
    ExchangeError,
    Exported,
    ExportPlan,
    ImportResult,
    PoolChoice,
)

__all__ = [
    "SOURCES",
    "ExchangeError",
    "ExportPlan",
    "Exported",
    "ImportResult",
    "PoolChoice",
    "export_project",
    "import_ratings",
]
