"""An item of a list that one clause of the context denies: "bicycles, tents and skis", where "skis are not lent"."""

from __future__ import annotations

import re

from voirdire.evidence.matching import Match
from voirdire.evidence.negation import half_negators, negations
from voirdire.evidence.records import Contradiction
from voirdire.evidence.tokens import ParsedSentence, parse

_CERTAINTY = 0.9
_LIST = re.compile(r"(?P<items>(?:[\w' -]+, )+[\w' -]+),? (?:and|or) (?P<last>[\w'-]+)")
_CLAUSE_END = re.compile(r"[;:]\s|,? but |, (?:except|however) ")
_UNSURE = frozenset("if unless except only neither nor without than until".split())


def denied_items(match: Match) -> list[Contradiction]:
    """The item of a list that a clause denies in a sentence whose other clauses have all others."""
    claim = match.claim
    sentences = [match.index.sentences[place] for place in match.ranked]
    sentences = [each for each in sentences if any(negations(each))]
    items = _items(claim) if sentences else []
    if not items or "?" in claim.text or any(negations(claim)) or half_negators(claim):
        return []
    if not _UNSURE.isdisjoint(claim.words):
        return []
    for sentence in sentences:
        clauses = list(map(parse, _CLAUSE_END.split(sentence.text)))
        denying = [each for each in clauses if any(negations(each))]
        others = frozenset().union(*(each.stems for each in clauses if each not in denying))
        for clause in denying:
            denied = [item for item in items if item in clause.stems - others]
            if len(denied) == 1 and all(item in others for item in items if item not in denied):
                return [Contradiction("negation", claim.text, clause.text, sentence.text, _CERTAINTY, sure=True)]
    return []


def _items(claim: ParsedSentence) -> list[str]:
    """The last stem of each item of a list of three or more, the first of its last item; two may be anything."""
    listed = _LIST.search(claim.text) if ", " in claim.text else None
    if listed is None:
        return []
    parts = [*listed["items"].split(", "), listed["last"]]
    stems = [[token.stem for token in parse(part).tokens if token.stem] for part in parts]
    return [each[-1] for each in stems if each] if all(stems) else []
