"""The text of an HTML page, in time that grows with the page's length.

The standard library's parser takes the square of it where tags don't end: two minutes for 40 kB of "<a ".
"""

from __future__ import annotations

import html
import re

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
        found = _TAG.match(page, at)
        if found is None:
            return len(page)
        closing, tag = found[1], found[2].lower()
        if closing:
            self._end(tag)
        else:
            self._start(tag)
            if found[3].endswith("/"):
                self._end(tag)
            elif tag in _RAW:
                ended = _RAW[tag].search(page, found.end())
                stop = ended.start() if ended else len(page)
                self._data(page[found.end() : stop])
                return stop
        return found.end()

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
            self.pieces.append(_SPACE.sub(" ", _REFERENCE.sub(lambda found: html.unescape(found[0]), data)))


def _after(page: str, end: str, at: int) -> int:
    found = page.find(end, at)
    return len(page) if found < 0 else found + len(end)
