"""What a provider's batch API must be able to do, whatever it looks like."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Sequence
from typing import Protocol

from voirdire.models.batch.door import Door
from voirdire.models.batch.records import Answer, Asked, BatchRecord, State


class Form(Protocol):
    """The form of one provider's batch API."""

    path: str
    """What the address of a call ends in; what stands before it is the API's root."""
    max_requests: int
    max_bytes: int
    """Of all requests of one batch."""

    async def submit(self, door: Door, name: str, asked: Sequence[tuple[str, Asked]]) -> str:
        """Send off a batch of requests, each with its id; gives the provider's id of the batch."""
        ...

    async def look(self, door: Door, batch: str) -> State:
        """How a batch is doing."""
        ...

    def results(self, door: Door, state: State) -> AsyncIterator[tuple[str, Answer]]:
        """Answers of a batch that has ended, each with the id of its request."""
        ...

    async def find(self, door: Door, record: BatchRecord, known: Collection[str]) -> list[str]:
        """Ids of the batches that may be this one, without those already known: a session ended before it knew."""
        ...
