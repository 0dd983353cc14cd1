"""What came of a run in shards, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from voirdire.text.counting import counted

if TYPE_CHECKING:
    from voirdire.adapters.ray import SpreadRun

_SHOWN = 3


def spread(found: SpreadRun) -> str:
    """Shards, tables, and why some shards are not complete."""
    complete = found.shards - len(found.stopped)
    lines = [f"Complete: {complete:,} of {counted(found.shards, 'shard')}; before: {found.skipped:,}."]
    lines += [f"{found.out / name}.parquet: {counted(rows, 'row')}" for name, rows in found.tables.items()]
    lines += [f"Shard {number:05d} is not complete: {why}" for number, why in list(found.stopped.items())[:_SHOWN]]
    if len(found.stopped) > _SHOWN:
        lines.append(f"… and {len(found.stopped) - _SHOWN:,} more.")
    if found.stopped:
        lines.append("The same command goes on.")
    return "\n".join(lines)
