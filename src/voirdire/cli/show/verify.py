"""What was verified, as text: a line for each thing, then a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from voirdire.run import head_line

if TYPE_CHECKING:
    from voirdire.adapters.verify_journals import Verified

_MARKS = {"ok": "ok", "note": "note", "unknown": "UNKNOWN", "differs": "DIFFERS"}


def verified(found: Sequence[Verified]) -> str:
    """All of it."""
    return "\n\n".join(map(_one, found))


def _one(found: Verified) -> str:
    width = max((len(each.what) for each in found.findings), default=0)
    lines = [f"{found.path} ({found.kind})"]
    lines += [f"  {_MARKS[each.status]:<8} {each.what:<{width}}  {each.said.rstrip('.')}" for each in found.findings]
    if found.head is not None:
        lines.append(f"Journal head: {head_line(found.head)}")
    return "\n".join([*lines, found.verdict])
