"""Models and judges as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from voirdire.cli.show.paint import new_table, render

if TYPE_CHECKING:
    from voirdire.jury.bench import BenchResult
    from voirdire.models import ModelEntry


def models(entries: Sequence[ModelEntry]) -> str:
    """The list of models."""
    table = new_table("model", "ready", "note")
    for entry in entries:
        size = f"{entry.size_bytes / 1e6:,.0f} MB, {entry.license}; " if entry.size_bytes else ""
        table.add_row(entry.spec, "yes" if entry.ready else "no", size + entry.note)
    return render(table)


def judge_bench(found: BenchResult) -> str:
    """How one judge compares with the published panel."""
    from voirdire.jury.bench import format_table

    return format_table([found])
