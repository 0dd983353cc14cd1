"""Which address leads to which page."""

from __future__ import annotations

from importlib.resources import files

from jinja2 import BaseLoader
from starlette.applications import Starlette
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from voirdire.raters.service import RatingService
from voirdire.raters.web import organising, rating
from voirdire.raters.web.guard import Guard, Hosts
from voirdire.raters.web.organising import Board
from voirdire.raters.web.pages import HANDLERS, Pages, front

LOCAL = ("127.0.0.1", "localhost", "::1")


def make_app(
    desk: RatingService, hosts: Hosts | None = None, loader: BaseLoader | None = None, board: Board | None = None
) -> Guard:
    """The app of a project, as ASGI.

    Args:
        desk: of the project; whoever opened its store closes it.
        hosts: names by which the server may be called, others are refused; `None` for those of this machine alone.
        loader: finds the templates; `None` for the packaged ones.
        board: works out the organiser's figures, to be closed by who gives it; `None` for one of its own.
    """
    app = Starlette(
        routes=[
            Route("/", front),
            Mount("/static", StaticFiles(directory=str(files("voirdire.raters.web") / "static"))),
            Mount("/w/{secret}", routes=rating.ROUTES),
            Mount("/o/{secret}", routes=organising.ROUTES),
        ],
        exception_handlers=HANDLERS,
    )
    app.state.board = board or Board(desk.store.path)
    app.state.desk = desk
    app.state.pages = Pages(desk, loader)
    app.state.pages.prepare()
    return Guard(
        app, hosts or Hosts(LOCAL)
    )  # outermost: its headers are on every response, errors of the app's own among them
