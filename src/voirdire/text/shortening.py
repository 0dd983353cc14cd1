"""Long texts and names made short where there is little room; different names stay different."""

from __future__ import annotations

from collections.abc import Iterable

_CUT = "…"

LINE = 150
"""Characters of a result that is shown in a line."""


def shortened(names: Iterable[str], width: int) -> dict[str, str]:
    """A form of each name that is at most `width` characters long: the last part of a path, its beginning and end.

    What stands in brackets behind a name, as the run in "openai/gpt (runs/a)", is no part of its path.
    Two names have two forms: what would coincide is numbered.
    """
    short_names: dict[str, str] = {}
    for name in dict.fromkeys(names):
        short, number = _shorten(name, width), 2
        while short in short_names.values():
            short, number = _shorten(name, width - len(str(number)) - 1) + f"~{number}", number + 1
        short_names[name] = short
    return short_names


def beginning(text: str, limit: int) -> str:
    """The beginning of a text, in one line of at most `limit` characters."""
    line = " ".join(text[: 4 * limit].split())
    return line if len(line) <= limit and len(text) <= 4 * limit else f"{line[: limit - 1].rstrip()}{_CUT}"


def in_one_line(sentence: str) -> str:
    """A result as a prompt shows it: a line of at most `LINE` characters, its end cut."""
    return beginning(sentence, LINE)


def excerpt(text: str, part: str, limit: int) -> str:
    """At most `limit` characters of a text, in one line, that have a part of it: of a short text all.

    The beginning, where it has the part or the text lacks it.
    """
    line = " ".join(text.split())
    place = line.find(" ".join(part.split()))
    if len(line) <= limit or place + len(part) < limit:
        return beginning(line, limit)
    start = max(0, place - (limit - len(part)) // 2)
    start = line.rfind(" ", 0, start) + 1 if start else 0
    return f"{_CUT}{beginning(line[start:], limit - 1)}"


def _shorten(name: str, width: int) -> str:
    path, opening, rest = name.partition(" (") if name.endswith(")") else (name, "", "")
    last = (path.rstrip("/").rpartition("/")[2] or path) + opening + rest
    if len(last) <= width:
        return last
    end = (width - 1) // 3
    return last[: width - 1 - end] + _CUT + last[len(last) - end :]
