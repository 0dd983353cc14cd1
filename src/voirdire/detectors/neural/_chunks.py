"""A long document in chunks of whole sentences."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from voirdire.text import split_sentences

_WORD = re.compile(r"\S+")
_Span = tuple[int, int]


def chunks(text: str, size: int, length: Callable[[str], int]) -> list[str]:
    """Cut a text into chunks as large as `size` allows; a sentence is only cut where it is too long by itself.

    Args:
        text: the document; an empty one is one empty chunk.
        size: of a chunk, in whatever `length` counts.
        length: of a piece of text, in words or in tokens.

    Returns:
        Stretches of the text, in order, without the white space between them.
    """
    spans = [
        span
        for sentence in split_sentences(text)
        for span in _fitting(text, (sentence.start, sentence.end), size, length)
    ]
    return [text[start:end] for start, end in _packed(text, spans, size, length)] or [""]


def _fitting(text: str, span: _Span, size: int, length: Callable[[str], int]) -> Iterator[_Span]:
    start, end = span
    if length(text[start:end]) <= size:
        yield span
        return
    words = [(word.start(), word.end()) for word in _WORD.finditer(text, start, end)]
    yield from _packed(text, words, size, length)


def _packed(text: str, spans: Sequence[_Span], size: int, length: Callable[[str], int]) -> Iterator[_Span]:
    """Join neighbouring spans while they fit; the sum of their lengths stands for the length of the whole."""
    taken: list[_Span] = []
    filled = 0
    for span in spans:
        more = length(text[span[0] : span[1]])
        if taken and filled + more > size:
            yield taken[0][0], taken[-1][1]
            taken, filled = [], 0
        taken.append(span)
        filled += more
    if taken:
        yield taken[0][0], taken[-1][1]
