"""Give a run to other tools: tables, a data set for the hub, training data, Inspect logs."""

from voirdire.adapters.export.exporting import export_run
from voirdire.adapters.export.records import ARMS, TRAINING, Exported, ExportError, ExportPlan

__all__ = ["ARMS", "TRAINING", "ExportError", "ExportPlan", "Exported", "export_run"]
