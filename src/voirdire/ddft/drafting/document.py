"""A user's document, also a page of HTML, as plain text in parts that a model can take in at once."""

from __future__ import annotations

import hashlib
import html
import re
from dataclasses import dataclass
from pathlib import Path

from voirdire.data import untrusted
from voirdire.ddft.drafting.records import DraftError

_TAG = re.compile(r"""<(/?)([a-zA-Z][^\s/>]*+)((?:[^>"']++|"[^"]*+"|'[^']*+')*+)>""")
_REFERENCE = re.compile(r"&#?\w{1,32};?")
_SIGNS = re.compile(r"<++")
_SPACE = re.compile(r"\s+")
_RAW = {tag: re.compile(rf"</{tag}(?=[\s/>])", re.IGNORECASE) for tag in ("script", "style", "textarea", "title")}
"""Elements in which nothing but their own end is a tag."""
_UNSEEN = frozenset({"script", "style", "noscript", "template", "svg", "head", "nav", "footer"})
_BLOCKS = frozenset(
    "p div section article ul ol li table tr h1 h2 h3 h4 h5 h6 blockquote pre br dt dd header main".split()
)


def text_of_html(page: str) -> str:
    """The text that a reader of a page sees, a blank line between its blocks; headings as in Markdown."""
    reader = _Text()
    reader.read(page)
    blocks = (" ".join(block.split()) for block in "".join(reader.pieces).split("\n\n"))
    return "\n\n".join(block for block in blocks if block.strip("# "))


class _Text:
    """Collects what a reader of a page sees."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self._unseen: list[str] = []

    def read(self, page: str) -> None:
        """Read a page from its beginning to its end, each character once.

        What is begun and never ended, a tag or a comment, reaches to the end of the page, as it does in a browser.
        """
        at = 0
        while at < len(page):
            opened = page.find("<", at)
            if opened < 0:
                opened = len(page)
            self._data(page[at:opened])
            at = self._markup(page, opened)

    def _markup(self, page: str, at: int) -> int:
        """Take what begins with "<" at a place; where it ends."""
        following = page[at + 1 : at + 3]
        if page.startswith("<!--", at):
            return _after(page, "-->", at + 4)
        if following[:1] in ("!", "?") or (following[:1] == "/" and not following[1:].isalpha()):
            return _after(page, ">", at)
        if not following.removeprefix("/")[:1].isalpha():
            run = _SIGNS.match(page, at)
            stop = max(at + 1, run.end() - 1 if run else 0)  # the last of them may begin a tag
            self._data(page[at:stop])
            return stop
        match = _TAG.match(page, at)
        if match is None:
            return len(page)
        closing, tag = match[1], match[2].lower()
        if closing:
            self._end(tag)
        else:
            self._start(tag)
            if match[3].endswith("/"):
                self._end(tag)
            elif tag in _RAW:
                ended = _RAW[tag].search(page, match.end())
                stop = ended.start() if ended else len(page)
                self._data(page[match.end() : stop])
                return stop
        return match.end()

    def _start(self, tag: str) -> None:
        if tag in _UNSEEN:
            self._unseen.append(tag)
        elif tag in _BLOCKS:
            self.pieces.append("\n\n")
            if tag[0] == "h" and tag[1:].isdigit():
                self.pieces.append("#" * int(tag[1]) + " ")

    def _end(self, tag: str) -> None:
        if self._unseen and tag == self._unseen[-1]:
            self._unseen.pop()
        elif tag in _BLOCKS:
            self.pieces.append("\n\n")

    def _data(self, data: str) -> None:
        if not self._unseen:
            self.pieces.append(_SPACE.sub(" ", _REFERENCE.sub(lambda match: html.unescape(match[0]), data)))


def _after(page: str, end: str, at: int) -> int:
    place = page.find(end, at)
    return len(page) if place < 0 else place + len(end)


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
class SourceDocument:
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


def read_document(path: Path) -> SourceDocument:
    """Read a text, Markdown or HTML file.

    Raises:
        DraftError: no such file, too large, empty, or of a form that must be converted first.
    """
    try:
        raw = untrusted.read_bytes(path, MAX_BYTES)
    except untrusted.UntrustedError as error:
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
    return SourceDocument(path.name, plain, hashlib.sha256(raw).hexdigest())


def parts_of(document: SourceDocument) -> tuple[list[Part], int]:
    """The document's parts of at most about `PART_WORDS` words, cut between paragraphs; and how many were left out."""
    parts: list[Part] = []
    part_paragraphs: list[str] = []
    heading, begun_under, size = "", "", 0
    for paragraph in _paragraphs(document.text):
        words = len(paragraph.split())
        match = _HEADING.match(paragraph)
        if part_paragraphs and (size + words > PART_WORDS or (match and size > PART_WORDS // 2)):
            parts.append(Part(begun_under, "\n\n".join(part_paragraphs)))
            part_paragraphs, size = [], 0
        heading = match.group(1) if match else heading
        begun_under = begun_under if part_paragraphs else heading
        part_paragraphs.append(paragraph)
        size += words
    parts.append(Part(begun_under, "\n\n".join(part_paragraphs)))
    return parts[:MAX_PARTS], max(0, len(parts) - MAX_PARTS)


def _paragraphs(text: str) -> list[str]:
    """Paragraphs, those that alone are longer than a part cut by words."""
    result = []
    for paragraph in _BLANK.split(text.strip()):
        words = paragraph.split()
        if len(words) <= PART_WORDS:
            result.append(paragraph)
        else:
            result += [" ".join(words[at : at + PART_WORDS]) for at in range(0, len(words), PART_WORDS)]
    return result
