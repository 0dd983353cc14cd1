"""Long names made short where there is little room, different for different names."""

from __future__ import annotations

from collections.abc import Iterable

_CUT = "…"


def shortened(names: Iterable[str], width: int) -> dict[str, str]:
    """A form of each name that is at most `width` characters long: the last part of a path, its beginning and end.

    Two names have two forms: what would coincide is numbered.
    """
    found: dict[str, str] = {}
    for name in dict.fromkeys(names):
        short, number = _cut(name, width), 2
        while short in found.values():
            short, number = _cut(name, width - len(str(number)) - 1) + f"~{number}", number + 1
        found[name] = short
    return found


def _cut(name: str, width: int) -> str:
    last = name.rstrip("/").rpartition("/")[2] or name
    if len(last) <= width:
        return last
    end = (width - 1) // 3
    return last[: width - 1 - end] + _CUT + last[len(last) - end :]
