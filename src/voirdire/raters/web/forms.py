"""Reading what a form sends."""

from __future__ import annotations

import math
import secrets
from typing import NoReturn
from urllib.parse import parse_qsl

from starlette.exceptions import HTTPException
from starlette.requests import Request

from voirdire.raters.records import RatersError
from voirdire.raters.service import Sent

MAX_BODY = 2_000_000
"""Bytes of a form."""
MAX_SECONDS = 4 * 3600.0
"""Of one row: nobody works longer on one answer without a pause that the page sees."""
_FORM = "application/x-www-form-urlencoded"
_MAX_FIELDS = 2000
_MAX_DIGITS = 18
"""Of a number that SQLite can hold."""


def new_token() -> str:
    """For a form: sent twice, it is done once."""
    return secrets.token_hex(12)


async def read_form(request: Request) -> dict[str, str]:
    """The fields of a form; of several with one name, all, with a line break between.

    Raises:
        HTTPException: 413, it is too large.
        RatersError: it is no form.
    """
    if request.headers.get("content-type", "").split(";")[0].strip().lower() != _FORM:
        raise RatersError("What was sent is no form; load the page again.")
    if (said := request.headers.get("content-length", "0")).isdecimal() and int(said[:_MAX_DIGITS]) > MAX_BODY:
        _too_large()
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY:
            _too_large()
    try:
        pairs = parse_qsl(body.decode("ascii"), keep_blank_values=True, errors="replace", max_num_fields=_MAX_FIELDS)
    except ValueError:
        raise RatersError("What was sent is no form; load the page again.") from None
    fields: dict[str, str] = {}
    for name, value in pairs:
        text = value.replace("\r\n", "\n")
        fields[name] = f"{fields[name]}\n{text}" if name in fields else text
    return fields


def sent_of(form: dict[str, str]) -> Sent:
    """What an item's page has sent.

    Raises:
        RatersError: a field that every form has is missing or out of range.
    """
    fields = {name: text for name, text in form.items() if name not in ("token", "seen", "seconds", "action")}
    action = form.get("action", "")
    if not action:
        raise RatersError("The form lacks its action; load the page again.")
    return Sent(action, fields, token_of(form), number_of(form, "seen"), _seconds(form.get("seconds", "")))


def token_of(form: dict[str, str]) -> str:
    """The token of a form.

    Raises:
        RatersError: it has none.
    """
    token = form.get("token", "")
    if not (8 <= len(token) <= 64 and token.isascii() and token.isalnum()):
        raise RatersError("The form lacks its token; load the page again.")
    return token


def number_of(form: dict[str, str], name: str) -> int:
    """A field that holds a whole number.

    Raises:
        RatersError: it does not.
    """
    text = form.get(name, "")
    if not (text.isascii() and text.isdecimal() and len(text) <= _MAX_DIGITS):
        raise RatersError("The form's numbers can't be read; load the page again.")
    return int(text)


def _seconds(text: str) -> float:
    """What a page counted; 0 where it counts nothing, or nonsense: an answer is not lost over that."""
    try:
        seconds = float(text or 0)
    except ValueError:
        return 0.0
    return min(max(seconds, 0.0), MAX_SECONDS) if math.isfinite(seconds) else 0.0


def _too_large() -> NoReturn:
    raise HTTPException(413, f"A form may hold at most {MAX_BODY:,} bytes: shorten the text, then send it again.")
