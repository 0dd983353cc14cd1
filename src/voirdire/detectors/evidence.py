"""Evidence cut into sentences, once for all who compare a sentence with it."""

from __future__ import annotations

import re
from functools import lru_cache

from voirdire.text.sentences import split_sentences

# How WikiText writes the marks within figures and words: "38 @,@ 000". Some copies broke the line at its points.
_ESCAPED = re.compile(r"\s?@(?:([,-])|[.\n])@\s?")


def plain(context: str) -> str:
    """A context without the escapes of WikiText."""
    return _ESCAPED.sub(lambda mark: mark[1] or ".", context)


@lru_cache(maxsize=4)
def evidence_sentences(context: str) -> tuple[str, ...]:
    """The sentences of a context as `plain` gives it, cut at layout too."""
    return tuple(sentence.text for sentence in split_sentences(plain(context), layout=True))
