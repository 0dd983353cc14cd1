"""Ratings in other tools' forms, out and in: JSON Lines, CSV, Label Studio's JSON, and what a task has of its own."""

from voirdire.raters.exchange.exporter import export_project, exported_archive
from voirdire.raters.exchange.importer import import_ratings
from voirdire.raters.exchange.records import (
    SOURCES,
    ExchangeError,
    ExportPlan,
    ImportResult,
    PoolChoice,
    RatingsExport,
)

__all__ = [
    "SOURCES",
    "ExchangeError",
    "ExportPlan",
    "ImportResult",
    "PoolChoice",
    "RatingsExport",
    "export_project",
    "exported_archive",
    "import_ratings",
]
