"""What a text says under its disguises: invisible characters, look-alikes, letters spaced out."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

MAX_READ = 200_000
"""Characters of an answer that are looked at: the beginning and the end of a longer one."""

_TAG_BLOCK = re.compile("[\U000e0020-\U000e007e]+")  # mirrors ASCII, and is not displayed
_TAGS = 0xE0000
_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
    "\U000e0000-\U000e0fff]"
)
_STROKES = re.compile("[\u0334-\u0338\u0489\u20d0-\u20f0]")
# Cyrillic and Greek letters that look like Latin ones, pair by pair.
_LOOK_ALIKES = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u0501\u051b\u051d\u0410\u0412\u0415\u041a\u041c\u041d"
    "\u041e\u0420\u0421\u0422\u0425\u0423\u0406\u0408\u0405\u03bf\u03b1\u03b9\u03bd\u03c1\u0391\u0392\u0395\u0396\u0397"
    "\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7",
    "aeopcyxijsdqwABEKMHOPCTXYIJSoaivpABEZHIKMNOPTYX",
)
_FOREIGN = re.compile("[\u0370-\u03ff\u0400-\u052f]")
# Beyond Latin letters, plain punctuation and arrows: only there can a disguise be.
_ODD = re.compile("[^\x00-\xac\xae-\u024f\u2010-\u2023\u2025-\u2027\u2030-\u2034\u2039\u203a\u2190-\u22ff]")
_WORD = re.compile(r"\w+")
_SPACED = re.compile(r"(?<!\w)(?:\w[ \t]{1,4}){7,}\w(?!\w)")
_LEET = str.maketrans("4310578@$", "aeiostbas")
_TELLING = (
    "instruction",
    "ignore",
    "disregard",
    "score",
    "judge",
    "rubric",
    "verdict",
    "evaluat",
    "annotat",
    "label",
    "answer",
)
"""Words by which a text that is written in digits is worth undoing."""
_IN_DIGITS = tuple(word.translate(str.maketrans("aeiost", "431057")) for word in _TELLING)


def unmasked(text: str) -> str:
    """The text as a reader takes it: one form of each character, nothing invisible, no look-alikes.

    What stood in tag characters stays where it was, as plain letters. Texts that are spaced out or written in digits
    are undone and put on lines of their own at the end. No encoding is undone: what is found is shown in reports, and
    an encoded text may hold a key.
    """
    cut = text if len(text) <= MAX_READ else f"{text[: MAX_READ // 2]}\n{text[-MAX_READ // 2 :]}"
    plain = _plain(cut) if _ODD.search(cut) else cut
    return "\n".join([plain, *_undone(plain)])


def _plain(text: str) -> str:
    shown = _TAG_BLOCK.sub(lambda tags: "".join(chr(ord(sign) - _TAGS) for sign in tags[0]), text)
    joined = _STROKES.sub("", _UNSEEN.sub("", unicodedata.normalize("NFKC", shown)))
    return _WORD.sub(_latin, joined) if _FOREIGN.search(joined) else joined


def _latin(word: re.Match[str]) -> str:
    """A word in Latin letters, if look-alikes of them are all that it has beside them."""
    read = word[0].translate(_LOOK_ALIKES)
    return read if read.isascii() else word[0]


def _undone(text: str) -> Iterator[str]:
    for spaced in _SPACED.findall(text):
        yield re.sub(r"(?<=\S)[ \t](?=\S)", "", spaced)
    lower = text.lower()
    if any(word in lower for word in _IN_DIGITS):
        yield text.translate(_LEET)
