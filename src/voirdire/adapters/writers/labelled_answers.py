"""Labelled answers given to other tools, of runs and of data sets: training chats, the authors' layout, JSON Lines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from voirdire.adapters.export_files import ExportPlan, RunExport, manifest_content
from voirdire.adapters.loading import load
from voirdire.cognibench import exporting
from voirdire.text.counting import counted


def export_labelled(plan: ExportPlan) -> RunExport:
    """Write the labelled answers of a run or of a data set; the manifest says of which run they are.

    Raises:
        CognibenchError: they can't be read or hold nothing for this target, or something stands at `out`.
    """
    source = plan.runs[0]
    run = load(source) if (source / "run.json").is_file() else None
    done = exporting.export_answers(
        exporting.AnswersExportPlan(
            source=source,
            target=plan.target,
            out=plan.out,
            split=plan.split,
            seed=plan.seed,
            require=plan.require or "grounded",
            history=plan.history or "none",
        ),
        {} if run is None else manifest_content(plan.target, run.instrument, [run]),
    )
    return RunExport(done.out, done.files, done.manifest, _counts(done.manifest), done.notes)


def _counts(numbers: Mapping[str, Any]) -> tuple[str, ...]:
    """How much of what."""
    sizes = [
        (name, f"{counted(count, 'answer')} in {counted(numbers['groups'][name], 'group')}")
        for name, count in numbers["answers"].items()
    ]
    parts = sizes[0][1] if numbers["split"] is None else ", ".join(f"{name} {size}" for name, size in sizes)
    labels = ", ".join(f"{label} {count:,}" for label, count in numbers["labels"].items()) or "none"
    without = numbers["unlabelled"]
    unlabelled = f"; {counted(without, 'statement has', 'statements have')} no label" if without else ""
    return f"{parts}.", f"Labels: {labels}{unlabelled}."
