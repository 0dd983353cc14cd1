"""Open at all hours, where the context gives that very thing hours: "24 hours a day", where it says "6 am to 10 pm"."""

from __future__ import annotations

import re

from voirdire.evidence.matching import Match
from voirdire.evidence.negation import half_negators, negations
from voirdire.evidence.records import Contradiction
from voirdire.evidence.tokens import parse

_CERTAINTY = 0.95
_ALWAYS = re.compile(
    r"(?i)(?:\b24 hours a day\b|\b24/7|\b(?:a)?round the clock|\bat (?:all hours|any hour)\b|\bday and night)"
    r"(?:,? (?:and )?(?:seven|7) days a week)?"
)
_HOURS = re.compile(
    r"\b\d{1,2}(?:[:.]\d\d)?(?: ?[ap]\.?m\.?)? ?(?:to|until|till|[-–]) ?\d{1,2}(?:[:.]\d\d| ?[ap]\.?m\b)", re.IGNORECASE
)
_UNSURE = frozenset("only except unless if nearly almost than unlike before until during on".split())


def closed_at_times(match: Match) -> list[Contradiction] | None:
    """The hours that a sentence of the context gives all that is said to be open always; `None` where none does."""
    claim = match.claim
    always = _ALWAYS.search(claim.text)
    if always is None or "?" in claim.text or half_negators(claim):
        return None
    about = parse(claim.text[: always.start()] + claim.text[always.end() :])
    if not about.stems or not _UNSURE.isdisjoint(about.words):
        return None
    sentences = [each for each in match.index.sentences if about.stems <= each.stems]
    limited = next((each for each in sentences if _HOURS.search(each.text)), None)
    if limited is None or any(_ALWAYS.search(each.text) for each in sentences):
        return None
    if any(negations(claim)):
        return []
    hours = _HOURS.search(limited.text)
    return [Contradiction("number", always[0], hours[0] if hours else "", limited.text, _CERTAINTY, sure=True)]
