"""Writing an export: to a temporary folder first, with the hash of every file beside."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from voirdire.raters.exchange.records import ExchangeError

MANIFEST = "manifest.json"
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
    out = out.resolve()
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=f".{out.name}.", dir=out.parent) as beside:
            made = Path(beside) / out.name
            made.mkdir()
            yield made
            if out.exists():
                out.rename(Path(beside) / "earlier")
            made.rename(out)
    except OSError as error:
        raise ExchangeError(f"{out} can't be written: {error.strerror or error}.") from error


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


def write_manifest(folder: Path, manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Write the manifest, with the SHA-256 of every file that is there; what was written."""
    files = sorted(path for path in folder.iterdir() if path.is_file())
    whole = {"made_for": MADE_FOR, **manifest, "written": {path.name: sha256(path) for path in files}}
    write_text(folder / MANIFEST, json.dumps(whole, indent=2, ensure_ascii=False, allow_nan=False) + "\n")
    return whole


def sha256(path: Path) -> str:
    """Of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _is_export(out: Path) -> bool:
    """Whether nothing stands there but an export of ratings, file for file."""
    if out.is_symlink() or not out.is_dir():
        return False
    try:
        manifest = json.loads((out / MANIFEST).read_text(encoding="utf-8"))
        written = {MANIFEST, *manifest["written"]}
        return manifest["made_for"] == MADE_FOR and {path.name for path in out.iterdir()} <= written
    except (OSError, ValueError, KeyError, TypeError):
        return False
