"""Damage to a run's files."""

from __future__ import annotations

from pathlib import Path

_PAGE = 4096


def chosen(path: Path, name: str) -> Path | None:
    """The file that is meant; of the journal, its log where most of it still stands there. `None`: it is not there."""
    if name == "journal.sqlite":
        files = [file for file in (path / name, path / f"{name}-wal") if file.exists()]
        return max(files, key=lambda file: file.stat().st_size, default=None)
    return next(iter(sorted(path.glob(name))), None)


def damage(file: Path, kind: str, where: float) -> None:
    """Damage a file.

    Args:
        file: which.
        kind: one of `sequence.DAMAGE`.
        where: in it, from 0 to 1.
    """
    content = bytearray(file.read_bytes())
    at = int(where * max(0, len(content) - 1))
    if kind == "flip" and content:
        content[at] ^= 0x15
    elif kind == "zero_page":
        start = at - at % _PAGE
        content[start : start + _PAGE] = bytes(len(content[start : start + _PAGE]))
    elif kind == "cut":
        del content[at:]
    elif kind == "garbage":
        content[:100] = bytes(range(100))
    elif kind == "empty":
        content.clear()
    elif kind == "text":
        content = bytearray(b"This is no journal.\n")
    file.write_bytes(content)
