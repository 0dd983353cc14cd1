"""The command group `voirdire cognibench`; its commands register themselves."""

from __future__ import annotations

from voirdire.cli._commands import Commands

app = Commands(help="The method behind label (CogniBench): measure detectors, count labels, generate dialogues.")
