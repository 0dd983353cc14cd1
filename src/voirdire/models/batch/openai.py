"""Batches as OpenAI has them (files and batches), and Mistral (files and batch jobs)."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from voirdire.models.batch.api import Door, problem
from voirdire.models.batch.records import Answer, Asked, BatchRecord, State

_TAG = "voirdire"
"""The field of a batch's metadata that holds our name of it."""
_PAGE = 100
_PAGES = 20
_CLOCKS_DIFFER = 3600.0
"""Seconds; batches created longer than this before ours was sent off are not it."""
_FAULTS = {
    "token_limit_exceeded": 429,
    "request_limit_exceeded": 429,
    "billing_hard_limit_reached": 403,
    "insufficient_quota": 403,
    "model_not_found": 404,
}
"""HTTP status that a whole batch's failure amounts to, by its code; others are 400."""


class OpenAIForm:
    """OpenAI's, and that of servers which are compatible with it."""

    # "up to 50,000 requests, and … up to 200 MB": OpenAI's reference of batches. Half of the bytes, so that a file
    # fits into memory with room for what is made of it.
    max_requests = 50_000
    max_bytes = 100_000_000

    def __init__(self, path: str) -> None:
        self.path = path

    async def submit(self, door: Door, name: str, asked: Sequence[tuple[str, Asked]]) -> str:
        """Upload the requests as a file, and make a batch of it."""
        file = await self._upload(door, name, b"".join(self._line(custom_id, each) for custom_id, each in asked))
        body = {
            "input_file_id": file,
            "endpoint": f"/v1{self.path}",
            "completion_window": "24h",
            "metadata": {_TAG: name},
        }
        return str((await door.post("/batches", json=body))["id"])

    async def look(self, door: Door, batch: str) -> State:
        """How a batch is doing."""
        found = await door.get(f"/batches/{batch}")
        status = found.get("status")
        files = [found.get("output_file_id"), found.get("error_file_id")]
        return State(
            id=batch,
            ended=status in ("completed", "failed", "expired", "cancelled"),
            unlisted=_unlisted(batch, str(status), (found.get("errors") or {}).get("data") or []),
            results=[f"/files/{file}/content" for file in files if file],
        )

    async def results(self, door: Door, state: State) -> AsyncIterator[tuple[str, Answer]]:
        """Answers from the file of replies and the file of errors."""
        for file in state.results:
            async for line in door.lines(file):
                yield str(line["custom_id"]), _answer(line, state.id)

    async def find(self, door: Door, record: BatchRecord, known: Collection[str]) -> list[str]:
        """The batch that carries our name, if it arrived."""
        since = datetime.fromisoformat(record.at).timestamp() - _CLOCKS_DIFFER
        after: dict[str, str] = {}
        for _ in range(_PAGES):
            page = (await door.get("/batches", limit=_PAGE, **after)).get("data") or []
            for each in page:
                if (each.get("metadata") or {}).get(_TAG) == record.name:
                    return [str(each["id"])]
            if len(page) < _PAGE or page[-1].get("created_at", since) < since:
                return []
            after = {"after": str(page[-1]["id"])}
        return []

    async def _upload(self, door: Door, name: str, content: bytes) -> str:
        file = (f"{_TAG}-{name}.jsonl", content, "application/jsonl")
        return str((await door.post("/files", data={"purpose": "batch"}, files={"file": file}))["id"])

    def _line(self, custom_id: str, asked: Asked) -> bytes:
        # The body stands in the line as it is, and one line it must be: JSON never needs a line break.
        body = asked.body if b"\n" not in asked.body else json.dumps(json.loads(asked.body)).encode()
        return b'{"custom_id":"%s","method":"POST","url":"/v1%s","body":%s}\n' % (
            custom_id.encode(),
            self.path.encode(),
            body,
        )


class MistralForm(OpenAIForm):
    """Mistral's: the same files, other names for the rest."""

    def __init__(self) -> None:
        super().__init__("/chat/completions")

    async def submit(self, door: Door, name: str, asked: Sequence[tuple[str, Asked]]) -> str:
        """Upload the requests as a file, and make a job of it."""
        file = await self._upload(door, name, b"".join(self._line(custom_id, each) for custom_id, each in asked))
        body = {
            "input_files": [file],
            "endpoint": f"/v1{self.path}",
            "model": json.loads(asked[0][1].body)["model"],
            "metadata": {_TAG: name},
            "timeout_hours": 24,
        }
        return str((await door.post("/batch/jobs", json=body))["id"])

    async def look(self, door: Door, batch: str) -> State:
        """How a job is doing."""
        found = await door.get(f"/batch/jobs/{batch}")
        status = _MISTRALS.get(str(found.get("status")), "")
        files = [found.get("output_file"), found.get("error_file")]
        return State(
            id=batch,
            ended=bool(status),
            unlisted=_unlisted(batch, status, found.get("errors") or []),
            results=[f"/files/{file}/content" for file in files if file],
        )

    async def find(self, door: Door, record: BatchRecord, known: Collection[str]) -> list[str]:
        """The job that carries our name, if it arrived."""
        for number in range(_PAGES):
            page = (await door.get("/batch/jobs", page=number, page_size=_PAGE)).get("data") or []
            for each in page:
                if (each.get("metadata") or {}).get(_TAG) == record.name:
                    return [str(each["id"])]
            if len(page) < _PAGE:
                return []
        return []


_MISTRALS = {"SUCCESS": "completed", "FAILED": "failed", "TIMEOUT_EXCEEDED": "expired", "CANCELLED": "cancelled"}
"""States in which a job of Mistral's has ended."""


def _unlisted(batch: str, status: str, errors: Sequence[Mapping[str, Any]]) -> Answer:
    """What holds for the requests without a line in the results."""
    if status == "expired":
        return problem(503, f"The batch {batch} expired before this request was worked on.", batch)
    if status == "cancelled":
        return problem(409, f"The batch {batch} was cancelled before this request was worked on.", batch)
    if status == "failed":
        first = errors[0] if errors else {}
        said = first.get("message") or "no reason was given"
        return problem(_FAULTS.get(str(first.get("code")), 400), f"The batch {batch} failed: {said}", batch)
    return problem(502, f"The batch {batch} ended without a result for this request.", batch)


def _answer(line: Mapping[str, Any], batch: str) -> Answer:
    response = line.get("response")
    if response:
        # Some servers leave out the status of what went well.
        status = int(response.get("status_code") or 200)
        return Answer(status, json.dumps(response.get("body"), ensure_ascii=False), batch)
    error = line.get("error") or {}
    code = str(error.get("code") or "")
    if code in ("batch_expired", "batch_cancelled"):
        return _unlisted(batch, code.removeprefix("batch_"), [])
    return problem(500, str(error.get("message") or code or "no reason was given"), batch)
