"""What was taken out of a copy, as text."""

from __future__ import annotations

from voirdire.adapters.redacted_files import LEFT_OUT, Redacted
from voirdire.run.redaction_texts import KINDS

_FILES = 5


def redacted(done: Redacted) -> str:
    """What was taken out by kind, what was not looked for, and where the copy is."""
    lines = ["Taken out of texts:"]
    lines += [f"  {count:>7,}  {KINDS[kind]}" for kind, count in done.hidden.items()] or ["        0"]
    lines += ["Left out:", *(f"  {count:>7,}  {LEFT_OUT[kind]}" for kind, count in done.left_out.items())]
    if done.other_files:
        more = f" and {len(done.other_files) - _FILES} more" if len(done.other_files) > _FILES else ""
        lines.append(f"Not copied: {', '.join(done.other_files[:_FILES])}{more}.")
    return "\n".join([*lines, done.not_looked_for, f"The copy is in {done.out}."])
