"""What every way of calling a model says of a failure: kinds by HTTP status, texts without keys."""

from __future__ import annotations

import re
from collections.abc import Iterable

from voirdire.models.secrets import forms_of, hide, known_secrets, masked_url
from voirdire.records import ErrorKind

_MASK = "[key]"
# Keys as providers echo them, also half masked ("sk-abc***xyz"), and anything behind a Bearer.
_KEY_LIKE = re.compile(r"\b(?:sk|pk|xai|gsk|hf|r8)[-_][\w*.…-]{6,}|\bAIza[\w-]{10,}|(?<=[Bb]earer )\S+")

_BY_STATUS: dict[int, ErrorKind] = {
    400: "bad_request",
    401: "auth",
    403: "auth",
    404: "not_found",
    408: "timeout",
    413: "bad_request",
    422: "bad_request",
    429: "rate_limit",
}


def scrub(text: str, secrets: Iterable[str] = ()) -> str:
    """The text without the given secrets and without anything that looks like a key."""
    return _KEY_LIKE.sub(_MASK, masked_url(hide(text, forms_of((*secrets, *known_secrets())), _MASK)))


def kind_of_status(status: int) -> ErrorKind:
    """What an HTTP status says of a failure."""
    return "server" if status >= 500 else _BY_STATUS.get(status, "unexpected")
