"""A rater's pages."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from voirdire.raters.desk import Desk
from voirdire.raters.records import Rater, Refused
from voirdire.raters.standing import UNDO
from voirdire.raters.tasks.base import Work
from voirdire.raters.web.forms import read_form, sent_of
from voirdire.raters.web.pages import desk_of, pages_of, rater_of


async def home(request: Request) -> Response:
    """Where a rater stands, and the way on."""
    desk, rater = desk_of(request), rater_of(request)
    return pages_of(request).show("home.html", **_frame(request, rater), **_standing(desk, rater))


async def go_on(request: Request) -> Response:
    """Lead to the next item, or say why there is none."""
    desk, rater = desk_of(request), rater_of(request)
    going = await desk.next(rater)
    if going.item is not None:
        after = request.query_params.get("after")
        return RedirectResponse(_item_path(request, going.item.id, after), 303)
    return pages_of(request).show("pause.html", state=going.state, **_frame(request, rater), **_standing(desk, rater))


async def item(request: Request) -> Response:
    """The page of an item."""
    rater = rater_of(request)
    work = desk_of(request).work(rater, request.path_params["item"])
    return _work_page(request, rater, work, after=request.query_params.get("after"))


async def act(request: Request) -> Response:
    """Take an answer, and show what comes of it: the item as it stands now, or the next one."""
    desk, rater, item_id = desk_of(request), rater_of(request), request.path_params["item"]
    form = await read_form(request)
    sent = sent_of(dict(form))
    try:
        acted = await desk.act(rater, item_id, sent)
    except Refused as refused:
        return _work_page(request, rater, desk.work(rater, item_id), said=str(refused), unsaved=form, status=409)
    if acted.value is None or sent.action == UNDO or acted.work.phase != "live":
        return _back_to(request, rater, acted.work)
    return await _leave(request, rater, item_id)


async def ask(request: Request) -> Response:
    """Put a question to the organiser."""
    desk, rater, item_id = desk_of(request), rater_of(request), request.path_params["item"]
    form = await read_form(request)
    await desk.ask(rater, item_id, form.get("text", ""), sent_of({**form, "seen": "0", "action": "ask"}).token)
    return _back_to(request, rater, desk.work(rater, item_id), said="Your question is with the organiser.")


async def inbox(request: Request) -> Response:
    """Questions and replies."""
    desk, rater = desk_of(request), rater_of(request)
    return pages_of(request).show("inbox.html", questions=desk.questions(rater)[::-1], **_frame(request, rater))


async def finished(request: Request) -> Response:
    """What a rater has rated, to look at again, to change or to ask about."""
    desk, rater = desk_of(request), rater_of(request)
    complete = desk.store.read.complete().get(rater.id, {})
    items = [desk.store.read.item(each) for each in sorted(complete, key=lambda each: -complete[each])]
    return pages_of(request).show("finished.html", items=items, **_frame(request, rater))


async def guide(request: Request) -> Response:
    """The guideline on a page of its own."""
    desk, rater = desk_of(request), rater_of(request)
    guideline = desk.task.guideline(desk.settings)
    return pages_of(request).show("guide.html", guideline=guideline, **_frame(request, rater))


async def retake(request: Request) -> Response:
    """Begin the practice items anew."""
    await desk_of(request).retake(rater_of(request))
    return RedirectResponse(_base(request) + "/next", 303)


ROUTES = [
    Route("/", home),
    Route("/next", go_on),
    Route("/item/{item:path}/act", act, methods=["POST"]),
    Route("/item/{item:path}/ask", ask, methods=["POST"]),
    Route("/item/{item:path}", item),
    Route("/inbox", inbox),
    Route("/finished", finished),
    Route("/guide", guide),
    Route("/retake", retake, methods=["POST"]),
]


def _base(request: Request) -> str:
    return f"/w/{request.path_params['secret']}"


def _item_path(request: Request, item_id: str, after: str | None = None) -> str:
    query = f"?after={quote(after, safe='')}" if after else ""
    return f"{_base(request)}/item/{quote(item_id, safe='')}{query}"


def _frame(request: Request, rater: Rater) -> dict[str, Any]:
    """What every page of a rater shows."""
    waiting = sum(question.reply is not None for question in desk_of(request).questions(rater))
    return {"base": _base(request), "rater": rater, "replies": waiting}


def _standing(desk: Desk, rater: Rater) -> dict[str, Any]:
    complete = desk.store.read.complete().get(rater.id, {})
    practice = {each.id for each in desk.deck.practice}
    stands = desk.qualified(rater) if practice and rater.role == "rater" else None
    return {"rated": sum(each not in practice for each in complete), "qualified": stands}


def _work_page(
    request: Request,
    rater: Rater,
    work: Work,
    said: str = "",
    unsaved: dict[str, str] | None = None,
    after: str | None = None,
    status: int = 200,
) -> Response:
    """The page of an item; for htmx only the part that changes."""
    desk = desk_of(request)
    return pages_of(request).show(
        "_work.html" if "hx-request" in request.headers else "work.html",
        status,
        work=work,
        view=desk.task.view(work),
        task=desk.task,
        guideline=desk.task.guideline(desk.settings),
        value=desk.value(work),
        feedback=desk.task.feedback(work),
        locked=desk.locked(work),
        seen=desk.seen(rater, work.item.id),
        said=said,
        unsaved=unsaved or {},
        after=after,
        after_seen=desk.seen(rater, after) if after else 0,
        path=_item_path(request, work.item.id),
        item_path=lambda item_id: _item_path(request, item_id),
        questions=[each for each in desk.questions(rater) if each.item == work.item.id],
        **_frame(request, rater),
        **_standing(desk, rater),
    )


def _back_to(request: Request, rater: Rater, work: Work, said: str = "") -> Response:
    if "hx-request" in request.headers:
        response = _work_page(request, rater, work, said)
        response.headers["HX-Push-Url"] = _item_path(request, work.item.id)
        return response
    return RedirectResponse(_item_path(request, work.item.id), 303)


async def _leave(request: Request, rater: Rater, item_id: str) -> Response:
    """On to the next item; htmx is shown it at once, without asking again."""
    desk = desk_of(request)
    going = await desk.next(rater) if "hx-request" in request.headers else None
    if going is None:
        return RedirectResponse(f"{_base(request)}/next?after={quote(item_id, safe='')}", 303)
    if going.item is None:
        return Response(headers={"HX-Redirect": f"{_base(request)}/next"})
    response = _work_page(request, rater, desk.work(rater, going.item.id), after=item_id)
    response.headers["HX-Push-Url"] = _item_path(request, going.item.id, item_id)
    return response
