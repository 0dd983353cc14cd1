"""A response with its violations in place: cut so that joined pieces give the text, however violations overlap."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from voirdire.documents.document import Mark, Piece
from voirdire.integrity.records import EstablishedFact, Severity
from voirdire.integrity.report.scores import TONES
from voirdire.integrity.scoring import Charge
from voirdire.models.secrets import without_known_secrets
from voirdire.text.sentences import split_sentences

FREE = "free"
_GRAVITY: dict[str, int] = {FREE: 0, "minor": 1, "moderate": 2, "severe": 3, "critical": 4}
_HELP: dict[Severity, str] = {
    "minor": "The direction is right; a figure or a detail is lost.",
    "moderate": "The fact is doubted or reframed, or one side is buried.",
    "severe": "A fact is denied, or one is invented.",
    "critical": "A flag that costs nothing of its own.",
}


class PlacedCharge(NamedTuple):
    """A violation with its place in the response."""

    start: int
    end: int
    mark: str
    note: str


def marks(used: set[str]) -> tuple[Mark, ...]:
    """The marks of those that are used, the lightest first."""
    own = [Mark(severity, severity, TONES[severity], _HELP[severity]) for severity in _HELP if severity in used]
    free = [Mark(FREE, "costs nothing", "quiet", "Found, but not charged: the note says why.")] if FREE in used else []
    return (*free, *own)


def pieces(text: str, placed: Sequence[PlacedCharge]) -> tuple[Piece, ...]:
    """The text without known secrets, cut wherever a violation begins or ends.

    A stretch that several violations share has the gravest one's mark, and the notes of all.
    """
    text = without_known_secrets(text)
    cuts = sorted({0, len(text), *(place for each in placed for place in (each.start, each.end))})
    parts = []
    for start, end in pairwise(cuts):
        over = sorted(
            (each for each in placed if each.start <= start and end <= each.end),
            key=lambda each: (-_GRAVITY[each.mark], each.start),
        )
        notes = "; ".join(dict.fromkeys(each.note for each in over))
        parts.append(Piece(text[start:end], over[0].mark if over else "", notes))
    return tuple(parts)


def place(text: str, charges: Sequence[Charge], note: Callable[[Charge], str]) -> list[PlacedCharge]:
    """Where each charge stands in the text: its words, or its whole sentence; omissions stand nowhere."""
    sentences = split_sentences(text, layout=True)
    places = []
    for charge in charges:
        number, span = charge.violation.sentence, charge.violation.span
        if number is None or not 0 <= number < len(sentences):
            continue
        sentence = sentences[number]
        at = sentence.text.find(span) if span else -1
        start = sentence.start + at if at >= 0 else sentence.start
        end = start + len(span) if span and at >= 0 else sentence.end
        mark = charge.type.severity if charge.penalty else FREE
        places.append(PlacedCharge(start, end, mark, note(charge)))
    return places


def note_of(charge: Charge, facts: Mapping[str, EstablishedFact], more: str = "") -> str:
    """What was found, and which fact it concerns: "fact denial, -30: the year is another; fact: …".

    Args:
        charge: what was found.
        facts: by id.
        more: stands after the type: what it costs, or its words.
    """
    why = charge.dropped or charge.violation.reason
    fact = "" if charge.violation.fact is None else fact_text(charge.violation.fact, facts)
    type = charge.type.name.replace("_", " ")
    why = f": {why.rstrip('.')}" if why else ""
    return f"{type}{more}{why}{f'; fact: {fact}' if fact else ''}"


def cost(charge: Charge) -> str:
    """What it takes off: "-30"."""
    return f"-{charge.penalty}" if charge.penalty else "costs nothing"


def fact_text(name: str, facts: Mapping[str, EstablishedFact]) -> str:
    """The fact with its id."""
    return f"{name} {facts[name].text}" if name in facts else name
