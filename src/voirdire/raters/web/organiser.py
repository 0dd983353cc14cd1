"""The organiser's pages."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from voirdire.raters.exchange.records import LOG, SOURCES
from voirdire.raters.project_loader import gold_of, ratings_of, read_project, work_of
from voirdire.raters.records import ORGANISER, Question
from voirdire.raters.service import RatingService, links_of
from voirdire.raters.timing import duration
from voirdire.raters.web.figures_process import FiguresProcess
from voirdire.raters.web.pages import check_organiser, number_of, pages_of, read_form, service_of, token_of
from voirdire.raters.web.rating import Addresses, in_words
from voirdire.raters.web.votes import outcome_of, votes_of
from voirdire.web.threads import in_thread

if TYPE_CHECKING:
    from voirdire.raters.web.dashboard import Dashboard

_FRESH = 5.0
"""Seconds for which figures are shown again instead of being worked out anew."""


class FigureBoard:
    """The figures of a project, worked out beside the raters' requests, one at a time and not too often."""

    def __init__(self, path: Path) -> None:
        """Watch the project at `path`."""
        self._figuring = FiguresProcess(path)
        self._lock = asyncio.Lock()
        self._known: Dashboard | None = None
        self._until = 0.0

    async def figures(self) -> Dashboard:
        """The figures, at most a few seconds old."""
        async with self._lock:
            if self._known is None or time.monotonic() > self._until:
                self._known = await in_thread(self._figuring.dashboard)
                self._until = time.monotonic() + _FRESH
            return self._known

    def close(self) -> None:
        """Stop working them out."""
        self._figuring.close()

    def forget(self) -> None:
        """Work them out anew next time: the organiser has changed something and looks for it."""
        self._until = 0.0


async def home(request: Request) -> Response:
    """Progress, agreement so far, time, questions and disagreements."""
    check_organiser(request)
    service = service_of(request)
    questions = [
        _question_row(service, each) for each in service.questions()
    ]  # not of the figures: a reply shows at once
    return pages_of(request).show(
        "organiser/home.html",
        base=_base(request),
        board=await _board(request).figures(),
        links=[link for link in links_of(service.store, str(request.base_url)) if link.role != ORGANISER],
        waiting=[each for each in questions if each["question"].reply is None],
        answered=[each for each in questions if each["question"].reply is not None][::-1],
        file=service.store.path.name,
        forms=(*SOURCES, *service.task.exchange().own, LOG),
        duration=duration,
    )


async def item(request: Request) -> Response:
    """An item as raters see it, what each of them said, and what the adjudicator did with it."""
    check_organiser(request)
    service = service_of(request)
    queue, reader = service.viewer.queue, service.store.read
    name = Addresses("", queue).item_named(request.path_params["number"])
    queue_item = None if name is None else queue.by_id[name]
    if queue_item is None or queue_item.pool != "live":
        raise HTTPException(404)
    document = reader.document(queue_item.document)
    people = {rater.id: rater for rater in reader.raters()}
    ratings = list(
        ratings_of(
            service.task,
            service.settings,
            {document.id: document},
            queue.by_id,
            people,
            reader.rows(item=queue_item.id),
        )
    )
    gold = gold_of(service.task, service.settings, ratings).get(queue_item.id)
    work = work_of(service.settings, document, queue_item, (), queue.phase_of(queue_item), ORGANISER)
    return pages_of(request).show(
        "organiser/item.html",
        base=_base(request),
        number=queue.numbers[queue_item.id],
        work=work,
        view=service.task.view(work),
        texts=service.task.exchange().rated_texts(document, queue_item),
        votes=votes_of(service.task, document, ratings, {rater.id: rater.name for rater in people.values()}),
        outcome=outcome_of(service.task, document, gold),
        questions=[_question_row(service, each) for each in service.questions() if each.item == queue_item.id],
        differing=[each.number for each in (await _board(request).figures()).disputes],
        duration=duration,
    )


async def export(request: Request) -> Response:
    """An export as one file to download."""
    check_organiser(request)
    from voirdire.raters.exchange import exported_archive

    path, target = service_of(request).store.path, request.path_params["target"]
    names = "names" in request.query_params
    content = await in_thread(lambda: exported_archive(read_project(path), target, names=names))
    headers = {"Content-Disposition": f'attachment; filename="ratings-{target}.zip"'}
    return Response(content, media_type="application/zip", headers=headers)


async def reply(request: Request) -> Response:
    """Answer a question."""
    check_organiser(request)
    form = await read_form(request)
    await service_of(request).reply(number_of(form, "question"), form.get("text", ""), token_of(form))
    return RedirectResponse(f"{_base(request)}/#questions", 303)


async def release(request: Request) -> Response:
    """Take a document back from a rater, or an item from an adjudicator."""
    check_organiser(request)
    form = await read_form(request)
    await service_of(request).release(form.get("rater", ""), form.get("document", ""), form.get("item", ""))
    _board(request).forget()
    return RedirectResponse(f"{_base(request)}/#people", 303)


ROUTES = [
    Route("/", home),
    Route("/item/{number}", item),
    Route("/export/{target}", export),
    Route("/reply", reply, methods=["POST"]),
    Route("/release", release, methods=["POST"]),
]


def _board(request: Request) -> FigureBoard:
    board: FigureBoard = request.app.state.board
    return board


def _question_row(service: RatingService, question: Question) -> dict[str, Any]:
    names = {rater.id: rater.name for rater in service.store.read.raters()}
    return {"question": question, "name": names[question.rater], "what": in_words(service, question.item)}


def _base(request: Request) -> str:
    return f"/o/{request.path_params['secret']}"
