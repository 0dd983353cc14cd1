"""A model over HTTP, small enough to be trusted by tests that are not about the model layer."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import aiohttp

from voirdire.models.base import ModelError
from voirdire.records import (
    ErrorKind,
    FinishReason,
    ModelIdentity,
    OutputMode,
    Reply,
    Scene,
    Settings,
    Usage,
    WireMessage,
)

_KINDS: dict[int, ErrorKind] = {401: "auth", 403: "auth", 404: "not_found", 429: "rate_limit"}
_FINISH: dict[str, FinishReason] = {"stop": "stop", "length": "length", "content_filter": "refusal"}


class HttpModel:
    """Chat completions of one endpoint. Close it."""

    def __init__(
        self, base_url: str, name: str = "fake", *, key: str = "test-key", endpoint: str | None = None
    ) -> None:
        """Set the address; `endpoint` stands for it in keys, where the port changes from run to run."""
        self.identity = ModelIdentity(f"test/{name}", endpoint or base_url, name)
        self._url = f"{base_url}/chat/completions"
        self._key = key
        self._session: aiohttp.ClientSession | None = None

    def output_mode(self, schema: Mapping[str, Any] | None) -> OutputMode:
        return "json_schema" if schema else "text"

    def price(self, usage: Usage) -> float | None:
        return 0.0

    async def complete(
        self,
        messages: Sequence[WireMessage],
        settings: Settings,
        *,
        schema: Mapping[str, Any] | None = None,
        seed: int = 0,
        timeout: float = 120.0,
        scene: Scene | None = None,
    ) -> Reply:
        body: dict[str, Any] = {
            "model": self.identity.name,
            "messages": [{"role": message.role, "content": message.content} for message in messages],
            "max_tokens": settings.max_tokens,
            "seed": seed,
        }
        if schema is not None:
            body["response_format"] = {"type": "json_schema", "json_schema": {"name": "answer", "schema": schema}}
        try:
            status, text, retry_after = await self._post(body, timeout)
        except TimeoutError as error:
            raise ModelError("timeout", "No answer in time.") from error
        except aiohttp.ClientError as error:
            raise ModelError("connection", f"The connection failed: {error}.") from error
        if status != 200:
            raise ModelError(_KINDS.get(status, "server" if status >= 500 else "bad_request"), text, status=status,
                             retry_after=float(retry_after) if retry_after else None)  # fmt: skip
        return _reply(text)

    async def _post(self, body: dict[str, Any], timeout: float) -> tuple[int, str, str | None]:
        if self._session is None:
            headers = {"Authorization": f"Bearer {self._key}"}
            self._session = aiohttp.ClientSession(headers=headers, connector=aiohttp.TCPConnector(limit=0))
        limit = aiohttp.ClientTimeout(total=timeout)
        async with self._session.post(self._url, json=body, timeout=limit) as answer:
            return answer.status, await answer.text(), answer.headers.get("Retry-After")

    async def aclose(self) -> None:
        if self._session is not None:
            await self._session.close()


def _reply(text: str) -> Reply:
    try:
        body = json.loads(text)
    except ValueError as error:
        raise ModelError("server", "The answer is no JSON.") from error
    choice, usage = body["choices"][0], body["usage"]
    return Reply(
        choice["message"]["content"],
        _FINISH.get(choice["finish_reason"], "other"),
        Usage(usage["prompt_tokens"], usage["completion_tokens"]),
        body["model"],
    )
