"""The batch APIs of Anthropic, OpenAI and Mistral."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any, Protocol

import httpx2

from voirdire.data.json_text import without_halves
from voirdire.models.batch.providers import Answer, BatchRecord, BatchRequest, State
from voirdire.models.providers.connection import bare_url


class BatchApi(Protocol):
    """How one provider's batch API is called."""

    path: str
    """What the address of a call ends in; what stands before it is the API's root."""
    max_requests: int
    max_bytes: int
    """Of all requests of one batch."""

    async def submit(self, client: ApiClient, name: str, requests: Sequence[tuple[str, BatchRequest]]) -> str:
        """Send off a batch of requests, each with its id; gives the provider's id of the batch."""
        ...

    async def status(self, client: ApiClient, batch: str) -> State:
        """How a batch is doing."""
        ...

    def results(self, client: ApiClient, state: State) -> AsyncIterator[tuple[str, Answer]]:
        """Answers of a batch that has ended, each with the id of its request."""
        ...

    async def find(self, client: ApiClient, record: BatchRecord, known: Collection[str]) -> list[str]:
        """Ids of the batches that may be this one, without those already known: a session ended before it knew."""
        ...


_NOT_PASSED_ON = {
    "accept",
    "accept-encoding",
    "connection",
    "content-encoding",
    "content-length",
    "content-type",
    "host",
    "idempotency-key",
}
_TIMEOUT = httpx2.Timeout(120.0, connect=10.0)
_PASSING = (408, 409, 425, 429)
"""Statuses below 500 that may be gone the next time."""


class Refused(Exception):
    """The provider said no, and would say so again."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(answer.body)
        self.answer = answer


class Unsure(Exception):
    """No answer, or one that says nothing of the request: it may have arrived, and it may succeed later."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(answer.body)
        self.answer = answer


class ApiClient:
    """A provider's API, as far as batches go.

    Raises everywhere: `Refused` and `Unsure`.
    """

    def __init__(self, client: httpx2.AsyncClient, root: str, query: str, headers: Mapping[str, str]) -> None:
        self._client = client
        self._root = root
        """Without a slash at its end; an address given to the methods begins with one."""
        self.endpoint = bare_url(root)
        """The root as it may be written down: without credentials."""
        self._query = query
        self._headers = {name: value for name, value in headers.items() if name.lower() not in _NOT_PASSED_ON}

    async def get(self, address: str, **query: str | int) -> dict[str, Any]:
        """The JSON object at an address."""
        async with self._response("GET", address, params=query) as response:
            return _object(await response.aread())

    async def post(self, address: str, **content: Any) -> dict[str, Any]:
        """Send `json=…`, JSON that is ready as `content=…`, or `data=…` with `files=…`; gives the object that comes."""
        async with self._response("POST", address, **content) as response:
            return _object(await response.aread())

    async def lines(self, address: str) -> AsyncIterator[dict[str, Any]]:
        """The JSON objects of a file with one on each line, as they arrive."""
        async with self._response("GET", address) as response:
            rest = b""
            async for chunk in response.aiter_bytes():
                # Only at this byte: in a text, other characters end lines too, and JSON may hold them as they are.
                *whole, rest = (rest + chunk).split(b"\n")
                for line in whole:
                    if line.strip():
                        yield _object(line)
            if rest.strip():
                yield _object(rest)

    @asynccontextmanager
    async def _response(self, method: str, address: str, **more: Any) -> AsyncIterator[httpx2.Response]:
        headers = {**self._headers, **({"content-type": "application/json"} if "content" in more else {})}
        query = {**dict(httpx2.QueryParams(self._query)), **more.pop("params", {})}
        try:
            async with self._client.stream(
                method, self._root + address, headers=headers, params=query, timeout=_TIMEOUT, **more
            ) as response:
                if response.status_code >= 300:
                    await response.aread()
                    raise _failure(response.status_code, response.text)
                yield response
        except httpx2.TransportError as error:
            raise Unsure(problem(503, f"{type(error).__name__}: {error}")) from None


def problem(status: int, message: str, batch: str = "") -> Answer:
    """An answer that is an error, in the form that every provider's library reads."""
    error = {"type": "error", "error": {"type": "batch", "message": message}}
    return Answer(status, json.dumps(error), batch)


def _failure(status: int, text: str) -> Refused | Unsure:
    answer = Answer(status, text)
    if status < 400:
        return Refused(problem(400, f"The batch endpoint sent the request elsewhere (HTTP {status})."))
    return Unsure(answer) if status >= 500 or status in _PASSING else Refused(answer)


def _object(text: bytes) -> dict[str, Any]:
    """An object of JSON, without half of a surrogate pair: what is made of it goes on as UTF-8."""
    try:
        value = without_halves(json.loads(text))
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise Unsure(problem(502, "The batch endpoint answered with something that is no JSON object."))
    return value


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


class AnthropicBatchApi:
    """Anthropic's API. It takes no metadata: a lost batch is looked for by its time and its number of requests."""

    path = "/messages"
    # "100,000 Message requests or 256 MB": Anthropic's page on batch processing; less, as with OpenAI's.
    max_requests = 100_000
    max_bytes = 100_000_000

    async def submit(self, client: ApiClient, name: str, requests: Sequence[tuple[str, BatchRequest]]) -> str:
        """Send the requests in one body."""
        items = [b'{"custom_id":"%s","params":%s}' % (custom_id.encode(), each.body) for custom_id, each in requests]
        body = b'{"requests":[' + b",".join(items) + b"]}"
        return str((await client.post("/messages/batches", content=body))["id"])

    async def status(self, client: ApiClient, batch: str) -> State:
        """How a batch is doing."""
        reply = await client.get(f"/messages/batches/{batch}")
        return State(
            id=batch,
            ended=reply.get("processing_status") == "ended",
            unlisted=problem(502, f"The batch {batch} ended without a result for this request.", batch),
            results=[f"/messages/batches/{batch}/results"],
        )

    async def results(self, client: ApiClient, state: State) -> AsyncIterator[tuple[str, Answer]]:
        """Answers from the batch's results."""
        for address in state.results:
            async for line in client.lines(address):
                yield str(line["custom_id"]), _answer(line["result"], state.id)

    async def find(self, client: ApiClient, record: BatchRecord, known: Collection[str]) -> list[str]:
        """Batches created at the time, with as many requests. Their results tell whose they are."""
        at = datetime.fromisoformat(record.at).timestamp()
        page = (await client.get("/messages/batches", limit=_PAGE)).get("data") or []
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


