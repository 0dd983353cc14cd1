"""The command group `voirdire integrity`; its commands register themselves."""

from __future__ import annotations

from voirdire.cli._commands import Commands

app = Commands(
    help="Responses against established facts: audit them, split facts, score given violations, study scored trials."
)
