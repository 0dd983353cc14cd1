"""The group `voirdire raters`."""

from __future__ import annotations

import typer

app = typer.Typer(
    help="People who annotate and adjudicate: a local web app, agreement, and results anchored in their ratings.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
