"""Gathers requests, has them sent off in batches, and gives each request its answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from typing import Any
from uuid import uuid4

from voirdire.models.batch.apis import ApiClient, BatchApi, Refused, Unsure, problem
from voirdire.models.batch.providers import Answer, Batching, BatchRecord, BatchRequest, Claims, State
from voirdire.models.errors import scrub
from voirdire.text.counting import counted

_TRIES = 6
"""How often a batch is sent off before its requests fail."""
_LONGEST_QUOTE = 300
_NO_SUCH_PLACE = (404, 405)


class BatchClient:
    """Sends batches off, each written down before, and brings their results."""

    def __init__(self, api: BatchApi, client: ApiClient, batching: Batching) -> None:
        self._api = api
        self._http = client
        self._ledger = batching.ledger
        self._pace = batching.pace
        self._say = batching.say

    async def send(self, requests: Sequence[tuple[str, BatchRequest]]) -> tuple[BatchRecord, str]:
        """Send requests off as one batch; gives the record of it, and the provider's id.

        Raises:
            Refused: the provider does not take it, or could not be reached.
        """
        at = datetime.now(UTC).isoformat()
        record = BatchRecord(uuid4().hex, self._http.endpoint, at, tuple(custom_id for custom_id, _ in requests))
        await self._ledger.intend(record)
        try:
            batch = await self._submitted(record, requests)
        except Refused as refused:
            await self._ledger.sent(record.name, None)
            raise _explain(refused) from None
        await self._ledger.sent(record.name, batch)
        return record, batch

    async def collect(self, batch: str, hand_over: Callable[[str, Answer], None]) -> State:
        """Wait for a batch to end, and hand over its answers as they are read.

        Args:
            batch: the provider's id.
            hand_over: given the id of a request and its answer, perhaps more than once.

        Raises:
            Refused: the provider does not show it.
        """
        for wait in self._pace.waits():
            try:
                state = await self._api.status(self._http, batch)
                if state.ended:
                    async for custom_id, answer in self._api.results(self._http, state):
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
        for tries_left in reversed(range(_TRIES)):
            try:
                return await self._api.find(self._http, record, known)
            except Refused as refused:
                if refused.answer.status not in _NO_SUCH_PLACE:
                    raise
                return []  # it keeps no list
            except Unsure as unsure:
                if not tries_left:
                    raise Refused(unsure.answer) from None
            await asyncio.sleep(next(waits))
        raise AssertionError("the last try returns or raises")

    async def settle(self, record: BatchRecord, batch: str | None) -> None:
        """Write down which batch it was after all, or that it never arrived."""
        await self._ledger.sent(record.name, batch)

    async def _submitted(self, record: BatchRecord, requests: Sequence[tuple[str, BatchRequest]]) -> str:
        waits = self._pace.waits()
        for tries_left in reversed(range(_TRIES)):
            try:
                return await self._api.submit(self._http, record.name, requests)
            except Unsure as unsure:
                if not tries_left:
                    raise Refused(unsure.answer) from None
                self._say(f"A batch could not be sent off and is tried again: {scrub(str(unsure))[:_LONGEST_QUOTE]}")
            await asyncio.sleep(next(waits))
            for batch in await self.find(record):  # it may have arrived
                return batch
        raise AssertionError("the last try returns or raises")


def _explain(refused: Refused) -> Refused:
    if refused.answer.status in _NO_SUCH_PLACE:
        return Refused(problem(404, "it has no batch endpoint; leave out --batch"))
    return refused


_TOO_MUCH = 429
_LAST_MOMENT = 30.0
"""Seconds; a batch that needs longer is looked for by the next session, as after a kill."""


@dataclass(frozen=True, slots=True)
class _Waiting:
    request: BatchRequest
    answer: asyncio.Future[Answer]


class Collector:
    """One model's requests. Whoever asks waits, perhaps for a day."""

    def __init__(self, api: BatchApi, client: BatchClient, claims: Claims, batching: Batching) -> None:
        self._client = client
        self._claims = claims
        self._say = batching.say
        self._quiet_for = batching.pace.quiet
        self._most = api.max_requests
        self._max_bytes = api.max_bytes
        self._crowded = False
        """The provider has said that too much waits there already: one batch at a time, then."""
        self._waiting: dict[str, _Waiting] = {}
        self._queue: dict[str, int] = {}
        """Ids of what is to be sent off, with their sizes in bytes."""
        self._added = 0.0
        self._gathering: asyncio.Task[None] | None = None
        self._sending = False
        self._under_way: set[asyncio.Task[None]] = set()
        self._closed = False

    async def answer(self, request: BatchRequest) -> Answer:
        """The answer to a request, however long it takes."""
        loop = asyncio.get_running_loop()
        custom_id = self._free_id(request.id)
        waiting = self._waiting[custom_id] = _Waiting(request, loop.create_future())
        self._added = loop.time()
        record = self._claims.of(custom_id)
        if record is None:
            self._enqueue(custom_id)
        elif self._claims.begin(record):
            self._start(self._collect_earlier(record))
        try:
            return await waiting.answer
        finally:
            del self._waiting[custom_id]
            self._queue.pop(custom_id, None)

    async def aclose(self) -> None:
        """Stop looking; batches go on at the provider. One that is being sent off has a moment to arrive."""
        self._closed = True
        ending = [*self._under_way, *([self._gathering] if self._gathering else [])]
        if self._gathering is not None and self._sending:
            await asyncio.wait([self._gathering], timeout=_LAST_MOMENT)
        for task in ending:
            task.cancel()
        if ending:
            await asyncio.wait(ending)

    def _free_id(self, custom_id: str) -> str:
        """The request's id, or one made of it where an equal request is waiting already."""
        free, number = custom_id, 1
        while free in self._waiting:
            number += 1
            free = f"{custom_id}-{number}"
        return free

    # --- sending off ------------------------------------------------------------------------------------

    def _enqueue(self, custom_id: str) -> None:
        self._queue[custom_id] = len(self._waiting[custom_id].request.body)
        if self._gathering is None or self._gathering.done():
            self._gathering = asyncio.create_task(self._gather())

    async def _gather(self) -> None:
        while self._queue and not self._closed:
            await self._quiet()
            while self._crowded and self._under_way:
                await asyncio.wait(self._under_way, return_when=asyncio.FIRST_COMPLETED)
            ids = self._take()
            if ids:
                await self._send(ids)

    async def _quiet(self) -> None:
        """Wait until nothing has been added for a moment, or a batch is full."""
        loop = asyncio.get_running_loop()
        while (remaining := self._added + self._quiet_for - loop.time()) > 0 and not self._full():
            await asyncio.sleep(remaining)

    def _full(self) -> bool:
        return len(self._queue) >= self._most or sum(self._queue.values()) >= self._max_bytes

    def _take(self) -> list[str]:
        ids: list[str] = []
        size = 0
        for custom_id, more in islice(self._queue.items(), self._most):
            if ids and size + more > self._max_bytes:
                break
            ids.append(custom_id)
            size += more
        for custom_id in ids:
            del self._queue[custom_id]
        return ids

    async def _send(self, ids: Sequence[str]) -> None:
        self._sending = True
        try:
            record, batch = await self._client.send([(each, self._waiting[each].request) for each in ids])
        except Refused as refused:
            self._answer_all(ids, refused.answer)
        except Exception as error:  # whoever waits must not wait for ever
            self._answer_all(ids, problem(500, f"{type(error).__name__}: {error}"))
        else:
            self._start(self._collect(record, batch))
            self._say(
                f"{counted(len(ids), 'request is', 'requests are')} sent off as batch {batch}. {self._waiting_text()}"
            )
        finally:
            self._sending = False

    # --- collecting -------------------------------------------------------------------------------------

    async def _collect(self, record: BatchRecord, batch: str) -> None:
        """Give the answers of a batch of this session to those who wait."""
        try:
            state = await self._client.collect(batch, lambda custom_id, answer: self._answer_all([custom_id], answer))
        except Refused as refused:
            self._answer_all(record.requests, refused.answer)
            return
        left = [custom_id for custom_id in record.requests if self._waits(custom_id)]
        if left and state.unlisted.status == _TOO_MUCH and len(record.requests) > 1:
            self._send_smaller(batch, left, len(record.requests))
        else:
            self._answer_all(left, state.unlisted)
            without = f", {len(left):,} of its requests without a result" if left else ""
            self._say(f"Batch {batch} has ended{without}.")

    def _send_smaller(self, batch: str, left: Iterable[str], size: int) -> None:
        self._most, self._crowded = max(1, size // 2), True
        self._say(f"Batch {batch} was more than the provider lets wait at once: smaller ones follow, one by one.")
        for custom_id in left:
            self._enqueue(custom_id)

    async def _collect_earlier(self, record: BatchRecord) -> None:
        """Give the replies of an earlier session's batch to those who wait; what it has none for is sent anew."""
        await self._quiet()
        try:
            answered = await self._bring_earlier(record)
        except Refused as refused:  # nobody knows what became of it, so that nothing is sent anew
            self._claims.end(record)
            self._answer_all(self._claimed(record), refused.answer)
            return
        self._claims.end(record)
        waiting = self._claimed(record)
        for custom_id in waiting:
            if custom_id not in answered:
                self._claims.drop(custom_id)
                self._enqueue(custom_id)
        if answered.intersection(waiting) and self._claims.begin(record):
            self._start(self._collect_earlier(record))  # asked for while the results were read

    async def _bring_earlier(self, record: BatchRecord) -> set[str]:
        """Hand over the replies of an earlier session's batch, its errors left aside; ids of the requests with one.

        Raises:
            Refused: it is not known whether the batch was sent off, and the provider can't be asked.
        """
        answered: set[str] = set()
        named: set[str] = set()

        def hand_over(custom_id: str, answer: Answer) -> None:
            named.add(custom_id)
            if answer.usable:
                answered.add(custom_id)
                if self._waits(custom_id):
                    self._claims.drop(custom_id)
                self._answer_all([custom_id], answer)

        candidates = [record.id] if record.id else await self._client.find(record)
        if record.id is None and len(candidates) < 2:
            await self._client.settle(record, candidates[0] if candidates else None)
        for batch in candidates:
            self._say(f"Batch {batch}, of an earlier session, is continued. {self._waiting_text()}")
            try:
                await self._client.collect(batch, hand_over)
            except Refused:  # it is gone, or was another's
                continue
            if len(candidates) > 1 and named.intersection(record.requests):
                await self._client.settle(record, batch)
                break
        return answered

    def _claimed(self, record: BatchRecord) -> list[str]:
        return [each for each in record.requests if self._claims.of(each) is record and self._waits(each)]

    # --- who waits --------------------------------------------------------------------------------------

    def _waits(self, custom_id: str) -> bool:
        waiting = self._waiting.get(custom_id)
        return waiting is not None and not waiting.answer.done()

    def _answer_all(self, custom_ids: Iterable[str], answer: Answer) -> None:
        for custom_id in custom_ids:
            if self._waits(custom_id):
                self._waiting[custom_id].answer.set_result(answer)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)

    def _waiting_text(self) -> str:
        requests = counted(len(self._waiting) - len(self._queue), "request")
        return f"Waiting: {requests} in {counted(len(self._under_way), 'batch', 'batches')}."
