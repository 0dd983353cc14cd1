"""Compression c keeps a share 1 - c of a concept's reference (DDFT 3 and 4.3).

`truncate` keeps the leading characters, as the published code does; `sentences` drops the least salient sentences
first; `tokens` drops the least informative words first, all over the text.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import Literal

from voirdire.errors import InputError
from voirdire.text.overlap import content_words, salience
from voirdire.text.sentences import split_sentences

Method = Literal["truncate", "sentences", "tokens"]
METHODS: tuple[Method, ...] = ("truncate", "sentences", "tokens")


class LevelError(InputError):
    """A compression level outside [0, 1]."""


def check_level(level: float) -> float:
    """The level itself, if it is one.

    Raises:
        LevelError: not a number in [0, 1].
    """
    if not 0.0 <= level <= 1.0:
        raise LevelError(
            f"The compression level {level:g} is outside [0, 1]: 0 gives the full reference, 1 gives none of it."
        )
    return level


@lru_cache(maxsize=512)  # a study compresses the same few references again for every subject
def compress(text: str, level: float, method: Method) -> str:
    """What is left of `text` at compression `level`; "" at level 1.

    Never more than a share 1 - level of the text, except that `sentences` keeps at least one sentence below level 1.

    Raises:
        LevelError: level outside [0, 1].
    """
    check_level(level)
    if level == 0.0:
        return text
    if level == 1.0:
        return ""
    return {"truncate": _truncate, "sentences": _drop_sentences, "tokens": _drop_words}[method](text, 1.0 - level)


def _truncate(text: str, share: float) -> str:
    return text[: int(share * len(text))]


def _drop_sentences(text: str, share: float) -> str:
    sentences = split_sentences(text)
    weights = salience([sentence.text for sentence in sentences])
    remaining = set(range(len(sentences)))
    room = share * sum(len(sentence.text) for sentence in sentences)
    for weakest in sorted(remaining, key=lambda i: weights[i]):
        if len(remaining) == 1 or sum(len(sentences[i].text) for i in remaining) <= room:
            break
        remaining.remove(weakest)
    return " ".join(sentences[i].text for i in sorted(remaining))


def _drop_words(text: str, share: float) -> str:
    words = text.split()
    counts = Counter(stem for word in words for stem in content_words(word))

    def information(i: int) -> tuple[bool, float]:
        stems = content_words(words[i])  # none for a function word
        return (bool(stems), max((1.0 / counts[stem] for stem in stems), default=0.0))

    # A later word of the same weight goes first: openings carry the subject.
    in_order = sorted(range(len(words)), key=lambda i: (*information(i), -i))
    dropped = set(in_order[: len(words) - int(share * len(words))])
    return " ".join(word for i, word in enumerate(words) if i not in dropped)
