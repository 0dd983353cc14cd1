"""Finding the example that a subject gave, so that later questions can quote it."""

from __future__ import annotations

import re
from functools import cache

from voirdire.data.packaged_files import read_text
from voirdire.ddft.questions import MAX_EXAMPLE_WORDS
from voirdire.jury.hostile_answers import find_addresses

_QUOTED = re.compile(r"[“\"*_]{1,2}([A-Z][^“”\"*_\n:]{2,60})[”\"*_]{1,2}(?!\s?:)")
_INTRODUCED = re.compile(
    r"(?:(?:example(?: of [\w\s'’-]{1,40}?)? (?:is|would be|comes from|can be found in)|(?:instance|case) is|case of|"
    r"such as|consider|known as|called)\s+|\b(?:example|case):[*_]*\s+)(?:in )?(?:the (?:example|case|story) of )?"
    r"[“\"*_]*(?P<name>(?:the |an? )?[A-Za-z](?:[^.,;:!?()“”\"*_\n]|, (?=[A-Z])){2,80})",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?<=[a-z,;] )((?:[A-Z][\w'’-]+)(?:(?: of| the| de| du| in)? [A-Z][\w'’-]+)*)")
_CUT = re.compile(r"\s(?:which|that|who|where|when|because|since|as|in which|by|is|are|was|were)\s", re.IGNORECASE)
_POSSESSIVE = re.compile(r"['’]s$")
_INDEFINITE = frozenset(("a", "an"))
_ARTICLES = frozenset(("a", "an", "the"))
_OPENERS = frozenset(
    "i it he she we you they this that these those there what where when why how who which whether if as to not my "
    "your our their his her its something someone anything everything while because since no yes".split()
)
"""What a name does not begin with."""
_OPEN_ENDS = frozenset("of the a an to and or in on at with for from by like known its his her their also i".split())
"""What a name does not end with: it was cut short."""
_CLAUSE = frozenset(
    "can could may might will would shall should must cannot be been being has have had does did".split()
)
"""What stands in a clause, and in no name that has no capital letters."""
_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")


def example_of(answer: str, concept: str) -> str | None:
    """The name of the example that an answer gives, in at most seven words; `None` if none stands out.

    By rule: what follows "an example is …", then a quoted or emphasised title, then a proper name. It need not be
    right, since it is quoted back to the subject, who knows what was meant. But it must name one thing, of which a
    detail can be looked up: "a technology" and "a ball on a ramp" do not.
    """
    quoted = (match.group(1) for match in _QUOTED.finditer(answer))
    introduced = (_CUT.split(match.group("name"))[0] for match in _INTRODUCED.finditer(answer))
    names = (_POSSESSIVE.sub("", match.group(1)) for match in _NAME.finditer(answer))
    for candidates in (introduced, quoted, names):
        for candidate in candidates:
            name = " ".join(candidate.split()).strip(" :.,;-")
            if _usable(name, concept):
                return name
    return None


def _usable(name: str, concept: str) -> bool:
    plain = name.casefold()
    names_concept = plain in concept.casefold() or concept.casefold() in plain
    short = 2 < len(name) and len(name.split()) <= MAX_EXAMPLE_WORDS
    return short and _names_one_thing(name) and not names_concept and "?" not in name and not find_addresses(name)


def _names_one_thing(name: str) -> bool:
    """Whether it may name a single thing: a name, a title, or "the peppered moth", but no kind of thing."""
    words = _WORD.findall(name) or [""]
    lower = [word.casefold() for word in words]
    if lower[0] in _OPENERS or lower[-1] in _OPEN_ENDS or _POSSESSIVE.search(name):
        return False
    if any(word[0].isupper() or word[0].isdigit() for word in words[1:]):
        return True
    if lower[0] in _INDEFINITE or ", " in name or not _CLAUSE.isdisjoint(lower):
        return False
    content = [word for word in lower if word not in _ARTICLES]
    return not all(word in _generic() or word.removesuffix("s") in _generic() for word in content)


@cache
def _generic() -> frozenset[str]:
    lines = read_text("lexicons/generic_nouns.txt").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())
