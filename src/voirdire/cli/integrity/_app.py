"""The command group `voirdire integrity`; its commands register themselves."""

from __future__ import annotations

import typer

app = typer.Typer(help="How responses treat established facts.", no_args_is_help=True, rich_markup_mode=None)
