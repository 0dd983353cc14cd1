"""A name changed for another name of the same context."""

from __future__ import annotations

import random
import re

from voirdire.cognibench.contradictions.grounds import Grounds, NamedPlace, place_of
from voirdire.text import content_words

_POSSESSIVE = re.compile(r"['’]s?$")


def swap_name(statement: str, grounds: Grounds, chance: random.Random) -> str | None:
    """Put another name of the context where a name of the context stands, upper or lower case as the original.

    The other name is one that neither the statement has, nor the context sentence that carries it best, nor that one's
    neighbours. Where there is one, it stands in the context as the name stands in the statement: after the same sort
    of word, before a noun or not, with as many words.
    """
    mentions = _mentions(statement, grounds)
    near = grounds.near(statement) | set(content_words(statement))
    for name, start, end in chance.sample(mentions, len(mentions)):
        others = [each for each in grounds.names if not near.intersection(content_words(each.text))]
        before, attributive = place_of(statement, start, end)
        alike = [each for each in others if each.attributive == attributive]
        closest = [each for each in alike if each.before == before and each.words == name.words]
        options = closest or [each for each in alike if each.before == before] or alike
        if options:
            instead = chance.choice(sorted({each.text for each in options}))
            written = instead if any(c.isupper() for c in statement[start:end]) else instead.lower()
            return statement[:start] + written + statement[end:]
    return None


def _mentions(statement: str, grounds: Grounds) -> list[tuple[NamedPlace, int, int]]:
    """Names of the context in a statement, longest first; none within another, none that is part of a longer one."""
    found: list[tuple[NamedPlace, int, int]] = []
    for name in sorted(grounds.names, key=lambda each: (-len(each.text), each.text)):
        for match in re.finditer(rf"(?i)(?<![\w'’-]){re.escape(name.text)}(?![\w-])", statement):
            free = all(match.end() <= start or match.start() >= end for _, start, end in found)
            if free and not _goes_on(statement, match.start(), match.end(), grounds):
                found.append((name, match.start(), match.end()))
    return found


def _goes_on(statement: str, start: int, end: int, grounds: Grounds) -> bool:
    """Whether the word right before or after belongs to a name too, so that only a part of a name was found."""
    beside = (re.search(r"([\w'’-]+)\s$", statement[:start]), re.match(r"\s([\w'’-]+)", statement[end:]))
    words = (_POSSESSIVE.sub("", word[1].lower()) for word in beside if word is not None)
    return any(word in grounds.name_words for word in words)
