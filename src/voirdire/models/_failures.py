"""From whatever a provider's library raised to a `ModelError`: its kind, and one sentence free of secrets."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from pydantic_ai import exceptions as pydantic_ai

from voirdire.models.base import ModelError
from voirdire.models.errors import kind_of_status, scrub
from voirdire.records import ErrorKind

_LONGEST_QUOTE = 300


def model_error(
    error: Exception, *, spec: str, name: str, endpoint: str, key_env: str, timeout: float, secrets: Iterable[str]
) -> ModelError:
    """What `error` means for a call to the model `name` at `endpoint`.

    An exhausted quota counts as "auth", whatever its HTTP status: waiting does not help, the account's owner does.
    """
    kind = _kind(error)
    status = error.status_code if isinstance(error, pydantic_ai.ModelHTTPError) else None
    said = _said(error)
    quote = ": ".join(part for part in (str(status) if status else "", said) if part)
    because = f" ({quote})" if quote else ""
    key = f"the key in {key_env}" if key_env else "the key"
    sentences: dict[ErrorKind, str] = {
        "auth": f"{endpoint} refused {key}{because}",
        "bad_request": f"{endpoint} refused the request{because}",
        "not_found": f"there is no model {name!r} at {endpoint}, or the address is wrong{because}",
        "rate_limit": f"{endpoint} asks to slow down{because}",
        "server": f"{endpoint} failed{because}",
        "connection": f"no server answers at {endpoint}{because}",
        "timeout": f"{endpoint} gave no answer within {timeout:g} s",
        "unexpected": f"the call failed with {type(error).__name__}{because}",
    }
    sentence = sentences[kind]
    if isinstance(error, pydantic_ai.ModelQuotaExceededError):
        sentence = f"the account at {endpoint} has no quota or credit left{because}"
    retry_after = error.retry_after if isinstance(error, pydantic_ai.ModelAPIError) else None
    return ModelError(kind, scrub(f"{spec}: {sentence}.", secrets), status=status, retry_after=retry_after)


def _kind(error: Exception) -> ErrorKind:
    if isinstance(error, (pydantic_ai.ModelAuthenticationError, pydantic_ai.ModelQuotaExceededError)):
        return "auth"
    if isinstance(error, pydantic_ai.ModelNotFoundError):
        return "not_found"
    if isinstance(error, pydantic_ai.ModelHTTPError):
        return _kind_of_status(error)
    if isinstance(error, pydantic_ai.ModelConnectionError) and error.phase in ("connect", "pool"):
        return "connection"
    if isinstance(error, (pydantic_ai.ModelRequestTimeout, pydantic_ai.ModelTimeoutError, TimeoutError)):
        return "timeout"
    if isinstance(error, pydantic_ai.ModelConnectionError):
        return "connection"
    if isinstance(error, (pydantic_ai.ModelRequestRejectedError, pydantic_ai.UserError)):
        return "bad_request"
    if type(error) is pydantic_ai.ModelAPIError:
        return "server"  # a 200 whose body is no JSON: what gateways send when the server behind them fails
    return "unexpected"


def _kind_of_status(error: pydantic_ai.ModelHTTPError) -> ErrorKind:
    if isinstance(error, pydantic_ai.ModelRequestRejectedError):
        return "bad_request"
    return kind_of_status(error.status_code)


def _said(error: Exception) -> str:
    """The provider's own words, on one line."""
    body: object = error.body if isinstance(error, pydantic_ai.ModelHTTPError) else None
    if isinstance(error, pydantic_ai.ModelHTTPError):
        words = _message_in(body) or (body if isinstance(body, str) else "")
    else:
        words = str(error)
    line = " ".join(words.split()).rstrip(".")
    return line if len(line) <= _LONGEST_QUOTE else line[: _LONGEST_QUOTE - 1] + "…"


def _message_in(body: object) -> str:
    if isinstance(body, (str, bytes)):
        try:
            body = json.loads(body)
        except ValueError:
            return ""
    while isinstance(body, list) and body:
        body = body[0]
    if not isinstance(body, dict):
        return ""
    fields: dict[str, Any] = body
    if isinstance(fields.get("error"), dict):
        fields = fields["error"]
    words = fields.get("message") or fields.get("detail") or fields.get("error") or ""
    return words if isinstance(words, str) else json.dumps(words, ensure_ascii=False)
