"""Reading what a form sends."""

from __future__ import annotations

import secrets
from urllib.parse import parse_qsl

from starlette.requests import Request

from voirdire.raters.desk import Sent
from voirdire.raters.records import RatersError
from voirdire.raters.web.guarding import MAX_BODY

MAX_SECONDS = 4 * 3600.0
"""Of one row: nobody works longer on one answer without a pause that the page sees."""


def new_token() -> str:
    """For a form: sent twice, it is done once."""
    return secrets.token_hex(12)


async def read_form(request: Request) -> dict[str, str]:
    """The fields of a form; of several with one name, all, with a line break between.

    Raises:
        RatersError: it is too large, or no form.
    """
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY:
            raise RatersError(f"A form may hold at most {MAX_BODY:,} bytes.")
    try:
        pairs = parse_qsl(body.decode("ascii"), keep_blank_values=True, errors="replace", max_num_fields=2000)
    except ValueError:
        raise RatersError("What was sent is no form.") from None
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
    token, seen, seconds = form.pop("token", ""), form.pop("seen", ""), form.pop("seconds", "") or "0"
    action = form.pop("action", "")
    if not (8 <= len(token) <= 64 and token.isalnum()) or not action:
        raise RatersError("The form lacks its token or its action; load the page again.")
    try:
        return Sent(action, form, token, int(seen), min(max(float(seconds), 0.0), MAX_SECONDS))
    except ValueError:
        raise RatersError("The form's numbers can't be read; load the page again.") from None
