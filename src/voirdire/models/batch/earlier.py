"""Which requests stand in a batch that an earlier session sent off."""

from __future__ import annotations

from collections.abc import Iterable

from voirdire.models.batch.records import BatchRecord


class Claims:
    """Batches of earlier sessions at one endpoint, by the requests in them; of several, the last one has it."""

    def __init__(self, records: Iterable[BatchRecord], endpoint: str) -> None:
        self._records = {
            custom_id: record for record in records if record.endpoint == endpoint for custom_id in record.requests
        }
        self._collected: set[str] = set()

    def of(self, custom_id: str) -> BatchRecord | None:
        """The batch that may answer a request."""
        return self._records.get(custom_id)

    def drop(self, custom_id: str) -> None:
        """The request has its answer, or its batch has none for it."""
        self._records.pop(custom_id, None)

    def begin(self, record: BatchRecord) -> bool:
        """Whether the batch is not being collected yet; from now on it is."""
        if record.name in self._collected:
            return False
        self._collected.add(record.name)
        return True

    def end(self, record: BatchRecord) -> None:
        """The batch is no longer being collected."""
        self._collected.discard(record.name)
