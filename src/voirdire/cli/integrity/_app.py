"""The command group `voirdire integrity`; its commands register themselves."""

from __future__ import annotations

from voirdire.cli._commands import Commands

app = Commands(help="The method behind audit: split facts, score given violations, study scored trials.")
