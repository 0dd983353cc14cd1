"""Texts in Markdown that mean nothing there."""

from __future__ import annotations

from voirdire.text.terminal import inert


def code(value: object) -> str:
    """A name or text as code, in one line: no link, image or element of HTML within it is one.

    Example:
        >>> print(code("<img src=x> `b`"))
        `<img src=x> 'b'`
    """
    return "`" + " ".join(inert(str(value)).replace("`", "'").split()) + "`"
