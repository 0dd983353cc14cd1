"""What is had at one place and denied of others: "They are not available at Hall 2 or Hall 3"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from voirdire.evidence.context import ContextIndex
from voirdire.evidence.matching import Match
from voirdire.evidence.negation import half_negators, negations
from voirdire.evidence.records import SURE_NEGATION, Contradiction
from voirdire.evidence.tokens import ParsedSentence, parse

_DENIAL = re.compile(
    r"(?:They|These|It|This) (?:is|are|was|were|can|could)(?: ?not|n['’]t)(?: be)?"
    r" (?:available|offered|provided|possible|sold|rented|borrowed|served|accepted|had|bought)"
    r" (?:at|in|on) (?P<places>[^;:.!?]+)[.!]?"
)
_OR = re.compile(r",? (?:or|nor|and) (?:(?:at|in|on) )?|, ")
_SHARED = 2
"""Content words that a sentence and the one before the denial have: what is had, and that it is had."""


def denied_places(match: Match) -> Iterator[Contradiction]:
    """A sentence that grants at one of these places what the sentence before the denial grants at another."""
    claim = match.claim
    denials = _denials(match.index)
    if not denials or any(negations(claim)) or half_negators(claim) or claim.text.endswith("?"):
        return
    for granted, denial, written in denials:
        places = {each: parse(each).stems for each in _OR.split(written)}
        elsewhere = frozenset().union(*places.values())
        others = _names(granted) - elsewhere
        if len((claim.stems & granted.stems) - elsewhere) < _SHARED or not claim.stems.isdisjoint(others):
            continue
        named = next((each for each in places if _is_at(claim.text, each)), "")
        if named:
            yield Contradiction("negation", named, denial.text, denial.text, SURE_NEGATION, sure=True)
            return


@lru_cache(maxsize=32)
def _denials(index: ContextIndex) -> list[tuple[ParsedSentence, ParsedSentence, str]]:
    """Each sentence that such a denial follows, with the denial and its places as they are written."""
    return [
        (granted, denial, denied["places"])
        for granted, denial in pairwise(index.sentences)
        if (denied := _DENIAL.fullmatch(denial.text)) is not None and not any(negations(granted))
    ]


def _is_at(text: str, place: str) -> bool:
    """Whether a sentence says that something is at a place."""
    return re.search(rf"\b(?:at|in|on) (?:the )?{re.escape(place.removeprefix('the '))}\b", text) is not None


def _names(sentence: ParsedSentence) -> frozenset[str]:
    """The stems of words with capitals, but for the first."""
    return frozenset(each.stem for each in sentence.tokens[1:] if each.stem and sentence.text[each.start].isupper())
