"""Batches as Anthropic has them: message batches."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from voirdire.models.batch.api import Door, problem
from voirdire.models.batch.records import Answer, Asked, BatchRecord, State

_STATUSES = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "api_error": 500,
    "timeout_error": 504,
    "overloaded_error": 529,
}
"""HTTP status of an error by its type, as Anthropic's reference of errors has it."""
_PAGE = 100
_BEFORE, _AFTER = -300.0, 3600.0
"""Seconds around the moment when a batch was sent off in which the provider may say that it was created."""


class AnthropicForm:
    """Anthropic's form. It takes no metadata: a lost batch is looked for by its time and its number of requests."""

    path = "/messages"
    # "100,000 Message requests or 256 MB": Anthropic's page on batch processing; less, as with OpenAI's.
    max_requests = 100_000
    max_bytes = 100_000_000

    async def submit(self, door: Door, name: str, asked: Sequence[tuple[str, Asked]]) -> str:
        """Send the requests in one body."""
        items = [b'{"custom_id":"%s","params":%s}' % (custom_id.encode(), each.body) for custom_id, each in asked]
        body = b'{"requests":[' + b",".join(items) + b"]}"
        return str((await door.post("/messages/batches", content=body))["id"])

    async def look(self, door: Door, batch: str) -> State:
        """How a batch is doing."""
        found = await door.get(f"/messages/batches/{batch}")
        return State(
            id=batch,
            ended=found.get("processing_status") == "ended",
            unlisted=problem(502, f"The batch {batch} ended without a result for this request.", batch),
            results=[f"/messages/batches/{batch}/results"],
        )

    async def results(self, door: Door, state: State) -> AsyncIterator[tuple[str, Answer]]:
        """Answers from the batch's results."""
        for address in state.results:
            async for line in door.lines(address):
                yield str(line["custom_id"]), _answer(line["result"], state.id)

    async def find(self, door: Door, record: BatchRecord, known: Collection[str]) -> list[str]:
        """Batches created at the time, with as many requests. Their results tell whose they are."""
        at = datetime.fromisoformat(record.at).timestamp()
        page = (await door.get("/messages/batches", limit=_PAGE)).get("data") or []
        return [
            str(each["id"])
            for each in page
            if each["id"] not in known
            and sum((each.get("request_counts") or {}).values()) == len(record.requests)
            and _BEFORE <= _seconds(each["created_at"]) - at <= _AFTER
        ]


def _seconds(moment: str) -> float:
    return datetime.fromisoformat(moment).timestamp()


def _answer(result: Mapping[str, Any], batch: str) -> Answer:
    kind = result.get("type")
    if kind == "succeeded":
        return Answer(200, json.dumps(result["message"], ensure_ascii=False), batch)
    if kind == "errored":
        error = result.get("error") or {}
        status = _STATUSES.get(str((error.get("error") or {}).get("type")), 500)
        return Answer(status, json.dumps(error, ensure_ascii=False), batch)
    if kind == "canceled":
        return problem(409, f"The batch {batch} was cancelled before this request was worked on.", batch)
    return problem(503, f"The batch {batch} expired before this request was worked on.", batch)
