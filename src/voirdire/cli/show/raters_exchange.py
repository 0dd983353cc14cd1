"""What was exported or imported, as text."""

from __future__ import annotations

from voirdire.raters.exchange import Exported, Imported


def exported(done: Exported) -> str:
    """How much of what was written, and where."""
    counts = ", ".join(f"{what} {number:,}" for what, number in done.manifest["counts"].items())
    return "\n".join([f"Exported: {counts}.", *(f"Written: {path}" for path in done.files)])


def imported(done: Imported) -> str:
    """How many ratings were added, and what was not."""
    known = f" There already: {done.known:,}." if done.known else ""
    people = [f"New raters: {', '.join(done.raters)}."] if done.raters else []
    skipped = [f"Passed over: {why}" for why in done.skipped]
    return "\n".join([f"Ratings added: {done.added:,}.{known}", *people, *skipped])
