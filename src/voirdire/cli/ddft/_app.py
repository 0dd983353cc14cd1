"""The command group `voirdire ddft`; its commands register themselves."""

from __future__ import annotations

import typer

app = typer.Typer(
    help="The Drill-Down and Fabricate Test: five questions, a shrinking reference, one fabrication.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
