"""The group `voirdire raters`."""

from __future__ import annotations

from voirdire.cli._commands import Commands

app = Commands(
    help="People who annotate and adjudicate: a local web app, agreement, and results anchored in their ratings."
)
