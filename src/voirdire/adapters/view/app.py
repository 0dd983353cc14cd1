"""Which address leads to which page. All of them only show: nothing can be sent."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from http import HTTPStatus
from importlib.resources import files
from typing import Any
from urllib.parse import quote, urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from voirdire.adapters.view.run_summaries import Board, Page, RunSummary
from voirdire.adapters.view.runs import MOST_FILES
from voirdire.reports.page.texts import showable
from voirdire.text.counting import counted
from voirdire.text.money import dollars
from voirdire.web.guard import LOCAL, Guard, Hosts

_NAMED = 3
"""Models of a run that the list names; it counts the others."""
_MOMENT = 0.3
"""Seconds for which a page that is being made is waited for before something else is shown."""
_FIRST = 2.0
"""Seconds for which the verdict is waited for, which comes before the report."""
_MOST_COMPARED = 20
"""Runs: their figures stand side by side."""
_READY = 205
"""What a live part answers where there is a page to be shown in its place."""


def make_app(board: Board) -> Guard:
    """The app over a board's runs, as ASGI."""
    app = Starlette(
        routes=[
            Route("/", _waited_for(_list)),
            Route("/run/{name:path}", _waited_for(_run)),
            Route("/report/{name:path}", _waited_for(_report)),
            Route("/compare", _waited_for(_compare)),
            Route("/live/list", _live_list),
            Route("/live/run/{name:path}", _live_run),
            Route("/live/compare", _live_compare),
            Mount("/static/report", StaticFiles(directory=str(files("voirdire.reports.page") / "assets"))),
            Mount("/static", StaticFiles(directory=str(files("voirdire.adapters.view") / "static"))),
        ],
        exception_handlers={HTTPException: _error},
    )
    app.state.board = board
    return Guard(app, Hosts(LOCAL, advice="Open the address that voirdire view printed."))


