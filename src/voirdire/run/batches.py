"""What a run has sent off by batch, in its journal: a session that ends leaves nothing to be paid twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from voirdire.models import Batching, BatchRecord
from voirdire.run.errors import BudgetError
from voirdire.run.journal import Journal
from voirdire.run.options import RunOptions

_PLACE = "batches"
"""Stands where notes have their dialogue."""
_RECORD = "batch/"
_ID = "batch_id/"


def open_batching(journal: Journal, options: RunOptions) -> Batching | None:
    """How a run asks by batch; `None` where it does not.

    Raises:
        BudgetError: there is a limit on cost.
    """
    if options.batch is None:
        return None
    check_batch_budget(options)
    return Batching(JournalLedger(journal), options.progress.say, options.batch)


def check_batch_budget(options: RunOptions) -> None:
    """See that nothing is promised that batches can't keep.

    Raises:
        BudgetError: there is a limit on cost, while everything is sent off before the first price is known.
    """
    if options.max_cost is not None:
        raise BudgetError(
            "A limit on cost can't be held with batches, as all requests are sent off before the first price is known: "
            "leave out --max-cost, and let a plan say beforehand what it will cost."
        )


class JournalLedger:
    """The ledger of a run's batches: two notes for each, one before it is sent off and one after."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._records: dict[str, BatchRecord] = {}
        ids: dict[str, str | None] = {}
        for note in journal.notes():
            if note.kind.startswith(_RECORD):
                self._keep(note.kind.removeprefix(_RECORD), note.body)
            elif note.kind.startswith(_ID):
                ids[note.kind.removeprefix(_ID)] = note.body
        for name, batch in ids.items():
            self._settle(name, batch)

    def records(self) -> Sequence[BatchRecord]:
        """Every batch that was sent off, or may have been, in order."""
        return list(self._records.values())

    async def intend(self, record: BatchRecord) -> None:
        """Write a batch down before it is sent off.

        Raises:
            JournalError: it could not be written.
        """
        body = {"endpoint": record.endpoint, "at": record.at, "requests": list(record.requests)}
        await self._journal.note(_PLACE, 0, _RECORD + record.name, body)
        self._keep(record.name, body)

    async def sent(self, name: str, batch: str | None) -> None:
        """Write down the provider's id of it, or `None` if the provider did not take it.

        Raises:
            JournalError: it could not be written.
        """
        await self._journal.note(_PLACE, 0, _ID + name, batch)
        self._settle(name, batch)

    def _keep(self, name: str, body: dict[str, Any]) -> None:
        self._records[name] = BatchRecord(name, body["endpoint"], body["at"], tuple(body["requests"]))

    def _settle(self, name: str, batch: str | None) -> None:
        if batch is None:
            del self._records[name]
        else:
            self._records[name] = replace(self._records[name], id=batch)
