"""What the manifest of an export of runs says of them; nothing of anybody's is written over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from voirdire.adapters.export.records import ExportError
from voirdire.adapters.loading import LoadedRun
from voirdire.data import manifests
from voirdire.report.origins import origin_of
from voirdire.run import made_with


@contextmanager
def new_folder(out: Path) -> Iterator[Path]:
    """A folder to write to; it takes its place only when all of it is written, and never another's.

    Raises:
        ExportError: something stands at `out`, or it can't be written.
    """
    check_free(out)
    with manifests.new_folder(out, ExportError) as made:
        yield made


def check_free(out: Path) -> None:
    """Make sure that nothing is there but an empty folder.

    Raises:
        ExportError: something is.
    """
    if out.is_symlink() or (out.exists() and (not out.is_dir() or any(out.iterdir()))):
        raise ExportError(f"{out} is there already: choose another place to export to.")


def said_of(target: str, instrument: str, runs: Sequence[LoadedRun]) -> Mapping[str, Any]:
    """How an export was made, and of what: the beginning of its manifest."""
    return {
        "target": target,
        "instrument": instrument,
        "made_with": made_with(),
        "runs": [origin_of(run.path, run.jury) for run in runs],
    }
