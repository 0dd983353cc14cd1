"""Which stretches of a text are to be read in columns: code and tables."""

from __future__ import annotations

import re
from collections.abc import Iterator

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_LIST = re.compile(r"\s*(?:[-*+•]|\d+[.)])\s")
_INDENTED = re.compile(r"(?: {4}|\t)\s*\S")
_GAP = re.compile(r"\S(?: {3,}|\t)\s*\S")
_ROW = re.compile(r" {0,3}\|.*\|\s*\Z")


def code_stretches(text: str) -> list[tuple[int, int]]:
    """Fenced blocks, and paragraphs with indented lines, rows of a table or columns; not those of indented lists.

    Returns:
        Where each begins and ends, in order. An indented first line alone begins a paragraph of prose.
    """
    return [(start, end) for start, end, lines in _blocks(text) if _FENCE.match(lines[0]) or _is_code(lines)]


def _is_code(lines: list[str]) -> bool:
    if any(map(_LIST.match, lines)):
        return False
    indented = [bool(_INDENTED.match(line)) for line in lines]
    several = (sum(map(bool, map(form.search, lines))) > 1 for form in (_GAP, _ROW))
    return any(indented[1:]) or any(several)


def _blocks(text: str) -> Iterator[tuple[int, int, list[str]]]:
    """Fenced blocks with their fences, and paragraphs: where they begin and end, and their lines."""
    at, start, fence = 0, 0, ""
    lines: list[str] = []
    for line in text.splitlines(keepends=True):
        opening = None if fence else _FENCE.match(line)
        if lines and (opening or not (fence or line.strip())):
            yield start, at, lines
            lines = []
        if not lines:
            start = at
        if opening:
            fence = opening[1]
        at += len(line)
        if fence or line.strip():
            lines.append(line)
        if fence and not opening and line.strip().startswith(fence) and not line.strip().strip(fence[0]):
            yield start, at, lines
            lines, fence = [], ""
    if lines:
        yield start, at, lines
