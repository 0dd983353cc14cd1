"""What was exported, as text."""

from __future__ import annotations

from voirdire.cognibench.exporting import Exported


def exported(done: Exported) -> str:
    """What was written, and how much of what."""
    made = done.manifest
    sizes = [(name, f"{count:,} answers in {made['groups'][name]:,} groups") for name, count in made["answers"].items()]
    parts = sizes[0][1] if made["split"] is None else ", ".join(f"{name} {size}" for name, size in sizes)
    labels = ", ".join(f"{label} {count:,}" for label, count in made["labels"].items()) or "none"
    unlabelled = f"; {made['unlabelled']:,} statements have no label" if made["unlabelled"] else ""
    return "\n".join([f"{parts}.", f"Labels: {labels}{unlabelled}.", *(f"Written: {path}" for path in done.files)])
