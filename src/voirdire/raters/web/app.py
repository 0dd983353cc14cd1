"""Which address leads to which page."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from voirdire.raters.desk import Desk
from voirdire.raters.store import Store
from voirdire.raters.web import organising, rating
from voirdire.raters.web.guarding import Guard
from voirdire.raters.web.pages import HANDLERS, Pages, front


def make_app(store: Store, hosts: Sequence[str] = ("127.0.0.1", "localhost")) -> Starlette:
    """The app of a project.

    Args:
        store: the project's file, open; its owner closes it.
        hosts: names by which the server may be called; others are refused.
    """
    static = StaticFiles(directory=str(files("voirdire.raters.web") / "static"))
    app = Starlette(
        routes=[
            Route("/", front),
            Mount("/static", static),
            Mount("/w/{secret}", routes=rating.ROUTES),
            Mount("/o/{secret}", routes=organising.ROUTES),
        ],
        middleware=[Middleware(Guard, hosts=tuple(hosts))],
        exception_handlers=HANDLERS,
    )
    app.state.desk = Desk(store)
    app.state.pages = Pages(app.state.desk)
    return app
