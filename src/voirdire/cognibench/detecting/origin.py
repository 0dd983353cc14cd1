"""Where a file of scores comes from: its manifest."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from voirdire.cognibench.detecting.records import Count
from voirdire.cognibench.detecting.workers import DetectTask
from voirdire.cognibench.exporting import digests
from voirdire.data.manifests import write_manifest
from voirdire.run import made_with


def write_origin(out: Path, source: Path, task: DetectTask, threshold: float, count: Count) -> Path | None:
    """Write a manifest beside a file of scores: which detector, which data, which versions, and the file's SHA-256.

    Args:
        out: what was written; of a device or a pipe there is nothing to say.
        source: what was read.
        task: what was asked.
        threshold: from which scores on sentences are flagged.
        count: what was seen.
    """
    if not out.is_file():
        return None
    said = {
        "target": "detect",
        "made_with": made_with(),
        "detector": task.detector,
        "threshold": threshold,
        "contradiction": task.options.contradiction,
        "not_entailed": task.options.not_entailed,
        "history": task.history,
        "plain": task.plain,
        "source": source.resolve().name,
        "sha256": digests(source),
        "counts": asdict(count),
    }
    return write_manifest(out, said)[0]
