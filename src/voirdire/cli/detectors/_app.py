"""The command groups `voirdire detectors` and `voirdire detectors train`; their commands register themselves."""

from __future__ import annotations

import typer

app = typer.Typer(help="Detectors of unsupported sentences.", no_args_is_help=True, rich_markup_mode=None)
train_app = typer.Typer(help="Train a detector on labelled answers.", no_args_is_help=True, rich_markup_mode=None)
app.add_typer(train_app, name="train")
