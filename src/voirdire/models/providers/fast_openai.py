"""OpenAI's client library without what costs most and changes nothing for our calls.

Its `create` walks through every message and schema by their types, to translate names that none of ours has; it works
out addresses and headers anew; it builds its types piece by piece, which pydantic-ai then takes apart again; and a
request that says how often to retry goes through a copy of the client. Together that is more than half of a call's
CPU time. What is sent and what comes back are the same.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import httpx2
import openai
from openai import AsyncOpenAI, NotGiven, Omit
from openai.types.chat import ChatCompletion
from pydantic import ValidationError

from voirdire.models.base import MOST_TOKENS
from voirdire.models.providers import http_recording
from voirdire.models.providers.failures import NoReply

_STATUS_ERRORS: dict[int, type[openai.APIStatusError]] = {
    400: openai.BadRequestError,
    401: openai.AuthenticationError,
    403: openai.PermissionDeniedError,
    404: openai.NotFoundError,
    409: openai.ConflictError,
    422: openai.UnprocessableEntityError,
    429: openai.RateLimitError,
}


def lighten(client: object, http: httpx2.AsyncClient | None) -> None:
    """Let a provider's client send once and no more, and OpenAI's own send chat completions as they are.

    Clients of other kinds, and those that add something of their own to each request, stay as they were.
    """
    if hasattr(client, "max_retries"):
        client.max_retries = 0
    if type(client) is AsyncOpenAI and http is not None and not client.default_query:
        vars(client.chat)["completions"] = _Completions(client, http)  # where a cached property keeps its value


def sends_once(client: object) -> bool:
    """Whether a client makes no second request of its own accord."""
    return getattr(client, "max_retries", None) == 0


class _Completions:
    def __init__(self, client: AsyncOpenAI, http: httpx2.AsyncClient) -> None:
        self._http = http
        root = str(client.base_url).removesuffix("/")  # of an address without a path the library gives no last slash
        self._url = httpx2.URL(f"{root}/chat/completions")
        self._headers = {
            name: value
            for name, value in {**client.default_headers, **client.auth_headers}.items()
            if isinstance(value, str)
        }

    async def create(
        self,
        *,
        extra_headers: Mapping[str, str] | None = None,
        extra_body: Mapping[str, Any] | None = None,
        timeout: Any = None,
        **parameters: Any,
    ) -> Any:
        """One request with these parameters as its body, and what came back.

        Raises:
            openai.APIError: as the library does.
        """
        body = {name: value for name, value in parameters.items() if _is_given(value)} | dict(extra_body or {})
        request = self._http.build_request(
            "POST",
            self._url,
            content=json.dumps(body, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode(),
            headers={**self._headers, **(extra_headers or {})},
            timeout=timeout if _is_given(timeout) else httpx2.USE_CLIENT_DEFAULT,
        )
        try:
            response = await self._http.send(request)
        except httpx2.TimeoutException as error:
            raise openai.APITimeoutError(request=request) from error
        except httpx2.RequestError as error:
            raise openai.APIConnectionError(request=request) from error
        if not response.is_success:
            raise _status_error(response)
        return _completion(response)


def _is_given(value: object) -> bool:
    return not isinstance(value, (NotGiven, Omit))


def _completion(response: httpx2.Response) -> ChatCompletion:
    """The completion.

    Raises:
        NoReply: something else came in its place.
    """
    kind = response.headers.get("content-type", "")
    if "json" not in kind:
        raise NoReply(f"{kind or 'something of no type'} came instead of JSON")
    try:
        data = json.loads(response.text)
    except (ValueError, RecursionError):
        raise NoReply("what came is not JSON") from None
    if not isinstance(data, dict) or not isinstance(data.get("choices"), list) or not data["choices"]:
        raise NoReply("what came is JSON without a choice in it")
    if not _countable(data.get("usage")):
        data["usage"] = None
        http_recording.note("The count of tokens that came with the reply makes no sense and was left out.")
    try:
        return ChatCompletion.model_validate(data)
    except ValidationError:  # servers leave fields out: those are none of ours to judge
        return ChatCompletion.construct(**data)


def _countable(usage: object) -> bool:
    """Whether tokens were counted, or not at all; a paid reply is not thrown away for a count that makes no sense."""
    if usage is None:
        return True
    return isinstance(usage, dict) and all(_count(usage.get(name)) for name in ("prompt_tokens", "completion_tokens"))


def _count(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return 0 <= value <= MOST_TOKENS and value == int(value)


def _status_error(response: httpx2.Response) -> openai.APIStatusError:
    try:
        content = json.loads(response.text)
    except ValueError:
        content = response.text.strip() or None
    body = content.get("error", content) if isinstance(content, dict) else content
    fallback = openai.InternalServerError if response.status_code >= 500 else openai.APIStatusError
    kind = _STATUS_ERRORS.get(response.status_code, fallback)
    return kind(f"Error code: {response.status_code} - {content}", response=response, body=body)
