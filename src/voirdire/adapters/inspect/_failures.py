"""What a failed call of Inspect's means: a `ModelError` with its kind and one sentence."""

from __future__ import annotations

from inspect_ai.util import LimitExceededError
from tenacity import RetryError

from voirdire.models import ModelError
from voirdire.models.errors import kind_of_status, scrub
from voirdire.records import ErrorKind

_LONGEST = 300


def model_error(spec: str, error: Exception) -> ModelError:
    """The failure of a call to `spec`.

    Raises:
        LimitExceededError: it was none, but a limit of Inspect's, which ends the sample.
    """
    cause = _cause(error)
    if isinstance(cause, LimitExceededError):
        raise cause
    status = _status(cause)
    given_up = isinstance(error, RetryError)  # what Inspect would have tried again, it takes to be temporary
    said = scrub(" ".join(str(cause).split())) or "without a word"
    return ModelError(
        _kind(cause, status, given_up),
        f"{spec}: the call failed with {type(cause).__name__} ({said[:_LONGEST].rstrip('.')}).",
        status=status,
    )


def _cause(error: Exception) -> BaseException:
    """What went wrong in the last attempt."""
    last: BaseException | None = error.last_attempt.exception() if isinstance(error, RetryError) else None
    return last or error


def _status(error: BaseException) -> int | None:
    status = getattr(error, "status_code", None)
    return status if isinstance(status, int) else None


def _kind(error: BaseException, status: int | None, given_up: bool) -> ErrorKind:
    if status is not None:
        return kind_of_status(status)
    name = type(error).__name__
    if isinstance(error, TimeoutError) or "Timeout" in name:
        return "timeout"
    if isinstance(error, ConnectionError) or "Connection" in name or "ConnectError" in name:
        return "connection"
    return "server" if given_up else "unexpected"
