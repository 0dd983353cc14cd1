"""A run's folder of somebody else: looked at before anything in it is opened, and never taken at its word."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from voirdire.data import untrusted
from voirdire.runs.errors import RunFolderError
from voirdire.text.suggestion import nearest

MAX_MANIFEST = 10_000_000
"""Bytes of a run.json; that of a thousand concepts has a hundredth of it."""
_SHA256 = re.compile(r"[0-9a-f]{64}")
_LONGEST_MESSAGE = 200
_HERE = ("localhost", "127.0.0.1", "::1")


def check_folder(path: Path) -> None:
    """Look through a run's folder: it holds files and folders, and no links, which could lead a writer elsewhere.

    Raises:
        RunFolderError: the sentence names what is none.
    """
    for folder in (path, path / "concepts"):
        try:
            entries = list(os.scandir(folder)) if folder.is_dir() else []
        except OSError:
            continue  # said by whoever opens it
        for entry in entries:
            if entry.is_symlink():
                raise RunFolderError(
                    f"The run's folder {folder} holds {_quoted(entry.name)}, a link to somewhere else, and is not "
                    "opened: a run's files lie in its folder; make a copy with cp -RL if you trust where it leads."
                )
            if not entry.is_file() and not entry.is_dir():
                raise RunFolderError(
                    f"The run's folder {folder} holds {_quoted(entry.name)}, which is neither a file nor a folder, "
                    "and is not opened: take it away first."
                )


def read_manifest(path: Path) -> dict[str, Any]:
    """The object that a run.json holds.

    Raises:
        RunFolderError: it is not there, too large, or damaged.
    """
    if not path.parent.exists():
        raise RunFolderError(f"There is no run in {path.parent}, which does not exist{_run_meant(path.parent)}")
    if not path.exists() and (path.parent / "journal.sqlite").exists():
        raise RunFolderError(
            f"The folder {path.parent} has a journal.sqlite but no {path.name}, which says what the run asked: put it "
            "back from a copy of the run."
        )
    if not path.exists():
        raise RunFolderError(f"There is no run in {path.parent} ({path.name}: No such file or directory).")
    try:
        manifest = untrusted.json_of(untrusted.read_text(path, MAX_MANIFEST))
    except untrusted.UntrustedError as error:
        raise RunFolderError(f"The file {path} is damaged: {error.of('it')}") from error
    if not isinstance(manifest, dict):
        raise RunFolderError(f"The file {path} is damaged: it must hold an object.")
    return manifest


def _run_meant(folder: Path) -> str:
    """Ends a sentence about a folder that there isn't: with the run beside it that may be meant."""
    try:
        near = nearest(folder.name, [each.parent.name for each in folder.parent.glob("*/run.json")])
    except OSError:
        near = None
    return f"; did you mean {folder.with_name(near)}?" if near else "."


def snapshot_path(folder: Path, name: object) -> Path:
    """Where a file lies that a run keeps and its run.json names.

    Raises:
        RunFolderError: the name leads out of the folder.
    """
    try:
        return untrusted.plain_path(folder, name)
    except untrusted.UntrustedError as error:
        raise RunFolderError(error.of(f"The file {folder / 'run.json'}")) from None


def is_sha256(value: object) -> bool:
    """Whether this is a SHA-256 in hex, as it stands in a manifest or in a file's name."""
    return isinstance(value, str) and _SHA256.fullmatch(value) is not None


def check_address(path: Path, address: object, named: str | None) -> None:
    """Refuse an address that only a run's folder gives: the calls, and the key, would go to whoever made the folder.

    Args:
        path: of the run.
        address: what its run.json says; `None` for none.
        named: what the user named.

    Raises:
        RunFolderError: it is on another machine, and not the one that was named.
    """
    if address is None or address == named or (isinstance(address, str) and is_local_address(address)):
        return
    raise RunFolderError(
        f"The run in {path} says that models are asked at {_quoted(str(address))}, and your key would be sent there: "
        "name that address with --base-url if you trust it."
    )


def explain_read_error(path: Path, error: BaseException) -> RunFolderError | None:
    """What to say where reading a run ended in an error that is none of ours; `None` for all other errors.

    A run that somebody else made, or changed, can hold any value in any place.
    """
    kinds = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError)
    if not isinstance(error, kinds) or type(error).__module__.startswith("voirdire."):
        return None
    what = " ".join(f"{type(error).__name__}: {error}".split())[:_LONGEST_MESSAGE]
    return RunFolderError(
        f"The run in {path} can't be read ({what}): its run.json or its journal holds something else than voirdire "
        f"writes, or this version has a fault; voirdire verify {path} says whether it was changed."
    )


def is_local_address(address: str) -> bool:
    """Whether an address is on this machine."""
    return host_of(address) in _HERE


def host_of(address: str) -> str:
    """The machine that an address names; "an unreadable address" where it names none."""
    try:
        return urlsplit(address).hostname or "an unreadable address"
    except ValueError:
        return "an unreadable address"


def _quoted(name: str) -> str:
    return ascii(name if len(name) <= _LONGEST_MESSAGE else f"{name[:_LONGEST_MESSAGE]}…")
