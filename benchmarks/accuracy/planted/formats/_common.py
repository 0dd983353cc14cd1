"""What the writers share."""

from __future__ import annotations

import hashlib
import json
import uuid
from pathlib import Path
from typing import Any

from benchmarks.accuracy.planted.study import LETTERS, Item, Settings

_ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def uid(*parts: object) -> str:
    """22 characters, as Inspect names things."""
    number = int(sha(*parts), 16)
    return "".join(_ALPHABET[number // 57**place % 57] for place in range(22))


def uuid_of(*parts: object) -> str:
    return str(uuid.UUID(sha(*parts)[:32], version=4))


def sha(*parts: object) -> str:
    return hashlib.sha256("\x1f".join(map(str, parts)).encode()).hexdigest()


def tokens(text: str) -> int:
    return len(text) // 4 + 1


def lettered(item: Item, mark: str = ")") -> str:
    """The choices, a line each."""
    return "\n".join(f"{LETTERS[place]}{mark} {text}" for place, text in enumerate(item.choices))


def asked(item: Item, settings: Settings) -> str:
    """The question with what stands before it."""
    return "\n\n".join(filter(None, (settings.instruction, item.hint, item.question)))


def save(path: Path, data: Any, indent: int | None = 2) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data, indent=indent, ensure_ascii=False), encoding="utf-8")


def save_lines(path: Path, rows: list[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
