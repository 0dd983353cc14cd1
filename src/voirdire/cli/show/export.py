"""What was exported, as text."""

from __future__ import annotations

from voirdire.adapters.export_files import Exported


def exported(done: Exported) -> str:
    """What was written, and how much of what."""
    return "\n".join([*done.said, *(f"Written: {path}" for path in done.files)])
