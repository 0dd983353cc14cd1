"""Cut a text into sentences, with exact offsets.

Punkt with its English parameters decides (Kiss & Strunk, 2006). Cut this way, with list numbers protected and a line
break being no boundary, the text gives back the sentences that CogniBench's authors labelled.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from punkt import PunktSentenceTokenizer

# "1." opens a list item at the start of a line, or after the end of a sentence; "at the age of 29." ends one.
_LIST_NUMBER = re.compile(r"(^[ \t]*|[.!?:;]\s+)(\d{1,3})\.(?=\s)", re.MULTILINE)
_MARK = "\u2024"  # one character long, so that offsets stay, and no sentence end for punkt
_BLOCK_BREAK = re.compile(r"\n[ \t]*\n\s*|\n(?=[ \t]*(?:[-*+•–]|#{1,6}|\d{1,3}[.)])[ \t])|(?<=\|)\n|\n(?=[ \t]*```)")
_HEADING = re.compile(r"[ \t]*#{1,6}[ \t]")


class Sentence(NamedTuple):
    """A sentence and where it stands: `text` is the source's `[start:end]`."""

    text: str
    start: int
    end: int


def split_sentences(text: str, *, layout: bool = False) -> list[Sentence]:
    """Cut `text` into sentences; white space between them belongs to none.

    Args:
        text: any text; an empty one has no sentences.
        layout: also cut at blank lines, list items, table rows and headings, as Markdown answers need it.
            Off by default: the whole text is cut, and a line break is not by itself a boundary.
    """
    pieces = _blocks(text) if layout else [(0, len(text))]
    return [
        Sentence(text[start:end], start, end)
        for block_start, block_end in pieces
        for start, end in _spans(text, block_start, block_end)
    ]


def _spans(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    block = text[start:end]
    protected = _LIST_NUMBER.sub(lambda number: number[1] + number[2] + _MARK, block)
    for first, last in _tokenizer().span_tokenize(protected):
        sentence = block[first:last]
        inner = sentence.strip()
        if inner:
            left = start + first + len(sentence) - len(sentence.lstrip())
            yield left, left + len(inner)


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """(start, end) of the stretches that layout alone separates; a heading's line is one of its own."""
    start = 0
    for boundary in _BLOCK_BREAK.finditer(text):
        yield from _heading_apart(text, start, boundary.start())
        start = boundary.end()
    yield from _heading_apart(text, start, len(text))


def _heading_apart(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    line_end = text.find("\n", start, end)
    if line_end != -1 and _HEADING.match(text, start, line_end):
        yield start, line_end
        start = line_end + 1
    yield start, end


@cache
def _tokenizer() -> PunktSentenceTokenizer:
    """The parameters are loaded when the first text is cut, not at import."""
    import punkt

    return punkt.tokenizer_for("english")
