"""Where a report may be written: never over a run, a device, a link, a file of another form, or somebody's page."""

from __future__ import annotations

import contextlib
import fcntl
import glob
import os
from pathlib import Path

from voirdire.data.manifests import MANIFEST, manifest_of
from voirdire.errors import InputError

_RUN = "run.json"
_MARK = b'<meta name="generator" content="voirdire'
_HEAD = 8_192
"""Bytes of a page in which its mark must stand."""


class PlaceError(InputError):
    """A place that must not be written to: one sentence says why."""


def check_file(place: Path, suffix: str, *, in_run: str) -> None:
    """See that a file may be written, or replaced.

    Args:
        place: of the file.
        suffix: what its name must end in, such as ".html".
        in_run: the only name that the file may have inside a run's folder.

    Raises:
        PlaceError: another suffix, a file of a run, something that is no regular file, or a page that is no report.
        OSError: it can't be looked at.
    """
    if place.is_dir() and not place.is_symlink():
        raise PlaceError(f"{place} is a folder; give the name of a file to write to.")
    if _is_there(place):
        _check_regular(place)
    if place.suffix.lower() != suffix:
        raise PlaceError(f"{place} does not end in {suffix}, as what is written there must.")
    _check_run(place, in_run)
    if suffix == ".html" and place.exists() and _MARK not in _head(place):
        raise PlaceError(f"{place} is a page that voirdire has not made: remove it, or name another place.")


def check_folder(place: Path, suffix: str, *, in_run: str) -> None:
    """See that files may be written into a folder, which is empty or holds only files of the kind.

    Args:
        place: of the folder.
        suffix: what the files' names end in.
        in_run: the only name that the folder may have inside a run's folder.

    Raises:
        PlaceError: a link, a file, a folder that holds something else, or one of a run.
        OSError: it can't be looked at.
    """
    if place.is_symlink():
        _check_regular(place)
    if place.exists() and not place.is_dir():
        raise PlaceError(f"{place} is a file; a folder is expected for several files.")
    if (place / _RUN).exists():
        raise PlaceError(f"{place} is a run: name a folder of its own for the files of a report.")
    _check_run(place, in_run)
    for entry in sorted(place.iterdir()) if place.exists() else ():
        if entry.name == MANIFEST and manifest_of(place) is not None:
            continue
        if entry.is_symlink() or not entry.is_file() or entry.suffix != suffix:
            raise PlaceError(
                f"{place} holds {entry.name}: files go into a new or empty folder, or into one that holds {suffix[1:]} "
                "files alone."
            )


def write_whole(place: Path, content: bytes) -> None:
    """Write a file so that a reader finds the old one or the new one, never a part.

    What a killed process has left beside it is removed.

    Raises:
        OSError: it can't be written; what was there before is there still.
    """
    _remove_leftovers(place)
    beside = place.with_name(f".{place.name}.{os.getpid()}.new")
    with beside.open("xb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            file.write(content)
            file.flush()
            beside.replace(place)
        except BaseException:  # an interrupt, too
            beside.unlink(missing_ok=True)
            raise


def _remove_leftovers(place: Path) -> None:
    """Remove files that were being written for this place, and that no living process holds."""
    for left in place.parent.glob(f".{glob.escape(place.name)}.*.new"):
        if left.name.removeprefix(f".{place.name}.").removesuffix(".new").isdigit() and not left.is_symlink():
            with contextlib.suppress(OSError), left.open("rb") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                left.unlink()


def _is_there(place: Path) -> bool:
    return place.is_symlink() or place.exists()


def _check_regular(place: Path) -> None:
    if place.is_symlink():
        raise PlaceError(f"{place} is a link, which would be replaced: name the file itself, or another place.")
    if not place.is_file():
        raise PlaceError(f"{place} is no regular file, and must not be replaced: name another place.")


def _check_run(place: Path, in_run: str) -> None:
    """Whether the nearest folder around a place is a run's; there, only what is ours may be written."""
    whole = place.parent.resolve() / place.name
    run = next((folder for folder in whole.parents if (folder / _RUN).exists()), None)
    if run is not None and whole != run / in_run:
        raise PlaceError(f"{place} lies in the run {run}, where only {in_run} may be written: name another place.")


def _head(place: Path) -> bytes:
    with place.open("rb") as file:
        return file.read(_HEAD)
