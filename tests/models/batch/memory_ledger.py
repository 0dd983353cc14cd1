"""A ledger in memory, with everything that was written to it."""

from __future__ import annotations

from dataclasses import replace

from voirdire.models import BatchRecord


class MemoryLedger:
    def __init__(self) -> None:
        self.kept: dict[str, BatchRecord] = {}
        self.refused: list[str] = []

    def records(self) -> list[BatchRecord]:
        return list(self.kept.values())

    async def intend(self, record: BatchRecord) -> None:
        self.kept[record.name] = record

    async def sent(self, name: str, batch: str | None) -> None:
        if batch is None:
            self.refused.append(name)
            del self.kept[name]
        else:
            self.kept[name] = replace(self.kept[name], id=batch)
