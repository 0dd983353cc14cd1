"""How far dialogues have come, and which calls failed."""

from __future__ import annotations

from voirdire.cognibench.generation.session import show_generated
from voirdire.run import RunFolder, RunStatus
from voirdire.text.counting import counted


def status_of(folder: RunFolder) -> RunStatus:
    """How far a run has come; nothing is asked.

    Raises:
        CognibenchError: the run holds no dialogues.
    """
    found = show_generated(folder.path)
    held = sum(model.dialogues for model in found.models)
    left = found.dialogues - held
    said = f"{held:,} of {counted(found.dialogues, 'dialogue')} complete; the same command goes on." if left else None
    return RunStatus(said, missing={"replies": folder.journal.errors()})
