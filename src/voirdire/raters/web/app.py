"""Which address leads to which page."""

from __future__ import annotations

from importlib.resources import files

from jinja2 import BaseLoader
from starlette.applications import Starlette
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from voirdire.raters.service import RatingService
from voirdire.raters.web import organiser, rating
from voirdire.raters.web.organiser import FigureBoard
from voirdire.raters.web.pages import HANDLERS, Pages, front
from voirdire.web.guard import LOCAL, Guard, Hosts


def make_app(
    service: RatingService,
    hosts: Hosts | None = None,
    loader: BaseLoader | None = None,
    board: FigureBoard | None = None,
) -> Guard:
    """The app of a project, as ASGI.

    Args:
        service: of the project; whoever opened its store closes it.
        hosts: names by which the server may be called, others are refused; `None` for those of this machine alone.
        loader: finds the templates; `None` for the packaged ones.
        board: works out the organiser's figures, to be closed by who gives it; `None` for one of its own.
    """
    app = Starlette(
        routes=[
            Route("/", front),
            Mount("/static", StaticFiles(directory=str(files("voirdire.raters.web") / "static"))),
            Mount("/w/{secret}", routes=rating.ROUTES),
            Mount("/o/{secret}", routes=organiser.ROUTES),
        ],
        exception_handlers=HANDLERS,
    )
    app.state.board = board or FigureBoard(service.store.path)
    app.state.service = service
    app.state.pages = Pages(service, loader)
    app.state.pages.prepare()
    return Guard(
        app, hosts or Hosts(LOCAL)
    )  # outermost: its headers are on every response, errors of the app's own among them
