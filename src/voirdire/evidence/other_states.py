"""Another state than a record has: "The invoice is paid" of a status "partially_paid", "was received" of "failed".

A sentence must say one state and no words but those of its record. States of one group exclude each other; a synonym of
the record's own is right. Denials are left alone.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from voirdire.evidence.figures import Figure, figures_of
from voirdire.evidence.matching import Match
from voirdire.evidence.negation import half_negators, negations
from voirdire.evidence.records import Contradiction
from voirdire.evidence.row_records import Record, RecordStatus, labels_of, statuses_of, words_of
from voirdire.evidence.tokens import Token, parse
from voirdire.evidence.values_of_other_columns import roots_of
from voirdire.text.numbers import agree

_CERTAINTY = 0.95
_GROUPS = tuple(
    tuple(tuple(state.split(", ")) for state in group.split(" | "))
    for group in (
        "paid in full, fully paid, settled in full, paid, settled | partially paid, partly paid, part paid,"
        " paid in part | unpaid, overdue, outstanding",
        "received, completed, successful, succeeded, cleared, went through | failed, declined, unsuccessful, bounced",
        "completed, successful, succeeded, cleared, went through | pending, processing, in progress",
        "confirmed | cancelled, canceled, called off | pending, provisional, unconfirmed, tentative",
        "active, activated, enabled, in force | inactive, deactivated, disabled, suspended, expired, terminated",
        "approved, granted, accepted | rejected, declined, refused, denied | pending, under review, in review",
        "delivered, arrived | in transit, on its way | processing, pending, unshipped",
        "open, in progress | closed, resolved, completed, finished",
        "available, in stock | unavailable, out of stock, sold out",
    )
)
"""Of each group the states, each with its synonyms, the longer ones first."""
_SAYS = frozenset("already still now been currently full part partly partially fully went".split())
_UNSURE = frozenset(
    "if when until till before after unless once will would should could might may can must expected except or only"
    " than later once first originally almost nearly earlier".split()
)


class _Statement(NamedTuple):
    """What a sentence says of the status of a record."""

    status: RecordStatus
    text: str
    """The state, as the sentence writes it."""
    agrees: bool


def other_state(match: Match) -> list[Contradiction] | None:
    """The state that a sentence gives a record which has another one; `None` where it gives none."""
    statement = _stated(match)
    if statement is None or statement.agrees:
        return None
    status = statement.status
    evidence = f"{status.key}: {status.value}"
    text, name = status.record.text, status.record.name
    return [Contradiction("comparison", statement.text, evidence, text, _CERTAINTY, about=name, sure=True)]


def is_own_state(match: Match) -> bool:
    """Whether a sentence says the state of its record, and no more."""
    statement = _stated(match)
    return statement is not None and statement.agrees


@lru_cache(maxsize=64)
def _stated(match: Match) -> _Statement | None:
    claim, statuses = match.claim, statuses_of(match.index)
    if not statuses or "?" in claim.text or not _UNSURE.isdisjoint(claim.words):
        return None
    named = _named(match, statuses)
    if len({each.value for each in named}) != 1:
        return None
    status = named[0]
    for states in _GROUPS:
        text, state = _state_in(claim.text, states)
        _, own = _state_in(status.value, states)
        if text and own and _is_asserted(match, text) and _says_no_more(match, status, text):
            return _Statement(status, text, state == own)
    return None


def _is_asserted(match: Match, state: str) -> bool:
    """Whether a sentence denies nothing; "failed" is a denial, too."""
    rest = parse(match.claim.text.replace(state, "…"))
    return not any(negations(rest)) and not half_negators(rest)


def _says_no_more(match: Match, status: RecordStatus, state: str) -> bool:
    """Whether a sentence has words of its record only, and a state that no other field has: "monday: closed"."""
    values = (value for key, value, _ in status.record.values if key != status.key)
    tokens = (token for token in match.claim.tokens if token.stem)
    return not any(words_of(state) <= words_of(each) for each in values) and all(
        _is_known(match, status.record, state, token) for token in tokens
    )


def _state_in(text: str, states: tuple[tuple[str, ...], ...]) -> tuple[str, tuple[str, ...]]:
    """The one state of a group that a text names, as it writes it, with its synonyms; empty for none and several."""
    plain = re.sub(r"[\W_]+", " ", text)
    spots = [
        (spot[0], state)
        for state in states
        for each in state
        if (spot := re.search(rf"(?i)(?<!\w){each}(?!\w)", plain)) is not None
    ]
    longest = max(spots, key=lambda spot: len(spot[0]), default=("", ()))
    return longest if all(spot[0] in longest[0] or spot[1] == longest[1] for spot in spots) else ("", ())


def _named(match: Match, statuses: tuple[RecordStatus, ...]) -> list[RecordStatus]:
    """The records of which a sentence names most cells; one alone needs none."""
    words = words_of(match.claim.text)
    dates = [each for each, _ in match.figures if each.number.kind == "date"]
    counts = [_named_cells(each, words, dates) for each in statuses]
    most = max(counts)
    is_clear = most > 0 or len(statuses) == 1
    return [each for each, count in zip(statuses, counts, strict=True) if count == most] if is_clear else []


def _named_cells(status: RecordStatus, words: frozenset[str], dates: list[Figure]) -> int:
    cells = [value for key, value, _ in status.record.values if key != status.key]
    own = [each for value in dict.fromkeys((status.record.name, *cells)) if (each := words_of(value))]
    return sum(each <= words for each in own) + sum(_has_date(status.record, each) for each in dates)


def _has_date(record: Record, date: Figure) -> bool:
    return any(
        agree(date.number, each.number)
        for _, value, _ in record.values
        for each in figures_of(parse(value))
        if each.number.kind == "date"
    )


def _is_known(match: Match, record: Record, state: str, token: Token) -> bool:
    """Whether a word of a sentence is one of its record, of what its figures are called, or of the state."""
    figure = next((each for each, _ in match.figures if each.start <= token.start < each.end), None)
    if figure is not None:
        return _has_date(record, figure) if figure.number.kind == "date" else _is_code(match, record, figure)
    keys = (words_of(key) for key, _, _ in record.values)
    known = frozenset().union(*map(roots_of, record.all_words.union(record.words, *keys)))
    is_said = words_of(token.word) <= words_of(state) | _SAYS
    own = token.stem in record.key or token.stem in labels_of(match.index)
    return is_said or own or all(roots_of(word) & known for word in words_of(token.word))


def _is_code(match: Match, record: Record, figure: Figure) -> bool:
    """Whether a figure is part of a code of a record, or a number behind its key: "invoice 8812"; an amount is not."""
    text = match.claim.text
    cells = ((record.key, record.name), *((parse(key).stems, value) for key, value, _ in record.values))
    return any(
        spot.start() <= figure.start < spot.end()
        and (any(map(str.isalpha, value)) or not key.isdisjoint(parse(text[: spot.start()]).stems))
        for key, value in cells
        if value and not figure.units
        for spot in re.finditer(rf"(?<!\w){re.escape(value)}(?![\w.]*\w)", text)
    )
