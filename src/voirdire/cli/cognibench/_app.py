"""The command group `voirdire cognibench`; its commands register themselves."""

from __future__ import annotations

import typer

app = typer.Typer(
    help="Whether each sentence of an answer is faithful to its context.", no_args_is_help=True, rich_markup_mode=None
)