def _waited_for(page: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
    """A page that somebody waits for; what is only brought up to date stands back."""

    async def shown(request: Request) -> Response:
        async with _board(request).waited_for():
            return await page(request)

    return shown


async def _list(request: Request) -> Response:
    return _show("list.html", **await _listed(request))


async def _live_list(request: Request) -> Response:
    return _show("_rows.html", **await _listed(request))


async def _listed(request: Request) -> dict[str, Any]:
    query = request.query_params.get("q", "")
    every = (await _board(request).rows()).values()
    rows = [row for row in every if row.run.has(query.casefold().split(), row.models)]
    says = dict.fromkeys(str(row.facts.figures.get("says", "")) for row in rows)
    live = f"/live/list?{urlencode({'q': query})}"
    return {
        "rows": rows,
        "all": len(every),
        "query": query,
        "says": [each for each in says if each],
        "live": live,
        "cut": _board(request).cut,
        "unread": _board(request).unread,
        "looking": _board(request).looking,
        "most": MOST_FILES,
    }


async def _run(request: Request) -> Response:
    """The report of a run that has ended; of one that goes on, or whose report is being made, what is known."""
    row = await _row(request)
    first, page = await _pages_of(request, row, _FIRST, _MOMENT)
    return _shown(page) if page is not None and not page.problem else _show("run.html", **_known(row, first, page))


async def _live_run(request: Request) -> Response:
    row = await _row(request)
    first, page = await _pages_of(request, row, 0, _MOMENT)
    if page is not None and not page.problem:
        return Response(status_code=_READY)
    return _show("_run.html", **_known(row, first, page))


async def _pages_of(request: Request, row: RunSummary, first: float, then: float) -> tuple[Page | None, Page | None]:
    """The overview of a run that has ended, and its report, each waited for so long; `None` while it is being made."""
    if row.status in ("running", "unreadable"):
        return None, None
    board = _board(request)
    return await board.page("overview", [row.run], first), await board.page("report", [row.run], then)


async def _report(request: Request) -> Response:
    """The report of a run as it stands, however long that takes."""
    page = await _board(request).page("report", [(await _row(request)).run])
    return _shown(page or Page())


async def _compare(request: Request) -> Response:
    rows = await _chosen(request)
    page = await _board(request).page("comparison", [row.run for row in rows], _MOMENT)
    if page is not None:
        return _shown(page)
    return _show("compare.html", rows=rows, live=f"/live/compare?{request.url.query}")


async def _live_compare(request: Request) -> Response:
    rows = await _chosen(request)
    page = await _board(request).page("comparison", [row.run for row in rows], _MOMENT)
    return _show("_compare.html", rows=rows) if page is None else Response(status_code=_READY)


async def _chosen(request: Request) -> list[RunSummary]:
    names = list(dict.fromkeys(request.query_params.getlist("run")))
    if not 2 <= len(names) <= _MOST_COMPARED:
        raise HTTPException(400, f"Choose from 2 to {_MOST_COMPARED} runs to compare, not {len(names)}.")
    rows = await _board(request).rows()
    return [_row_named(rows, name) for name in names]


async def _row(request: Request) -> RunSummary:
    return _row_named(await _board(request).rows(), request.path_params["name"])


def _row_named(rows: Mapping[str, RunSummary], name: str) -> RunSummary:
    """By its name among those that were found: what is asked for is never a path.

    Raises:
        HTTPException: there is no such run.
    """
    row = rows.get(name)
    if row is None:
        raise HTTPException(404, "There is no run of this name here, nor results. It may have been moved or deleted.")
    return row


def _board(request: Request) -> Board:
    board: Board = request.app.state.board
    return board


def _known(row: RunSummary, first: Page | None, page: Page | None) -> dict[str, Any]:
    return {
        "row": row,
        "live": f"/live/run/{quote(row.run.name)}",
        "overview": Markup("" if first is None else first.html),  # noqa: S704  # as escaped as the report
        "problem": "" if page is None else page.problem,
    }


def _shown(page: Page) -> Response:
    if page.problem:
        return _message("This can't be shown", page.problem, 400)
    headers = {"Content-Security-Policy": f"{page.policy}; frame-ancestors 'none'"}
    return HTMLResponse(page.html, headers=headers)


async def _error(request: Request, error: Exception) -> Response:
    status, detail = (error.status_code, error.detail) if isinstance(error, HTTPException) else (500, "")
    says = "" if detail == HTTPStatus(status).phrase else detail
    return _message("There is nothing here" if status == 404 else "That can't be done", says, status)


def _message(title: str, says: str, status: int) -> Response:
    return _show("message.html", status, title=title, says=says)


def _show(template: str, status: int = 200, **values: Any) -> HTMLResponse:
    return HTMLResponse(_TEMPLATES.get_template(template).render(**values), status)


def _finalize(value: Any) -> Any:
    return showable(value) if type(value) is str else value


def _spent(totals: Mapping[str, Any]) -> str:
    unknown = totals["unknown_price"]
    more = f", and {counted(unknown, 'call')} of unknown price" if unknown else ""
    return f"{dollars(totals['cost_usd'])}{more}"


def _models(models: Sequence[str]) -> str:
    more = f" and {len(models) - _NAMED} more" if len(models) > _NAMED else ""
    return f"{', '.join(models[:_NAMED])}{more}"


def _how_many(rows: Sequence[RunSummary]) -> str:
    """How many runs and sets of results there are, in words."""
    results = sum(row.run.is_results for row in rows)
    runs = len(rows) - results
    parts = [counted(runs, "run")] if runs or not results else []
    return " and ".join([*parts, *([counted(results, "set of results", "sets of results")] if results else [])])


_TEMPLATES = Environment(
    loader=PackageLoader("voirdire.adapters.view"),
    autoescape=True,
    undefined=StrictUndefined,
    auto_reload=False,
    trim_blocks=True,
    lstrip_blocks=True,
    finalize=_finalize,
)
_TEMPLATES.filters.update(counted=counted, how_many=_how_many, spent=_spent, models=_models, address=quote)
