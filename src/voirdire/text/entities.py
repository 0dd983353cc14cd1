"""Find names by rule: capitalised spans and quoted or italic titles, normalised so that mentions can be compared.

No model and no gazetteer: it misses lower-case names and takes some capitalised common nouns for names. Good enough
to ask "does the evidence know this name?", not to say what kind of thing the name stands for.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

_CAPITAL_WORD = (
    r"(?:(?=[^\W\d_a-zß-öø-ÿ])(?:"
    r"(?:[^\W\d_]\.){2,6}|[^\W\d_]\.(?=[ \w])"  # initials: "J.M.W.", "A. R."
    r"|(?:Prof|Dr|Mr|Mrs|Ms|St|Rev|Jr)\."
    r"|(?![IVXLC]{2,}\b)[^\W\d_](?:[\w'’-]|\.(?=\w)){1,40}))"  # no Roman number
)
_LINK = r"(?:\s(?:of|de|da|di|du|del|la|le|van|von|der|den|of\sthe|the)){1,2}"
# Spans of at most eight capitalised words; quantifiers are bounded so that any text takes linear time.
_CAPITALS = re.compile(rf"(?<![\w'’-]){_CAPITAL_WORD}(?:(?:{_LINK})?[ \n]{_CAPITAL_WORD}){{0,7}}")
_QUOTED = re.compile(
    r"[“\"]([^“”\"\n]{2,100})[”\"]|(?<![\w*])\*([^*\n]{2,100})\*(?![\w*])|(?<!\w)_([^_\n]{2,100})_(?!\w)"
)
_OPENING = re.compile(r"(?:^|[.!?:;…]|\n)[\s\"'“‘*_#>()\[\]•+-]{0,12}(?:\d{1,3}[.)]\s{1,3})?[\"'“‘*_(\[]{0,6}$")
_NOT_NAMES = frozenset(
    "i i'm i'd i'll i've the a an this that these those it its he she they we you his her their our my your in on at "
    "by for from with as of to and or but if when while although though because since after before during however "
    "moreover furthermore therefore thus hence also yes no not so then there here what which who how why where "
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august "
    "september october november december let's it's that's example note step question answer overall finally "
    "additionally instead".split()
)
_TITLES = frozenset(
    "professor prof dr doctor mr mrs ms miss sir dame lord lady the a an saint st rev reverend judge justice "
    "president".split()
)
_LINKS = frozenset("of de da di du del la le van von der den and the for in on &".split())


@dataclass(frozen=True, slots=True)
class Name:
    """A name as it stands in a text, and its words for comparison."""

    text: str
    start: int
    end: int
    key: tuple[str, ...]
    """Lower-case words without accents, titles ("Professor"), possessives, initials and little words."""
    quoted: bool = False
    """Whether it stood in quotation marks or asterisks, as a title does."""


def find_names(text: str) -> list[Name]:
    """All names of `text`, in order of appearance.

    A single capitalised word that opens a sentence counts only when the text also has it, capitalised, within a
    sentence or as part of a longer name. Titles in quotation marks or asterisks count when they have a capital letter.
    """
    spans = [(match.start(), match.end()) for match in _CAPITALS.finditer(text)]
    trimmed = [span for start, end in spans if (span := _trim(text, start, end)) is not None]
    opens = {span: bool(_OPENING.search(text[max(0, span[0] - 24) : span[0]])) or span[0] == 0 for span in trimmed}
    names: list[Name] = []
    lone: list[Name] = []
    for start, end in trimmed:
        name = Name(text[start:end], start, end, name_key(text[start:end]))
        if name.key:
            (lone if opens[start, end] and " " not in name.text else names).append(name)
    known = {word for name in names for word in name.key}
    names += [name for name in lone if name.key[0] in known]
    return sorted(_without_inner(names + _quoted(text)), key=lambda name: name.start)


@lru_cache(maxsize=16_384)
def name_key(name: str) -> tuple[str, ...]:
    """The words of a name by which it is compared: "Professor Édouard Manet's" gives ("edouard", "manet").

    Initials are dropped, unless there is nothing else: "J.M.W. Turner" gives ("turner",), "U.S." gives ("us",).
    """
    plain = unicodedata.normalize("NFKD", name.replace("’", "'")).encode("ascii", "ignore").decode().lower()
    words = [re.sub(r"'s?$", "", word.strip("'-")).rstrip(".") for word in re.split(r"[^\w'.-]+", plain)]
    parts = [word for word in words if len(word) > 1 and word not in _TITLES and word not in _LINKS]
    full = tuple(word for word in parts if "." not in word)
    return full or tuple(word.replace(".", "") for word in parts)


def same_name(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether two keys can name the same thing: one holds all words of the other ("monet", "claude monet")."""
    if not one or not other:
        return False
    shorter, longer = sorted((one, other), key=len)
    return set(shorter) <= set(longer)


def knows(names: Iterable[tuple[str, ...]], key: tuple[str, ...]) -> bool:
    """Whether one of `names` can be the name `key`."""
    return any(same_name(name, key) for name in names)


def _trim(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Drop leading words that are capitalised but no names ("The", "However"), and a trailing full stop."""
    while start < end:
        word = re.match(r"[\w'’.-]+", text[start:end])
        if word is None or word[0].replace("’", "'").lower() not in _NOT_NAMES:
            break
        start += word.end()
        start += len(text[start:end]) - len(text[start:end].lstrip())
        if start < end and not text[start].isupper():
            start = _next_capital(text, start, end)
    span = text[start:end].rstrip(".'’-")
    return (start, start + len(span)) if len(span) > 1 else None


def _next_capital(text: str, start: int, end: int) -> int:
    return next((position for position in range(start, end) if text[position].isupper()), end)


def _quoted(text: str) -> list[Name]:
    names = []
    for match in _QUOTED.finditer(text):
        group = next(i for i in (1, 2, 3) if match[i] is not None)
        title = match[group]
        key = name_key(title)
        if key and title[:1].isupper() and title[-1:] not in ".!?:" and len(key) <= 10:
            names.append(Name(title, match.start(group), match.end(group), key, quoted=True))
    return names


def _without_inner(names: list[Name]) -> list[Name]:
    """Keep the longer of two names that overlap."""
    longest: list[Name] = []
    for name in sorted(names, key=lambda name: (name.start, -name.end)):
        if not longest or name.start >= longest[-1].end:
            longest.append(name)
        elif name.end - name.start > longest[-1].end - longest[-1].start:
            longest[-1] = name
    return longest
