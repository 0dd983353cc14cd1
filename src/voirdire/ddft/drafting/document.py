"""A user's document, as plain text in parts that a model can take in at once."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from voirdire.data import foreign
from voirdire.ddft.drafting.html import text_of_html
from voirdire.ddft.drafting.records import DraftError

MAX_BYTES = 5_000_000
PART_WORDS = 1_200
"""Of one part: what a model of 8,000 tokens of context takes in, with room for its answer."""
MAX_PARTS = 24
"""What lies beyond is left out, and said to be."""
HTML = (".html", ".htm")
TEXT = (".txt", ".md", ".markdown", ".rst", ".text", "")

_HEADING = re.compile(r"\A#{1,6}[ \t]+(.+?)[ \t]*#*[ \t]*(?:\n|\Z)")
_BLANK = re.compile(r"\n[ \t]*\n\s*")


@dataclass(frozen=True, slots=True)
class Document:
    """A document as text; headings stand as in Markdown."""

    name: str
    text: str
    sha256: str
    """Of the file."""


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a document."""

    heading: str
    """The last heading at or before its beginning; "" where there is none."""
    text: str


def read_document(path: Path) -> Document:
    """Read a text, Markdown or HTML file.

    Raises:
        DraftError: no such file, too large, empty, or of a form that must be converted first.
    """
    try:
        raw = foreign.read_bytes(path, MAX_BYTES)
    except foreign.ForeignError as error:
        raise DraftError(f"The document {path} {error}; give a file of text, or the part of it that matters.") from None
    suffix = path.suffix.lower()
    if suffix not in (*TEXT, *HTML) or raw.startswith(b"%PDF"):
        raise DraftError(
            f"{path.name} is not text, Markdown or HTML; convert it first, for example with: pdftotext {path.stem}.pdf."
        )
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise DraftError(f"{path} is not UTF-8 text; convert it first.") from None
    plain = text_of_html(text) if suffix in HTML else text.replace("\r\n", "\n")
    if not plain.strip():
        raise DraftError(f"{path} holds no text.")
    return Document(path.name, plain, hashlib.sha256(raw).hexdigest())


def parts_of(document: Document) -> tuple[list[Part], int]:
    """The document's parts of at most about `PART_WORDS` words, cut between paragraphs; and how many were left out."""
    parts: list[Part] = []
    taken: list[str] = []
    heading, begun_under, size = "", "", 0
    for paragraph in _paragraphs(document.text):
        words = len(paragraph.split())
        found = _HEADING.match(paragraph)
        if taken and (size + words > PART_WORDS or (found and size > PART_WORDS // 2)):
            parts.append(Part(begun_under, "\n\n".join(taken)))
            taken, size = [], 0
        heading = found.group(1) if found else heading
        begun_under = begun_under if taken else heading
        taken.append(paragraph)
        size += words
    parts.append(Part(begun_under, "\n\n".join(taken)))
    return parts[:MAX_PARTS], max(0, len(parts) - MAX_PARTS)


def _paragraphs(text: str) -> list[str]:
    """Paragraphs, those that alone are longer than a part cut by words."""
    found = []
    for paragraph in _BLANK.split(text.strip()):
        words = paragraph.split()
        if len(words) <= PART_WORDS:
            found.append(paragraph)
        else:
            found += [" ".join(words[at : at + PART_WORDS]) for at in range(0, len(words), PART_WORDS)]
    return found
