"""Markdown: texts that mean nothing there, and sentences without its marks."""

from __future__ import annotations

import re

from voirdire.text.terminal import inert

_BULLET = re.compile(r"\s*(?:>\s*)*(?:[-*+•‣◦–]\s+(?:\[[ xX]\]\s+)?|#{1,6}\s+)?")
_ITEM = re.compile(r"\(?(?:(?P<number>\d{1,3})|[a-zA-Z]|[ivx]{1,4}|[IVX]{1,4})[.)]\s+(?=\S)")
_EMPHASIS = re.compile(r"\*\*|__|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)|`")
_EMPHASIS_MARKS = frozenset("*_`")
CITATION = re.compile(r"\s?\[\d{1,3}(?:\s?[,–-]\s?\d{1,3})*\](?!\()")
"""A mark that names a source by its number: "[1]", "[2, 5]"; what a link's address follows is none."""
_MONTH = re.compile(
    r"(?i)(?:january?|february?|march|märz|april|may|mai|june?|juni|july?|juli|august|september|o[ck]tober|november"
    r"|de[cz]ember)\b(?!\sthe\b)"
)
"""After it a number may be the first part of a date: "30. September"."""


def code(value: object) -> str:
    """A name or text as code, in one line: no link, image or element of HTML within it is one.

    Example:
        >>> print(code("<img src=x> `b`"))
        `<img src=x> 'b'`
    """
    return "`" + " ".join(inert(str(value)).replace("`", "'").split()) + "`"


def unmarked(sentence: str) -> str:
    """A sentence without the mark of a list item or a heading before it, without emphasis and marks of sources.

    Example:
        >>> unmarked("4. Open the **app** [2].")
        'Open the app.'
    """
    bullet = _BULLET.match(sentence)
    text = sentence[bullet.end() :] if bullet else sentence
    item = _ITEM.match(text)
    if item is not None and not (item["number"] and _MONTH.match(text, item.end())):
        text = text[item.end() :]
    if "[" in text:
        text = CITATION.sub("", text)
    if not _EMPHASIS_MARKS.isdisjoint(text):
        text = _EMPHASIS.sub("", text)
    return text or sentence
