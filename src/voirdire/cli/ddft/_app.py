"""The command group `voirdire ddft`; its commands register themselves."""

from __future__ import annotations

from voirdire.cli._commands import Commands

app = Commands(help="The Drill-Down and Fabricate Test: five questions, a shrinking reference, one fabrication.")