_TAG = "voirdire"
"""The field of a batch's metadata that holds our name of it."""
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


class OpenAIBatchApi:
    """OpenAI's, and that of servers which are compatible with it."""

    # "up to 50,000 requests, and … up to 200 MB": OpenAI's reference of batches. Half of the bytes, so that a file
    # fits into memory with room for what is made of it.
    max_requests = 50_000
    max_bytes = 100_000_000

    def __init__(self, path: str) -> None:
        self.path = path

    async def submit(self, client: ApiClient, name: str, requests: Sequence[tuple[str, BatchRequest]]) -> str:
        """Upload the requests as a file, and make a batch of it."""
        file = await self._upload(client, name, b"".join(self._line(custom_id, each) for custom_id, each in requests))
        body = {
            "input_file_id": file,
            "endpoint": f"/v1{self.path}",
            "completion_window": "24h",
            "metadata": {_TAG: name},
        }
        return str((await client.post("/batches", json=body))["id"])

    async def status(self, client: ApiClient, batch: str) -> State:
        """How a batch is doing."""
        reply = await client.get(f"/batches/{batch}")
        status = reply.get("status")
        files = [reply.get("output_file_id"), reply.get("error_file_id")]
        return State(
            id=batch,
            ended=status in ("completed", "failed", "expired", "cancelled"),
            unlisted=_unlisted(batch, str(status), (reply.get("errors") or {}).get("data") or []),
            results=[f"/files/{file}/content" for file in files if file],
        )

    async def results(self, client: ApiClient, state: State) -> AsyncIterator[tuple[str, Answer]]:
        """Answers from the file of replies and the file of errors."""
        for file in state.results:
            async for line in client.lines(file):
                yield str(line["custom_id"]), _answer_openai(line, state.id)

    async def find(self, client: ApiClient, record: BatchRecord, known: Collection[str]) -> list[str]:
        """The batch that carries our name, if it arrived."""
        since = datetime.fromisoformat(record.at).timestamp() - _CLOCKS_DIFFER
        after: dict[str, str] = {}
        for _ in range(_PAGES):
            page = (await client.get("/batches", limit=_PAGE, **after)).get("data") or []
            for each in page:
                if (each.get("metadata") or {}).get(_TAG) == record.name:
                    return [str(each["id"])]
            if len(page) < _PAGE or page[-1].get("created_at", since) < since:
                return []
            after = {"after": str(page[-1]["id"])}
        return []

    async def _upload(self, client: ApiClient, name: str, content: bytes) -> str:
        file = (f"{_TAG}-{name}.jsonl", content, "application/jsonl")
        return str((await client.post("/files", data={"purpose": "batch"}, files={"file": file}))["id"])

    def _line(self, custom_id: str, request: BatchRequest) -> bytes:
        # The body stands in the line as it is, and one line it must be: JSON never needs a line break.
        body = request.body if b"\n" not in request.body else json.dumps(json.loads(request.body)).encode()
        return b'{"custom_id":"%s","method":"POST","url":"/v1%s","body":%s}\n' % (
            custom_id.encode(),
            self.path.encode(),
            body,
        )


class MistralBatchApi(OpenAIBatchApi):
    """Mistral's: the same files, other names for the rest."""

    def __init__(self) -> None:
        super().__init__("/chat/completions")

    async def submit(self, client: ApiClient, name: str, requests: Sequence[tuple[str, BatchRequest]]) -> str:
        """Upload the requests as a file, and make a job of it."""
        file = await self._upload(client, name, b"".join(self._line(custom_id, each) for custom_id, each in requests))
        body = {
            "input_files": [file],
            "endpoint": f"/v1{self.path}",
            "model": json.loads(requests[0][1].body)["model"],
            "metadata": {_TAG: name},
            "timeout_hours": 24,
        }
        return str((await client.post("/batch/jobs", json=body))["id"])

    async def status(self, client: ApiClient, batch: str) -> State:
        """How a job is doing."""
        reply = await client.get(f"/batch/jobs/{batch}")
        status = _MISTRALS.get(str(reply.get("status")), "")
        files = [reply.get("output_file"), reply.get("error_file")]
        return State(
            id=batch,
            ended=bool(status),
            unlisted=_unlisted(batch, status, reply.get("errors") or []),
            results=[f"/files/{file}/content" for file in files if file],
        )

    async def find(self, client: ApiClient, record: BatchRecord, known: Collection[str]) -> list[str]:
        """The job that carries our name, if it arrived."""
        for number in range(_PAGES):
            page = (await client.get("/batch/jobs", page=number, page_size=_PAGE)).get("data") or []
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
        message = first.get("message") or "no reason was given"
        return problem(_FAULTS.get(str(first.get("code")), 400), f"The batch {batch} failed: {message}", batch)
    return problem(502, f"The batch {batch} ended without a result for this request.", batch)


def _answer_openai(line: Mapping[str, Any], batch: str) -> Answer:
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
