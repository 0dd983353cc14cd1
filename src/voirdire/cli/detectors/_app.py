"""The command groups `voirdire detectors` and `voirdire detectors train`; their commands register themselves."""

from __future__ import annotations

from voirdire.cli._commands import Commands

app = Commands(help="List, calibrate and train detectors of unsupported sentences.")
train_app = Commands(help="Train a detector on labelled answers.")
app.add_typer(train_app, name="train")
