"""Writing an export: to a temporary folder first, with the hash of every file beside."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from voirdire.data import manifests
from voirdire.raters.exchange.records import ExchangeError

MADE_FOR = "raters"
"""What marks a manifest as that of an export of people's ratings."""
_FILES = (".jsonl", ".json", ".csv", ".xml")


@contextmanager
def new_folder(out: Path, *, force: bool) -> Iterator[Path]:
    """A folder to write to; it takes its place only when all of it is written.

    Args:
        out: where it is to stand.
        force: whether it may take the place of an earlier export. Of anything else it never does.

    Raises:
        ExchangeError: something stands at `out`, or it can't be written.
    """
    check_free(out, force=force)
    with manifests.new_folder(out, ExchangeError, replace=True) as made:
        yield made


def check_free(out: Path, *, force: bool) -> None:
    """Make sure that nothing is there but an empty folder, or an earlier export that may go.

    Raises:
        ExchangeError: something is.
    """
    if out.suffix in _FILES:
        raise ExchangeError(f"An export is a folder with a manifest; {out} looks like a file: give -o {out.stem}.")
    if not out.is_symlink() and (not out.exists() or (out.is_dir() and not any(out.iterdir()))):
        return
    if _is_export(out):
        if force:
            return
        raise ExchangeError(f"{out} is there already: choose another place, or replace that export with --force.")
    raise ExchangeError(f"{out} is there already, and is no export of ratings: choose another place to export to.")


def write_text(path: Path, text: str) -> None:
    """Write UTF-8, line ends as they are; half of a surrogate pair, which UTF-8 can't hold, becomes its JSON escape."""
    path.write_bytes(text.encode("utf-8", errors="backslashreplace"))


def write_manifest(folder: Path, manifest: Mapping[str, Any], forms: Sequence[str]) -> dict[str, Any]:
    """Write the manifest, with the SHA-256 of every file that is there; what was written.

    Args:
        folder: of the export.
        manifest: what it was made from.
        forms: files that others fill in, and give back changed.
    """
    _, whole = manifests.write_manifest(folder, {"made_for": MADE_FOR, **manifest}, forms=forms)
    return whole


def _is_export(out: Path) -> bool:
    """Whether nothing stands there but an export of ratings, file for file."""
    if out.is_symlink() or not out.is_dir():
        return False
    found = manifests.manifest_of(out)
    if found is None or found.folder != out.resolve() or found.said.get("made_for") != MADE_FOR:
        return False
    return {path.name for path in out.iterdir()} <= {manifests.MANIFEST, *found.written}
