"""JSON of others."""

from __future__ import annotations

from typing import Any

from voirdire.data.json_text import JsonError, parse_json
from voirdire.data.untrusted._errors import UntrustedError


def json_of(text: str) -> Any:
    """The value that JSON text holds, as `data.json_text.parse_json` reads it.

    Raises:
        UntrustedError: it is no JSON, or breaks a bound.
    """
    try:
        return parse_json(text)
    except JsonError as error:
        raise UntrustedError(f"is not valid JSON ({error})") from None
