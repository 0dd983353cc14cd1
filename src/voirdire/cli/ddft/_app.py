"""The command group `voirdire ddft`; its commands register themselves."""

from __future__ import annotations

from voirdire.cli._commands import Commands

app = Commands(help="The method behind run (Drill-Down and Fabricate Test): the published study and its predictions.")
