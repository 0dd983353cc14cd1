"""Evidence cut into sentences, once for all who compare a sentence with it."""

from __future__ import annotations

import re
from functools import lru_cache

from voirdire.text.sentences import split_sentences

# How WikiText writes the marks within figures and words: "38 @,@ 000". Some copies broke the line at its points.
_ESCAPED = re.compile(r"\s?@(?:([,-])|[.\n])@\s?")

# A line that begins with a capital, a figure or a mark begins a sentence: titles and lists of plain texts.
_LINE = re.compile(r"\n+(?=\s*[A-Z0-9=|*#•(\"“-])")


def plain(context: str) -> str:
    """A context without the escapes of WikiText."""
    return _ESCAPED.sub(lambda mark: mark[1] or ".", context)


@lru_cache(maxsize=4)
def evidence_sentences(context: str) -> tuple[str, ...]:
    """The sentences of a context as `plain` gives it, cut at layout too."""
    return tuple(sentence.text for sentence in split_sentences(plain(context), layout=True))


def evidence_pieces(context: str) -> list[str]:
    """The sentences, cut at lines that begin anew too: a text without full stops is not one sentence."""
    pieces = (line.strip() for sentence in evidence_sentences(context) for line in _LINE.split(sentence))
    return [piece for piece in pieces if piece]
