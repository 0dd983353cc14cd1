"""A provider's batches, with patience: what fails in passing is tried again, and nothing is sent twice."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from uuid import uuid4

from voirdire.models.batch.api import Door, Form, Refused, Unsure, problem
from voirdire.models.batch.records import Answer, Asked, Batching, BatchRecord, State
from voirdire.models.errors import scrub

_TRIES = 6
"""How often a batch is sent off before its requests fail."""
_LONGEST_QUOTE = 300
_NO_SUCH_PLACE = (404, 405)


class BatchClient:
    """Sends batches off, each written down before, and brings their results."""

    def __init__(self, form: Form, door: Door, batching: Batching) -> None:
        self._form = form
        self._door = door
        self._ledger = batching.ledger
        self._pace = batching.pace
        self._say = batching.say

    async def send(self, asked: Sequence[tuple[str, Asked]]) -> tuple[BatchRecord, str]:
        """Send requests off as one batch; gives the record of it, and the provider's id.

        Raises:
            Refused: the provider does not take it, or could not be reached.
        """
        at = datetime.now(UTC).isoformat()
        record = BatchRecord(uuid4().hex, self._door.endpoint, at, tuple(custom_id for custom_id, _ in asked))
        await self._ledger.intend(record)
        try:
            batch = await self._submitted(record, asked)
        except Refused as refused:
            await self._ledger.sent(record.name, None)
            raise _explained(refused) from None
        await self._ledger.sent(record.name, batch)
        return record, batch

    async def bring(self, batch: str, hand_over: Callable[[str, Answer], None]) -> State:
        """Wait for a batch to end, and hand over its answers as they are read.

        Args:
            batch: the provider's id.
            hand_over: given the id of a request and its answer, perhaps more than once.

        Raises:
            Refused: the provider does not show it.
        """
        for wait in self._pace.waits():
            try:
                state = await self._form.look(self._door, batch)
                if state.ended:
                    async for custom_id, answer in self._form.results(self._door, state):
                        hand_over(custom_id, answer)
                    return state
            except Unsure:
                pass  # a look that failed says nothing of the batch
            await asyncio.sleep(wait)
        raise AssertionError("the waits have no end")

    async def find(self, record: BatchRecord) -> Sequence[str]:
        """Ids of the batches that may be one which was sent off, perhaps in vain; their results will tell.

        Raises:
            Refused: the provider can't be asked.
        """
        known = {each.id for each in self._ledger.records() if each.id}
        waits = self._pace.waits()
        for left in reversed(range(_TRIES)):
            try:
                return await self._form.find(self._door, record, known)
            except Refused as refused:
                if refused.answer.status not in _NO_SUCH_PLACE:
                    raise
                return []  # it keeps no list
            except Unsure as unsure:
                if not left:
                    raise Refused(unsure.answer) from None
            await asyncio.sleep(next(waits))
        raise AssertionError("the last try returns or raises")

    async def settle(self, record: BatchRecord, batch: str | None) -> None:
        """Write down which batch it was after all, or that it never arrived."""
        await self._ledger.sent(record.name, batch)

    async def _submitted(self, record: BatchRecord, asked: Sequence[tuple[str, Asked]]) -> str:
        waits = self._pace.waits()
        for left in reversed(range(_TRIES)):
            try:
                return await self._form.submit(self._door, record.name, asked)
            except Unsure as unsure:
                if not left:
                    raise Refused(unsure.answer) from None
                self._say(f"A batch could not be sent off and is tried again: {scrub(str(unsure))[:_LONGEST_QUOTE]}")
            await asyncio.sleep(next(waits))
            for batch in await self.find(record):  # it may have arrived
                return batch
        raise AssertionError("the last try returns or raises")


def _explained(refused: Refused) -> Refused:
    if refused.answer.status in _NO_SUCH_PLACE:
        return Refused(problem(404, "it has no batch endpoint; leave out --batch"))
    return refused
