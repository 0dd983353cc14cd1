"""Results of evaluations written for other tools: one long table in any form, or Every Eval Ever (schema 0.3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from voirdire.adapters.export_files import ExportPlan, RunExport, new_folder, write_csv, write_jsonl, write_parquet
from voirdire.data.manifests import made_by, write_manifest
from voirdire.evaluation.every_eval_ever import write_evaluations
from voirdire.evaluation.formats import read_paths
from voirdire.evaluation.records import Evaluation
from voirdire.evaluation.report.cautions import share_left_out
from voirdire.models.secrets import without_known_secrets
from voirdire.runs import made_with
from voirdire.text.counting import counted

_TABLES = {"csv": write_csv, "jsonl": write_jsonl, "parquet": write_parquet}


def export_results(plan: ExportPlan) -> RunExport:
    """Write results as one table `items`, or as Every Eval Ever: an aggregate and instance lines for each model.

    Raises:
        FormatError: nothing there can be read.
        ExportError: something stands at `out`, or it can't be written.
    """
    read = read_paths(plan.runs)
    evaluations, share = read.evaluations, share_left_out(read.evaluations, read.unread)
    with new_folder(plan.out) as folder:
        if plan.target == "every-eval-ever":
            notes = write_evaluations(evaluations, folder)
        else:
            notes = _TABLES[plan.target]({"items": without_known_secrets(_table(evaluations))}, folder)
        notes = [*([f"{share}: voirdire audit says why."] if share else []), *notes]
        manifest = {
            "made_by": made_by(),
            "target": plan.target,
            "instrument": "evaluation",
            "made_with": made_with(),
            "evaluations": [_named(each) for each in evaluations],
            "notes": notes,
        }
        _, whole = write_manifest(folder, without_known_secrets(manifest))
    rows = sum(len(each.rows) for each in evaluations)
    summary = f"{counted(len(evaluations), 'evaluation')}, {counted(rows, 'row')}."
    files = tuple(sorted(path for path in plan.out.rglob("*") if path.is_file()))
    return RunExport(plan.out, files, whole, (summary,), tuple(notes))


def _named(evaluation: Evaluation) -> dict[str, Any]:
    return {
        "name": evaluation.name,
        "format": evaluation.format,
        "metric": evaluation.metric,
        "models": list(evaluation.models),
        "items": len(evaluation.items),
        "files": [{"name": each.path.name, "sha256": each.sha256} for each in evaluation.files],
    }


def _table(evaluations: Sequence[Evaluation]) -> pd.DataFrame:
    """All rows, without columns in which nothing stands."""
    frames = [each.rows.assign(evaluation=each.name, metric=each.metric) for each in evaluations]
    whole = pd.concat(frames, ignore_index=True).astype(
        {name: object for name in ("item", "model", "judge", "cluster", "baseline", "status", "stop_reason")}
    )
    used = [name for name in whole if whole[name].notna().any()]
    return whole[["evaluation", "metric", *(name for name in used if name not in ("evaluation", "metric"))]]
