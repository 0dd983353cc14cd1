"""The organiser's pages."""

from __future__ import annotations

import secrets

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from voirdire.raters.records import RatersError
from voirdire.raters.web.forms import read_form
from voirdire.raters.web.pages import desk_of, pages_of


async def home(request: Request) -> Response:
    """Progress, agreement so far, timing and open questions."""
    _check(request)
    desk = desk_of(request)
    complete = desk.store.read.complete()
    return pages_of(request).show(
        "organiser/home.html",
        base=_base(request),
        seats=desk.store.seats(),
        complete={rater: len(items) for rater, items in complete.items()},
        questions=desk.questions()[::-1],
    )


async def reply(request: Request) -> Response:
    """Answer a question."""
    _check(request)
    form = await read_form(request)
    question = form.get("question", "")
    if not question.isdecimal():
        raise RatersError("Which question is answered can't be read; load the page again.")
    await desk_of(request).reply(int(question), form.get("text", ""), form.get("token", ""))
    return RedirectResponse(_base(request) + "/", 303)


ROUTES = [Route("/", home), Route("/reply", reply, methods=["POST"])]


def _base(request: Request) -> str:
    return f"/o/{request.path_params['secret']}"


def _check(request: Request) -> None:
    given, known = request.path_params["secret"], desk_of(request).store.read.meta("organiser")
    if not secrets.compare_digest(given.encode(), known.encode()):
        raise HTTPException(404)
