"""`voirdire models`: which models there are, fetching local ones, checking that one answers."""

from __future__ import annotations

import json as json_module

import typer

app = typer.Typer(
    help="List models, fetch local weights, check that a model answers.", no_args_is_help=True, rich_markup_mode=None
)

_JSON = typer.Option(False, "--json", help="Print JSON.")
