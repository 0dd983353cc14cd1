"""Where a file may be written: never over a run, a device, a link, what is being read, or somebody else's file."""

from __future__ import annotations

import contextlib
import fcntl
import glob
import json
import os
from collections.abc import Collection, Iterable
from pathlib import Path

from voirdire.data.manifests import MANIFEST, manifest_of
from voirdire.data.paths import check_folder_of
from voirdire.errors import InputError

_RUN = "run.json"
MARK_OF_MARKDOWN = "<!-- made by voirdire -->\n"
"""The last line of a report in Markdown; no reader shows it."""
_MARKS = {
    ".html": b'<meta name="generator" content="voirdire',
    ".md": MARK_OF_MARKDOWN.strip().encode(),
    ".xml": b'<testsuites name="voirdire ',
}
"""By the end of a file's name, what stands in the files of that kind that voirdire has made."""
_KINDS = {".html": "a page", ".md": "Markdown", ".xml": "XML"}
_HEAD = 8_192
"""Bytes at the start, or the end, of a file in which its mark must stand."""
_MOST = 0.6
"""Share of the fields of a JSON object that an earlier one of its kind has at least."""


class PlaceError(InputError):
    """A place that must not be written to: one sentence says why."""


def check_file(place: Path, suffix: str, *, in_run: str, reading: Iterable[Path] = ()) -> None:
    """See that a file may be written, or replaced.

    Args:
        place: of the file.
        suffix: what its name must end in, such as ".html".
        in_run: the only name that the file may have inside a run's folder.
        reading: files and folders that what is written is made of.

    Raises:
        PlaceError: another suffix, a file of a run, something that is no regular file, one that is being read, a page,
            Markdown or XML that voirdire has not made, or a folder that is not there.
        OSError: it can't be looked at.
    """
    check_unread(place, reading)
    if place.is_dir() and not place.is_symlink():
        raise PlaceError(f"{place} is a folder; give the name of a file to write to.")
    _check_parents(place)
    if _is_there(place):
        _check_regular(place)
    if place.suffix.lower() != suffix:
        raise PlaceError(f"{place} does not end in {suffix}, as what is written there must.")
    _check_run(place, in_run)
    check_folder_of(place, PlaceError)
    if suffix in _MARKS and place.exists() and place.stat().st_size and _MARKS[suffix] not in _ends(place):
        raise PlaceError(f"{place} is {_KINDS[suffix]} that voirdire has not made: remove it, or name another place.")


def _check_parents(place: Path) -> None:
    """See that what is to be a folder on the way to a place is no file."""
    for each in place.parents:
        if each.exists() and not each.is_dir():
            raise PlaceError(f"{each} is a file, so nothing can be written to {place}: name another place.")


def check_unread(place: Path, reading: Iterable[Path]) -> None:
    """See that a place is none of the files that are being read, under whatever name.

    Raises:
        PlaceError: it is.
        OSError: it can't be looked at.
    """
    if place.exists() and any(each.exists() and place.samefile(each) for each in reading):
        raise PlaceError(f"{place} is being read: choose another file to write to.")


def check_json(place: Path, fields: Collection[str]) -> None:
    """See that no file is replaced but an empty one, or an earlier one of the same kind.

    Args:
        place: of the file.
        fields: of the object that is to be written; an earlier one has most of them.

    Raises:
        PlaceError: what is there is no such object.
        OSError: it can't be looked at.
    """
    if not place.is_file() or not place.stat().st_size:
        return
    try:
        there = json.loads(place.read_bytes())
    except (ValueError, RecursionError):  # no UTF-8, or no JSON
        there = None
    if not isinstance(there, dict) or len(there.keys() & set(fields)) < _MOST * len(fields):
        raise PlaceError(
            f"{place} already exists and holds something other than what would be written: remove it, or name another "
            "place."
        )


def check_new(place: Path) -> None:
    """See that nothing is there, where a person may have worked on what was written earlier.

    Raises:
        PlaceError: something is, or there is no such folder.
    """
    if _is_there(place):
        raise PlaceError(f"{place} already exists, and somebody may have worked on it: name another place.")
    check_folder_of(place, PlaceError)


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
    _check_parents(place)
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


def _ends(place: Path) -> bytes:
    with place.open("rb") as file:
        head = file.read(_HEAD)
        file.seek(max(0, place.stat().st_size - _HEAD))
        return head + file.read()
