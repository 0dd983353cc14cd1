"""Finding the example that a subject gave, so that later questions can quote it."""

from __future__ import annotations

import re

from voirdire.jury.hostile_answers import find_addresses

MAX_WORDS = 7
_QUOTED = re.compile(r"[“\"*_]{1,2}([A-Z][^“”\"*_\n]{2,60})[”\"*_]{1,2}")
_INTRODUCED = re.compile(
    r"(?:example(?: of [\w\s'’-]{1,40}?)? (?:is|would be|comes from|can be found in)|instance is|case of|"
    r"such as|consider|known as|called)\s+(?:in )?(?:the (?:example|case|story) of )?"
    r"[“\"*_]*(?P<name>(?:the |an? )?[A-Za-z](?:[^.,;:!?()“”\"*_\n]|, (?=[A-Z])){2,80})",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?<=[a-z,;] )((?:[A-Z][\w'’-]+)(?:(?: of| the| de| du| in)? [A-Z][\w'’-]+)*)")
_CUT = re.compile(r"\s(?:which|that|who|where|when|because|since|as|in which|by|is|are|was|were)\s", re.IGNORECASE)


def example_of(answer: str, concept: str) -> str | None:
    """The name of the example that an answer gives, in at most seven words; `None` if none stands out.

    By rule: what follows "an example is …", then a quoted or emphasised title, then a proper name. It need not be
    right: it is quoted back to the subject, who knows what was meant.
    """
    quoted = (match.group(1) for match in _QUOTED.finditer(answer))
    introduced = (_CUT.split(match.group("name"))[0] for match in _INTRODUCED.finditer(answer))
    names = (match.group(1) for match in _NAME.finditer(answer))
    for candidates in (introduced, quoted, names):
        for candidate in candidates:
            name = " ".join(candidate.split()).strip(" :.,;-")
            if _usable(name, concept):
                return name
    return None


def _usable(name: str, concept: str) -> bool:
    plain = name.casefold()
    generic = plain in {"example", "answer", "explanation", "the", "this", "definition", "i", "detail"}
    names_concept = plain in concept.casefold() or concept.casefold() in plain
    short = 2 < len(name) and len(name.split()) <= MAX_WORDS
    return short and not generic and not names_concept and "?" not in name and not find_addresses(name)
