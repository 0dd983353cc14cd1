"""Making pages of templates, and what a page says when something is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from voirdire.raters.desk import Desk
from voirdire.raters.records import Rater, RatersError
from voirdire.raters.web.forms import new_token


class Pages:
    """Renders templates for one project."""

    def __init__(self, desk: Desk) -> None:
        """Prepare the templates; `desk` says whose project they speak of."""
        self._desk = desk
        self._templates = Environment(
            loader=PackageLoader("voirdire.raters.web"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._templates.globals.update(settings=desk.settings, new_token=new_token)

    def show(self, template: str, status: int = 200, **values: Any) -> HTMLResponse:
        """A page.

        Args:
            template: its path under `templates`.
            status: HTTP status.
            values: what the template needs.
        """
        return HTMLResponse(self._templates.get_template(template).render(**values), status)


def pages_of(request: Request) -> Pages:
    """The pages of this app."""
    pages: Pages = request.app.state.pages
    return pages


def desk_of(request: Request) -> Desk:
    """The desk of this app."""
    desk: Desk = request.app.state.desk
    return desk


def rater_of(request: Request) -> Rater:
    """Whose link was used.

    Raises:
        HTTPException: nobody's: 404, as for any address that leads nowhere.
    """
    rater = desk_of(request).store.rater_of(request.path_params["secret"])
    if rater is None:
        raise HTTPException(404)
    return rater


async def front(request: Request) -> Response:
    """The front page: whoever has no link learns where one comes from."""
    return pages_of(request).show("front.html")


async def _not_found(request: Request, _: Exception) -> Response:
    return _wrong(request, 404, "There is nothing at this address", "The link may be incomplete, or was renewed.")


async def _refused(request: Request, error: Exception) -> Response:
    return _wrong(request, 400, "That did not work", str(error))


def _wrong(request: Request, status: int, title: str, says: str) -> Response:
    return pages_of(request).show("wrong.html", status, title=title, says=says)


HANDLERS: Mapping[Any, Any] = {404: _not_found, RatersError: _refused}
