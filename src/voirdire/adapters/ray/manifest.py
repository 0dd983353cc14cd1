"""The folder that shards are written to: what was asked of it, and that nobody else writes there."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from voirdire.adapters.ray.records import ScaleError
from voirdire.run import RunFolderError, provenance
from voirdire.run.untrusted import check_folder, read_manifest

MANIFEST = "_manifest.json"
"""Readers of a folder of Parquet pass over names that begin so."""
_LOCK = ".lock"
_SHOWN = 80
_OF_A_PART = 3
_MOST = 2**62


@contextmanager
def held(out: Path) -> Iterator[None]:
    """Keep a folder to this process while the block runs; it is made if it is not there.

    Raises:
        ScaleError: another process has it, it holds something else, or it can't be written.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
        check_folder(out)
        if not (out / MANIFEST).exists() and any(each.name not in (_LOCK, "shards") for each in out.iterdir()):
            raise ScaleError(f"{out} holds something else than shards: choose a folder that is new or empty.")
        lock = (out / _LOCK).open("a")
    except OSError as error:
        raise ScaleError(f"The folder {out} can't be written: {error.strerror}.") from error
    except RunFolderError as error:
        raise ScaleError(str(error)) from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ScaleError(
                f"Another process writes shards to {out}: wait until it ends, or choose another."
            ) from None
        yield


def settle(out: Path, asked: Mapping[str, Any], make: Callable[[], Mapping[str, Any]]) -> dict[str, Any]:
    """The manifest of a folder: the one that is there if it was asked the same, else a new one.

    Args:
        out: the folder.
        asked: what is asked now; must be what was asked before.
        make: gives the rest of a new manifest, as where the shards begin.

    Raises:
        ScaleError: the folder was begun with something else, or its manifest is damaged.
    """
    path = out / MANIFEST
    now = json.loads(json.dumps(dict(asked)))
    if not path.exists():
        manifest = {"asked": now, **make(), "info": provenance()}
        write_json(path, manifest)
        return manifest
    try:
        there = read_manifest(path)
    except RunFolderError as error:
        raise ScaleError(f"{str(error).rstrip('.')}; choose another folder.") from None
    before = there.get("asked")
    if not isinstance(before, dict) or not _is_whole(there):
        raise ScaleError(f"The file {path} is damaged: choose another folder.")
    differing = [
        f"{name}: {_shown(before.get(name))} there, {_shown(now.get(name))} now"
        for name in sorted(before.keys() | now.keys())
        if before.get(name) != now.get(name)
    ]
    if differing:
        raise ScaleError(
            f"The shards in {out} were begun with something else ({'; '.join(differing)}): give the same to go on with "
            "them, or choose another folder."
        )
    return there


def _is_whole(manifest: Mapping[str, Any]) -> bool:
    """Whether what tells where shards begin is there, in whole numbers: it is what workers go by."""
    if "parts" not in manifest:
        return _are_counts(manifest.get("rows"))
    parts, source = manifest["parts"], manifest.get("source")
    return (
        isinstance(parts, list)
        and all(_are_counts(part) and len(part) == _OF_A_PART for part in parts)
        and isinstance(source, dict)
        and _are_counts([source.get("bytes"), source.get("modified_ns")])
        and isinstance(source.get("sha256"), str)
    )


def _are_counts(value: object) -> bool:
    return isinstance(value, list) and all(type(each) is int and 0 <= each < _MOST for each in value)


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    """Write beside the place, make it durable, and put it there."""
    beside = path.with_name(f".{path.name}.new")
    with beside.open("w", encoding="utf-8") as file:
        json.dump(content, file, indent=1, ensure_ascii=False)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
