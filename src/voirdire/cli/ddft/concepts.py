"""`voirdire ddft concepts`: what can be examined on, and a user's own knowledge."""

from __future__ import annotations

import typer

from voirdire.cli.ddft._app import app

group = typer.Typer(
    help="Concepts to examine on: packaged ones, packs, and your own.", no_args_is_help=True, rich_markup_mode=None
)
app.add_typer(group, name="concepts")


@group.command("list", epilog="Example: voirdire ddft concepts list")
def list_() -> None:
    """List the concepts there are."""
