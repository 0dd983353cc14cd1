"""`voirdire raters serve` and `links`: the web app, and who gets in."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from voirdire.cli._output import answer, say
from voirdire.cli._values import url
from voirdire.cli.raters._app import app
from voirdire.data.plain import as_plain

if TYPE_CHECKING:
    from voirdire.raters.service import Link
    from voirdire.raters.store import Store

_PORT = 8600
_NOTE = (
    "Note: what goes over plain HTTP, the secret links too, can be read on the network. Unless you trust that network, "
    "serve at 127.0.0.1 behind a reverse proxy with TLS, and give the proxy's name with --name."
)


@app.command(
    epilog="Example: voirdire raters serve labels.voirdire\n\n"
    "Behind a proxy with TLS: voirdire raters serve labels.voirdire --name rate.example.org; its links are told by: "
    "voirdire raters links labels.voirdire --base https://rate.example.org"
)
def serve(
    project: Path = typer.Argument(..., help="Project, made by: raters new.", metavar="PROJECT"),
    host: str = typer.Option("127.0.0.1", help="Address to listen at; others reach the app only where it is given."),
    port: int = typer.Option(_PORT, help="Port; 0 for any that is free.", min=0, max=65535),
    name: list[str] = typer.Option([], "--name", help="A further name by which browsers call this server."),
) -> None:
    """Serve a project's web app: everybody has a secret link of their own, the organiser too. Ctrl-C stops it.

    Every answer is on disk before a page says that it is saved; after a crash, start it again and go on.

    Other commands (status, agreement, export, links …) work while it runs.
    """
    from voirdire.raters.web.serving import is_local
    from voirdire.raters.web.serving import serve as serve_project

    def tell(store: Store, base: str) -> None:
        if not is_local(host):
            say(_NOTE, err=True)
        _tell(store, base)

    serve_project(project, host=host, port=port, names=tuple(name), ready=tell)
    say("Stopped. Whatever a page called saved is in the project.")


@app.command(epilog="Example: voirdire raters links labels.voirdire --renew Ann")
def links(
    project: Path = typer.Argument(..., help="Project, made by: raters new.", metavar="PROJECT"),
    add: list[str] = typer.Option([], "--add", help="Add a rater of this name."),
    add_adjudicator: list[str] = typer.Option([], "--add-adjudicator", help="Add an adjudicator of this name."),
    renew: list[str] = typer.Option([], "--renew", help="Give this one (or: organiser) a new link; the old one ends."),
    base: str = typer.Option(
        f"http://127.0.0.1:{_PORT}", help="Where the project is served.", metavar="URL", parser=url
    ),
    json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Show the secret links of a project's people; add people, or renew a link. A running server goes by it at once."""
    from voirdire.raters.service import change_links, links_of
    from voirdire.raters.store import Store

    with Store.open(project) as store:
        change_links(store, raters=add, adjudicators=add_adjudicator, renew=renew)
        found = links_of(store, base)
    answer(as_plain(found), lambda: "\n".join(map(_line, found)), as_json=json)


def _tell(store: Store, base: str) -> None:
    from voirdire.raters.service import links_of

    lines = [f"{store.path} is served at {base}; Ctrl-C stops it. A link is for one person:"]
    say("\n".join([*lines, *map(_line, links_of(store, base))]))


def _line(link: Link) -> str:
    role = "" if link.role == link.name else f" ({link.role})"
    return f"  {link.name}{role}: {link.address}"
