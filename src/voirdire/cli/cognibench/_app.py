"""The command group `voirdire cognibench`; its commands register themselves."""

from __future__ import annotations

from voirdire.cli._commands import Commands

app = Commands(help="Whether each sentence of an answer is faithful to its context.")
