"""Reading what a form sends, making pages of templates, and what a page says when something is wrong."""

from __future__ import annotations

import math
import secrets
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NoReturn
from urllib.parse import parse_qsl

from jinja2 import BaseLoader, ChoiceLoader, Environment, PackageLoader, PrefixLoader, StrictUndefined
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, Response

from voirdire.raters.records import Rater, RatersError
from voirdire.raters.service import NotAssigned, RatingService, Submission
from voirdire.raters.store import NotSaved
from voirdire.raters.tasks.base import Task
from voirdire.text.counting import counted

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
    if (length := request.headers.get("content-length", "0")).isdecimal() and int(length[:_MAX_DIGITS]) > MAX_BODY:
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


def sent_of(form: dict[str, str]) -> Submission:
    """What an item's page has sent.

    Raises:
        RatersError: a field that every form has is missing or out of range.
    """
    fields = {name: text for name, text in form.items() if name not in ("token", "seen", "seconds", "action")}
    action = form.get("action", "")
    if not action:
        raise RatersError("The form lacks its action; load the page again.")
    return Submission(action, fields, token_of(form), number_of(form, "seen"), _seconds(form.get("seconds", "")))


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


_TELLING = 8
"""Characters of a secret by which it is looked up; the other 24 are compared in constant time."""
_TITLES = {
    404: "There is nothing at this address",
    405: "That can't be done here",
    413: "That is too much",
    503: "That was not saved",
}


class Pages:
    """Renders templates for one project."""

    def __init__(self, service: RatingService, loader: BaseLoader | None = None) -> None:
        """Prepare the templates.

        Args:
            service: whose project they speak of.
            loader: finds the templates; `None` for the packaged ones.
        """
        self._templates = Environment(
            loader=loader or templates_of(service.task),
            autoescape=True,
            undefined=StrictUndefined,
            auto_reload=False,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        guideline = service.task.guideline(service.settings)
        self._templates.filters["counted"] = counted
        self._templates.globals.update(
            settings=service.settings, task=service.task, guideline=guideline, new_token=new_token
        )

    def show(self, template: str, status: int = 200, **values: Any) -> HTMLResponse:
        """A page.

        Args:
            template: its path under `templates`.
            status: HTTP status.
            values: what the template needs.
        """
        text = self._templates.get_template(template).render(**values)
        return HTMLResponse(text.encode("utf-8", "replace"), status)  # half a character in the data is no error

    def prepare(self) -> None:
        """Compile all templates, so that nobody waits for that."""
        for name in self._templates.list_templates():
            self._templates.get_template(name)


def templates_of(task: Task) -> BaseLoader:
    """The templates of all pages; those of the task stand beside it, and are found under its name."""
    own = PackageLoader(type(task).__module__.rpartition(".")[0])
    return ChoiceLoader([PackageLoader("voirdire.raters.web"), PrefixLoader({task.name: own})])


def pages_of(request: Request) -> Pages:
    """The pages of this app."""
    pages: Pages = request.app.state.pages
    return pages


def service_of(request: Request) -> RatingService:
    """The service of this app."""
    service: RatingService = request.app.state.service
    return service


def rater_of(request: Request) -> Rater:
    """Whose link was used.

    Raises:
        HTTPException: nobody's: 404, as for any address that leads nowhere.
    """
    for rater, secret in service_of(request).store.read.raters_with_secrets(request.path_params["secret"][:_TELLING]):
        if _is_secret(request, secret):
            return rater
    raise HTTPException(404)


def check_organiser(request: Request) -> None:
    """See that the organiser's link was used.

    Raises:
        HTTPException: it was not: 404.
    """
    if not _is_secret(request, service_of(request).store.read.meta("organiser")):
        raise HTTPException(404)


async def front(request: Request) -> Response:
    """The front page: whoever has no link learns where one comes from."""
    return pages_of(request).show("front.html")


def _is_secret(request: Request, secret: str) -> bool:
    """Compared in a time that does not tell how much of it was right."""
    sent: str = request.path_params["secret"]
    return secrets.compare_digest(sent.encode(), secret.encode())


async def _of_http(request: Request, error: Exception) -> Response:
    status, says, headers = 500, "", None
    if isinstance(error, HTTPException):
        status, headers = error.status_code, error.headers
        unknown = "The link may be incomplete, or was renewed: ask the organiser for yours."
        says = unknown if status == 404 else error.detail
    return _wrong(request, status, says, headers)


def _says(status: int) -> Callable[[Request, Exception], Awaitable[Response]]:
    async def handle(request: Request, error: Exception) -> Response:
        return _wrong(request, status, str(error))

    return handle


def _wrong(request: Request, status: int, says: str, headers: Mapping[str, str] | None = None) -> Response:
    title = _TITLES.get(status, "That did not work")
    response = pages_of(request).show("error.html", status, title=title, says=says)
    response.headers.update(headers or {})
    return response


async def _gone(request: Request, error: Exception) -> Response:
    return Response(status_code=400)  # nobody reads it: they hung up before they had sent all


HANDLERS: Mapping[Any, Any] = {
    ClientDisconnect: _gone,
    HTTPException: _of_http,
    NotAssigned: _says(404),
    NotSaved: _says(503),
    RatersError: _says(400),
}
