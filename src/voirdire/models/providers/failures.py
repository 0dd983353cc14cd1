"""From whatever a provider's library raised to a `ModelError`: its kind, and one sentence free of secrets."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from email.utils import parsedate_to_datetime
from typing import Any

import openai
from pydantic_ai import exceptions as pydantic_ai

from voirdire.models.base import ModelError
from voirdire.models.errors import kind_of_status, scrub
from voirdire.models.providers.http_recording import HttpExchange
from voirdire.records import ErrorKind

_LONGEST_QUOTE = 300
_UNREAD = (LookupError, TypeError, ValueError, AttributeError)
"""What libraries trip over when a response is not what they expect; `ValueError` holds pydantic's own."""


class NoReply(Exception):
    """A response that is no reply of a model: it says what came instead."""


def model_error(
    error: Exception,
    *,
    spec: str,
    name: str,
    endpoint: str,
    key_env: str,
    timeout: float,
    secrets: Iterable[str],
    exchange: HttpExchange,
) -> ModelError:
    """What `error` means for a call to the model `name` at `endpoint`.

    An exhausted quota counts as "auth", whatever its HTTP status: waiting does not help, the account's owner does.
    A server that sends its callers elsewhere counts as "not_found": the address is to be set right.
    """
    if exchange.moved_to is not None:
        sentence = (
            f"{endpoint} sends callers on to {exchange.moved_to[:_LONGEST_QUOTE]}, and was not followed, since the key "
            "would go along: give that address if it is the right one"
        )
        return ModelError("not_found", scrub(f"{spec}: {sentence}.", secrets))
    kind = _kind(error, bool(exchange.received))
    status = error.status_code if isinstance(error, pydantic_ai.ModelHTTPError) else None
    message = _provider_message(error)
    quote = ": ".join(part for part in (str(status) if status else "", message) if part)
    because = f" ({quote})" if quote else ""
    key = f"the key in {key_env}" if key_env else "the key"
    sentences: dict[ErrorKind, str] = {
        "auth": f"{endpoint} refused {key}{because}",
        "bad_request": f"{endpoint} refused the request{because}",
        "not_found": f"there is no model {name!r} at {endpoint}, or the address is wrong{because}",
        "rate_limit": f"{endpoint} asks to slow down{because}",
        "server": f"{endpoint} failed{because}",
        "connection": f"{_connection_failure(error, endpoint)}{because}",
        "timeout": f"{endpoint} gave no answer within {timeout:g} s",
        "unexpected": f"the call failed with {type(error).__name__}{because}",
    }
    sentence = sentences[kind]
    if kind == "server" and status is None:
        sentence = f"{endpoint} answered with something that is no reply of a model{because}"
    if isinstance(error, pydantic_ai.ModelQuotaExceededError):
        sentence = f"the account at {endpoint} has no quota or credit left{because}"
    return ModelError(kind, scrub(f"{spec}: {sentence}.", secrets), status=status, retry_after=_wait(error))


def _wait(error: Exception) -> float | None:
    """Seconds the provider asks to wait. A date is held against the provider's own clock: ours may jump."""
    if not isinstance(error, pydantic_ai.ModelAPIError):
        return None
    headers = error.headers if isinstance(error, pydantic_ai.ModelHTTPError) else None
    seconds = _until_date(headers or {})
    seconds = error.retry_after if seconds is None else seconds
    return seconds if seconds is not None and math.isfinite(seconds) and seconds >= 0 else None


def _until_date(headers: Mapping[str, str]) -> float | None:
    if "retry-after-ms" in headers:
        return None
    try:
        until, now = (parsedate_to_datetime(headers[name]) for name in ("retry-after", "date"))
        return max(0.0, (until - now).total_seconds())
    except (KeyError, ValueError, TypeError):
        return None


def _connection_failure(error: Exception, endpoint: str) -> str:
    reached = isinstance(error, pydantic_ai.ModelConnectionError) and error.phase not in ("connect", "pool")
    return f"the connection to {endpoint} broke off" if reached else f"no server answers at {endpoint}"


def _kind(error: Exception, responded: bool) -> ErrorKind:
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
    if isinstance(error, (NoReply, pydantic_ai.UnexpectedModelBehavior)):
        return "server"
    if responded and isinstance(error, _UNREAD):
        return "server"
    return "unexpected"


def _kind_of_status(error: pydantic_ai.ModelHTTPError) -> ErrorKind:
    if isinstance(error, pydantic_ai.ModelRequestRejectedError):
        return "bad_request"
    return kind_of_status(error.status_code)


def _provider_message(error: Exception) -> str:
    """The provider's own words, on one line."""
    body: object = error.body if isinstance(error, pydantic_ai.ModelHTTPError) else None
    if isinstance(error, pydantic_ai.ModelHTTPError):
        words = _message_in(body) or (body if isinstance(body, str) else "")
    else:
        words = str(_root(error))
    line = " ".join(words.split()).rstrip(".")
    return line if len(line) <= _LONGEST_QUOTE else line[: _LONGEST_QUOTE - 1] + "…"


def _root(error: BaseException) -> BaseException:
    """Of a broken connection, what broke it: the libraries above only say that it did."""
    while isinstance(error, (pydantic_ai.ModelConnectionError, openai.APIConnectionError)) and error.__cause__:
        error = error.__cause__
    return error


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
