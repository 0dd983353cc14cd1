"""What the status of a record says: "has already been delivered" of a status "delivered", and that it has not been.

A sentence must have the status as the record writes it, and no words but those of its record. Another status is left
alone: what was delivered was sent, too.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from voirdire.evidence.context import ContextIndex
from voirdire.evidence.matching import Match
from voirdire.evidence.negation import half_negators, negations
from voirdire.evidence.records import Contradiction
from voirdire.evidence.row_records import Record, RecordStatus, labels_of, statuses_of, words_of
from voirdire.evidence.tokens import Token, parse
from voirdire.evidence.values_of_other_columns import roots_of

_CERTAINTY = 0.95
_SAYS = frozenset("already yet still now been".split())
_PASSIVE = frozenset("been is are was were isn't wasn't".split())
"""Who has done it, the status does not say."""
_UNSURE = frozenset(
    "if when until till before after unless once will would should could might may expected except or partly only"
    " than later".split()
)


class _Status(NamedTuple):
    record: Record
    key: str
    value: str
    names: frozenset[str]
    """The words of its record but those of the status."""

    def telling(self, statuses: Iterable[_Status]) -> frozenset[str]:
        """The words of its record that no other has."""
        return self.names.difference(*(each.names for each in statuses if each != self))

    def has(self, token: Token) -> bool:
        known = frozenset().union(*map(roots_of, self.names | words_of(self.key)))
        return token.stem in self.record.key or all(roots_of(word) & known for word in words_of(token.word))


class _Statement(NamedTuple):
    """What a sentence says of a status."""

    status: _Status
    agrees: bool


def status_contradictions(match: Match) -> list[Contradiction] | None:
    """That a record's status is denied; `None` where it is not."""
    statement = _stated(match)
    if statement is None or statement.agrees:
        return None
    status = statement.status
    evidence = f"{status.key}: {status.value}"
    return [Contradiction("negation", match.claim.text, evidence, status.record.text, _CERTAINTY, sure=True)]


def is_status(match: Match) -> bool:
    """Whether a sentence says the status of its record, and no more."""
    statement = _stated(match)
    return statement is not None and statement.agrees


@lru_cache(maxsize=64)
def _stated(match: Match) -> _Statement | None:
    claim, statuses = match.claim, _statuses(match.index)
    if not statuses or "?" in claim.text or half_negators(claim) or not _UNSURE.isdisjoint(claim.words):
        return None
    if any(figure.units or figure.number.kind != "number" for figure, _ in match.figures):
        return None
    words = words_of(claim.text)
    own = [each for each in statuses if each.telling(statuses) & words] or list(statuses)
    value = words_of(own[0].value)
    undone = {f"un{word}" for word in value}
    if len({each.value for each in own}) != 1 or not (value <= words or undone <= words):
        return None
    others = {each for each in claim.tokens if each.stem and not words_of(each.word) <= value | undone | _SAYS}
    labels = labels_of(match.index)
    status = next((each for each in own if all(each.has(one) or one.stem in labels for one in others)), None)
    if status is None or _PASSIVE.isdisjoint(claim.words):
        return None
    return _Statement(status, agrees=not (undone <= words or any(negations(claim))))


@lru_cache(maxsize=32)
def _statuses(index: ContextIndex) -> tuple[_Status, ...]:
    """Of the records with one status, those that it does not deny."""
    return tuple(
        _Status(each.record, each.key, each.value, _words_beside(each))
        for each in statuses_of(index)
        if not any(negations(parse(each.value)))
    )


def _words_beside(status: RecordStatus) -> frozenset[str]:
    cells = (words_of(f"{key} {value}") for key, value, _ in status.record.values if key != status.key)
    return status.record.words.union(*cells)
