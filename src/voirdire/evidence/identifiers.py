"""Codes and numbers that name one thing: with two signs exchanged, or of another record: "DE-4471" for "DE-4417"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from string import ascii_uppercase
from typing import NamedTuple

from voirdire.evidence.context import ContextIndex, plain
from voirdire.evidence.figures import figures_of
from voirdire.evidence.matching import Match
from voirdire.evidence.negation import negations
from voirdire.evidence.records import Contradiction
from voirdire.evidence.row_records import Record, all_rows_of, telling_values, words_of
from voirdire.evidence.tokens import parse

_CERTAINTY = 0.95
_GROUP = r"(?:[A-Z]{1,4}|[A-Z]{0,12}\d[A-Z\d]{0,40}|\d{1,12}[a-z])"
_IDENTIFIER = re.compile(rf"(?<![\w.,:/-])(?=[A-Z/ -]{{0,24}}\d){_GROUP}(?:[-/ ]{_GROUP}){{0,12}}(?![\w/-]|[.,:]\d)")
_JOINT = re.compile(r"[-/ ]")
_DATE = re.compile(r"\d{4}-\d\d-\d\d|\d{1,2}/\d{1,2}/\d{2,4}|[12]\d{3}[-/][12]\d{3}")
_LEAST_DIGITS = 6
"""Digits of one that has no letter."""
_LEAST_LETTERS = 3
"""Letters of a name of a record; another value that names it has more: no "yes"."""


class _Identifier(NamedTuple):
    text: str
    signs: str
    """Without its joints."""


def swapped_identifiers(match: Match) -> Iterator[Contradiction]:
    """The first that the context has with its signs in another order, or of another record than the one named."""
    claim = match.claim
    mine = list(_identifiers(claim.text))
    if not mine or "?" in claim.text or any(negations(claim)):
        return
    known = _identifiers_of(match.index)
    for each in mine:
        if each.signs in known:
            contradiction = _of_other_record(match, each)
        else:
            alike = [other for other in known.values() if _likeness(other.signs) == _likeness(each.signs)]
            swapped = len(alike) == 1 and alike[0] not in mine
            contradiction = _contradiction(match, each, alike[0]) if swapped else None
        if contradiction:
            yield contradiction
            return


def _of_other_record(match: Match, mine: _Identifier) -> Contradiction | None:
    """That other records have it, and the one that a sentence names by other values another one for the same key."""
    rows = all_rows_of(match.index)
    values = {row: _values(row) for row in rows}
    having = [row for row in rows if mine in values[row].values()]
    keys = {key for row in having for key, each in values[row].items() if each == mine}
    words = words_of(match.claim.text) - words_of(mine.text)
    named = [row for row in rows if _is_named(row, words)]
    if len(named) != 1 or len(keys) != 1 or named[0] in having:
        return None
    if all(row.name == mine.text for row in having) and (of_value := _value_of_other(having[0], named[0], words)):
        return of_value
    own = values[named[0]].get(keys.pop())
    return _contradiction(match, mine, own) if own else None


def _value_of_other(own: Record, other: Record, words: frozenset[str]) -> Contradiction | None:
    """A value of another record that a sentence gives to the one it names, which has another one there."""
    theirs = {key: value for key, value, _ in other.values}
    for key, value, _ in own.values:
        given = theirs.get(key, "")
        if given != value and words_of(given) and words_of(given) <= words:
            return Contradiction("name", given, f"{key}: {value}", own.text, _CERTAINTY, about=own.name, sure=True)
    return None


def _contradiction(match: Match, mine: _Identifier, other: _Identifier) -> Contradiction:
    texts = (*(row.text for row in all_rows_of(match.index)), *(each.text for each in match.index.sentences))
    where = next((text for text in texts if other.text in text), other.text)
    return Contradiction("number", mine.text, other.text, where, _CERTAINTY, sure=True)


def _is_named(row: Record, words: frozenset[str]) -> bool:
    """Whether a sentence has the name of a record, or another value of it that is words."""
    has_name = row.words <= words and any(len(word) >= _LEAST_LETTERS for word in row.words)
    values = (own for own in telling_values(row) if own <= words)
    return has_name or any(len(word) > _LEAST_LETTERS for own in values for word in own)


def _values(row: Record) -> dict[str, _Identifier]:
    """What a record has that is an identifier, by its key; "" of its name."""
    cells = (("", row.name), *((key, value) for key, value, _ in row.values))
    return {key: each for key, value in cells for each in _identifiers(value) if each.text == value.strip()}


@lru_cache(maxsize=32)
def _identifiers_of(index: ContextIndex) -> dict[str, _Identifier]:
    return {each.signs: each for each in _identifiers(plain(index.text))}


def _identifiers(text: str) -> Iterator[_Identifier]:
    """Those of a text; "IBAN NL91 0417" is also "NL91 0417"."""
    for spot in _IDENTIFIER.finditer(text):
        if _is_quantity(spot[0]):
            continue
        for written in (spot[0], spot[0].lstrip(ascii_uppercase).lstrip(" ")):
            signs = _JOINT.sub("", written)
            digits = sum(map(str.isdigit, signs))
            has_letters = 0 < digits < len(signs)
            if (has_letters or (digits >= _LEAST_DIGITS and signs != written)) and not _DATE.fullmatch(written):
                yield _Identifier(written, signs)


@lru_cache(maxsize=1024)
def _is_quantity(text: str) -> bool:
    """Whether it is a measure, a date or a time: "25 MB", "7 PM"."""
    figures = figures_of(parse(text))
    return any(each.text == text and (each.units or each.number.kind not in ("number", "year")) for each in figures)


@lru_cache(maxsize=1024)
def _likeness(signs: str) -> tuple[str, str]:
    """The same for identifiers of the same signs, with letters and digits in the same places."""
    return "".join("9" if sign.isdigit() else "A" for sign in signs), "".join(sorted(signs))
