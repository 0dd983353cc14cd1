"""The manifest beside an export: made from what, by what, and the SHA-256 of every file.

A folder has its manifest in `manifest.json`, a file in `NAME.manifest.json` beside it. A reader of what was exported
holds it against its manifest first (`check_unchanged`); what has none is read as it is.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any

from voirdire.data.files import FileError, whole_text
from voirdire.data.json_text import JsonError, parse_json
from voirdire.data.paths import why_unwritable
from voirdire.errors import InputError

MANIFEST = "manifest.json"
_LONGEST = 50_000_000
"""Bytes of a manifest: one of a million hashes has more, and nobody has such an export."""
_UP = 3
"""Folders above a file in which its manifest may stand: data/NAME/FILE is the deepest that is written."""
_DIGEST = re.compile(r"[0-9a-f]{64}")
_WRITTEN = "written"
_FORMS = "forms"


class ManifestError(InputError):
    """An export that is not what its manifest says: one sentence names the file and what to do."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What an export says of itself."""

    place: Path
    content: Mapping[str, Any]

    @property
    def folder(self) -> Path:
        """That names of files are relative to."""
        return self.place.parent

    @property
    def written(self) -> Mapping[str, str]:
        """SHA-256 by a file's path within the folder."""
        hashes: Mapping[str, str] = self.content[_WRITTEN]
        return hashes

    @property
    def forms(self) -> frozenset[str]:
        """Files that are given away to be filled in: they may come back changed."""
        return frozenset(self.content.get(_FORMS, ()))

    @property
    def of_folder(self) -> bool:
        """Whether it is that of a whole folder, not of one file in it."""
        return self.place.name == MANIFEST


def made_by() -> str:
    """This program and its version."""
    from voirdire import __version__

    return f"voirdire {__version__}"


def write_manifest(
    out: Path, content: Mapping[str, Any], files: Sequence[Path] | None = None, *, forms: Sequence[str] = ()
) -> tuple[Path, dict[str, Any]]:
    """Write the manifest of a file, or of a folder, with the SHA-256 of what is there.

    Args:
        out: what was written.
        content: what it was made from, and how.
        files: those of the folder that were written; `None` for all of them.
        forms: names of those that are to be filled in by others.

    Returns:
        The manifest's place, and all that it says.
    """
    place = manifest_place(out)
    file_hashes = hashes(out) if files is None else {_name(file, place.parent): sha256(file) for file in sorted(files)}
    whole = {"made_by": made_by(), **content, **({_FORMS: list(forms)} if forms else {}), _WRITTEN: file_hashes}
    text = json.dumps(whole, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    place.write_bytes(text.encode("utf-8", errors="backslashreplace"))
    return place, whole


def manifest_place(out: Path) -> Path:
    """Where the manifest of a folder, or of a file, stands."""
    return out / MANIFEST if out.is_dir() else out.with_name(f"{out.name}.{MANIFEST}")


def check_manifest_place(out: Path) -> None:
    """See that the manifest of a file or folder replaces nothing but an earlier one.

    Raises:
        FileError: something else stands there.
    """
    place = manifest_place(out)
    if place.exists() and not is_manifest(place):
        raise FileError(f"{place}, where the manifest goes, holds something else: name another place, or remove it.")


def is_manifest(path: Path) -> bool:
    """Whether a file is a manifest of ours, and no data."""
    return (path.name == MANIFEST or path.name.endswith(f".{MANIFEST}")) and _read(path) is not None


def hashes(out: Path) -> dict[str, str]:
    """SHA-256 of a file, or of every file in a folder but its manifest, by the path within it."""
    if out.is_file():
        return {out.name: sha256(out)}
    files = sorted(path for path in out.rglob("*") if path.is_file() and path != out / MANIFEST)
    return {_name(path, out): sha256(path) for path in files}


def sha256(path: Path) -> str:
    """Of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextmanager
def new_folder(out: Path, error: Callable[[str], Exception], *, replace: bool = False) -> Iterator[Path]:
    """A folder to write to; it takes its place only when all of it is written.

    Args:
        out: where it is to stand; whether it may has been looked at.
        error: made of the sentence that says why it can't be written.
        replace: whether what stands there goes.
    """
    out = out.resolve()
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=f".{out.name}.", dir=out.parent) as beside:
            temporary = Path(beside) / out.name
            temporary.mkdir()
            yield temporary
            if replace and out.exists():
                out.rename(Path(beside) / "earlier")
            temporary.rename(out)
    except OSError as fault:
        raise error(f"{out} can't be written: {why_unwritable(fault, out)}.") from fault


def manifest_of(path: Path) -> Manifest | None:
    """The manifest of a file, or of a folder; `None` where there is none of ours that names it."""
    path = path.resolve()
    if path.is_dir() and (manifest := _read(path / MANIFEST)) is not None:
        return manifest
    own = _read(path.with_name(f"{path.name}.{MANIFEST}")) if path.name else None  # "/" has no name
    if own is not None and path.name in own.written:
        return own
    for folder in path.parents[:_UP]:
        manifest = _read(folder / MANIFEST)
        if manifest is not None and _files_within(manifest, path):
            return manifest
    return None


def check_unchanged(path: Path) -> None:
    """Hold an export that is to be read against the manifest beside it, if it has one.

    Args:
        path: of a file, or of a folder; one that does not exist passes, as does what no manifest names, and a form.

    Raises:
        ManifestError: a file is not the one that was exported.
    """
    manifest = manifest_of(path) if path.exists() else None
    if manifest is None:
        return
    for name in _files_within(manifest, path.resolve()):
        file = manifest.folder / name
        if name not in manifest.forms and file.is_file() and sha256(file) != manifest.written[name]:
            raise ManifestError(
                f"{file} is not as it was exported: its SHA-256 differs from that in {manifest.place}; export it "
                "again, or remove that manifest if the change is meant."
            )


def _files_within(manifest: Manifest, path: Path) -> list[str]:
    """The names of a manifest that are this file, or lie within this folder."""
    if not path.is_relative_to(manifest.folder):
        return []
    own = PurePosixPath(_name(path, manifest.folder))
    return [name for name in manifest.written if PurePosixPath(name).is_relative_to(own)]


def _read(place: Path) -> Manifest | None:
    """A manifest of ours; a web page's and a browser extension's are called the same."""
    if not place.is_file():
        return None
    try:
        content = parse_json(whole_text(place, _LONGEST), halves="replace")
    except (FileError, JsonError):
        return None
    return Manifest(place, content) if _is_ours(content) else None


def _is_ours(content: Any) -> bool:
    if not isinstance(content, dict) or not str(content.get("made_by")).startswith("voirdire "):
        return False
    file_hashes, forms = content.get(_WRITTEN), content.get(_FORMS, [])
    return (
        isinstance(file_hashes, dict)
        and all(_inside(name) and isinstance(sha, str) and _DIGEST.fullmatch(sha) for name, sha in file_hashes.items())
        and isinstance(forms, list)
        and all(isinstance(name, str) for name in forms)
    )


def _inside(name: str) -> bool:
    """Whether a name stays within the manifest's folder."""
    parts = PurePosixPath(name).parts
    return bool(parts) and ".." not in parts and not name.startswith("/") and "\0" not in name


def _name(path: Path, folder: Path) -> str:
    return path.relative_to(folder).as_posix()
