"""Give a run to other tools: tables, a data set for the hub, training data, Inspect logs."""

from voirdire.adapters.export.exporting import export_run
from voirdire.adapters.export.records import ARMS, TABULAR, TRAINING, Exported, ExportError, ExportPlan

__all__ = ["ARMS", "TABULAR", "TRAINING", "ExportError", "ExportPlan", "Exported", "export_run"]
